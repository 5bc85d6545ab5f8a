// The lowering as a list of its stages (lower.h).
#include "backend/wafer/lower/lower.h"

#include "backend/wafer/directions.h"
#include "schedule/phase.h"

namespace muster::wafer {
namespace {

/// Each round rules out at least one color for one stream, mostly many; programs that need more are too irregular.
constexpr int kMostRounds = 500;

struct Configuration {
  Coloring coloring;
  Switching switching;
  std::vector<ResetSender> resets;
};

/// Colors, positions and resets, again and again until no router objects.
Outcome<Configuration> configure(const Schedule& schedule, const StreamRoutes& routes, const StreamOrder& order,
                                 const Mesh& mesh) {
  const RouterPassings passings = find_passings(routes, order, schedule.node_count);
  Configuration fabric;
  std::vector<Objection> objections;
  for (int round = 0; round < kMostRounds; ++round) {
    const Objection worst = objections.empty() ? Objection{} : objections.front();
    if (!choose_colors(schedule, routes, order, fabric.coloring)) {
      return Refusal{
          fmt::format("colors: more than {} needed, the machine has {}; the first stream without one is {} at {}: {}",
                      kMaxColors, mesh.colors, worst.stream, place_text(mesh, worst.router), worst.why)};
    }
    objections.clear();
    fabric.switching = find_switching(passings, fabric.coloring, mesh, objections);
    if (objections.empty()) {
      fabric.resets = find_resets(passings, fabric.switching, fabric.coloring, mesh, objections);
    }
    if (objections.empty()) return fabric;
    for (const Objection& o : objections) {
      const auto s = static_cast<std::size_t>(o.stream);
      fabric.coloring.forbidden[s] |= std::uint64_t{1} << fabric.coloring.color[s];
    }
  }
  return Refusal{fmt::format("switch positions: no choice of colors found in {} rounds; stream {} at {}: {}",
                             kMostRounds, objections.front().stream, place_text(mesh, objections.front().router),
                             objections.front().why)};
}

/// The schedule with its phases written out and a node for every processor; those that it does not use are idle. `own`
/// holds the schedule if it is not the given one.
const Schedule& on_all_processors(const Schedule& schedule, NodeId processors, std::optional<Schedule>& own) {
  if (!schedule.is_flat()) own = expand(schedule);
  const NodeId used = own ? own->node_count : schedule.node_count;
  if (used >= processors) return own ? *own : schedule;
  if (!own) own = schedule;
  own->node_count = processors;
  own->first_lane.resize(static_cast<std::size_t>(processors) + 1, static_cast<std::int32_t>(own->lanes.size()));
  return *own;
}

}  // namespace

Outcome<std::unique_ptr<WaferProgram>> lower(const Schedule& schedule, const Machine& machine,
                                             const LowerOptions& options) {
  MUSTER_ASSERT(machine.mesh() != nullptr, "'{}' is no mesh", machine.name);
  const Mesh& mesh = *machine.mesh();
  std::optional<Schedule> own;
  const Schedule& flat = on_all_processors(schedule, mesh.width * mesh.height, own);
  if (flat.node_count > mesh.width * mesh.height) {
    return Refusal{fmt::format("the schedule has {} nodes, the machine {}x{} PEs; use a larger grid", flat.node_count,
                               mesh.width, mesh.height)};
  }
  auto routes = find_routes(flat, mesh);
  if (!routes) return Refusal{routes.reason()};
  auto order = find_order(flat);
  if (!order) return Refusal{order.reason()};
  auto fabric = configure(flat, routes.value(), order.value(), mesh);
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
  program->colors = std::move(colors).value();
  write_classes(
      {.schedule = flat, .order = order.value(), .coloring = coloring, .switching = switching, .resets = resets},
      *program);
  if (auto reason = over_budget(*program)) return Refusal{*reason};
  return program;
}

}  // namespace muster::wafer
