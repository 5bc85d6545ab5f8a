// What is known of one buffer of every node: sets of elements, each of which holds the same contributions of itself. Most nodes
// have one set or none; further ones are in a list.
#pragma once

#include "base/index.h"
#include "schedule/verifier/contributions.h"
#include "schedule/verifier/element_sets.h"

namespace muster::verifier {

class KnownElements {
 public:
  static constexpr SetId kNothing = -1;
  static constexpr SetId kEverything = -2;  ///< that may be asked for

  /// The elements `set` hold `value`, each of its own element.
  struct Piece {
    SetId set = kNothing;
    std::int32_t next = kLast;  ///< index of more_
    Value value;
  };
  using Pieces = std::vector<Piece>;  ///< by node, the first one

  KnownElements(ElementSets& sets, Contributions& contributions) : sets_(&sets), contributions_(&contributions) {}

  /// Begins anew. `everything` has all elements that will be asked for.
  void reset(const Pieces& initial, SetId everything);

  /// What all elements of a set that is not empty hold; nullptr: not known, or not the same. Valid until the next change.
  [[nodiscard]] const Value* find(NodeId node, SetId set) {
    const Piece& first = first_[at(node)];
    if (first.set == set || first.set == kEverything) return &first.value;
    return first.set == kNothing ? nullptr : find_in_pieces(first, set);
  }

  /// The elements `set` hold `value` from now on. `part` is any subset of `set`: one that may be all that is known saves time.
  void assign(NodeId node, SetId set, const Value& value, SetId part = ElementSets::kEmpty) {
    Piece& first = first_[at(node)];
    if (first.next == kLast && (first.set == set || first.set == kNothing || first.set == part)) {
      first.set = set;
      first.value = value;
    } else {
      assign_beside(first, set, value);
    }
  }

  void forget(NodeId node, SetId set) {
    Piece& first = first_[at(node)];
    if (first.set == set && first.next == kLast) {
      first.set = kNothing;
    } else if (first.set != kNothing) {
      forget_in_pieces(first, set);
    }
  }

 private:
  static constexpr std::int32_t kLast = -1;
  const Value* find_in_pieces(const Piece& first, SetId set);
  void assign_beside(Piece& first, SetId set, const Value& value);
  void forget_in_pieces(Piece& first, SetId set);
  void drop_empty(Piece& first);

  ElementSets* sets_;
  Contributions* contributions_;
  SetId everything_ = ElementSets::kEmpty;
  Pieces first_;
  Pieces more_;
  std::int32_t free_ = kLast;  ///< of more_: a list
};

}  // namespace muster::verifier
