// All-to-all along rows, then along columns: first, every rank sends each rank of its row all blocks for that one's column; then every
// rank sends each rank of its column the blocks for it that its row had. W + H - 2 messages from each core instead of W H - 1, but every
// block is sent twice.
//
// A block from (x, y) for (x', y') waits in scratch of (x', y), in slot y' W + x: so what goes on to (x', y') is contiguous, and stays so in
// the output, where the row of (x, y) begins at block y W.
#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/torus/tile_rounds.h"
#include "collective/torus/torus_algorithm.h"
#include "machine/routing.h"

namespace muster {
namespace {

class RowsThenColumns {
 public:
  RowsThenColumns(ScheduleBuilder& builder, const Request& request)
      : b_(builder),
        streams_(builder, request),
        columns_(used_columns(*as<Torus>(request.machine))),
        rows_(used_rows(*as<Torus>(request.machine))),
        words_(request.count / rank_count(request.machine)) {}

  void write() {
    for (NodeId rank = 0; rank < columns_ * rows_; ++rank) {
      const SpanId kept = of_column(column(rank));
      b_.step(rank, kept, kGathers).own(Buffer::input).store(Buffer::scratch);
    }
    for (std::int32_t turn = 1; turn < columns_; ++turn) {
      for (NodeId rank = 0; rank < columns_ * rows_; ++rank) send_in_row(rank, (column(rank) + turn) % columns_);
    }
    for (NodeId rank = 0; rank < columns_ * rows_; ++rank) {
      const SpanId kept = of_row(row(rank));
      b_.step(rank, kept, kGathers).own(Buffer::scratch).store(Buffer::output);
    }
    for (std::int32_t turn = 1; turn < rows_; ++turn) {
      for (NodeId rank = 0; rank < columns_ * rows_; ++rank) send_in_column(rank, (row(rank) + turn) % rows_);
    }
  }

 private:
  static constexpr std::int32_t kSends = 0;    ///< in the row
  static constexpr std::int32_t kGathers = 1;  ///< what comes from the row, and sends it on
  static constexpr std::int32_t kTakes = 2;    ///< what comes from the column

  [[nodiscard]] std::int32_t column(NodeId rank) const { return rank % columns_; }
  [[nodiscard]] std::int32_t row(NodeId rank) const { return rank / columns_; }

  /// Blocks, or slots, x of every row.
  SpanId of_column(std::int32_t x) {
    std::vector<Range> ranges;
    for (std::int64_t y = 0; y < rows_; ++y) ranges.push_back({(y * columns_ + x) * words_, words_});
    return b_.span(ranges);
  }
  /// All of row y.
  SpanId of_row(std::int32_t y) { return b_.span({std::int64_t{y} * columns_ * words_, columns_ * words_}); }

  void send_in_row(NodeId rank, std::int32_t x) {
    const NodeId to = row(rank) * columns_ + x;
    const SpanId what = of_column(x);
    const StreamId stream = streams_.send(rank, to, what);
    b_.step(rank, what, kSends).own(Buffer::input).push(stream);
    b_.step(to, what, kGathers).take(stream).store(Buffer::scratch, of_column(column(rank)));
  }

  void send_in_column(NodeId rank, std::int32_t y) {
    const NodeId to = y * columns_ + column(rank);
    const SpanId what = of_row(y);
    const StreamId stream = streams_.send(rank, to, what);
    b_.step(rank, what, kGathers).own(Buffer::scratch).push(stream);
    b_.step(to, what, kTakes).take(stream).store(Buffer::output, of_row(row(rank)));
  }

  ScheduleBuilder& b_;
  TileStreams streams_;
  std::int32_t columns_;
  std::int32_t rows_;
  std::int64_t words_;  ///< of a block
};

}  // namespace

Algorithm torus_all_to_all_rows_then_columns() {
  Algorithm named{.collective = Collective::all_to_all,
                  .name = "rows-then-columns",
                  .summary = "blocks go to the right column first, then to the right row: fewer and longer messages",
                  .source = "ours"};
  named.unsupported = [](const Request& request) {
    const auto reason = needs_equal_blocks(request);
    return reason ? reason : needs_full_grid(request);
  };
  return torus_algorithm(
      std::move(named),
      [](ScheduleBuilder& b, const Request& request, const Parameters&) { RowsThenColumns(b, request).write(); },
      [](const Request& request) { return request.count; });
}

}  // namespace muster
