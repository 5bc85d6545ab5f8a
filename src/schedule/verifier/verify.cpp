// The verifier as a list of stages: each may assume what the ones before it have proven.
#include "schedule/verify.h"

#include "machine/routing.h"
#include "schedule/verifier/verify_stages.h"

namespace muster {

std::string_view kind_name(Counterexample::Kind kind) {
  switch (kind) {
    case Counterexample::Kind::malformed:
      return "malformed";
    case Counterexample::Kind::missing:
      return "missing";
    case Counterexample::Kind::doubled:
      return "doubled";
    case Counterexample::Kind::foreign:
      return "foreign";
    case Counterexample::Kind::too_early:
      return "too-early";
    case Counterexample::Kind::race:
      return "race";
    case Counterexample::Kind::mismatch:
      return "mismatch";
    case Counterexample::Kind::wait_cycle:
      return "wait-cycle";
    case Counterexample::Kind::no_route:
      return "no-route";
    case Counterexample::Kind::disordered:
      return "disordered";
  }
  MUSTER_ASSERT(false, "kind {}", static_cast<int>(kind));
  return {};
}

Verdict verify(const Schedule& schedule, const Machine& machine, const VerifyOptions& options) {
  const StepName* name = options.step_name ? &options.step_name : nullptr;
  const verifier::Subject subject{.schedule = schedule, .machine = machine, .step_name = name};
  return schedule.is_flat() ? verifier::verify_flat(subject, options) : verifier::verify_phases(subject, options);
}

std::optional<Counterexample> find_wait_cycle(const Schedule& schedule, const Machine& machine) {
  const verifier::Subject subject{.schedule = schedule, .machine = machine};
  const ScheduleIndex index(schedule);
  if (verifier::Finding wrong = verifier::check_streams(subject, index)) return wrong;
  std::vector<verifier::Vertex> order;
  return verifier::check_waits(subject, index, verifier::dependencies_of(subject, index), order);
}

namespace verifier {

Verdict verify_flat(const Subject& subject, const VerifyOptions& options) {
  if (Finding wrong = check_form(subject)) return {.counterexample = wrong};
  const ScheduleIndex index(subject.schedule);
  if (Finding wrong = check_streams(subject, index)) return {.counterexample = wrong};
  if (Finding wrong = check_routes(subject)) return {.counterexample = wrong};
  const Dependencies dependencies = dependencies_of(subject, index);
  std::vector<Vertex> order;
  if (Finding wrong = check_waits(subject, index, dependencies, order)) return {.counterexample = wrong};
  if (Finding wrong = check_races(subject, order, dependencies)) return {.counterexample = wrong};
  return execute(subject, index, dependencies, order, options);
}

std::string Subject::node(NodeId node) const {
  return is_part || node < 0 || node >= node_count(machine) ? fmt::format("node {}", node) : node_text(machine, node);
}

std::string Subject::step(StepId id, NodeId at) const {
  return step_name != nullptr ? (*step_name)(id) : fmt::format("step {} at {}", id, node(at));
}

std::string Subject::step_in_lane(StepId id, std::int32_t lane) const {
  return step_name != nullptr ? (*step_name)(id) : fmt::format("step {} (lane {})", id, lane);
}

std::string Subject::stream(StreamId id) const {
  const Stream& stream = schedule.streams[at(id)];
  const auto sinks = schedule.sinks_of(stream);
  std::string to = sinks.empty() ? "nobody" : node(sinks[0]);
  if (sinks.size() == 2) to += fmt::format(" and {}", node(sinks[1]));
  if (sinks.size() > 2) to += fmt::format(" and {} more", sinks.size() - 1);
  return fmt::format("stream {} from {} to {}", id, node(stream.source), to);
}

std::string ranges_text(std::span<const Range> ranges) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < ranges.size() && i < kShown; ++i) {
    const bool last = i + 1 == ranges.size();
    if (i > 0) text += last ? " and " : ", ";
    text += fmt::format("[{},{})", ranges[i].first, ranges[i].end());
  }
  if (ranges.size() > kShown) text += fmt::format(" and {} more", ranges.size() - kShown);
  return text.empty() ? "no elements" : text;
}

}  // namespace verifier
}  // namespace muster
