// A chunked AllReduce over several dimensions as phases, for tests: every chunk visits the dimensions in its own order.
#pragma once

#include <functional>
#include <numeric>

#include "schedule/phase.h"
#include "schedule/verifier/exchanges_test_support.h"

namespace muster::examples {

/// A ring as a part: node i is position i.
inline Schedule ring_part(Collective collective, NodeId nodes, std::int64_t count, Buffer from) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  Ring ring(b, plain_ring(nodes), count);
  if (collective == Collective::reduce_scatter) ring.reduce_scatter(from);
  if (collective == Collective::allgather) ring.allgather();
  b.contract(
      {.collective = collective, .ranks = first_nodes(nodes), .count = count, .from = from, .to = Buffer::output});
  return std::move(b).finish();
}

class ChunkedAllreduce {
 public:
  ChunkedAllreduce(std::vector<std::int32_t> sizes, std::int64_t count)
      : sizes_(std::move(sizes)),
        nodes_(std::accumulate(sizes_.begin(), sizes_.end(), 1, std::multiplies<>())),
        count_(count),
        b_({.nodes = nodes_, .count = count}) {}

  /// Forgets to let this phase (counted in the order of writing) come after the previous one; -1: none.
  ChunkedAllreduce& forget_wait(std::int32_t phase) { return forgotten_ = phase, *this; }
  /// Leaves out this phase of the first chunk.
  ChunkedAllreduce& leave_out(std::size_t stage) { return left_out_ = stage, *this; }

  /// Once; the builder is spent.
  Schedule build() {
    const std::size_t dimensions = sizes_.size();
    for (std::size_t chunk = 0; chunk < dimensions; ++chunk) {
      std::vector<std::size_t> order;
      for (std::size_t d = 0; d < dimensions; ++d) order.push_back((chunk + d) % dimensions);
      write_chunk(chunk, order);
    }
    b_.contract({.collective = Collective::allreduce, .ranks = first_nodes(nodes_), .count = count_});
    return std::move(b_).finish();
  }

 private:
  void write_chunk(std::size_t chunk, const std::vector<std::size_t>& order) {
    // held[d][v]: what node v answers for when d dimensions have been reduced.
    const Range whole = block(count_, static_cast<std::int64_t>(sizes_.size()), static_cast<std::int64_t>(chunk));
    std::vector<std::vector<Range>> held = {std::vector<Range>(static_cast<std::size_t>(nodes_), whole)};
    for (const std::size_t d : order) {
      std::vector<Range> next;
      for (NodeId v = 0; v < nodes_; ++v) {
        const Range& mine = held.back()[static_cast<std::size_t>(v)];
        const Range part = block(mine.count, sizes_[d], v / stride(d) % sizes_[d]);
        next.push_back({mine.first + part.first, part.count});
      }
      held.push_back(std::move(next));
    }
    std::int32_t last = -1;
    for (std::size_t i = 0; i < 2 * order.size(); ++i) {
      if (chunk == 0 && i == left_out_) continue;
      const bool reducing = i < order.size();
      const std::size_t level = reducing ? i : 2 * order.size() - 1 - i;
      last = write_phase(order[level], held[level], reducing, reducing && level == 0, last);
    }
  }

  /// Groups whose vectors have different lengths need different parts.
  std::int32_t write_phase(std::size_t d, const std::vector<Range>& held, bool reducing, bool first,
                           std::int32_t last) {
    Phase phase;
    std::vector<Group> groups;
    phase.input = first ? Buffer::input : Buffer::output;
    std::int64_t count = -1;
    for (NodeId v = 0; v < nodes_; ++v) {
      if (v / stride(d) % sizes_[d] != 0) continue;
      Group group;
      for (std::int32_t i = 0; i < sizes_[d]; ++i) group.members.push_back(v + i * stride(d));
      group.on = b_.span(held[static_cast<std::size_t>(v)]);
      count = held[static_cast<std::size_t>(v)].count;
      groups.push_back(std::move(group));
    }
    phase.groups = b_.groups(std::move(groups));
    phase.part = b_.part(
        ring_part(reducing ? Collective::reduce_scatter : Collective::allgather, sizes_[d], count, phase.input));
    if (last >= 0 && phases_ != forgotten_) phase.after.push_back(last);
    ++phases_;
    return b_.phase(std::move(phase));
  }

  [[nodiscard]] NodeId stride(std::size_t d) const {
    return std::accumulate(sizes_.begin(), sizes_.begin() + static_cast<std::ptrdiff_t>(d), 1, std::multiplies<>());
  }

  std::vector<std::int32_t> sizes_;
  NodeId nodes_;
  std::int64_t count_;
  ScheduleBuilder b_;
  std::int32_t phases_ = 0;
  std::int32_t forgotten_ = -1;
  std::size_t left_out_ = static_cast<std::size_t>(-1);
};

/// Rows reduce to the first column, then that column reduces to the corner.
inline Schedule row_then_column_reduce(std::int32_t width, std::int32_t height, std::int64_t count, bool in_order) {
  ScheduleBuilder b({.nodes = width * height, .count = count});
  const SpanId all = b.span({0, count});
  Schedule column_part = reduce_by_tree(binomial_tree(height), 0, count);
  std::vector<Group> groups;
  Phase rows{
      .part = b.part(reduce_by_tree(chain_tree(width), 0, count)), .input = Buffer::input, .output = Buffer::scratch};
  for (std::int32_t y = 0; y < height; ++y) {
    Group row{.members = {}, .on = all};
    for (std::int32_t x = 0; x < width; ++x) row.members.push_back(y * width + x);
    groups.push_back(std::move(row));
  }
  rows.groups = b.groups(std::move(groups));
  const std::int32_t first = b.phase(std::move(rows));
  Phase column{.part = b.part(std::move(column_part)), .input = Buffer::scratch, .output = Buffer::output};
  Group first_column{.members = {}, .on = all};
  for (std::int32_t y = 0; y < height; ++y) first_column.members.push_back(y * width);
  column.groups = b.groups({std::move(first_column)});
  if (in_order) column.after.push_back(first);
  b.phase(std::move(column));
  b.contract({.collective = Collective::reduce, .ranks = first_nodes(width * height), .root = 0, .count = count});
  Schedule schedule = std::move(b).finish();
  schedule.extent[2] = count;
  return schedule;
}

}  // namespace muster::examples
