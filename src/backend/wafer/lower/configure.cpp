// Lowering: colors, positions and resets that fit each other, with few colors.
#include <algorithm>

#include "backend/wafer/directions.h"
#include "backend/wafer/lower/lower.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// Each round rules out at least one color for one stream, mostly many; programs that need more are too irregular.
constexpr int kMostRounds = 500;

/// How many streams may get a color, all tries and rounds together, before the search ends: about a second, or three
/// rounds of what takes longer.
constexpr std::int64_t kManyStreams = 2'000'000, kFewRounds = 3;

std::int64_t most_colored(const Schedule& schedule) {
  return std::max(kManyStreams, kFewRounds * static_cast<std::int64_t>(schedule.streams.size()));
}

/// As many as the programs of the paper's authors have, the broadcast of an AllReduce included: fewer are not sought.
constexpr int kFewColorsOfALine = 3;
constexpr int kFewColorsOfAGrid = 5;

/// Forbids the streams that a reset objects to their color.
void forbid(const std::vector<Objection>& objections, const ColorQuestion& question, const Configuration& fabric,
            std::vector<std::uint64_t>& forbidden) {
  std::vector<std::uint64_t> inputs(at(question.schedule.node_count), 0), any(inputs.size(), 0);
  for (const Objection& o : objections) (o.inputs ? inputs : any)[at(o.router)] |= std::uint64_t{1} << o.color;
  for (std::size_t s = 0; s < forbidden.size(); ++s) {
    const std::int8_t color = fabric.coloring.color[s];
    const bool keeps = question.routes.all_visits(static_cast<StreamId>(s), [&](const Visit& v) {
      const bool input = ((inputs[at(v.router)] >> color) & 1U) != 0, side = ((any[at(v.router)] >> color) & 1U) != 0;
      if (!input && !side) return true;
      const Position& base = fabric.switching.find(v.router, color)->positions[0];
      return side ? v.position == base : v.position.from == base.from;
    });
    if (!keeps) forbidden[s] |= std::uint64_t{1} << color;
  }
}

/// By one set of rules, until every switch has a reset. Counts the streams that it colors.
Outcome<Configuration> configure_by(ColorQuestion question, std::int64_t& colored) {
  std::vector<std::uint64_t> forbidden;
  int round = 0;
  for (; round == 0 || (round < kMostRounds && colored < most_colored(question.schedule)); ++round) {
    colored += static_cast<std::int64_t>(question.schedule.streams.size());
    auto chosen = choose_colors(question);
    if (!chosen) return Refusal{too_many_colors(usable_colors(question.mesh) + 1, question.mesh, 0).value_or("")};
    Configuration fabric{
        .coloring = std::move(chosen->coloring), .switching = std::move(chosen->switching), .resets = {}};
    Resets resets = find_resets(fabric.switching, question.mesh);
    if (resets.objections.empty()) {
      fabric.resets = std::move(resets.senders);
      return fabric;
    }
    forbidden.resize(question.schedule.streams.size(), 0);
    forbid(resets.objections, question, fabric, forbidden);
    question.forbidden = forbidden;
  }
  return Refusal{
      fmt::format("switches: after {} rounds, no color assignment was found whose switches are reset everywhere; send "
                  "streams that share a processor in the same order",
                  round)};
}

/// From those that keep most apart to those that keep nothing apart.
std::vector<ColorRules> rules_to_try(const Schedule& schedule, const StreamRoutes& routes) {
  std::vector<ColorRules> rules;
  const bool axes = axes_meet(schedule, routes);
  if (axes) rules.push_back({.axes_apart = true, .multicasts_alike = false, .sides_apart = true});
  const bool multicasts = std::any_of(schedule.streams.begin(), schedule.streams.end(),
                                      [](const Stream& stream) { return stream.sinks.count > 1; });
  if (axes && multicasts) rules.push_back({.axes_apart = true, .multicasts_alike = true, .sides_apart = true});
  if (axes && !multicasts) rules.push_back({.axes_apart = true, .sides_apart = true, .directions_apart = true});
  rules.push_back({.axes_apart = false, .multicasts_alike = false, .sides_apart = true});
  if (!axes) rules.push_back({.axes_apart = false, .multicasts_alike = true, .sides_apart = true});
  if (axes) rules.push_back({.axes_apart = true, .multicasts_alike = false, .sides_apart = false});
  rules.push_back({.axes_apart = false, .multicasts_alike = false, .sides_apart = false});
  if (axes) rules.push_back({.axes_apart = false, .sides_apart = false, .checkered = true});
  return rules;
}

}  // namespace

Outcome<Configuration> configure(const Schedule& schedule, const StreamRoutes& routes, const StreamOrder& order,
                                 const Mesh& mesh, int reserved_channels) {
  const int usable = std::min(kMaxColors, usable_colors(mesh));
  const int known = mesh.width > 1 && mesh.height > 1 ? kFewColorsOfAGrid : kFewColorsOfALine;
  const int few = std::min(known, usable - reserved_channels);
  Outcome<Configuration> best = Refusal{""};
  std::int64_t colored = 0;
  for (const ColorRules& rules : rules_to_try(schedule, routes)) {
    if (colored >= most_colored(schedule)) break;
    const int most = best ? best.value().coloring.count - 1 : usable;
    auto fabric = configure_by({.schedule = schedule,
                                .routes = routes,
                                .order = order,
                                .mesh = mesh,
                                .rules = rules,
                                .most = most,
                                .forbidden = {}},
                               colored);
    if (fabric || !best) best = std::move(fabric);
    if (best && best.value().coloring.count <= few) break;
  }
  return best;
}

}  // namespace muster::wafer
