// A map from elements to values that is constant on intervals: what the verifier knows of a buffer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "schedule/span.h"

namespace muster::verifier {

/// Elements without a value are gaps. Neighbouring pieces of equal value are one piece after assign().
template <class Value>
class Intervals {
 public:
  struct Piece {
    std::int64_t first = 0;
    std::int64_t end = 0;
    Value value;
  };

  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }

  /// visit(Range, const Value*) for the pieces and gaps (nullptr) of `range`, in order.
  template <class Visit>
  void visit(Range range, Visit visit) const {
    std::int64_t next = range.first;
    for (auto piece = piece_after(range.first); piece != pieces_.end() && piece->first < range.end(); ++piece) {
      if (piece->first > next) visit(Range{next, piece->first - next}, static_cast<const Value*>(nullptr));
      const std::int64_t first = std::max(next, piece->first);
      const std::int64_t end = std::min(range.end(), piece->end);
      visit(Range{first, end - first}, &piece->value);
      next = end;
    }
    if (next < range.end()) visit(Range{next, range.end() - next}, static_cast<const Value*>(nullptr));
  }

  [[nodiscard]] const Value* find(std::int64_t element) const {
    const auto piece = piece_after(element);
    return piece != pieces_.end() && piece->first <= element ? &piece->value : nullptr;
  }

  /// `same` says whether two values are equal.
  template <class Same = std::equal_to<>>
  void assign(Range range, const Value& value, Same same = {}) {
    if (range.count == 0) return;
    const auto [first, last] = cut(range);
    if (first == last) return join(pieces_.insert(first, {range.first, range.end(), value}), same);
    *first = {range.first, range.end(), value};
    join(pieces_.erase(first + 1, last) - 1, same);
  }

  /// Assigns all of these: pieces in order, without gaps and without equal neighbours. Takes the time of one assign().
  template <class Same = std::equal_to<>>
  void assign_all(std::span<const Piece> assigned, Same same = {}) {
    if (assigned.empty()) return;
    const auto [first, last] = cut({assigned.front().first, assigned.back().end - assigned.front().first});
    const auto begin = pieces_.insert(pieces_.erase(first, last), assigned.begin(), assigned.end());
    const auto index = begin - pieces_.begin();
    join_to_previous(begin + std::ssize(assigned), same);
    join_to_previous(pieces_.begin() + index, same);
  }

  void erase(Range range) {
    if (range.count == 0) return;
    const auto [first, last] = cut(range);
    pieces_.erase(first, last);
  }

  /// change(Range, Value&) for all pieces of `range`; gaps are filled with Value() first.
  template <class Change>
  void update(Range range, Change change) {
    if (range.count == 0) return;
    std::vector<Range> gaps;
    visit(range, [&](Range part, const Value* value) {
      if (value == nullptr) gaps.push_back(part);
    });
    for (const Range& gap : gaps) {
      const auto position = pieces_.begin() + (piece_after(gap.first) - pieces_.cbegin());
      pieces_.insert(position, {gap.first, gap.end(), Value()});
    }
    const auto [first, last] = cut(range);
    for (auto piece = first; piece != last; ++piece) {
      change(Range{piece->first, piece->end - piece->first}, piece->value);
    }
  }

 private:
  using Iterator = typename std::vector<Piece>::iterator;

  /// The first piece that ends after `element`.
  [[nodiscard]] auto piece_after(std::int64_t element) const {
    return std::partition_point(pieces_.begin(), pieces_.end(), [&](const Piece& p) { return p.end <= element; });
  }

  void split(std::int64_t element) {
    const auto found = piece_after(element);
    if (found == pieces_.end() || found->first >= element) return;
    const auto piece = pieces_.begin() + (found - pieces_.cbegin());
    Piece left = *piece;
    left.end = element;
    piece->first = element;
    pieces_.insert(piece, std::move(left));
  }

  /// Makes pieces begin and end at the ends of `range`, and returns those inside.
  std::pair<Iterator, Iterator> cut(Range range) {
    split(range.first);
    split(range.end());
    const auto first = piece_after(range.first) - pieces_.cbegin();
    auto last = pieces_.begin() + first;
    while (last != pieces_.end() && last->first < range.end()) ++last;
    return {pieces_.begin() + first, last};
  }

  template <class Same>
  void join(Iterator piece, Same same) {
    join_to_previous(piece + 1, same);
    join_to_previous(piece, same);
  }

  /// Nothing at either end of the list.
  template <class Same>
  void join_to_previous(Iterator piece, Same same) {
    if (piece == pieces_.begin() || piece == pieces_.end()) return;
    const auto previous = piece - 1;
    if (previous->end != piece->first || !same(previous->value, piece->value)) return;
    previous->end = piece->end;
    pieces_.erase(piece);
  }

  std::vector<Piece> pieces_;  ///< sorted, disjoint, none empty
};

}  // namespace muster::verifier
