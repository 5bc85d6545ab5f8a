// The nodes' buffers during symbolic execution. A buffer is copied from the contracts' holdings only when something is
// stored in it: of a million nodes, most never store. Nodes that store the same, as those that a multicast reaches, may have one copy of it.
#pragma once

#include "schedule/holdings.h"
#include "schedule/verifier/contributions.h"
#include "schedule/verifier/intervals.h"

namespace muster::verifier {

/// Element e holds the contributions `value`, all of element e + displacement; 0 in linear combinations, whose values say that
/// themselves. Nothing at all is their zero.
struct Content {
  Value value;
  std::int64_t displacement = 0;
  bool operator==(const Content&) const = default;
};

/// Whether the contents are equal, with the error of fingerprints.
inline bool same(Contributions& contributions, const Content& a, const Content& b) {
  return a.displacement == b.displacement && contributions.same(a.value, b.value);
}

class Memories {
 public:
  Memories(const Schedule& schedule, const Holdings& holdings, Contributions& contributions);

  /// visit(Range, const Content*) for every constant piece; nullptr where nothing exists.
  template <class Visit>
  void visit(NodeId node, Buffer buffer, Range range, Visit visit) {
    if (const Contents index = index_of(node, buffer); index >= 0) {
      stored_[static_cast<std::size_t>(index)].pieces.visit(range, visit);
      return;
    }
    find_held(node, buffer);
    const Content content = held_.empty() ? Content{} : Content{.value = contributions_.of(node, buffer)};
    const Content zero;
    std::int64_t next = range.first;
    const Content* const nothing = nullptr;
    for (const Held& held : held_) {
      const std::int64_t first = std::max(next, held.range.first);
      const std::int64_t end = std::min(range.end(), held.range.end());
      if (first >= end) continue;
      if (first > next) visit(Range{next, first - next}, nothing);
      visit(Range{first, end - first}, held.is_zero ? &zero : &content);
      next = end;
    }
    if (next < range.end()) visit(Range{next, range.end() - next}, nothing);
  }

  [[nodiscard]] Contributions& contributions() const { return contributions_; }

  /// The buffer itself, to be stored into.
  Intervals<Content>& writable(NodeId node, Buffer buffer);

  /// Numbers of contents: equal ones are the same contents, as long as someone keeps them.
  using Contents = std::int32_t;
  static constexpr Contents kNothing = -1;  ///< no element exists
  static constexpr Contents kAsHeld = -2;   ///< what the contracts say: of each node something else
  [[nodiscard]] Contents contents(NodeId node, Buffer buffer);
  /// The buffer has these contents from now on; not kAsHeld.
  void set(NodeId node, Buffer buffer, Contents contents);
  /// Whether they are known to be equal, with the error of fingerprints; kAsHeld never is.
  bool same_contents(Contents a, Contents b);
  void keep(Contents contents);
  void release(Contents contents);

 private:
  struct Held {
    Range range;
    bool is_zero = false;
  };
  struct Stored {
    Intervals<Content> pieces;
    std::int32_t users = 0;  ///< buffers that have it, and others that keep it
  };
  /// With one user, who is the caller.
  Contents add(Intervals<Content> pieces);
  /// Puts what the contracts say is held into held_, sorted and disjoint.
  void find_held(NodeId node, Buffer buffer);
  [[nodiscard]] std::size_t slot(NodeId node, Buffer buffer) const {
    return static_cast<std::size_t>(node) * kStoredBuffers + stored_index(buffer);
  }
  [[nodiscard]] Contents index_of(NodeId node, Buffer buffer) const {
    return can_be_stored(buffer) ? index_[slot(node, buffer)] : -1;
  }

  const Holdings& holdings_;
  Contributions& contributions_;
  std::vector<Contents> index_;  ///< (node, buffer) → its index in stored_, or -1
  std::vector<Stored> stored_;
  std::vector<Contents> free_;  ///< of stored_: those without users
  std::vector<Held> held_;
};

}  // namespace muster::verifier
