// Pieces that overlap a new one give way; pieces of equal value are one.
#include "schedule/verifier/known_elements.h"

namespace muster::verifier {

void KnownElements::reset(const Pieces& initial, SetId everything) {
  first_ = initial;
  more_.clear();
  free_ = kLast;
  everything_ = everything;
}

const Value* KnownElements::find_in_pieces(const Piece& first, SetId set) {
  const Value* value = nullptr;
  for (const Piece* piece = &first;; piece = &more_[at(piece->next)]) {
    const SetId rest = sets_->without(set, piece->set);
    if (rest != set) {
      if (value != nullptr && !contributions_->same(piece->value, *value)) return nullptr;
      value = &piece->value;
      set = rest;
    }
    if (set == ElementSets::kEmpty) return value;
    if (piece->next == kLast) return nullptr;
  }
}

void KnownElements::assign_beside(Piece& first, SetId set, const Value& value) {
  forget_in_pieces(first, set);
  for (Piece* piece = &first; piece->set != kNothing; piece = &more_[at(piece->next)]) {
    if (contributions_->same(piece->value, value)) {
      piece->set = sets_->united(piece->set, set);
      return;
    }
    if (piece->next == kLast) break;
  }
  if (first.set != kNothing) {
    if (free_ == kLast) {
      free_ = static_cast<std::int32_t>(more_.size());
      more_.emplace_back();
    }
    const std::int32_t moved = free_;
    free_ = more_[at(moved)].next;
    more_[at(moved)] = first;
    first.next = moved;
  }
  first.set = set;
  first.value = value;
}

void KnownElements::forget_in_pieces(Piece& first, SetId set) {
  if (first.set == kNothing) return;
  for (Piece* piece = &first;; piece = &more_[at(piece->next)]) {
    piece->set = sets_->without(piece->set == kEverything ? everything_ : piece->set, set);
    if (piece->next == kLast) break;
  }
  drop_empty(first);
}

void KnownElements::drop_empty(Piece& first) {
  const auto give_up = [&](std::int32_t index) {
    more_[at(index)].next = free_;
    free_ = index;
  };
  for (Piece* piece = &first; piece->next != kLast;) {
    const std::int32_t next = piece->next;
    if (more_[at(next)].set != ElementSets::kEmpty) {
      piece = &more_[at(next)];
      continue;
    }
    piece->next = more_[at(next)].next;
    give_up(next);
  }
  if (first.set != ElementSets::kEmpty) return;
  if (first.next == kLast) {
    first.set = kNothing;
  } else {
    const std::int32_t next = first.next;
    first = more_[at(next)];
    give_up(next);
  }
}

}  // namespace muster::verifier
