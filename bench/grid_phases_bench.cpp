// verify() of a Reduce over 750 x 994 processors in up to 64 phases over the same rows: of some processors each, or of slices
// of the vector. Prints the time as a ratio to the target and the peak memory, and checks that with partial sums overwritten it
// is refused. Fails if a verdict is wrong.
#include <cstdlib>
#include <numeric>
#include <utility>

#include "base/index.h"
#include "machine/mesh.h"
#include "measure.h"
#include "schedule/builder.h"
#include "schedule/verify.h"

namespace muster {
namespace {

constexpr NodeId kWidth = 750;
constexpr NodeId kHeight = 994;
constexpr std::int64_t kCount = 4096;
constexpr int kRounds = 64;

Machine wafer() {
  Mesh mesh{.width = kWidth, .height = kHeight, .max_width = kWidth, .max_height = kHeight};
  mesh.router_buffer = 2;
  return {.name = "wafer", .summary = "a grid of processors", .network = mesh};
}

std::vector<NodeId> nodes_from(NodeId first, NodeId end, NodeId stride = 1) {
  std::vector<NodeId> nodes;
  for (NodeId node = first; node < end; node += stride) nodes.push_back(node);
  return nodes;
}

/// A chain from the last rank to the first one, which is the root.
Schedule chain(NodeId nodes, const std::vector<NodeId>& ranks, std::int64_t count, bool root_in_place) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  StreamId from_behind = 0;
  for (std::size_t i = ranks.size(); i-- > 0;) {
    auto step = b.step(ranks[i], all).own(i == 0 && root_in_place ? Buffer::output : Buffer::input);
    if (i + 1 < ranks.size()) step.take(from_behind);
    if (i > 0) step.push(from_behind = b.stream(ranks[i], ranks[i - 1], all));
    if (i == 0) step.store(Buffer::output);
  }
  b.contract({.collective = Collective::reduce, .ranks = ranks, .count = count, .root_in_place = root_in_place});
  return std::move(b).finish();
}

/// The reduce of a grid: phases over the rows, one after another, and then one over the first column.
class RowsThenColumn {
 public:
  explicit RowsThenColumn(std::int64_t on) : b_({.nodes = kWidth * kHeight, .count = kCount}) {
    std::vector<Group> rows;
    for (NodeId y = 0; y < kHeight; ++y)
      rows.push_back({.members = nodes_from(y * kWidth, (y + 1) * kWidth), .on = b_.span({0, on})});
    rows_ = b_.groups(std::move(rows));
  }

  void rows(Schedule part, std::int64_t offset = 0) {
    add({.part = b_.part(std::move(part)), .groups = rows_, .offset = offset, .after = {}});
  }

  Schedule finish() && {
    Schedule part = chain(kHeight, nodes_from(0, kHeight), kCount, false);
    part.contracts[0].from = Buffer::output;
    for (Step& step : part.steps) step.own = Buffer::output;
    add({.part = b_.part(std::move(part)),
         .groups = b_.groups({{.members = nodes_from(0, kWidth * kHeight, kWidth), .on = b_.span({0, kCount})}}),
         .input = Buffer::output,
         .output = Buffer::output,
         .after = {}});
    b_.contract({.collective = Collective::reduce, .ranks = nodes_from(0, kWidth * kHeight), .count = kCount});
    return std::move(b_).finish();
  }

 private:
  void add(Phase phase) {
    if (last_ >= 0) phase.after = {last_};
    last_ = b_.phase(std::move(phase));
  }

  ScheduleBuilder b_;
  std::int32_t rows_ = 0;
  std::int32_t last_ = -1;
};

/// Groups of a row's processors, one after another, are added to what its first one has. `forgetful`: one of them overwrites it.
Schedule in_rounds(int rounds, bool forgetful) {
  RowsThenColumn phases(kCount);
  for (int r = 0; r < rounds; ++r) {
    std::vector<NodeId> ranks = nodes_from(r + 1, kWidth, rounds);
    ranks.insert(ranks.begin(), 0);
    phases.rows(chain(kWidth, ranks, kCount, r > 0 && !(forgetful && r == rounds / 2)));
  }
  return std::move(phases).finish();
}

/// Slices of the vector, one after another.
Schedule in_slices(int slices) {
  const std::int64_t slice = kCount / slices;
  RowsThenColumn phases(slice);
  for (int s = 0; s < slices; ++s) phases.rows(chain(kWidth, nodes_from(0, kWidth), slice, false), s * slice);
  return std::move(phases).finish();
}

bool run(const std::string& name, const Schedule& schedule, double target) {
  const Machine machine = wafer();
  const auto trouble = [&] {
    const Verdict verdict = verify(schedule, machine);
    return verdict.verified() ? std::string() : verdict.counterexample->message;
  };
  return measure(name, target, 1, trouble, 5);
}

bool is_refused(const Schedule& schedule) {
  const Verdict verdict = verify(schedule, wafer());
  const bool refused = !verdict.verified();
  fmt::print("partial sums overwritten: {}\n", refused ? verdict.counterexample->message : "WRONG: accepted");
  return refused;
}

}  // namespace
}  // namespace muster

int main() {
  using namespace muster;
  constexpr double kTarget = 0.2;
  bool right = true;
  for (const int phases : {1, 16, 64}) {
    right = run(fmt::format("{} groups of each row", phases), in_rounds(phases, false), kTarget) && right;
    right = run(fmt::format("{} slices of the vector", phases), in_slices(phases), kTarget) && right;
  }
  return right && is_refused(in_rounds(4, true)) ? EXIT_SUCCESS : EXIT_FAILURE;
}
