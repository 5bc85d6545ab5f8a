#include "app/stencil/time_step.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "schedule/builder.h"

namespace muster::stencil {
namespace {

/// Where data travels, and from which side it comes: east and from the west, and so on, in the order of the sum.
struct Way {
  std::int32_t dx = 0;
  std::int32_t dy = 0;
};
constexpr std::array<Way, 4> kWays{Way{1, 0}, Way{-1, 0}, Way{0, 1}, Way{0, -1}};
constexpr std::int32_t kSendLanes = 4;  ///< behind those that receive
constexpr std::int32_t kLocalLane = 8;

const std::vector<float>& weights_along(const Weights& weights, const Way& way) {
  return way.dx != 0 ? weights.x : weights.y;
}

/// With one neighbour, a router sends or takes: two colors serve both without switches.
bool returns_to_sender(std::size_t radius) { return radius > 1; }

class Writer {
 public:
  explicit Writer(const TimeStep& step)
      : step_(step),
        margin_(static_cast<std::int64_t>(step.weights.z.size())),
        block_(std::min(step.block, step.cells)),
        builder_({.nodes = step.columns * step.rows,
                  .count = step.cells + 2 * margin_,
                  .scratch = scratch_elements(step),
                  .model = std::ssize(factors_of(step)) * step.cells,
                  .series = page_of(step.sources),
                  .record = page_of(step.receivers)}) {
    std::int64_t slot = 0;
    for (std::size_t w = 0; w < kWays.size(); ++w) {
      first_slot_.at(w) = slot;
      slot += static_cast<std::int64_t>(radius(w)) + (returns_to_sender(radius(w)) ? 1 : 0);
    }
    sum_slot_ = slot;
    centre_ = builder_.coefficient({.name = "c0", .value = step.weights.centre});
    minus_one_ = builder_.coefficient({.name = "minus_one", .value = -1});
    x_ = named("cx", step.weights.x);
    y_ = named("cy", step.weights.y);
    z_ = named("cz", step.weights.z);
    if (step.has_velocity && !step.has_damping) two_ = builder_.coefficient({.name = "two", .value = 2});
    for (const Factor factor : factors_of(step)) {
      arrays_.at(static_cast<std::size_t>(factor)) = builder_.coefficient(
          {.name = name_of(factor), .array = Buffer::model, .first = first_of(step, factor) - margin_});
    }
  }

  Schedule write() {
    const std::int64_t blocks = (step_.cells + block_ - 1) / block_;
    last_sum_.assign(at(nodes()), -1);
    for (std::int64_t b = 0; b < blocks; ++b) {
      first_ = b * block_;
      count_ = std::min(block_, step_.cells - first_);
      write_streams();
      for (NodeId node = 0; node < nodes(); ++node) write_block(node);
    }
    for (const StencilPoints& source : step_.sources) write_source(source);
    for (const StencilPoints& receiver : step_.receivers) write_receiver(receiver);
    builder_.contract(contract());
    return std::move(builder_).finish();
  }

 private:
  [[nodiscard]] NodeId nodes() const { return step_.columns * step_.rows; }
  [[nodiscard]] std::size_t radius(std::size_t way) const { return weights_along(step_.weights, kWays.at(way)).size(); }

  std::vector<std::int32_t> named(const char* prefix, const std::vector<float>& weights) {
    std::vector<std::int32_t> ids;
    for (std::size_t m = 0; m < weights.size(); ++m) {
      ids.push_back(builder_.coefficient({.name = prefix + std::to_string(m + 1), .value = weights[m]}));
    }
    return ids;
  }

  /// The node so many steps further along a way; -1 outside the grid.
  [[nodiscard]] NodeId beside(NodeId node, std::size_t way, std::int32_t steps) const {
    const NodeId x = node % step_.columns + kWays.at(way).dx * steps,
                 y = node / step_.columns + kWays.at(way).dy * steps;
    return x < 0 || x >= step_.columns || y < 0 || y >= step_.rows ? -1 : y * step_.columns + x;
  }

  /// How far along a way a node is from the edge where it begins.
  [[nodiscard]] std::int32_t coordinate(NodeId node, std::size_t way) const {
    const NodeId x = node % step_.columns, y = node / step_.columns;
    const Way& w = kWays.at(way);
    if (w.dx != 0) return w.dx > 0 ? x : step_.columns - 1 - x;
    return w.dy > 0 ? y : step_.rows - 1 - y;
  }

  SpanId cells(std::int64_t shift = 0) { return builder_.span({margin_ + first_ + shift, count_}); }
  SpanId slot(std::int64_t number) { return builder_.span({number * block_, count_}); }

  void write_streams() {
    for (std::size_t w = 0; w < kWays.size(); ++w) {
      streams_.at(w).assign(at(nodes()), -1);
      const auto reach = static_cast<std::int32_t>(radius(w));
      for (NodeId node = 0; node < nodes(); ++node) {
        std::vector<NodeId> sinks;
        if (returns_to_sender(radius(w))) sinks.push_back(node);
        for (std::int32_t m = 1; m <= reach; ++m) {
          if (const NodeId sink = beside(node, w, m); sink >= 0) sinks.push_back(sink);
        }
        const bool is_alone = sinks.empty() || sinks.back() == node;
        if (!is_alone) streams_.at(w)[at(node)] = builder_.multicast(node, sinks, cells());
      }
    }
  }

  void write_block(NodeId node) {
    std::vector<StepId> received;
    for (std::size_t w = 0; w < kWays.size(); ++w) {
      if (const StepId last = write_receives(node, w); last >= 0) received.push_back(last);
    }
    for (std::size_t w = 0; w < kWays.size(); ++w) {
      const StreamId stream = streams_.at(w)[at(node)];
      if (stream < 0) continue;
      builder_.step(node, cells(), kSendLanes + static_cast<std::int32_t>(w)).own(Buffer::input).push(stream);
    }
    write_sum(node, received);
    write_column(node);
  }

  /// The last of its steps; -1: nothing comes.
  StepId write_receives(NodeId node, std::size_t way) {
    const auto reach = static_cast<std::int32_t>(radius(way));
    const std::int32_t here = coordinate(node, way);
    StepId last = -1;
    for (std::int32_t turn = 0; turn <= reach; ++turn) {
      const std::int32_t m = (here + reach + 1 - turn) % (reach + 1);  // the distance of the node whose turn it is
      const NodeId source = beside(node, way, -m);
      if (source < 0 || streams_.at(way)[at(source)] < 0 || (m == 0 && !returns_to_sender(radius(way)))) continue;
      auto step = builder_.step(node, cells(), static_cast<std::int32_t>(way)).take(streams_.at(way)[at(source)]);
      if (m > 0) step.times(along(way)[at(m - 1)]);
      if (m == 0 && way == 0) step.times(centre_);
      step.store(Buffer::scratch, slot(first_slot_.at(way) + (m > 0 ? m - 1 : reach)));
      if (last < 0 && last_sum_[at(node)] >= 0) step.after(last_sum_[at(node)]);
      last = step.id();
    }
    return last;
  }

  [[nodiscard]] const std::vector<std::int32_t>& along(std::size_t way) const {
    return kWays.at(way).dx != 0 ? x_ : y_;
  }

  void write_sum(NodeId node, const std::vector<StepId>& received) {
    auto sum = builder_.step(node, cells(), kLocalLane);
    const bool has_own = streams_[0][at(node)] >= 0 && returns_to_sender(radius(0));
    if (has_own) {
      sum.term(Buffer::scratch, slot(first_slot_[0] + static_cast<std::int64_t>(radius(0))));
    } else {
      sum.term(Buffer::input, cells()).times(centre_);
    }
    for (std::size_t w = 0; w < kWays.size(); ++w) {
      for (std::int32_t m = 1; m <= static_cast<std::int32_t>(radius(w)); ++m) {
        if (beside(node, w, -m) >= 0) sum.term(Buffer::scratch, slot(first_slot_.at(w) + m - 1));
      }
    }
    sum.store(Buffer::scratch, slot(sum_slot_));
    for (const StepId step : received) sum.after(step);
    last_sum_[at(node)] = sum.id();
  }

  void write_column(NodeId node) {
    const std::int64_t reach = margin_;
    for (std::int64_t dz = -reach; dz <= reach; ++dz) {
      if (dz == 0) continue;
      builder_.step(node, cells(), kLocalLane)
          .own(Buffer::scratch, slot(sum_slot_))
          .term(Buffer::input, cells(dz))
          .times(z_[at(std::abs(dz) - 1)])
          .store(Buffer::scratch, slot(sum_slot_));
    }
    write_time(node);
  }

  [[nodiscard]] bool has(Factor factor) const { return array(factor) >= 0; }
  [[nodiscard]] std::int32_t array(Factor factor) const { return arrays_.at(static_cast<std::size_t>(factor)); }

  void write_time(NodeId node) {
    auto step = builder_.step(node, cells(), kLocalLane);
    if (step_.has_velocity) step.term(Buffer::input, cells()).times(has(Factor::now) ? array(Factor::now) : two_);
    step.own(Buffer::scratch, slot(sum_slot_));
    if (has(Factor::sum)) step.times(array(Factor::sum));
    step.term(Buffer::output, cells()).times(has(Factor::before) ? array(Factor::before) : minus_one_);
    step.store(Buffer::output);
  }

  void write_source(const StencilPoints& source) {
    const SpanId at = builder_.span(source.elements);
    builder_.step(source.rank, at, kLocalLane)
        .own(Buffer::output)
        .term(Buffer::series, builder_.span({source.first, source.elements.count}))
        .store(Buffer::output);
  }

  void write_receiver(const StencilPoints& receiver) {
    builder_.step(receiver.rank, builder_.span(receiver.elements), kLocalLane)
        .own(Buffer::output)
        .store(Buffer::record, builder_.span({receiver.first, receiver.elements.count}));
  }

  [[nodiscard]] Contract contract() const {
    Contract contract{.collective = Collective::stencil, .ranks = {}, .count = step_.cells, .columns = step_.columns};
    contract.ranks.resize(at(nodes()));
    std::iota(contract.ranks.begin(), contract.ranks.end(), 0);
    contract.margin = margin_;
    const std::string of_sum = array_name(Factor::sum);
    const auto term = [&](std::int32_t dx, std::int32_t dy, std::int64_t dz, const std::string& coefficient) {
      contract.terms.push_back(
          {.buffer = Buffer::input, .dx = dx, .dy = dy, .dz = dz, .coefficient = coefficient, .array = of_sum});
    };
    term(0, 0, 0, "c0");
    for (std::int32_t m = 1; m <= static_cast<std::int32_t>(step_.weights.x.size()); ++m) {
      for (const std::int32_t sign : {-1, 1}) term(sign * m, 0, 0, "cx" + std::to_string(m));
    }
    for (std::int32_t m = 1; m <= static_cast<std::int32_t>(step_.weights.y.size()); ++m) {
      for (const std::int32_t sign : {-1, 1}) term(0, sign * m, 0, "cy" + std::to_string(m));
    }
    for (std::int64_t m = 1; m <= margin_; ++m) {
      for (const std::int64_t sign : {-1, 1}) term(0, 0, sign * m, "cz" + std::to_string(m));
    }
    if (step_.has_velocity) {
      const bool is_array = has(Factor::now);
      contract.terms.push_back(
          {.buffer = Buffer::input, .coefficient = is_array ? "" : "two", .array = array_name(Factor::now)});
    }
    const bool is_array = has(Factor::before);
    contract.terms.push_back(
        {.buffer = Buffer::output, .coefficient = is_array ? "" : "minus_one", .array = array_name(Factor::before)});
    contract.sources = step_.sources;
    contract.receivers = step_.receivers;
    return contract;
  }

  static std::string name_of(Factor factor) {
    constexpr std::array kNames{"sum", "before", "now"};
    return kNames.at(static_cast<std::size_t>(factor));
  }
  [[nodiscard]] std::string array_name(Factor factor) const { return has(factor) ? name_of(factor) : ""; }

  /// Elements of a page that all of these fit in.
  static std::int64_t page_of(const std::vector<StencilPoints>& points) {
    std::int64_t elements = 0;
    for (const StencilPoints& p : points) elements = std::max(elements, p.first + p.elements.count);
    return elements;
  }

  const TimeStep& step_;
  std::int64_t margin_;
  std::int64_t block_;
  ScheduleBuilder builder_;
  std::array<std::int64_t, 4>
      first_slot_{};  ///< of each way: distance m is m - 1 slots behind, what returns comes last
  std::int64_t sum_slot_ = 0;
  std::int32_t centre_ = 0;
  std::int32_t minus_one_ = 0;
  std::int32_t two_ = 0;
  std::array<std::int32_t, 3> arrays_{-1, -1, -1};  ///< by Factor; -1: there is none
  std::vector<std::int32_t> x_, y_, z_;             ///< coefficients
  std::int64_t first_ = 0;                          ///< cell of the block at hand
  std::int64_t count_ = 0;
  std::array<std::vector<StreamId>, 4> streams_;  ///< by way and node, of the block at hand; -1: nobody takes it
  std::vector<StepId> last_sum_;                  ///< of each node
};

}  // namespace

std::vector<Factor> factors_of(const TimeStep& step) {
  if (!step.has_damping) return step.has_velocity ? std::vector{Factor::sum} : std::vector<Factor>{};
  return step.has_velocity ? std::vector{Factor::sum, Factor::before, Factor::now}
                           : std::vector{Factor::sum, Factor::before};
}

std::int64_t first_of(const TimeStep& step, Factor factor) { return static_cast<std::int64_t>(factor) * step.cells; }

std::int64_t scratch_elements(const TimeStep& step) {
  std::int64_t slots = 1;
  for (const Way& way : kWays) {
    const std::size_t radius = weights_along(step.weights, way).size();
    slots += static_cast<std::int64_t>(radius) + (returns_to_sender(radius) ? 1 : 0);
  }
  return slots * std::min(step.block, step.cells);
}

Schedule make_time_step(const TimeStep& step) {
  MUSTER_ASSERT(step.columns > 0 && step.rows > 0 && step.cells > 0 && step.block > 0, "a stencil on {}x{}x{} cells",
                step.columns, step.rows, step.cells);
  return Writer(step).write();
}

Schedule make_time_steps(const TimeStep& step, std::int64_t steps) {
  MUSTER_ASSERT(steps > 0, "{} time steps", steps);
  Schedule one = make_time_step(step);
  Contract contract = one.contracts.front();
  const std::int64_t end = vector_end(contract);
  const std::int64_t phases = steps % 2 == 0 ? 2 : steps;
  ScheduleBuilder b({.nodes = one.node_count,
                     .count = end,
                     .model = one.extent_of(Buffer::model),
                     .series = one.extent_of(Buffer::series),
                     .record = one.extent_of(Buffer::record)});
  const std::int32_t groups = b.groups({{.members = contract.ranks, .on = b.span({0, end})}});
  const std::int32_t part = b.part(std::move(one));
  for (std::int32_t p = 0; p < static_cast<std::int32_t>(phases); ++p) {
    Phase phase{.part = part, .groups = groups};
    if ((phases - 1 - p) % 2 == 1) std::swap(phase.input, phase.output);
    if (p > 0) phase.after.push_back(p - 1);
    b.phase(std::move(phase));
  }
  contract.steps = steps;
  b.contract(std::move(contract));
  Schedule schedule = std::move(b).finish();
  schedule.repeat = steps / phases;
  schedule.record_every = step.record_every;
  return schedule;
}

}  // namespace muster::stencil
