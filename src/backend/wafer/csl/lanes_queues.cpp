// Instructions that run side by side need a microthread each, of which a PE has eight.
//
// Without bound queues, the microthread has the number of the queue that the instruction names: of what it sends, or else of what it takes.
// So the two kinds of queues have different numbers. The host's library keeps input queues 0 and 1 to itself; an output queue
// serves any color there, and the vendor's own 25-point stencil sends on output queues 0 to 3 beside that library. With bound queues,
// an instruction names its microthread.
#include "backend/wafer/csl/lanes_queues.h"

#include <algorithm>

#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr int kMicrothreads = 8;  // [SDK] "Microthread IDs": 0 to 7
constexpr int kNone = -1;

/// The colors that some lane takes, or sends.
std::vector<int> colors_of(const CslLanes& lanes, bool taken) {
  std::vector<int> colors;
  for (const LaneKind& kind : lanes.kinds) {
    const int color = taken ? kind.take : kind.send;
    if (color >= 0) colors.push_back(color);
  }
  std::sort(colors.begin(), colors.end());
  colors.erase(std::unique(colors.begin(), colors.end()), colors.end());
  return colors;
}

bool is_reserved(const Mesh& mesh, int queue) {
  const auto& reserved = mesh.reserved_queues;
  return std::find(reserved.begin(), reserved.end(), queue) != reserved.end();
}

}  // namespace

std::optional<std::string> assign_lane_queues(CslProgram& csl, CslLanes& lanes) {
  const Mesh& mesh = csl.wafer->mesh();
  const std::size_t colors = csl.wafer->colors.size();
  const std::vector<int> taken = colors_of(lanes, true);
  const std::vector<int> sent = colors_of(lanes, false);
  for (auto* queues : {&csl.in_queues, &csl.out_queues, &lanes.in_threads, &lanes.out_threads}) {
    queues->assign(colors, kNone);
  }
  std::vector<int> threads;  // those of the host's library come last
  for (const bool reserved : {false, true}) {
    for (int t = 0; t < kMicrothreads; ++t) {
      if (is_reserved(mesh, t) == reserved) threads.push_back(t);
    }
  }
  if (taken.size() + sent.size() > threads.size()) {
    return fmt::format("csl: {} colors are taken and {} sent side by side; a PE has {} microthreads", taken.size(),
                       sent.size(), threads.size());
  }
  lanes.threads_below_two = taken.size() + sent.size() > threads.size() - mesh.reserved_queues.size();
  std::vector<int> used(threads.begin(), threads.begin() + static_cast<std::ptrdiff_t>(taken.size() + sent.size()));
  std::sort(used.begin(), used.end());
  // What is sent gets the lowest ones, what is taken the others.
  for (std::size_t s = 0; s < sent.size(); ++s) lanes.out_threads[at(sent[s])] = used[s];
  for (std::size_t t = 0; t < taken.size(); ++t) lanes.in_threads[at(taken[t])] = used[sent.size() + t];
  csl.in_queues = lanes.in_threads;
  csl.out_queues = lanes.out_threads;
  if (mesh.queues_are_bound) {
    const auto number = [&](const std::vector<int>& of, std::vector<int>& queues, int count) {
      int next = 0;
      for (const int color : of) {
        while (next < count && is_reserved(mesh, next)) ++next;
        queues[at(color)] = next++;
      }
      return next <= count;
    };
    if (!number(sent, csl.out_queues, mesh.output_queues) || !number(taken, csl.in_queues, mesh.input_queues)) {
      return fmt::format("csl: {} colors are taken and {} sent, more than there are free queues", taken.size(),
                         sent.size());
    }
    return std::nullopt;
  }
  const auto misfit = [&](const std::vector<int>& of, const std::vector<int>& queues, int count) {
    return std::any_of(of.begin(), of.end(), [&](int color) { return queues[at(color)] >= count; });
  };
  if (misfit(sent, csl.out_queues, mesh.output_queues) || misfit(taken, csl.in_queues, mesh.input_queues) ||
      std::any_of(taken.begin(), taken.end(), [&](int color) { return is_reserved(mesh, csl.in_queues[at(color)]); })) {
    return fmt::format("csl: {} colors are taken and {} sent side by side, which the queues of the machine do not allow",
                       taken.size(), sent.size());
  }
  return std::nullopt;
}

}  // namespace muster::wafer
