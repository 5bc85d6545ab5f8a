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

inline Schedule reduce(std::int32_t places, std::int64_t count, const Parent& parent) {
  ScheduleBuilder b({.nodes = places, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<std::vector<StreamId>> children(static_cast<std::size_t>(places));
  std::vector<StreamId> up{-1};
  for (std::int32_t x = 1; x < places; ++x) {
    up.push_back(b.stream(x, parent(x), all));
    children[static_cast<std::size_t>(parent(x))].push_back(up.back());
  }
  for (std::int32_t x = 0; x < places; ++x) {
    const auto& taken = children[static_cast<std::size_t>(x)];
    Buffer own = Buffer::input;
    if (taken.empty()) b.step(x, all).own(own).push(up[static_cast<std::size_t>(x)]);
    for (const StreamId child : taken) {
      auto step = b.step(x, all).own(own).take(child);
      if (child == taken.back() && x > 0) {
        step.push(up[static_cast<std::size_t>(x)]);
      } else {
        step.store(Buffer::output);
      }
      own = Buffer::output;
    }
  }
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

inline Schedule schedule_of(const std::string& shape, std::int32_t places, std::int64_t count) {
  const auto group = static_cast<std::int32_t>(std::lround(std::sqrt(places)));
  // Groups are counted from the far end: only the root's may be smaller.
  const auto head = [=](std::int32_t x) { return std::max(0, places - ((places - 1 - x) / group + 1) * group); };
  if (shape == "flood") return flood(places, count);
  return reduce(places, count, [&](std::int32_t x) {
    if (shape == "chain") return x - 1;
    if (shape == "star") return 0;
    if (shape == "tree") return x & (x - 1);
    return head(x) == x ? head(x - 1) : x - 1;
  });
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

}  // namespace muster::wafer::samples
