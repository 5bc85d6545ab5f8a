// Counted at both ends of each straight run of links, then summed up along rows and columns: linear in the messages, however far
// they go.
#include "collective/grid/link_load.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/index.h"
#include "machine/mesh.h"

namespace muster {
namespace {

class LinkLoads {
 public:
  explicit LinkLoads(const Mesh& mesh) : mesh_(mesh) {
    for (auto& change : change_) change.assign(at(rank_count(mesh)), 0);
  }

  void add(NodeId from, NodeId to, std::int64_t words) {
    const Coordinates a = coordinates_of(mesh_, from), b = coordinates_of(mesh_, to);
    const NodeId corner = node_at(mesh_, {b.x, a.y});
    run(a.x < b.x ? east : west, from, corner, words);
    run(a.y < b.y ? south : north, corner, to, words);
  }

  [[nodiscard]] std::int64_t busiest() const {
    std::int64_t most = 0;
    for (int d = 0; d < kLinkDirections; ++d) {
      const bool along_rows = d == east || d == west;
      const std::int32_t lines = along_rows ? mesh_.height : mesh_.width;
      const std::int32_t length = along_rows ? mesh_.width : mesh_.height;
      for (std::int32_t line = 0; line < lines; ++line) {
        std::int64_t words = 0;
        for (std::int32_t index = 0; index < length; ++index) {
          const NodeId node = along_rows ? node_at(mesh_, {index, line}) : node_at(mesh_, {line, index});
          words += change_[at(d)][at(node)];
          most = std::max(most, words);
        }
      }
    }
    return most;
  }

 private:
  enum LinkDirection { east, west, south, north };
  static constexpr int kLinkDirections = 4;

  /// The links between the two, on one line: from the lower node on to before the higher one.
  void run(LinkDirection direction, NodeId from, NodeId to, std::int64_t words) {
    change_[at(static_cast<int>(direction))][at(std::min(from, to))] += words;
    change_[at(static_cast<int>(direction))][at(std::max(from, to))] -= words;
  }

  const Mesh& mesh_;
  std::array<std::vector<std::int64_t>, kLinkDirections>
      change_;  ///< of the words on the link behind a node, against the previous one
};

}  // namespace

std::int64_t busiest_link_words(const Schedule& schedule, const Mesh& mesh) {
  LinkLoads loads(mesh);
  for (const Stream& stream : schedule.streams) {
    const std::int64_t words = schedule.spans.count(stream.elements);
    if (stream.route != kDefaultRoute) {
      for (const Hop& hop : schedule.routes[at(stream.route)]) loads.add(hop.from, hop.to, words);
    } else if (stream.sinks.count == 1) {
      loads.add(stream.source, schedule.sinks_of(stream).front(), words);
    }
  }
  return loads.busiest();
}

}  // namespace muster
