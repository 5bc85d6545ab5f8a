// A program of the bus: its messages, one after another.
#include "capabilities.h"

#include "base/counted.h"
#include "base/index.h"
#include "bus.h"
#include "machine/routing.h"
#include "result/time_base.h"
#include "schedule/interpret.h"
#include "schedule/run_order.h"

namespace muster::bus {
namespace {

class BusProgram : public Program {
 public:
  Machine machine;
  Arithmetic arithmetic;
  Schedule schedule;
  std::vector<StreamId> messages;  ///< in the order in which they take the bus

  [[nodiscard]] const Bus& network() const { return *as<Bus>(machine); }
  [[nodiscard]] std::string summary() const override { return counted(std::ssize(messages), "message") + "\n"; }
  [[nodiscard]] std::vector<int> channels_sent(NodeId /*node*/) const override { return {}; }
  [[nodiscard]] ProgramFacts facts() const override {
    ProgramFacts facts{.machine = machine, .arithmetic = arithmetic};
    for (NodeId rank = 0; rank < rank_count(machine); ++rank) facts.ranks.push_back(rank);
    facts.words = schedule.extent_of(Buffer::input);
    return facts;
  }
  [[nodiscard]] std::int64_t words(StreamId message) const {
    return schedule.spans.count(schedule.streams[at(message)].elements);
  }
};

class BusLowering : public Lowering {
 public:
  [[nodiscard]] Outcome<std::unique_ptr<Program>> lower(const Schedule& schedule, const Machine& machine,
                                                        const LowerOptions& options) const override {
    auto program = std::make_unique<BusProgram>();
    program->machine = machine;
    program->arithmetic = options.arithmetic;
    program->schedule = schedule;
    for (const RunEvent& event : run_order(schedule)) {
      const Step& step = schedule.steps[at(event.step)];
      if (step.is_exchange() && !event.sends_old) continue;
      for (const StreamId id : schedule.outputs_of(step)) program->messages.push_back(id);
    }
    return std::unique_ptr<Program>(std::move(program));
  }
};

class BusSimulator : public Simulator {
 public:
  [[nodiscard]] SimulationCost cost() const override { return SimulationCost::transits; }
  [[nodiscard]] Result simulate(const Program& any, const SimulateOptions& options) const override {
    const auto& program = own_program<BusProgram>(any);
    Result result;
    result.engine = "bus";
    Timeline timeline{.tracks = {{.group = "bus", .name = "bus"}}, .spans = {}};
    Ticks now(0);
    for (const StreamId message : program.messages) {
      const Ticks end = now + program.network().start + Ticks(program.words(message));
      timeline.spans.push_back({.begin = now, .end = end, .label = label(program, message)});
      timeline.path.push_back({.begin = now, .end = end, .what = label(program, message)});
      result.hops += program.words(message);
      now = end;
    }
    if (now > Ticks(0)) result.utilization = static_cast<double>(result.hops) / static_cast<double>(now.value());
    result.hops *= options.calls;
    timeline.path_parts = {{.name = "bus", .time = now, .meaning = "one message after another"}};
    result.cycles = now;
    result.seconds = to_seconds(now, {.ticks_per_second = program.network().clock.value(), .is_clock = true});
    for (int call = 0; call < options.calls; ++call) {
      result.outputs.push_back(
          interpret(program.schedule, program.arithmetic, options.seed + static_cast<std::uint64_t>(call)));
      result.call_cycles.push_back(now * (call + 1));
    }
    if (options.timeline) result.timeline = std::move(timeline);
    return result;
  }

 private:
  static std::string label(const BusProgram& program, StreamId message) {
    return fmt::format("{} of rank {}", counted(program.words(message), "word"),
                       program.schedule.streams[at(message)].source);
  }
};

/// A rank that is not on the bus cannot be reached: a schedule for a larger bus.
class BusChecker : public Checker {
 public:
  [[nodiscard]] ProgramCheck check(const Program& any) const override {
    const auto& program = own_program<BusProgram>(any);
    ProgramCheck check{.checks = {"ranks: every message is between ranks of the bus"}};
    check.messages = std::ssize(program.messages);
    for (const StreamId message : program.messages) {
      const NodeId source = program.schedule.streams[at(message)].source;
      if (source < rank_count(program.machine)) continue;
      check.fault = Fault{
          .kind = "no rank", .location = fmt::format("rank {}", source), .cycle = {}, .message = "not on the bus"};
    }
    return check;
  }
};

class ListingEmitter : public Emitter {
 public:
  [[nodiscard]] Target target() const override { return {.name = "listing", .summary = "the messages, a line each"}; }
  [[nodiscard]] Outcome<std::vector<EmittedFile>> emit(const Program& any, const EmitOptions& options) const override {
    const auto& program = own_program<BusProgram>(any);
    std::string text = fmt::format("# {}\n", options.command);
    for (const StreamId message : program.messages) {
      const Stream& stream = program.schedule.streams[at(message)];
      text += fmt::format("{} -> {}: {}\n", stream.source, fmt::join(program.schedule.sinks_of(stream), " "),
                          program.words(message));
    }
    return std::vector<EmittedFile>{{.name = "messages.txt", .text = text}};
  }
};

const BusLowering kLowering;
const BusSimulator kSimulator;
const BusChecker kChecker;
const ListingEmitter kListingEmitter;

}  // namespace

const Lowering& lowering() { return kLowering; }
const Simulator& message_simulator() { return kSimulator; }
const Checker& checker() { return kChecker; }
const Emitter& listing_emitter() { return kListingEmitter; }

}  // namespace muster::bus
