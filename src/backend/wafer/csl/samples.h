// For tests: small schedules of the known shapes, lowered to wafer programs.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "backend/wafer/wafer.h"
#include "machine/loader.h"
#include "schedule/builder.h"

namespace muster::wafer::samples {

/// A row of `places` processors; the machine is widened if it must be.
inline Machine row_of(const std::string& machine, std::int32_t places) {
  Machine m = load_machine(std::string(MUSTER_SOURCE_DIR) + "/machines/" + machine + ".toml");
  Mesh& mesh = std::get<Mesh>(m.network);
  mesh.max_width = std::max(mesh.max_width, places);
  return with_grid(std::move(m), places, 1);
}

inline std::vector<NodeId> all_ranks(std::int32_t places) {
  std::vector<NodeId> ranks(static_cast<std::size_t>(places));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// Who sends its sum to whom: place x > 0 to parent(x), in pre-order; place 0 is the root.
using Parent = std::function<std::int32_t(std::int32_t)>;

/// Adds to the schedule: a line of nodes reduces to its first along the tree. `own` is where each node's sum lies.
inline void reduce_line(ScheduleBuilder& b, const std::vector<NodeId>& nodes, SpanId all, const Parent& parent,
                        std::vector<Buffer>& own) {
  const auto places = static_cast<std::int32_t>(nodes.size());
  const auto node = [&](std::int32_t x) { return nodes[static_cast<std::size_t>(x)]; };
  std::vector<std::vector<StreamId>> children(nodes.size());
  std::vector<StreamId> up{-1};
  for (std::int32_t x = 1; x < places; ++x) {
    up.push_back(b.stream(node(x), node(parent(x)), all));
    children[static_cast<std::size_t>(parent(x))].push_back(up.back());
  }
  for (std::int32_t x = 0; x < places; ++x) {
    const auto& taken = children[static_cast<std::size_t>(x)];
    Buffer& from = own[static_cast<std::size_t>(node(x))];
    if (taken.empty() && x > 0) b.step(node(x), all).own(from).push(up[static_cast<std::size_t>(x)]);
    for (const StreamId child : taken) {
      auto step = b.step(node(x), all).own(from).take(child);
      if (child == taken.back() && x > 0) {
        step.push(up[static_cast<std::size_t>(x)]);
      } else {
        step.store(Buffer::output);
      }
      from = Buffer::output;
    }
  }
}

inline Schedule reduce(std::int32_t places, std::int64_t count, const Parent& parent) {
  ScheduleBuilder b({.nodes = places, .count = count});
  std::vector<Buffer> own(static_cast<std::size_t>(places), Buffer::input);
  reduce_line(b, all_ranks(places), b.span({0, count}), parent, own);
  b.contract({.collective = Collective::reduce, .ranks = all_ranks(places), .root = 0, .count = count});
  return std::move(b).finish();
}

inline Schedule flood(std::int32_t places, std::int64_t count) {
  ScheduleBuilder b({.nodes = places, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<NodeId> others = all_ranks(places);
  others.erase(others.begin());
  const StreamId stream = b.multicast(0, others, all);
  b.step(0, all).own(Buffer::input).store(Buffer::output).push(stream);
  for (const NodeId x : others) b.step(x, all).take(stream).store(Buffer::output);
  b.contract({.collective = Collective::broadcast, .ranks = all_ranks(places), .root = 0, .count = count});
  return std::move(b).finish();
}

inline const std::vector<std::string>& shapes() {
  static const std::vector<std::string> kShapes{"chain", "star", "tree", "two-phase", "flood"};
  return kShapes;
}

inline Parent tree_of(const std::string& shape, std::int32_t places) {
  const auto group = static_cast<std::int32_t>(std::lround(std::sqrt(places)));
  // Groups are counted from the far end: only the root's may be smaller.
  const auto head = [=](std::int32_t x) { return std::max(0, places - ((places - 1 - x) / group + 1) * group); };
  return [=](std::int32_t x) {
    if (shape == "chain") return x - 1;
    if (shape == "star") return 0;
    if (shape == "tree") return x & (x - 1);
    return head(x) == x ? head(x - 1) : x - 1;
  };
}

inline Schedule schedule_of(const std::string& shape, std::int32_t places, std::int64_t count) {
  return shape == "flood" ? flood(places, count) : reduce(places, count, tree_of(shape, places));
}

inline std::unique_ptr<WaferProgram> lowered(const Schedule& schedule, const Machine& machine, Arithmetic arithmetic) {
  auto program = lower(schedule, machine, {.arithmetic = arithmetic});
  if (!program) throw std::runtime_error(program.reason());
  return std::move(program).value();
}

inline std::unique_ptr<WaferProgram> program_of(const std::string& machine, const std::string& shape,
                                                std::int32_t places, std::int64_t count = 16,
                                                Arithmetic arithmetic = {}) {
  return lowered(schedule_of(shape, places, count), row_of(machine, places), arithmetic);
}

/// Rows reduce to the first column, which reduces to the first row.
inline std::unique_ptr<WaferProgram> grid_program_of(const std::string& machine, const std::string& shape,
                                                     std::int32_t width, std::int32_t height, std::int64_t count) {
  ScheduleBuilder b({.nodes = width * height, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<Buffer> own(static_cast<std::size_t>(width * height), Buffer::input);
  std::vector<NodeId> column;
  for (std::int32_t y = 0; y < height; ++y) {
    std::vector<NodeId> row(static_cast<std::size_t>(width));
    std::iota(row.begin(), row.end(), y * width);
    column.push_back(row.front());
    reduce_line(b, row, all, tree_of(shape, width), own);
  }
  reduce_line(b, column, all, tree_of(shape, height), own);
  b.contract({.collective = Collective::reduce, .ranks = all_ranks(width * height), .root = 0, .count = count});
  Machine m = load_machine(std::string(MUSTER_SOURCE_DIR) + "/machines/" + machine + ".toml");
  return lowered(std::move(b).finish(), with_grid(std::move(m), width, height), {});
}

/// A chain towards place 0, which sends the sum back as it comes: its last step takes, combines, stores and pushes.
inline std::unique_ptr<WaferProgram> fused_allreduce(const std::string& machine, std::int32_t places,
                                                     Arithmetic arithmetic = {}) {
  ScheduleBuilder b({.nodes = places, .count = 12});
  const SpanId all = b.span({0, 12});
  std::vector<StreamId> up{-1};
  std::vector<NodeId> others;
  for (std::int32_t x = 1; x < places; ++x) {
    up.push_back(b.stream(x, x - 1, all));
    others.push_back(x);
  }
  const StreamId down = b.multicast(0, others, all);
  for (std::int32_t x = 1; x < places; ++x) {
    auto step = b.step(x, all).own(Buffer::input);
    if (x + 1 < places) step.take(up[static_cast<std::size_t>(x) + 1]);
    step.push(up[static_cast<std::size_t>(x)]);
  }
  b.step(0, all).own(Buffer::input).take(up[1]).store(Buffer::output).push(down);
  for (const NodeId x : others) b.step(x, all).take(down).store(Buffer::output);
  b.contract({.collective = Collective::allreduce, .ranks = all_ranks(places), .root = 0, .count = 12});
  return lowered(std::move(b).finish(), row_of(machine, places), arithmetic);
}

/// A ring of exchanges: every place passes blocks to its right, adding on the first round and storing on the second.
inline std::unique_ptr<WaferProgram> ring(const std::string& machine, std::int32_t places, std::int64_t count,
                                          Arithmetic arithmetic = {}) {
  ScheduleBuilder b({.nodes = places, .count = count});
  const auto block_of = [&](std::int32_t i) { return b.span(block(count, places, (i % places + places) % places)); };
  for (std::int32_t k = 0; k < 2 * (places - 1); ++k) {
    const bool adding = k < places - 1;
    std::vector<StreamId> to_right;
    for (std::int32_t i = 0; i < places; ++i) to_right.push_back(b.stream(i, (i + 1) % places, block_of(i - k)));
    for (std::int32_t i = 0; i < places; ++i) {
      const StreamId from_left = to_right[static_cast<std::size_t>((i + places - 1) % places)];
      auto step = b.step(i, block_of(i - 1 - k)).take(from_left);
      if (adding) step.own(Buffer::input);
      step.store(Buffer::output).push(to_right[static_cast<std::size_t>(i)]);
      step.send_old(k == 0 ? Buffer::input : Buffer::output, block_of(i - k));
    }
  }
  b.contract({.collective = Collective::allreduce, .ranks = all_ranks(places), .root = 0, .count = count});
  return lowered(std::move(b).finish(), row_of(machine, places), arithmetic);
}

}  // namespace muster::wafer::samples
