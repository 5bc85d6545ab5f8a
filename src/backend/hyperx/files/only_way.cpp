// Two passes over the rows in the order of data: trees get their sizes from the leaves, their numbers from the roots.
#include "backend/hyperx/files/only_way.h"

namespace muster::hyperx {
namespace {

/// The row at the other end of the only port, or a negative number.
std::int32_t only_row(const Wiring& wiring, Slice ports) {
  return ports.count == 1 ? wiring.row(ports.first) : kUnconnected;
}

}  // namespace

OnlyWay::OnlyWay(const Wiring& wiring, const RowOrder& order)
    : origin_(order.rows.size()), first_(order.rows.size()), size_(order.rows.size(), 1) {
  const std::vector<Row>& rows = wiring.registers().rows;
  for (const std::int32_t row : order.rows) {
    const std::int32_t before = only_row(wiring, rows[at(row)].inputs);
    origin_[at(row)] = before < 0 ? row : origin_[at(before)];
    const std::int32_t behind = only_row(wiring, rows[at(row)].outputs);
    if (behind >= 0) size_[at(behind)] += size_[at(row)];
  }
  std::vector<std::int32_t> next(order.rows.size());  // the lowest free number in a row's tree
  std::int32_t next_tree = 0;
  for (auto row = order.rows.rbegin(); row != order.rows.rend(); ++row) {
    const std::int32_t behind = only_row(wiring, rows[at(*row)].outputs);
    std::int32_t& free = behind < 0 ? next_tree : next[at(behind)];
    first_[at(*row)] = free;
    free += size_[at(*row)];
    next[at(*row)] = first_[at(*row)] + 1;
  }
}

}  // namespace muster::hyperx
