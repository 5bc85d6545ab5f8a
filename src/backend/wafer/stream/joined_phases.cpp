#include "backend/wafer/stream/joined_phases.h"

#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// Runs of operations of a processor: those before the phases, and those of the phases.
struct Slice {
  std::int64_t before = 0;
  std::int64_t inside = 0;
};

std::int64_t runs_of(const ProcessorClass& c) {
  return std::accumulate(c.operations.begin(), c.operations.end(), std::int64_t{0},
                         [](std::int64_t sum, const Operation& o) { return sum + o.times; });
}

std::vector<Slice> slices_of(const WaferProgram& program, std::size_t first, std::size_t end) {
  std::vector<Slice> slices(program.class_of.size());
  const NodeId width = program.mesh().width;
  for (std::size_t p = 0; p < end; ++p) {
    const PhasePlaces& places = program.phases[p];
    const WaferProgram& part = program.parts[at(places.part)];
    std::vector<std::int64_t> runs;
    for (const ProcessorClass& c : part.classes) runs.push_back(runs_of(c));
    const NodeId box = part.mesh().width;
    for (NodeId i = 0; i < static_cast<NodeId>(part.class_of.size()); ++i) {
      const std::int64_t more = runs[at(part.class_of[at(i)])];
      if (more == 0) continue;
      for (const NodeId corner : places.corners) {
        Slice& slice = slices[at(corner + i / box * width + i % box)];
        (p < first ? slice.before : slice.inside) += more;
      }
    }
  }
  return slices;
}

ProcessorClass sliced(const ProcessorClass& c, const Slice& slice) {
  ProcessorClass part{.routes = c.routes, .operations = {}};
  std::int64_t done = 0;
  for (const Operation& o : c.operations) {
    const bool is_inside = done >= slice.before && done + o.times <= slice.before + slice.inside;
    MUSTER_ASSERT(is_inside || done + o.times <= slice.before || done >= slice.before + slice.inside,
                  "an operation of two phases");
    if (is_inside) part.operations.push_back(o);
    done += o.times;
  }
  return part;
}

}  // namespace

WaferProgram joined_phases(const WaferProgram& program, std::size_t first, std::size_t end,
                           std::vector<Contract> contracts) {
  WaferProgram joined;
  joined.machine = program.machine;
  joined.arithmetic = program.arithmetic;
  joined.spans = program.spans;
  joined.extent = program.extent;
  joined.contracts = std::move(contracts);
  joined.colors = program.colors;
  joined.class_of.resize(program.class_of.size());
  const std::vector<Slice> slices = slices_of(program, first, end);
  std::map<std::tuple<std::int32_t, std::int64_t, std::int64_t>, std::int32_t> known;
  for (std::size_t node = 0; node < slices.size(); ++node) {
    const Slice& slice = slices[node];
    const std::int32_t of_all = program.class_of[node];
    const auto [entry, is_new] =
        known.try_emplace({of_all, slice.before, slice.inside}, static_cast<std::int32_t>(joined.classes.size()));
    if (is_new) joined.classes.push_back(sliced(program.classes[at(of_all)], slice));
    joined.class_of[node] = entry->second;
  }
  return joined;
}

std::int64_t operation_runs(const WaferProgram& program) {
  std::vector<std::int64_t> runs;
  for (const ProcessorClass& c : program.classes) runs.push_back(runs_of(c));
  std::int64_t sum = 0;
  for (const std::int32_t c : program.class_of) sum += runs[at(c)];
  return sum;
}

}  // namespace muster::wafer
