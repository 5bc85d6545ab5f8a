// What the trace of a program can find wrong, each with the messages that show it.
#include <algorithm>
#include <bit>

#include "backend/wafer/stream/tracer.h"
#include "base/error.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

constexpr std::int64_t kMostWords = std::int64_t{1} << 30;

/// Whether operation `a` of a class has always ended before `b` begins: by the order of lanes and by waits.
class Precedence {
 public:
  explicit Precedence(const ClassShape& shape) : before_(shape.operations.size()) {
    for (std::int32_t l = 0; l < shape.lanes(); ++l) {
      for (std::int32_t o = shape.lane_first[at(l)]; o < shape.lane_first[at(l) + 1]; ++o) {
        auto& before = before_[at(o)];
        before = shape.operations[at(o)].operation->after;
        if (o > shape.lane_first[at(l)]) before.push_back(o - 1);
      }
    }
  }
  [[nodiscard]] bool ordered(std::int32_t a, std::int32_t b) const { return reaches(b, a) || reaches(a, b); }

 private:
  [[nodiscard]] bool reaches(std::int32_t from, std::int32_t to) const {
    std::vector<bool> seen(before_.size(), false);
    std::vector<std::int32_t> ahead{from};
    while (!ahead.empty()) {
      const std::int32_t o = ahead.back();
      ahead.pop_back();
      if (o == to) return true;
      if (seen[at(o)]) continue;
      seen[at(o)] = true;
      ahead.insert(ahead.end(), before_[at(o)].begin(), before_[at(o)].end());
    }
    return false;
  }
  std::vector<std::vector<std::int32_t>> before_;
};

/// Two operations of different lanes that use one color on the same side of the ramp in an order left to chance.
template <class SlotsOf>
std::optional<std::pair<std::int32_t, std::int32_t>> unordered(const ClassShape& shape, const Precedence& precedence,
                                                               SlotsOf slots_of) {
  const auto count = static_cast<std::int32_t>(shape.operations.size());
  for (std::int32_t b = 0; b < count; ++b) {
    for (std::int32_t a = 0; a < b; ++a) {
      const auto& first = slots_of(shape.operations[at(a)]);
      const auto& second = slots_of(shape.operations[at(b)]);
      const bool shared = std::any_of(first.begin(), first.end(), [&](std::int32_t slot) {
        return std::find(second.begin(), second.end(), slot) != second.end();
      });
      if (shared && !precedence.ordered(a, b)) return std::pair(a, b);
    }
  }
  return {};
}

bool repeats(std::vector<std::int32_t> slots) {
  std::sort(slots.begin(), slots.end());
  return std::adjacent_find(slots.begin(), slots.end()) != slots.end();
}

}  // namespace

/// The first one stays.
void Tracer::fault(std::string kind, std::string location, std::string message) {
  if (trace_.fault) return;
  trace_.fault = Fault{
      .kind = std::move(kind), .location = std::move(location), .cycle = Cycles(0), .message = std::move(message)};
}

/// What every message of a class would run into.
void Tracer::check_classes() {
  std::vector<bool> seen(program_.classes.size(), false);
  for (NodeId node = 0; node < static_cast<NodeId>(call_.size()) && !trace_.fault; ++node) {
    const std::size_t class_id = at(program_.class_of[at(node)]);
    if (seen[class_id]) continue;
    seen[class_id] = true;
    const ClassShape& shape = cells_.shape(node);
    for (const OperationShape& o : shape.operations) {
      if (repeats(o.operand_slots) || repeats(o.output_slots)) {
        trace_.unsupported = fmt::format("{}: an operation uses one color twice", pe_text(program_.mesh(), node));
      }
      for (const SpanId span : {o.operation->elements, o.operation->sent_elements}) {
        if (program_.spans.count(span) > kMostWords) trace_.unsupported = "a vector of over 2^30 words";
      }
    }
    if (shape.lanes() < 2) continue;
    const Precedence precedence(shape);
    auto pair = unordered(
        shape, precedence, [](const OperationShape& o) -> auto& { return o.output_slots; });
    if (!pair)
      pair = unordered(
          shape, precedence, [](const OperationShape& o) -> auto& { return o.operand_slots; });
    if (!pair) continue;
    trace_.fault = Fault{.kind = "unordered lanes",
                         .location = pe_text(program_.mesh(), node),
                         .cycle = Cycles(0),
                         .message = fmt::format("operations {} and {} of two lanes use one color in no defined order",
                                                pair->first, pair->second)};
  }
}

/// "message 2 of PE (3,0), 4 words": numbered among those that the PE sends.
std::string Tracer::message_text(std::int32_t id) const {
  const Message& message = trace_.messages[at(id)];
  const NodeId node = trace_.executions[at(message.execution)].node;
  std::int32_t number = 0;
  for (std::int32_t m = 0; m <= id; ++m) {
    number += trace_.executions[at(trace_.messages[at(m)].execution)].node == node ? 1 : 0;
  }
  const std::string control = message.ending == Ending::advance    ? "an advance"
                              : message.ending == Ending::reset    ? "a reset"
                              : message.ending == Ending::commands ? "commands " + commands_text(message.commands)
                                                                   : "";
  std::string what = message.words > 0 ? fmt::format("{} words", message.words) : control;
  if (message.words > 0 && !control.empty()) what += fmt::format(" and {}", control);
  return fmt::format("message {} of {} ({})", number, pe_text(program_.mesh(), node), what);
}

/// A lone ADVANCE is meant for the routers that its sender's data passed before it. One that moves another router went
/// beyond: so the second of two behind a message, which follows the route that the first one has opened.
/// Where only deliveries are kept, the last data is looked at; if it is another sender's, older data may still be this one's.
void Tracer::note_overshoot(std::int32_t cell, const Pending& pending) {
  if (trace_.finding) return;
  const CellState& state = states_[at(cell)];
  if (kept_ == Kept::deliveries) {
    const bool follows_its_data = state.last_data != kNone && state.last_data_from == pending.from &&
                                  sender(state.last_data) == sender(pending.message);
    if (!follows_its_data) trace_.finding.emplace();
    return;
  }
  std::int32_t before = trace_.transits[at(state.last)].queue_before;
  for (; before != kNone; before = trace_.transits[at(before)].queue_before) {
    const std::int32_t other = trace_.transits[at(before)].message;
    if (sender(other) == sender(pending.message) && trace_.messages[at(other)].words > 0) return;
  }
  trace_.finding =
      Fault{.kind = "overshoot",
            .location = cells_.location(cell),
            .cycle = Cycles(0),
            .message = fmt::format("{} goes beyond the path of its sender's data and moves this switch out "
                                   "of position {}",
                                   message_text(pending.message), state.position)};
}

/// Messages from two sides of one cell, one of which came in a position that takes from both.
std::optional<Fault> Tracer::two_inputs() const {
  for (std::int32_t cell = 0; cell < cells_.count(); ++cell) {
    const ColorRoute& route = cells_.route(cell);
    for (std::uint8_t p = 0; p < route.count; ++p) {
      if (std::popcount(route.positions[p].from) < 2) continue;
      std::array<std::int32_t, kDirections> from{kNone, kNone, kNone, kNone, kNone};
      for (std::int32_t v = states_[at(cell)].last; v != kNone; v = trace_.transits[at(v)].before) {
        from[at(index_of(trace_.transits[at(v)].from))] = trace_.transits[at(v)].message;
      }
      std::vector<std::string> names;
      for (int d = 0; d < kDirections; ++d) {
        if (from[at(d)] == kNone || !has(route.positions[p].from, direction_at(d))) continue;
        names.push_back(fmt::format("{} from {}", message_text(from[at(d)]), direction_name(direction_at(d))));
      }
      if (names.size() < 2) continue;
      return Fault{.kind = "two inputs",
                   .location = cells_.location(cell),
                   .cycle = Cycles(0),
                   .message = fmt::format("position {} accepts both inputs: {} and {} can arrive in one cycle", p,
                                          names[0], names[1])};
    }
  }
  return {};
}

/// Whether nothing is wrong at the end: two_inputs() and stuck() would find nothing, and no switch is out of place.
bool Tracer::ended_well() const {
  for (NodeId node = 0; node < static_cast<NodeId>(call_.size()); ++node) {
    if (!done(node)) return false;
  }
  for (std::int32_t cell = 0; cell < cells_.count(); ++cell) {
    const CellState& state = states_[at(cell)];
    if (state.first_pending != kNone || state.delivered_next != kNone || state.position != 0) return false;
    const ColorRoute& route = cells_.route(cell);
    for (std::uint8_t p = 0; p < route.count; ++p) {
      if (std::popcount(static_cast<unsigned>(route.positions[p].from & state.seen)) > 1) return false;
    }
  }
  return true;
}

void Tracer::check_the_end() {
  if (kept_ == Kept::deliveries) {
    if (!ended_well()) trace_.fault.emplace();
    return;
  }
  trace_.fault = two_inputs();
  if (!trace_.fault) trace_.fault = stuck();
  for (std::int32_t cell = 0; cell < cells_.count() && !trace_.fault; ++cell) {
    if (states_[at(cell)].position == 0) continue;
    fault("switch", cells_.location(cell),
          fmt::format("left in position {}; the next call needs position 0", states_[at(cell)].position));
  }
}

namespace {

/// Keeps everything only where something seems wrong, and must be told.
Trace trace_for_checks(const Cells& cells) {
  Trace trace = trace_messages(cells, 1, Kept::deliveries);
  if (!trace.fault && !trace.finding) return trace;
  Trace whole = trace_messages(cells, 1);
  MUSTER_ASSERT(whole.fault || !trace.fault, "a fault that is not found again");
  if (whole.fault || whole.finding) return whole;
  trace.finding.reset();
  return trace;
}

}  // namespace

ProgramCheck check_messages(const WaferProgram& program) {
  const Cells cells(program);
  Trace trace = trace_for_checks(cells);
  if (!trace.unsupported.empty()) return {.unsupported = std::move(trace.unsupported)};
  const bool whole = trace.parts.empty();
  if (whole && !trace.fault && !trace.finding) trace.finding = find_message_cycle(cells, trace);
  ProgramCheck check{.fault = std::move(trace.fault), .finding = std::move(trace.finding)};
  check.messages = static_cast<std::int64_t>(trace.messages.size());
  check.checks = {fmt::format("order: no deadlock{}, and no message is left over",
                              whole ? "" : " (assuming enough buffer space on the paths)")};
  for (std::optional<Fault>* found : {&check.fault, &check.finding}) {
    if (*found) (*found)->before_running = true;
  }
  return check;
}

std::optional<Fault> check_program(const WaferProgram& program) {
  ProgramCheck check = check_messages(program);
  if (!check.unsupported.empty()) {
    return Fault{.kind = "not checked", .location = "the program", .cycle = Cycles(0), .message = check.unsupported};
  }
  return check.counterexample();
}

}  // namespace muster::wafer
