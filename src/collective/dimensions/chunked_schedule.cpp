// Phases from chunk operations. NPUs that differ in one coordinate alone form a group. After chunks were scattered along some
// dimensions, the groups with equal coordinates in these share an equal piece of the chunk. Pieces of two lengths can occur
// where a chunk does not divide: they become two phases of different groups.
#include "collective/dimensions/chunked_schedule.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <tuple>

#include "base/index.h"
#include "collective/dimensions/part.h"
#include "machine/cluster.h"
#include "schedule/builder.h"

namespace muster {
namespace {

class ChunkedWriter {
 public:
  ChunkedWriter(const ChunkedCollective& c, const ChunkPlan& plan)
      : c_(c),
        plan_(plan),
        count_(std::accumulate(c.chunks.begin(), c.chunks.end(), std::int64_t{0})),
        ranks_(rank_count(c.cluster())),
        b_({.nodes = node_count(c.cluster()), .count = count_, .output = 0}),
        last_(plan.chunks.size()) {
    std::int64_t first = 0;
    for (const ChunkOrder& chunk : plan.chunks) {
      first_.push_back(is_sliced(c_.collective) ? first / ranks_ : first);
      first += chunk.count;
    }
  }

  Schedule write() && {
    for (const Begin& begin : plan_.table.begins) add_phases(begin);
    std::vector<NodeId> all(at(ranks_));
    std::iota(all.begin(), all.end(), 0);
    b_.contract({.collective = c_.collective, .ranks = std::move(all), .count = count_, .to = Buffer::input});
    return std::move(b_).finish();
  }

 private:
  /// A set of groups that share vectors of one length.
  struct Sharing {
    std::int64_t count = 0;
    std::int32_t groups = 0;
  };

  void add_phases(const Begin& begin) {
    const ChunkOrder& chunk = plan_.chunks[at(begin.chunk)];
    const auto [stage, collective] = doing(chunk, begin.operation);
    std::vector<std::int32_t> now;
    for (const Sharing& sharing : sharing_of(chunk, stage)) {
      now.push_back(b_.phase({.part = part_of(chunk.order[at(stage)], collective, sharing.count),
                              .groups = sharing.groups,
                              .offset = first_[at(begin.chunk)],
                              .input = Buffer::input,
                              .output = Buffer::input,
                              .after = last_[at(begin.chunk)]}));
    }
    if (!now.empty()) last_[at(begin.chunk)] = std::move(now);
  }

  struct Doing {
    std::int32_t stage = 0;  ///< the position of the dimension in the chunk's order
    Collective collective = Collective::reduce_scatter;
  };

  [[nodiscard]] Doing doing(const ChunkOrder& chunk, std::int32_t operation) const {
    const auto dimensions = static_cast<std::int32_t>(chunk.order.size());
    if (c_.collective == Collective::all_to_all) return {operation, c_.collective};
    const bool fused = fuses_last(c_.cluster(), c_.collective, chunk.order);
    if (fused && operation == dimensions - 1) return {operation, Collective::allreduce};
    const std::int32_t before = scatters(c_.collective) ? dimensions : 0;  // operations before the allgathers
    if (operation < before) return {operation, Collective::reduce_scatter};
    return {dimensions - 1 - (operation - before) - (fused ? 1 : 0), Collective::allgather};
  }

  std::int32_t part_of(std::int32_t dimension, Collective collective, std::int64_t count) {
    const Cluster::Dimension& d = c_.cluster().dimensions[at(dimension)];
    const auto key = std::tuple(dimension, collective, count);
    const auto found = parts_.find(key);
    if (found != parts_.end()) return found->second;
    return parts_[key] = b_.part(dimension_part(d, collective, count));
  }

  /// The groups along dimension order[stage], where the chunk was scattered along those before it, if it is scattered at all.
  const std::vector<Sharing>& sharing_of(const ChunkOrder& chunk, std::int32_t stage) {
    const std::int32_t scattered = scatters(c_.collective) || gathers(c_.collective) ? stage : 0;
    const DimensionOrder before(chunk.order.begin() + stage - scattered, chunk.order.begin() + stage + 1);
    const auto key = std::pair(before, chunk.count);
    const auto found = sharings_.find(key);
    if (found != sharings_.end()) return found->second;
    const std::int32_t along = chunk.order[at(stage)];
    const std::vector<SpanId> sliced = is_sliced(c_.collective) ? slices(chunk, before) : std::vector<SpanId>();
    std::map<std::int64_t, std::vector<Group>> by_count;
    for (NodeId first = 0; first < ranks_; ++first) {
      if (coordinate(c_.cluster(), first, at(along)) != 0) continue;
      const SpanId on = sliced.empty() ? piece(chunk, stage, first)
                                       : sliced[index_in(std::span(before).first(before.size() - 1), first)];
      const std::int64_t count = b_.spans().count(on);
      if (count > 0) by_count[count].push_back({members(first, along), on});
    }
    std::vector<Sharing>& all = sharings_[key];
    for (auto& [count, groups] : by_count) all.push_back({.count = count, .groups = b_.groups(std::move(groups))});
    return all;
  }

  [[nodiscard]] std::vector<NodeId> members(NodeId first, std::int32_t along) const {
    NodeId stride = 1;
    for (std::int32_t d = 0; d < along; ++d) stride *= c_.cluster().dimensions[at(d)].size;
    std::vector<NodeId> all;
    const Cluster::Dimension& d = c_.cluster().dimensions[at(along)];
    for (NodeId i = 0; i < d.size; ++i) all.push_back(first + i * stride);
    if (d.reduces && c_.collective != Collective::all_to_all) all.push_back(switch_of(c_.cluster(), first, at(along)));
    return all;
  }

  /// Of a chunk that is a range: the piece that the NPU shares with its group at a stage.
  SpanId piece(const ChunkOrder& chunk, std::int32_t stage, NodeId npu) {
    Range left{0, chunk.count};
    for (std::int32_t i = 0; i < stage; ++i) {
      const std::int32_t d = chunk.order[at(i)];
      const Range part = block(left.count, c_.cluster().dimensions[at(d)].size, coordinate(c_.cluster(), npu, at(d)));
      left = {left.first + part.first, part.count};
    }
    return b_.span(left);
  }

  /// Of a chunk of slices: those of the NPUs with equal coordinates in the dimensions before the last, by their coordinate in
  /// that. At place_in() these dimensions.
  std::vector<SpanId> slices(const ChunkOrder& chunk, const DimensionOrder& dimensions) {
    const std::int64_t block_words = count_ / ranks_, slice = chunk.count / ranks_;
    std::vector<std::vector<Range>> by_index;
    for (NodeId owner = 0; owner < ranks_; ++owner) {
      const std::size_t index = index_in(dimensions, owner);
      if (index >= by_index.size()) by_index.resize(index + 1);
      by_index[index].push_back({owner * block_words, slice});
    }
    const auto last = at(c_.cluster().dimensions[at(dimensions.back())].size);
    std::vector<SpanId> spans;
    std::vector<Range> ranges;
    for (std::size_t index = 0; index < by_index.size(); ++index) {
      ranges.insert(ranges.end(), by_index[index].begin(), by_index[index].end());
      if ((index + 1) % last != 0) continue;
      spans.push_back(b_.span(ranges));
      ranges.clear();
    }
    return spans;
  }

  /// The number of an NPU's coordinates in some dimensions.
  [[nodiscard]] std::size_t index_in(std::span<const std::int32_t> dimensions, NodeId npu) const {
    std::size_t index = 0;
    for (const std::int32_t d : dimensions) {
      index = index * at(c_.cluster().dimensions[at(d)].size) + at(coordinate(c_.cluster(), npu, at(d)));
    }
    return index;
  }

  const ChunkedCollective& c_;
  const ChunkPlan& plan_;
  std::int64_t count_;
  NodeId ranks_;
  ScheduleBuilder b_;
  std::vector<std::int64_t> first_;              ///< of each chunk: its offset
  std::vector<std::vector<std::int32_t>> last_;  ///< of each chunk: its latest phases
  std::map<std::tuple<std::int32_t, Collective, std::int64_t>, std::int32_t> parts_;
  std::map<std::pair<DimensionOrder, std::int64_t>, std::vector<Sharing>> sharings_;  ///< order so far, words
};

}  // namespace

Schedule chunked_schedule(const ChunkedCollective& collective, const ChunkPlan& plan) {
  return ChunkedWriter(collective, plan).write();
}

}  // namespace muster
