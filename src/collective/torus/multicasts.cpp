#include "collective/torus/multicasts.h"

#include <algorithm>

#include "base/index.h"

namespace muster {
namespace {

/// First everybody's blocks go along its row, then all blocks of a row go along every column.
class RowsThenColumns {
 public:
  RowsThenColumns(ScheduleBuilder& builder, const Torus& torus, TileStreams& streams, const GatheredBlocks& blocks)
      : b_(builder),
        streams_(streams),
        blocks_(blocks),
        ranks_(rank_count(torus)),
        columns_(used_columns(torus)),
        rows_(used_rows(torus)),
        gathered_(at(ranks_)) {}

  void write() {
    for (NodeId rank = 0; rank < ranks_; ++rank) along_row(rank);
    for (NodeId rank = 0; rank < ranks_; ++rank) along_column(rank, rank % columns_);
    // A short last row lacks ranks of the last columns: others of that row send there.
    const std::int32_t in_last_row = ranks_ - (rows_ - 1) * columns_;
    for (std::int32_t x = in_last_row; x < columns_; ++x) {
      along_column((rows_ - 1) * columns_ + x % in_last_row, x);
    }
  }

 private:
  void along_row(NodeId from) {
    const SpanId what = b_.span(blocks_.own[at(from)]);
    if (b_.spans().count(what) == 0) return;
    const NodeId first = from / columns_ * columns_;
    std::vector<NodeId> sinks;
    for (NodeId rank = first; rank < std::min(first + columns_, ranks_); ++rank) {
      if (rank != from) sinks.push_back(rank);
    }
    const std::int32_t lane = blocks_.first_lane + from % columns_;
    auto step = b_.step(from, what, lane).own(blocks_.held_in);
    if (blocks_.held_in == Buffer::input) step.store(Buffer::output);
    wait(step, from);
    gathered_[at(from)].push_back(step.id());
    if (sinks.empty()) return;
    const StreamId stream = streams_.multicast(from, sinks, what, from % columns_ % 2);
    step.push(stream);
    for (const NodeId rank : sinks) {
      auto taking = b_.step(rank, what, lane).take(stream).store(Buffer::output);
      wait(taking, rank);
      gathered_[at(rank)].push_back(taking.id());
    }
  }

  /// What a rank's row has goes to all other rows of column `x`.
  void along_column(NodeId from, std::int32_t x) {
    const std::int32_t row = from / columns_;
    const SpanId what = of_row(row);
    if (b_.spans().count(what) == 0) return;
    std::vector<NodeId> sinks;
    for (NodeId rank = x; rank < ranks_; rank += columns_) {
      if (rank / columns_ != row) sinks.push_back(rank);
    }
    if (sinks.empty()) return;
    const StreamId stream = streams_.multicast(from, sinks, what, row % 2);
    const std::int32_t lane = blocks_.first_lane + columns_;
    auto step = b_.step(from, what, lane + row).own(Buffer::output).push(stream);
    for (const StepId earlier : gathered_[at(from)]) step.after(earlier);
    for (const NodeId rank : sinks) {
      auto taking = b_.step(rank, what, lane + row).take(stream).store(Buffer::output);
      wait(taking, rank);
    }
  }

  SpanId of_row(std::int32_t row) {
    std::vector<Range> ranges;
    for (NodeId rank = row * columns_; rank < std::min((row + 1) * columns_, ranks_); ++rank) {
      ranges.insert(ranges.end(), blocks_.own[at(rank)].begin(), blocks_.own[at(rank)].end());
    }
    std::sort(ranges.begin(), ranges.end());
    return b_.span(ranges);
  }

  void wait(ScheduleBuilder::StepWriter& step, NodeId rank) {
    if (!blocks_.after.empty() && blocks_.after[at(rank)] >= 0) step.after(blocks_.after[at(rank)]);
  }

  ScheduleBuilder& b_;
  TileStreams& streams_;
  const GatheredBlocks& blocks_;
  NodeId ranks_;
  std::int32_t columns_;
  std::int32_t rows_;
  std::vector<std::vector<StepId>> gathered_;  ///< by rank: the steps that have its row's blocks
};

}  // namespace

void write_multicast(ScheduleBuilder& builder, const Torus& torus, TileStreams& streams,
                     const MulticastToAll& message) {
  const std::vector<StreamId> sent = streams.send_to_all(message.from, message.what, message.noc);
  const NodeId ranks = rank_count(torus);
  const NodeId in_whole_rows = ranks / used_columns(torus) * used_columns(torus);
  for (NodeId rank = 0; rank < ranks; ++rank) {
    auto step = builder.step(rank, message.what, message.lane);
    if (rank == message.from) {
      step.own(message.sent);
      if (message.sent == Buffer::input) step.store(Buffer::output);
      for (const StreamId stream : sent) step.push(stream);
    } else {
      step.take(rank < in_whole_rows ? sent.front() : sent.back()).store(Buffer::output);
    }
    if (!message.after.empty() && message.after[at(rank)] >= 0) step.after(message.after[at(rank)]);
  }
}

ParameterSpec multicast_phases_parameter() {
  return {.name = "phases",
          .summary =
              "whether blocks go along rows, and then whole rows along columns, or every tile's to all others at "
              "once; default: rows-then-columns",
          .by_default = [](const Request&) { return std::int64_t{0}; },
          .least = [](const Request&) { return std::int64_t{0}; },
          .most = [](const Request&) { return std::int64_t{1}; },
          .worth_trying =
              [](const Request&) {
                return std::vector<std::int64_t>{0, 1};
              },
          .names = {"rows-then-columns", "at-once"}};
}

MulticastPhases multicast_phases(const Parameters& parameters) {
  return parameters.at("phases") == 0 ? MulticastPhases::rows_then_columns : MulticastPhases::at_once;
}

void write_multicasts(ScheduleBuilder& builder, const Torus& torus, TileStreams& streams, MulticastPhases phases,
                      const GatheredBlocks& blocks) {
  if (phases == MulticastPhases::rows_then_columns) return RowsThenColumns(builder, torus, streams, blocks).write();
  for (NodeId rank = 0; rank < rank_count(torus); ++rank) {
    const SpanId what = builder.span(blocks.own[at(rank)]);
    if (builder.spans().count(what) == 0) continue;
    write_multicast(builder, torus, streams,
                    {.from = rank,
                     .what = what,
                     .sent = blocks.held_in,
                     .noc = rank % 2,
                     .lane = blocks.first_lane + rank,
                     .after = blocks.after});
  }
}

}  // namespace muster
