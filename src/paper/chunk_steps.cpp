// Read off the timeline of a simulation.
#include "paper/chunk_steps.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/error.h"
#include "base/index.h"
#include "result/time_base.h"

namespace muster {
namespace {

Timeline timeline_of(Job job, const std::string& algorithm, const Parameters& parameters) {
  const Choice choice = choose_with_defaults(job, algorithm, parameters);
  if (!choice.parameters.contains("chunks")) reject("{} is not a cluster: it has no chunks", job.machine.name);
  job.timeline = true;
  const SimulationAnswer answer = simulate(job, choice);
  if (!answer.verified || answer.result.fault) reject("{} was not simulated correctly", algorithm);
  return *answer.result.timeline;
}

std::string microseconds(Ticks time) { return fmt::format("{}", to_microseconds(time, kPicoseconds)); }

}  // namespace

std::vector<std::string> chunk_orders(const Job& job, const std::string& algorithm, const Parameters& parameters) {
  Timeline timeline = timeline_of(job, algorithm, parameters);
  std::stable_sort(timeline.spans.begin(), timeline.spans.end(),
                   [](const TimelineSpan& a, const TimelineSpan& b) { return a.begin < b.begin; });
  const std::int32_t first_pass = timeline.spans.front().kind;  // what begins first
  std::map<std::int64_t, std::string> orders;
  for (const TimelineSpan& span : timeline.spans) {
    if (span.kind != first_pass && timeline.kinds[at(span.kind)] != collective_name(Collective::allreduce)) continue;
    std::string& order = orders[std::stoll(span.mark)];
    order += fmt::format("{}{}", order.empty() ? "" : " ", span.track + 1);
  }
  std::vector<std::string> names;
  for (const auto& [chunk, order] : orders) names.push_back(order);
  return names;
}

std::vector<std::string> chunk_times(const Job& job, const std::string& algorithm, const Parameters& parameters) {
  const Timeline timeline = timeline_of(job, algorithm, parameters);
  std::vector<std::string> names(timeline.tracks.size());
  for (const TimelineSpan& span : timeline.spans) {
    const std::string& kind = timeline.kinds[at(span.kind)];
    const char* const sign = kind == collective_name(Collective::reduce_scatter) ? "RS"
                             : kind == collective_name(Collective::allgather)    ? "AG"
                                                                                 : "AR";
    std::string& name = names[at(span.track)];
    name += fmt::format("{}{}{} {}-{}", name.empty() ? "" : ", ", sign, span.mark, microseconds(span.begin),
                        microseconds(span.end));
  }
  return names;
}

namespace {

std::vector<std::string> operations_of(const std::string& line) {
  std::vector<std::string> operations;
  for (std::size_t from = 0; from < line.size();) {
    const std::size_t to = std::min(line.find(", ", from), line.size());
    operations.push_back(line.substr(from, to - from));
    from = to + 2;
  }
  return operations;
}

}  // namespace

std::string operations_text(const std::vector<std::string>& times) {
  std::size_t count = 0;
  double last = 0;
  for (const std::string& line : times) {
    for (const std::string& operation : operations_of(line)) {
      ++count;
      const std::size_t end = operation.rfind('-');
      if (end != std::string::npos) last = std::max(last, std::strtod(operation.c_str() + end + 1, nullptr));
    }
  }
  return fmt::format("{} operations on {} dimensions, the last until {} us", count, times.size(), last);
}

std::string first_difference(const std::vector<std::string>& expected, const std::vector<std::string>& found) {
  for (std::size_t d = 0; d < std::min(expected.size(), found.size()); ++d) {
    const std::vector<std::string> a = operations_of(expected[d]), b = operations_of(found[d]);
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      if (a[i] != b[i]) return fmt::format("dimension {}: {} where {} was expected", d + 1, b[i], a[i]);
    }
    if (a.size() != b.size()) return fmt::format("dimension {}: {} operations, not {}", d + 1, b.size(), a.size());
  }
  return fmt::format("{} dimensions, not {}", found.size(), expected.size());
}

}  // namespace muster
