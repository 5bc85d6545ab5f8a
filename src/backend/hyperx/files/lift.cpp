// Streams first, one per link in use, then the steps of each switch and of its rank, id by id.
#include "backend/hyperx/files/lift.h"

#include <array>

#include "backend/hyperx/check.h"
#include "backend/hyperx/files/only_way.h"
#include "machine/routing.h"
#include "schedule/builder.h"

namespace muster::hyperx {
namespace {

constexpr StreamId kNoStream = -1;

/// The steps of a node in the order of ids: each waits for those of the id before.
class NodeOrder {
 public:
  explicit NodeOrder(ScheduleBuilder& builder) : b_(builder) {}

  void begin_node() {
    before_.clear();
    now_.clear();
  }
  void begin_id() {
    if (now_.empty()) return;
    before_.swap(now_);
    now_.clear();
  }
  /// A step that comes after all those of lower ids.
  ScheduleBuilder::StepWriter step(NodeId node, SpanId elements, std::int32_t lane) {
    auto writer = b_.step(node, elements, lane);
    for (const Written& earlier : before_) {
      if (earlier.lane != lane) writer.after(earlier.step);
    }
    now_.push_back({writer.id(), lane});
    return writer;
  }

 private:
  struct Written {
    StepId step = 0;
    std::int32_t lane = 0;
  };
  ScheduleBuilder& b_;
  std::vector<Written> before_;
  std::vector<Written> now_;
};

/// The words of each buffer that contracts and segments speak of.
ScheduleBuilder::Size size_of(const HyperXProgram& program) {
  std::array<std::int64_t, 4> words{};
  const auto reach = [&](Buffer buffer, std::int64_t end) {
    std::int64_t& known = words[static_cast<std::size_t>(buffer)];
    known = std::max(known, end);
  };
  for (const Contract& contract : program.contracts) {
    reach(contract.from, contract.count);
    reach(contract.to, contract.count);
  }
  for (const Segment& segment : program.registers.segments) {
    reach(segment.from, segment.elements.end());
    reach(segment.to, segment.elements.end());
  }
  return {.nodes = node_count(program.machine), .count = words[1], .scratch = words[3], .output = words[2]};
}

class Lifter {
 public:
  Lifter(const Wiring& wiring, const RowOrder& order)
      : wiring_(wiring),
        registers_(wiring.registers()),
        loop_(wiring.ports().loop()),
        ranks_(rank_count(wiring.program().machine)),
        b_(size_of(wiring.program())),
        only_way_(wiring, order),
        switch_(b_),
        rank_(b_) {}

  Schedule lift() && {
    for (const Segment& segment : registers_.segments) spans_.push_back(b_.span(segment.elements));
    make_streams();
    const auto count = static_cast<std::int32_t>(registers_.rows.size());
    for (std::int32_t first = 0, end = 0; first < count; first = end) {
      const Row& row = registers_.rows[at(first)];
      const auto is_same = [&](const Row& other) { return other.at == row.at && other.id == row.id; };
      while (end < count && is_same(registers_.rows[at(end)])) ++end;
      if (first == 0 || registers_.rows[at(first - 1)].at != row.at) {
        switch_.begin_node();
        rank_.begin_node();
      }
      write(first, end);
    }
    for (const Contract& contract : wiring_.program().contracts) b_.contract(contract);
    Schedule schedule = std::move(b_).finish();
    schedule.made_for = family_and_shape(wiring_.program().machine);
    return schedule;
  }

 private:
  enum Lane : std::int32_t { kGives, kTakes, kPassesOn };  // of a rank

  [[nodiscard]] NodeId rank_of(const Row& row) const { return row.at - ranks_; }
  [[nodiscard]] SpanId span_of(const Row& row) const { return spans_[at(row.id)]; }
  [[nodiscard]] Port port(std::int32_t port_index) const { return registers_.ports[at(port_index)]; }

  template <class Visit>
  static void for_each_port(Slice slice, Visit visit) {
    for (std::int32_t port_index = slice.first; port_index < slice.first + slice.count; ++port_index) visit(port_index);
  }

  /// Whether the row takes from nothing but the loop: then it is part of the row before the loop.
  [[nodiscard]] bool is_behind_loop(const Row& row) const {
    return row.inputs.count == 1 && port(row.inputs.first) == loop_;
  }

  /// Outputs make the streams, inputs get them; memories have both ends to make.
  void make_streams() {
    streams_.assign(registers_.ports.size(), kNoStream);
    for (const Row& row : registers_.rows) {
      for_each_port(row.inputs, [&](std::int32_t port_index) {
        if (wiring_.row(port_index) == kMemory)
          streams_[at(port_index)] = b_.stream(rank_of(row), row.at, span_of(row));
      });
      for_each_port(row.outputs, [&](std::int32_t port_index) { make_stream(row, port_index); });
    }
  }

  void make_stream(const Row& row, std::int32_t port_index) {
    const std::int32_t to = wiring_.row(port_index);
    if (to == kMemory) {
      streams_[at(port_index)] = b_.stream(row.at, rank_of(row), span_of(row));
      return;
    }
    const Row& taker = registers_.rows[at(to)];
    StreamId& taken = streams_[at(wiring_.peer(port_index))];
    if (port(port_index) != loop_) {
      streams_[at(port_index)] = taken = b_.stream(row.at, taker.at, span_of(row));
    } else if (!is_behind_loop(taker)) {
      streams_[at(port_index)] = b_.stream(row.at, rank_of(row), span_of(row));
      taken = b_.stream(rank_of(row), row.at, span_of(row));
    }
  }

  /// Rows [first, end): those of one switch and id.
  void write(std::int32_t first, std::int32_t end) {
    switch_.begin_id();
    rank_.begin_id();
    write_memory(first, end);
    for (std::int32_t i = first; i < end; ++i) {
      const Row& row = registers_.rows[at(i)];
      for_each_port(row.outputs, [&](std::int32_t port_index) {
        if (port(port_index) != loop_ || streams_[at(port_index)] == kNoStream) return;
        rank_.step(rank_of(row), span_of(row), kPassesOn)
            .take(streams_[at(port_index)])
            .push(streams_[at(wiring_.peer(port_index))]);
      });
      if (!is_behind_loop(row)) write_switch(row);
    }
  }

  void write_switch(const Row& row) {
    auto step = switch_.step(row.at, span_of(row), static_cast<std::int32_t>(row.channel));
    for_each_port(row.inputs, [&](std::int32_t port_index) { step.take(streams_[at(port_index)]); });
    push_outputs(step, row);
  }

  void push_outputs(ScheduleBuilder::StepWriter& step, const Row& row) const {
    for_each_port(row.outputs, [&](std::int32_t port_index) {
      if (streams_[at(port_index)] != kNoStream) {
        step.push(streams_[at(port_index)]);
      } else {
        push_outputs(step, registers_.rows[at(wiring_.row(port_index))]);
      }
    });
  }

  /// A rank gives and takes concurrently. In place that is an exchange, if no word comes back before it was given.
  void write_memory(std::int32_t first, std::int32_t end) {
    std::int32_t giver = -1;
    std::int32_t taker = -1;
    for (std::int32_t i = first; i < end; ++i) {
      if (wiring_.memory(i).reads) giver = i;
      if (wiring_.memory(i).writes) taker = i;
    }
    const Row& row = registers_.rows[at(first)];
    const Segment& segment = registers_.segments[at(row.id)];
    const NodeId rank = rank_of(row);
    const SpanId span = span_of(row);
    if (giver >= 0 && taker >= 0 && segment.from == segment.to && only_way_.leads(giver, taker)) {
      rank_.step(rank, span, kTakes)
          .take(taken_from(taker))
          .store(segment.to)
          .send_old(segment.from, span)
          .push(given_to(giver));
      return;
    }
    if (giver >= 0) rank_.step(rank, span, kGives).own(segment.from).push(given_to(giver));
    if (taker >= 0) rank_.step(rank, span, kTakes).take(taken_from(taker)).store(segment.to);
  }

  [[nodiscard]] StreamId given_to(std::int32_t row) const { return memory_stream(registers_.rows[at(row)].inputs); }
  [[nodiscard]] StreamId taken_from(std::int32_t row) const { return memory_stream(registers_.rows[at(row)].outputs); }
  [[nodiscard]] StreamId memory_stream(Slice slice) const {
    std::int32_t port_index = slice.first;
    while (wiring_.row(port_index) != kMemory) ++port_index;
    return streams_[at(port_index)];
  }

  const Wiring& wiring_;
  const Registers& registers_;
  Port loop_;
  NodeId ranks_;
  ScheduleBuilder b_;
  OnlyWay only_way_;
  NodeOrder switch_;
  NodeOrder rank_;
  std::vector<SpanId> spans_;      ///< of each id
  std::vector<StreamId> streams_;  ///< of each index in Registers::ports; none at a loop that steps are joined at
};

}  // namespace

LiftedFiles lift_registers(const HyperXProgram& program, const std::string& file) {
  const auto refuse = [&](const std::optional<Fault>& fault) {
    if (fault) reject("{}: {}: {}", file, fault->location, fault->message);
  };
  refuse(check_form(program));
  const Wiring wiring(program);
  const RowOrder order = order_of(wiring);
  refuse(check_wiring(wiring, order));
  return {
      .schedule = Lifter(wiring, order).lift(), .machine = program.machine, .stuck = {}, .facts = {program.summary()}};
}

}  // namespace muster::hyperx
