#include "app/stencil/wafer_shot.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "app/seismic/equation/acoustic_iso_cd.h"
#include "app/seismic/injections.h"
#include "app/seismic/propagators.h"
#include "app/seismic/recorder.h"
#include "app/seismic/traces.h"
#include "app/seismic/wafer_arithmetic.h"
#include "base/error.h"
#include "base/index.h"

namespace muster::stencil {
namespace {

using seismic::Axis;
using seismic::Extent;
using seismic::NodeWeight;

class ShotMaker {
 public:
  ShotMaker(const seismic::Shot& shot, std::int64_t number)
      : shot_(shot),
        number_(number),
        equation_(seismic::describe_propagator(shot.propagator)),
        velocity_(seismic::one_velocity(*shot.model, shot.grid.extent)) {}

  WaferShot make(Bytes memory, std::int64_t block) {
    const Extent& extent = shot_.grid.extent;
    made_.step.columns = static_cast<NodeId>(extent.x);
    made_.step.rows = static_cast<NodeId>(extent.y);
    made_.step.cells = extent.z;
    made_.step.has_velocity = !velocity_.has_value();
    made_.steps = shot_.steps;
    set_weights();
    set_model();
    set_sources();
    set_receivers();
    set_block(memory, block);
    return std::move(made_);
  }

 private:
  [[nodiscard]] NodeId node(std::int64_t x, std::int64_t y) const {
    return static_cast<NodeId>(y * shot_.grid.extent.x + x);
  }
  [[nodiscard]] std::int64_t margin() const { return shot_.grid.order / 2; }

  void set_weights() {
    const seismic::WaferCoefficients c = seismic::wafer_coefficients(shot_.grid, velocity_);
    made_.step.weights = {.centre = c.middle, .x = c.away.x, .y = c.away.y, .z = c.away.z};
  }

  /// The numbers are those of the solver's state.
  void set_model() {
    seismic::State<float> state =
        seismic::make_state<float>(equation_, shot_.grid, seismic::whole_of(shot_.grid), *shot_.model);
    const seismic::View<float> view = state.view();
    made_.step.has_damping = view.has_damping;
    const Extent& extent = shot_.grid.extent;
    const std::vector<Factor> factors = factors_of(made_.step);
    made_.model.resize(at(extent.x * extent.y));
    if (factors.empty()) return;
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t x = 0; x < extent.x; ++x) {
        std::vector<float>& model = made_.model[at(node(x, y))];
        model.resize(factors.size() * at(extent.z));
        const float across = view.axes.x.damping[0][x] * view.axes.y.damping[0][y];
        for (std::int64_t z = 0; z < extent.z; ++z) {
          const float squared = state.parameters[seismic::AcousticIsoCd::velocity_squared].at(x, y, z);
          set_factors(view.has_damping ? std::optional(across * view.axes.z.damping[0][z]) : std::nullopt, squared,
                      std::span(model).subspan(at(z)));
        }
      }
    }
  }

  /// Those of a cell: every array has one, as many cells apart as a column has.
  void set_factors(std::optional<float> damping, float squared, std::span<float> model) const {
    const std::size_t cells = at(made_.step.cells);
    if (!damping) {
      model[0] = squared;
      return;
    }
    const auto f = seismic::wafer_factors(*damping, velocity_ ? std::nullopt : std::optional(squared));
    model[0] = f.sum;
    model[cells] = f.before;
    if (!velocity_) model[2 * cells] = f.now;
  }

  /// Cells that follow each other along z, in the order in which they are listed.
  void set_sources() {
    struct Samples {
      StencilPoints points;
      std::vector<double> weights;
      std::vector<double> amplitudes;
    };
    std::vector<Samples> all;
    std::map<NodeId, std::int64_t> next;
    for (const seismic::Source& source : shot_.sources) {
      for (const seismic::Injection& injection : seismic::injections_of(source, shot_, equation_, number_)) {
        const std::size_t first = all.size();
        for (const NodeWeight& weight : injection.weights) {
          const NodeId there = node(weight.cell.x, weight.cell.y);
          const std::int64_t element = margin() + weight.cell.z;
          const bool continues =
              all.size() > first && all.back().points.rank == there && all.back().points.elements.end() == element;
          if (!continues)
            all.push_back({{.rank = there, .elements = {element, 0}, .first = next[there]}, {}, injection.samples});
          ++all.back().points.elements.count;
          ++next[there];
          all.back().weights.push_back(weight.weight);
        }
      }
    }
    std::int64_t page = 0;
    for (const auto& [there, elements] : next) page = std::max(page, elements);
    // -0 leaves every number as it is.
    for (const auto& [there, elements] : next) made_.series[there].assign(at(page * made_.steps), -0.0F);
    for (const Samples& samples : all) {
      std::vector<float>& series = made_.series[samples.points.rank];
      const std::int64_t steps = std::min(made_.steps, std::ssize(samples.amplitudes));
      for (std::int64_t n = 0; n < steps; ++n) {
        for (std::size_t k = 0; k < samples.weights.size(); ++k) {
          series[at(n * page + samples.points.first) + k] =
              static_cast<float>(samples.weights[k] * samples.amplitudes[at(n)]);
        }
      }
      made_.step.sources.push_back(samples.points);
    }
    made_.column.source_words = page * made_.steps;
  }

  void set_receivers() {
    std::map<NodeId, std::set<std::int64_t>> cells;  // along z
    std::int64_t every = 0;
    for (seismic::Traces& traces : seismic::receiver_traces(shot_, number_)) {
      ReadOut read_out{.every = traces.every, .taps = {}, .gather = traces.gather};
      read_out.taps.resize(traces.gather.receivers.size());
      for (const seismic::Points& points : seismic::receiver_points(shot_, equation_, traces.gather)) {
        for (std::size_t r = 0; r < points.points.size(); ++r) {
          for (const NodeWeight& weight : points.points[r]) {
            const NodeId there = node(weight.cell.x, weight.cell.y);
            cells[there].insert(weight.cell.z);
            read_out.taps[r].push_back({.node = there, .element = weight.cell.z, .weight = weight.weight});
          }
        }
      }
      every = std::gcd(every, traces.every);
      made_.read_outs.push_back(std::move(read_out));
    }
    made_.step.record_every = std::max<std::int64_t>(1, every);
    place_records(cells);
  }

  /// The recorded cells of a PE lie one behind the other.
  void place_records(const std::map<NodeId, std::set<std::int64_t>>& cells) {
    std::map<std::pair<NodeId, std::int64_t>, std::int64_t> place;
    std::int64_t page = 0;
    for (const auto& [there, zs] : cells) {
      std::int64_t next = 0;
      for (const std::int64_t z : zs) {
        auto& receivers = made_.step.receivers;
        const std::int64_t element = margin() + z;
        const bool continues =
            !receivers.empty() && receivers.back().rank == there && receivers.back().elements.end() == element;
        if (!continues) receivers.push_back({.rank = there, .elements = {element, 0}, .first = next});
        ++receivers.back().elements.count;
        place[{there, z}] = next++;
      }
      page = std::max(page, next);
    }
    for (ReadOut& read_out : made_.read_outs) {
      for (auto& taps : read_out.taps) {
        for (ReadOut::Tap& tap : taps) tap.element = place.at({tap.node, tap.element});
      }
    }
    const std::int64_t every = made_.step.record_every;
    made_.column.receiver_words = page * ((made_.steps + every - 1) / every);
  }

  void set_block(Bytes memory, std::int64_t block) {
    Column& column = made_.column;
    column.cells = made_.step.cells;
    column.radius = static_cast<int>(margin());
    column.has_velocity = made_.step.has_velocity;
    column.has_damping = made_.step.has_damping;
    const std::optional<Blocks> blocks = choose_blocks(column, memory);
    if (!blocks) {
      const std::optional<std::int64_t> largest = largest_column(column, memory);
      const std::string most = largest ? fmt::format("at most {} fit", *largest) : "not even one fits";
      reject(
          "grid: a column of {} cells, with {} words for sources and {} for receivers, does not fit into the {} bytes "
          "of a PE; {}: use "
          "fewer cells along z, fewer steps, or fewer samples",
          column.cells, column.source_words, column.receiver_words, memory.value(), most);
    }
    made_.step.block = block > 0 ? block : blocks->cells;
  }

  const seismic::Shot& shot_;
  std::int64_t number_;
  seismic::Description equation_;
  std::optional<double> velocity_;  ///< if all cells have the same
  WaferShot made_;
};

}  // namespace

WaferShot make_wafer_shot(const seismic::Shot& shot, Bytes memory, std::int64_t number, std::int64_t block) {
  seismic::Shot wafer = shot;
  wafer.grid.arithmetic = seismic::Arithmetic::wafer;
  seismic::check_arithmetic(wafer, {});
  if (wafer.steps < 1) reject("steps: {} is no run of a wafer; use 1 or more", wafer.steps);
  return ShotMaker(wafer, number).make(memory, block);
}

InitialData initial_data_of(const WaferShot& shot) {
  return [&shot](NodeId node, Buffer buffer, std::int64_t first, std::span<Word> words) {
    const std::vector<float>* data = nullptr;
    if (buffer == Buffer::model) data = &shot.model[at(node)];
    if (buffer == Buffer::series) data = &shot.series.at(node);
    for (std::size_t k = 0; k < words.size(); ++k) {
      words[k] = data == nullptr ? Word{0} : std::bit_cast<Word>(data->at(at(first) + k));
    }
  };
}

std::vector<seismic::Gather> gathers_of(const WaferShot& shot, std::span<const std::vector<Word>> outputs) {
  const std::int64_t column = shot.step.cells + 2 * std::ssize(shot.step.weights.z);
  std::int64_t page = 0;
  for (const StencilPoints& r : shot.step.receivers) page = std::max(page, r.first + r.elements.count);
  std::vector<seismic::Gather> gathers;
  for (const ReadOut& read_out : shot.read_outs) {
    seismic::Gather& gather = gathers.emplace_back(read_out.gather);
    gather.values.clear();
    for (const auto& taps : read_out.taps) {
      gather.values.push_back(0);  // before the first step
      for (std::int64_t sample = 1; sample < gather.samples; ++sample) {
        const std::int64_t of_page = sample * read_out.every / shot.step.record_every - 1;
        double sum = 0;
        for (const ReadOut::Tap& tap : taps) {
          const Word word = outputs[at(tap.node)].at(at(column + of_page * page + tap.element));
          sum += tap.weight * static_cast<double>(std::bit_cast<float>(word));
        }
        gather.values.push_back(sum);
      }
    }
  }
  return gathers;
}

std::vector<float> wavefield_of(const WaferShot& shot, std::span<const std::vector<Word>> outputs) {
  const std::int64_t margin = std::ssize(shot.step.weights.z);
  std::vector<float> wavefield;
  for (NodeId x = 0; x < shot.step.columns; ++x) {
    for (NodeId y = 0; y < shot.step.rows; ++y) {
      const std::vector<Word>& words = outputs[at(y * shot.step.columns + x)];
      for (std::int64_t z = 0; z < shot.step.cells; ++z) {
        wavefield.push_back(std::bit_cast<float>(words.at(at(margin + z))));
      }
    }
  }
  return wavefield;
}

}  // namespace muster::stencil
