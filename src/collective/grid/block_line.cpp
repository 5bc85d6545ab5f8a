// Rows and columns of blocks. Blocks are cut as evenly as possible, larger ones first, over all ranks.
#include "collective/grid/block_line.h"

#include <algorithm>
#include <cstdlib>

#include "base/counted.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// The blocks of `many` ranks from `first` on, as one range.
Range run_of_blocks(const Request& request, NodeId first, std::int32_t many) {
  const NodeId ranks = rank_count(*as<Mesh>(request.machine));
  const std::int64_t begin = block(request.count, ranks, first).first;
  return {begin, block(request.count, ranks, first + many - 1).end() - begin};
}

}  // namespace

std::int32_t BlockLine::last_filled() const {
  std::int32_t last = length() - 1;
  while (last > 0 && piece(last).count == 0) --last;
  return last;
}

BlockLine row_of_blocks(const Request& request, std::int32_t y) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  BlockLine line{.first = node_at(mesh, {.x = 0, .y = y}), .stride = 1, .pieces = {}};
  for (std::int32_t x = 0; x < mesh.width; ++x) line.pieces.push_back(run_of_blocks(request, line.node(x), 1));
  return line;
}

BlockLine column_of_runs(const Request& request, std::int32_t x) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  BlockLine line{.first = node_at(mesh, {.x = x, .y = 0}), .stride = mesh.width, .pieces = {}};
  for (std::int32_t y = 0; y < mesh.height; ++y) {
    line.pieces.push_back(run_of_blocks(request, node_at(mesh, {.x = 0, .y = y}), mesh.width));
  }
  return line;
}

std::vector<std::int32_t> farthest_first(std::int32_t length, std::int32_t root) {
  std::vector<std::int32_t> indices;
  for (std::int32_t distance = std::max(root, length - 1 - root); distance > 0; --distance) {
    if (root - distance >= 0) indices.push_back(root - distance);
    if (root + distance < length) indices.push_back(root + distance);
  }
  return indices;
}

std::optional<std::string> unless_mesh(const Request& request) {
  if (as<Mesh>(request.machine) != nullptr) return std::nullopt;
  return "needs a mesh, got " + family_name(request.machine);
}

std::optional<std::string> unless_relayed(const Request& request, std::int64_t (*messages)(std::int64_t length)) {
  if (auto reason = unless_mesh(request)) return reason;
  constexpr std::int64_t kMostMessages = 2'000'000;
  const Mesh& mesh = *as<Mesh>(request.machine);
  const std::int64_t needed = mesh.height * messages(mesh.width) + mesh.width * messages(mesh.height);
  if (needed <= kMostMessages) return std::nullopt;
  return fmt::format("would send {} messages between PEs; at most {} are supported", grouped(needed),
                     grouped(kMostMessages));
}

}  // namespace muster
