// For tests of CSL: the schedules of test_schedules.h and test_grids.h on the shipped machines, by name, lowered.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "backend/wafer/test_grids.h"
#include "backend/wafer/wafer.h"
#include "base/source_dir.h"
#include "machine/loader.h"
#include "machine/mesh.h"
#include "schedule/builder.h"

namespace muster::wafer::samples {

/// A row of `processors` processors; the machine is widened if it must be.
inline Machine row_of(const std::string& machine, std::int32_t processors) {
  Machine m = load_machine(source_dir() + "/machines/" + machine + ".toml");
  Mesh& mesh = *as<Mesh>(m);
  mesh.max_width = std::max(mesh.max_width, processors);
  return with_grid(std::move(m), processors, 1);
}

using test::all_ranks;

/// Who sends its sum to whom: processor x > 0 to parent(x), in pre-order; processor 0 is the root.
using Parent = std::function<std::int32_t(std::int32_t)>;

inline test::Tree tree_of(std::int32_t processors, const Parent& parent) {
  test::Tree tree{-1};
  for (std::int32_t x = 1; x < processors; ++x) tree.push_back(parent(x));
  return tree;
}

inline Schedule reduce(std::int32_t processors, std::int64_t count, const Parent& parent) {
  return test::reduce_row(tree_of(processors, parent), count);
}

inline const std::vector<std::string>& shapes() {
  static const std::vector<std::string> kShapes{"chain", "star", "tree", "two-phase", "flood"};
  return kShapes;
}

inline Parent parent_of(const std::string& shape, std::int32_t processors) {
  const auto group = static_cast<std::int32_t>(std::lround(std::sqrt(processors)));
  // Groups are counted from the far end: only the root's may be smaller.
  const auto head = [=](std::int32_t x) {
    return std::max(0, processors - ((processors - 1 - x) / group + 1) * group);
  };
  return [=](std::int32_t x) {
    if (shape == "chain") return x - 1;
    if (shape == "star") return 0;
    if (shape == "tree") return x & (x - 1);
    return head(x) == x ? head(x - 1) : x - 1;
  };
}

inline Schedule schedule_of(const std::string& shape, std::int32_t processors, std::int64_t count) {
  return shape == "flood" ? test::flood(processors, 0, count) : reduce(processors, count, parent_of(shape, processors));
}

inline std::unique_ptr<WaferProgram> lowered(const Schedule& schedule, const Machine& machine, Arithmetic arithmetic) {
  auto program = lower(schedule, machine, {.arithmetic = arithmetic});
  if (!program) throw std::runtime_error(program.reason());
  return std::move(program).value();
}

inline std::unique_ptr<WaferProgram> program_of(const std::string& machine, const std::string& shape,
                                                std::int32_t processors, std::int64_t count = 16,
                                                Arithmetic arithmetic = {}) {
  return lowered(schedule_of(shape, processors, count), row_of(machine, processors), arithmetic);
}

/// Rows reduce to the first column, which reduces to the first row.
inline std::unique_ptr<WaferProgram> grid_program_of(const std::string& machine, const std::string& shape,
                                                     std::int32_t width, std::int32_t height, std::int64_t count) {
  const auto tree = [&](std::int32_t processors) { return tree_of(processors, parent_of(shape, processors)); };
  const Schedule schedule = test::reduce_xy({.width = width, .height = height}, count, tree);
  Machine m = load_machine(source_dir() + "/machines/" + machine + ".toml");
  return lowered(schedule, with_grid(std::move(m), width, height), {});
}

/// A chain towards processor 0, which sends the sum back as it comes: its last step takes, combines, stores and pushes.
inline std::unique_ptr<WaferProgram> fused_allreduce(const std::string& machine, std::int32_t processors,
                                                     Arithmetic arithmetic = {}) {
  ScheduleBuilder b({.nodes = processors, .count = 12});
  const SpanId all = b.span({0, 12});
  std::vector<StreamId> up{-1};
  std::vector<NodeId> others;
  for (std::int32_t x = 1; x < processors; ++x) {
    up.push_back(b.stream(x, x - 1, all));
    others.push_back(x);
  }
  const StreamId down = b.multicast(0, others, all);
  for (std::int32_t x = 1; x < processors; ++x) {
    auto step = b.step(x, all).own(Buffer::input);
    if (x + 1 < processors) step.take(up[static_cast<std::size_t>(x) + 1]);
    step.push(up[static_cast<std::size_t>(x)]);
  }
  b.step(0, all).own(Buffer::input).take(up[1]).store(Buffer::output).push(down);
  for (const NodeId x : others) b.step(x, all).take(down).store(Buffer::output);
  b.contract({.collective = Collective::allreduce, .ranks = all_ranks(processors), .root = 0, .count = 12});
  return lowered(std::move(b).finish(), row_of(machine, processors), arithmetic);
}

/// A ring of exchanges: every processor passes blocks to its right, adding on the first round and storing on the second.
inline std::unique_ptr<WaferProgram> ring(const std::string& machine, std::int32_t processors, std::int64_t count,
                                          Arithmetic arithmetic = {}) {
  return lowered(test::ring_allreduce(test::plain_ring(processors), count), row_of(machine, processors), arithmetic);
}

}  // namespace muster::wafer::samples
