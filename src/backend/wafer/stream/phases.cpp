#include "backend/wafer/stream/phases.h"

#include <algorithm>
#include <utility>

#include "backend/wafer/simulate/make_result.h"
#include "backend/wafer/stream/joined_phases.h"
#include "backend/wafer/stream/measures.h"
#include "backend/wafer/stream/one_message.h"
#include "backend/wafer/stream/relays.h"
#include "backend/wafer/stream/timing.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// One run of a part, by node of the part.
struct PartRun {
  std::vector<LaneEnd> starts;  ///< from which it was made
  std::vector<LaneEnd> ends;    ///< not known: it does nothing
  LinkUse links;
  std::vector<NodeTimes> times;
};

/// What all runs of a part have in common.
struct Part {
  explicit Part(const WaferProgram& program) : cells(program), trace(trace_messages(cells, 1)), contract(program) {}
  Cells cells;
  Trace trace;
  DataContract contract;
  std::vector<PartRun> runs;
};

bool begins_alike(const LaneEnd& a, const LaneEnd& b) {
  return a.next == b.next && a.finish == b.finish && a.datapath == b.datapath && a.ramp == b.ramp;
}

/// The state seen from cycle `begin`, in which its processor or another one of the group begins. What was over before it does not matter.
LaneEnd since(std::int64_t begin, const LaneEnd& state) {
  const auto shifted = [&](std::int64_t cycle) { return std::max<std::int64_t>(0, cycle - begin); };
  return {.next = shifted(state.next),
          .finish = shifted(state.finish),
          .datapath = shifted(state.datapath),
          .ramp = shifted(state.ramp),
          .known = true};
}

LaneEnd later(const LaneEnd& state, std::int64_t by) {
  return {.next = state.next + by,
          .finish = state.finish + by,
          .datapath = state.datapath + by,
          .ramp = state.ramp + by,
          .known = true};
}

class Phases {
 public:
  /// `progress` is that of the phases before those that are run.
  Phases(const WaferProgram& program, Effort& effort, Progress progress)
      : program_(program), effort_(effort), width_(program.mesh().width), progress_(std::move(progress)) {}

  /// Each of these phases by itself. False if one of them cannot be timed, or meets an earlier one.
  bool run(std::size_t first, std::size_t end) {
    for (std::size_t p = first; p < end; ++p) {
      if (!run_phase(program_.phases[p])) return false;
    }
    return true;
  }

  /// These phases together. False if they meet earlier ones, cannot be timed, or if joining them leaves out too little.
  bool run_joined(std::size_t first, std::size_t end) {
    if (first >= end) return true;
    const std::vector<Contract>& contracts =
        end < program_.phases.size() ? program_.without_broadcast.front().contracts : program_.contracts;
    const WaferProgram joined = joined_phases(program_, first, end, contracts);
    if (operation_runs(joined) > operation_runs(program_) / kWorthJoining) return false;
    Part part(joined);
    if (!part.trace.is_sound()) return false;
    const TrafficCounter counter(part.cells, part.trace);
    progress_.hops += counter.hops;
    const Box box{.width = width_, .stride = width_};
    const PartRun* const run = run_of(part, starts_of(box, joined, 0));
    return run != nullptr && add(box, *run, 0, counter.traffic);
  }

  Progress take() && { return std::move(progress_); }

 private:
  bool run_phase(const PhasePlaces& places) {
    const WaferProgram& program = program_.parts[at(places.part)];
    if (places.corners.size() == 1 && add_one_message(program, places.corners[0], width_, progress_)) return true;
    Part part(program);
    if (!part.trace.is_sound()) return false;
    const TrafficCounter counter(part.cells, part.trace);
    progress_.hops += counter.hops * static_cast<std::int64_t>(places.corners.size());
    const bool is_first = &places == program_.phases.data();  // all groups begin alike
    const PartRun* run = nullptr;
    for (const NodeId corner : places.corners) {
      const Box box{.corner = corner, .width = program.mesh().width, .stride = width_};
      const std::int64_t begin = is_first ? 0 : begin_of(box, program);
      if (run == nullptr || !is_first) run = run_of(part, starts_of(box, program, begin));
      if (run == nullptr || !add(box, *run, begin, counter.traffic)) return false;
    }
    return true;
  }

  struct Box {
    NodeId corner = 0;
    NodeId width = 0;
    NodeId stride = 0;
    [[nodiscard]] std::size_t node(std::size_t i) const {
      const auto index = static_cast<NodeId>(i);
      return at(corner + index / width * stride + index % width);
    }
  };

  [[nodiscard]] std::int64_t begin_of(const Box& box, const WaferProgram& part) const {
    std::int64_t begin = kForever;
    for (std::size_t i = 0; i < part.class_of.size(); ++i) begin = std::min(begin, progress_.ends[box.node(i)].next);
    return begin;
  }

  const std::vector<LaneEnd>& starts_of(const Box& box, const WaferProgram& part, std::int64_t begin) {
    starts_.resize(part.class_of.size());
    for (std::size_t i = 0; i < starts_.size(); ++i) starts_[i] = since(begin, progress_.ends[box.node(i)]);
    return starts_;
  }

  /// Null if it cannot be timed.
  const PartRun* run_of(Part& part, const std::vector<LaneEnd>& starts) {
    for (const PartRun& known : part.runs) {
      if (std::ranges::equal(known.starts, starts, begins_alike)) return &known;
    }
    if (part.runs.size() >= kMostRuns) return nullptr;
    Timing timing(part.cells, part.trace, starts);
    if (!timing.unsupported().empty()) return nullptr;
    const bool is_timed = timing.run(effort_.left());
    effort_.spent += timing.evaluations();
    return is_timed ? &part.runs.emplace_back(measured(part, timing, starts)) : nullptr;
  }

  static PartRun measured(const Part& part, const Timing& timing, const std::vector<LaneEnd>& starts) {
    return {.starts = starts,
            .ends = lane_ends(part.cells, part.trace, timing),
            .links = link_use(part.cells, part.trace, timing),
            .times = node_times(part.cells, part.trace, timing, part.contract, 1).front()};
  }

  /// False if the phase meets an earlier one.
  bool add(const Box& box, const PartRun& run, std::int64_t begin, const std::vector<Traffic>& traffic) {
    for (std::size_t i = 0; i < run.ends.size(); ++i) {
      const std::size_t node = box.node(i);
      if (!use_links(run, i, begin, progress_.quiet[node])) return false;
      if (run.ends[i].known) {
        progress_.ends[node] = later(run.ends[i], begin);
        progress_.times[node].finished = run.times[i].finished + Cycles(begin);
      }
      if (run.times[i].owed.value() > 0) progress_.times[node].owed = run.times[i].owed + Cycles(begin);
      add_traffic(progress_.traffic[node], traffic[i]);
    }
    return true;
  }

  static bool use_links(const PartRun& run, std::size_t i, std::int64_t begin, LinkCycles& quiet) {
    for (std::size_t link = 0; link < quiet.size(); ++link) {
      const std::int64_t first = run.links.first_sent[i].at(link);
      if (first == kNever) continue;
      if (first + begin <= quiet.at(link)) return false;
      quiet.at(link) = run.links.last_moved[i].at(link) + begin;
    }
    return true;
  }

  static void add_traffic(Traffic& sum, const Traffic& more) {
    for (std::size_t d = 0; d < sum.link.size(); ++d) sum.link.at(d) += more.link.at(d);
    sum.ramp_in += more.ramp_in;
    sum.ramp_out += more.ramp_out;
    sum.data_in += more.data_in;
    sum.data_out += more.data_out;
    sum.busy += more.busy;
  }

  static constexpr std::int64_t kWorthJoining = 4;
  static constexpr std::size_t kMostRuns = 64;  ///< of a part that differ; then the whole program is simulated

  const WaferProgram& program_;
  Effort& effort_;
  NodeId width_;
  Progress progress_;
  std::vector<LaneEnd> starts_;
};

/// The phases one after another. If some meet: the first one, which is that of all rows, then all others together, but not a broadcast at
/// the end.
std::optional<Progress> simulate_by_phases(const WaferProgram& program, Effort& effort) {
  const std::size_t count = program.phases.size(), end = count - program.without_broadcast.size();
  for (const std::size_t joined : {end, std::size_t{1}}) {
    Phases phases(program, effort, Progress(program.class_of.size()));
    if (phases.run(0, joined) && phases.run_joined(joined, end) && phases.run(end, count))
      return std::move(phases).take();
  }
  return std::nullopt;
}

/// The whole vector, since contracts treat all elements alike.
std::vector<bool> who_owes(const WaferProgram& program) {
  std::vector<bool> owes(program.class_of.size(), false);
  for (const Contract& contract : program.contracts) {
    if (contract.collective == Collective::reduce) {
      owes[at(contract.ranks[at(contract.root)])] = true;
    } else {
      for (const NodeId rank : contract.ranks) owes[at(rank)] = true;
    }
  }
  return owes;
}

Result result_of(const WaferProgram& program, Progress progress, std::int64_t effort) {
  const std::vector<bool> owes = who_owes(program);
  Cycles end;
  for (std::size_t node = 0; node < progress.times.size(); ++node) {
    if (!owes[node]) progress.times[node].owed = Cycles(0);
    end = std::max(end, progress.times[node].owed);
  }
  Result result =
      make_result(Measured{.program = program, .traffic = progress.traffic, .hops = progress.hops, .call_ends = {end}});
  result.engine = "stream";
  result.effort = effort;
  result.node_times = {std::move(progress.times)};
  return result;
}

}  // namespace

std::optional<Result> simulate_phases(const WaferProgram& program, const SimulateOptions& options, Effort& effort) {
  if (program.phases.empty() || options.calls > 1) return std::nullopt;
  const auto owes_all = [](const Contract& contract) { return treats_elements_alike(contract.collective); };
  if (!std::ranges::all_of(program.contracts, owes_all)) return std::nullopt;
  auto progress = simulate_by_phases(program, effort);
  if (!progress) progress = simulate_without_relays(program, effort, !options.ends_only);
  if (!progress && !program.without_broadcast.empty()) {
    progress = simulate_without_relays(program.without_broadcast.front(), effort, !options.ends_only);
    if (progress) {
      Phases last(program, effort, *std::move(progress));
      if (!last.run(program.phases.size() - 1, program.phases.size())) return std::nullopt;
      progress = std::move(last).take();
    }
  }
  if (!progress) return std::nullopt;
  return result_of(program, *std::move(progress), effort.spent);
}

}  // namespace muster::wafer
