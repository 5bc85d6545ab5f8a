// A chain of 1,000,000 nodes, built and verified, for one element and for 2^40: the cost must not grow with the count.
// Prints the time as a ratio to the target of 2 s and the peak memory, and checks that a wrong chain is refused. Fails
// if a verdict is wrong or a target is missed.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <ctime>
#include <numeric>

#include "machine/mesh.h"
#include "schedule/builder.h"
#include "schedule/verify.h"

namespace muster {
namespace {

constexpr NodeId kNodes = 1'000'000;
constexpr double kTargetSeconds = 2;
constexpr double kTargetBytes = 2e9;

Machine row_of(NodeId nodes) {
  Mesh mesh;
  mesh.width = mesh.max_width = nodes;
  mesh.height = mesh.max_height = 1;
  mesh.router_buffer = 2;
  return {.name = "row", .summary = "one row of processors", .network = mesh};
}

/// Every node adds its own vector to what comes from the east and sends the sum to the west. `forgetful` does not add.
Schedule chain(NodeId nodes, std::int64_t count, NodeId forgetful) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  StreamId from_east = 0;
  for (NodeId node = nodes - 1; node >= 0; --node) {
    auto step = b.step(node, all);
    if (node != forgetful) step.own(Buffer::input);
    if (node < nodes - 1) step.take(from_east);
    if (node > 0) step.push(from_east = b.stream(node, node - 1, all));
    if (node == 0) step.store(Buffer::output);
  }
  std::vector<NodeId> ranks(static_cast<std::size_t>(nodes));
  std::iota(ranks.begin(), ranks.end(), 0);
  b.contract({.collective = Collective::reduce, .ranks = std::move(ranks), .root = 0, .count = count});
  return std::move(b).finish();
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

/// Of the processor: what else the machine does must not decide.
double seconds_since(std::clock_t start) { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; }

/// Builds and verifies one chain; false if the verdict is wrong or comes too late.
bool measure(const Machine& machine, std::int64_t count, NodeId forgetful) {
  const std::clock_t start = std::clock();
  const Schedule schedule = chain(kNodes, count, forgetful);
  const double built = seconds_since(start);
  const Verdict verdict = verify(schedule, machine);
  const double total = seconds_since(start);
  const bool right = verdict.verified() == (forgetful < 0) &&
                     (verdict.verified() ||
                      verdict.counterexample->message.find(fmt::format("PE ({},0)", forgetful)) != std::string::npos);
  const bool late = verdict.verified() && total > kTargetSeconds;  // the search for a counterexample has no target
  fmt::print("chain of {} nodes, {} elements, {}: built {:.2f} s, verified {:.2f} s, total {:.2f} of the target; {}\n",
             kNodes, count, forgetful < 0 ? "right" : "wrong", built, total - built, total / kTargetSeconds,
             !right ? "WRONG VERDICT"
             : late ? "TOO SLOW"
                    : "verdict as expected");
  if (verdict.verified()) fmt::print("  error probability {:.1e}\n", verdict.error_probability);
  if (!verdict.verified()) fmt::print("  {}\n", verdict.counterexample->message);
  return right && !late;
}

}  // namespace

/// Whether all verdicts are as expected, in the time and memory that we aim for.
bool run_verify_bench() {
  const Machine machine = row_of(kNodes);
  bool right = true;
  for (const std::int64_t count : {std::int64_t{1}, std::int64_t{1} << 40}) {
    right &= measure(machine, count, -1);
    right &= measure(machine, count, 271'828);
  }
  fmt::print("peak memory {:.2f} GB, {:.2f} of the target\n", peak_bytes() / 1e9, peak_bytes() / kTargetBytes);
  return right && peak_bytes() <= kTargetBytes;
}

}  // namespace muster

int main() { return muster::run_verify_bench() ? EXIT_SUCCESS : EXIT_FAILURE; }
