// Schedule's members that need the complete Phase.
#include "schedule/schedule.h"

#include <algorithm>
#include <tuple>

#include "schedule/phase.h"

namespace muster {

Schedule::Schedule() = default;
Schedule::Schedule(const Schedule&) = default;
Schedule::Schedule(Schedule&&) noexcept = default;
Schedule& Schedule::operator=(const Schedule&) = default;
Schedule& Schedule::operator=(Schedule&&) noexcept = default;
Schedule::~Schedule() = default;

// Written out: clang 14 crashes on a default one, as a schedule has schedules.
bool Schedule::operator==(const Schedule& other) const {
  const auto all = [](const Schedule& s) {
    return std::tie(s.made_for, s.node_count, s.extent, s.spans, s.contracts, s.streams, s.sinks, s.routes, s.steps,
                    s.operands, s.factors, s.outputs, s.waits, s.lanes, s.first_lane, s.terms, s.coefficients, s.phases,
                    s.parts, s.group_sets, s.repeat, s.record_every);
  };
  return all(*this) == all(other);
}

bool Schedule::is_flat() const { return phases.empty(); }

std::int64_t Schedule::pages_of(Buffer buffer) const {
  const std::int64_t running = is_flat() ? 1 : static_cast<std::int64_t>(phases.size()) * repeat;
  if (buffer == Buffer::series) return running;
  return buffer == Buffer::record ? (running + record_every - 1) / record_every : 1;
}

bool is_coefficient_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_part = [&](char c) { return is_letter(c) || c == '_' || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= kLongestCoefficientName && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), is_part);
}

bool is_linear(const Schedule& schedule) {
  const auto is_stencil = [](const Contract& contract) { return contract.collective == Collective::stencil; };
  return !schedule.factors.empty() || !schedule.terms.empty() ||
         std::any_of(schedule.contracts.begin(), schedule.contracts.end(), is_stencil) ||
         std::any_of(schedule.parts.begin(), schedule.parts.end(), is_linear);
}

std::vector<NodeId> step_nodes(const Schedule& schedule) {
  std::vector<NodeId> nodes(schedule.steps.size());
  for (const Lane& lane : schedule.lanes) {
    for (StepId i = 0; i < lane.count; ++i) nodes[static_cast<std::size_t>(lane.first + i)] = lane.node;
  }
  return nodes;
}

}  // namespace muster
