// The lowering as a list of its stages (lower.h).
#include "backend/wafer/lower/lower.h"

#include "backend/wafer/directions.h"
#include "backend/wafer/lower/periodic.h"
#include "machine/mesh.h"
#include "schedule/joined_lanes.h"
#include "schedule/one_destination.h"
#include "schedule/phase.h"
#include "schedule/verify.h"

namespace muster::wafer {
namespace {

/// As a whole, a schedule of phases may need fewer colors; that is tried where phases need many and there are few processors.
constexpr std::size_t kFewColors = 8;
constexpr NodeId kQuicklyLowered = 1024;

/// The flat schedule with a node for every processor; those that it does not use are idle. `own` holds the schedule if it is not the
/// given one.
const Schedule& on_all_processors(const Schedule& schedule, NodeId processors, std::optional<Schedule>& own) {
  if (schedule.node_count >= processors) return schedule;
  own = schedule;
  own->node_count = processors;
  own->first_lane.resize(static_cast<std::size_t>(processors) + 1, static_cast<std::int32_t>(own->lanes.size()));
  return *own;
}

/// Why a schedule cannot run with one destination per step, or nothing. What a step sends only after it has stored all of
/// it may be what others need to continue, though the verified schedule passed it on word by word.
std::optional<Refusal> stuck(const Schedule& schedule, const Machine& machine) {
  const auto cycle = find_wait_cycle(schedule, machine);
  if (!cycle) return {};
  const std::string where = cycle->node ? pe_text(*as<Mesh>(machine), *cycle->node) : "some PE";
  return Refusal{
      fmt::format("an instruction has one destination: if steps store what they receive before they send it, they "
                  "deadlock, e.g. at {}; use separate steps, or a shorter vector",
                  where)};
}

/// Whether routers pass through roles that rings of positions hold: those of a stencil do where streams come back to their senders. In
/// collectives, such streams reach all of a line, and each passes a router once.
bool takes_turns(const Schedule& schedule) {
  return is_linear(schedule) &&
         std::any_of(schedule.streams.begin(), schedule.streams.end(), [&](const Stream& stream) {
           const auto sinks = schedule.sinks_of(stream);
           return std::find(sinks.begin(), sinks.end(), stream.source) != sinks.end();
         });
}

/// Phases that are one time step again and again, on all nodes, with the buffers exchanged in between.
bool are_time_steps(const Schedule& schedule) {
  if (schedule.parts.size() != 1) return false;
  const auto is_whole = [&](const std::vector<Group>& groups) {
    if (groups.size() != 1 || groups[0].members.size() != static_cast<std::size_t>(schedule.node_count)) return false;
    const auto ranges = schedule.spans.ranges(groups[0].on);
    for (std::size_t i = 0; i < groups[0].members.size(); ++i) {
      if (groups[0].members[i] != static_cast<NodeId>(i)) return false;
    }
    return ranges.size() == 1 && ranges[0].first == 0;
  };
  const Phase& last = schedule.phases.back();
  Buffer input = schedule.phases.size() % 2 == 1 ? last.input : last.output;
  for (const Phase& phase : schedule.phases) {
    if (phase.offset != 0 || phase.input != input || !is_whole(groups_of(schedule, phase))) return false;
    input = phase.output;
  }
  return schedule.repeat == 1 || schedule.phases.size() % 2 == 0;
}

/// One time step as a program that is repeated.
Outcome<std::unique_ptr<WaferProgram>> lower_time_steps(const Schedule& schedule, const Machine& machine,
                                                        const LowerOptions& options) {
  if (!are_time_steps(schedule)) {
    return Refusal{"phases with coefficients are lowered only where one time step is repeated on all nodes"};
  }
  auto program = lower(schedule.parts.front(), machine, options);
  if (!program) return program;
  program.value()->steps = static_cast<int>(schedule.repeat * static_cast<std::int64_t>(schedule.phases.size()));
  // A program's last repetition ends in what it calls output, whatever the schedule calls it.
  program.value()->begins_exchanged = program.value()->steps % 2 == 0;
  program.value()->contracts.front().steps = program.value()->steps;
  program.value()->record_every = static_cast<int>(schedule.record_every);
  return program;
}

}  // namespace

Outcome<std::unique_ptr<WaferProgram>> lower(const Schedule& schedule, const Machine& machine,
                                             const LowerOptions& options) {
  MUSTER_ASSERT(as<Mesh>(machine) != nullptr, "'{}' is no mesh", machine.name);
  const Mesh& mesh = *as<Mesh>(machine);
  if (!schedule.is_flat() && is_linear(schedule)) return lower_time_steps(schedule, machine, options);
  if (!schedule.is_flat()) {
    // Where a position changes both sides, steps of different phases share more colors than phases do: whoever asks for that
    // wants few.
    std::optional<Outcome<std::unique_ptr<WaferProgram>>> as_a_whole;
    if (mesh.switch_both_sides) {
      as_a_whole = lower(expand_in_lanes(schedule), machine, options);
      if (*as_a_whole) return std::move(*as_a_whole);
    }
    auto by_phases = lower_phases(schedule, machine, options);
    const bool is_small = mesh.width * mesh.height <= kQuicklyLowered;
    if (by_phases && (!is_small || by_phases.value()->colors.size() <= kFewColors)) return by_phases;
    if (!as_a_whole) as_a_whole = lower(expand_in_lanes(schedule), machine, options);
    const bool is_better =
        by_phases && (!*as_a_whole || by_phases.value()->colors.size() <= as_a_whole->value()->colors.size());
    return is_better ? std::move(by_phases) : std::move(*as_a_whole);
  }
  std::optional<Schedule> own;
  const Schedule& whole = on_all_processors(schedule, mesh.width * mesh.height, own);
  if (whole.node_count > mesh.width * mesh.height) {
    return Refusal{fmt::format("the schedule has {} nodes, the machine {}x{} PEs; use a larger grid", whole.node_count,
                               mesh.width, mesh.height)};
  }
  const auto split = with_one_destination(whole);
  if (split) {
    if (auto refusal = stuck(*split, machine)) return *refusal;
  }
  const Schedule& flat = split ? *split : whole;
  auto routes = find_routes(flat, mesh);
  if (!routes) return Refusal{routes.reason()};
  auto order = find_order(flat);
  if (!order) return Refusal{order.reason()};
  auto fabric = takes_turns(flat) ? configure_in_rings(flat, routes.value(), order.value(), mesh)
                                  : configure(flat, routes.value(), order.value(), mesh,
                                              options.options.of<MeshOptions>().reserved_colors);
  if (!fabric) return Refusal{fabric.reason()};
  const auto& [coloring, switching, resets] = fabric.value();
  auto colors = choose_hardware_colors(switching, coloring.count, mesh, options);
  if (!colors) return Refusal{colors.reason()};

  auto program = std::make_unique<WaferProgram>();
  program->machine = machine;
  program->arithmetic = options.arithmetic;
  program->spans = flat.spans;
  program->extent = flat.extent;
  program->contracts = flat.contracts;
  program->coefficients = flat.coefficients;
  program->colors = std::move(colors).value();
  write_classes(
      {.schedule = flat, .order = order.value(), .coloring = coloring, .switching = switching, .resets = resets},
      *program);
  cut_into_pieces(*program);
  if (auto reason = over_budget(*program, options.options.of<MeshOptions>().reserved_colors)) return Refusal{*reason};
  return program;
}

}  // namespace muster::wafer
