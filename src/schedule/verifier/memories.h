// The nodes' buffers during symbolic execution. A buffer is copied from the contracts' holdings only when something is
// stored in it: of a million nodes, most never store.
#pragma once

#include "schedule/holdings.h"
#include "schedule/verifier/contributions.h"
#include "schedule/verifier/intervals.h"

namespace muster::verifier {

/// Element e holds the contributions `value`, all of element e + displacement.
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
    if (const std::int32_t index = index_of(node, buffer); index >= 0) {
      stored_[static_cast<std::size_t>(index)].visit(range, visit);
      return;
    }
    find_held(node, buffer);
    const Content content = held_.empty() ? Content{} : Content{.value = contributions_.of(node, buffer)};
    std::int64_t next = range.first;
    const Content* const nothing = nullptr;
    for (const Range& held : held_) {
      const std::int64_t first = std::max(next, held.first);
      const std::int64_t end = std::min(range.end(), held.end());
      if (first >= end) continue;
      if (first > next) visit(Range{next, first - next}, nothing);
      visit(Range{first, end - first}, &content);
      next = end;
    }
    if (next < range.end()) visit(Range{next, range.end() - next}, nothing);
  }

  [[nodiscard]] Contributions& contributions() const { return contributions_; }

  /// The buffer itself, to be stored into.
  Intervals<Content>& writable(NodeId node, Buffer buffer);

 private:
  /// Puts what the contracts say is held into held_, sorted and disjoint.
  void find_held(NodeId node, Buffer buffer);
  [[nodiscard]] std::size_t slot(NodeId node, Buffer buffer) const {
    return static_cast<std::size_t>(node) * 3 + static_cast<std::size_t>(buffer) - 1;
  }
  [[nodiscard]] std::int32_t index_of(NodeId node, Buffer buffer) const { return index_[slot(node, buffer)]; }

  const Holdings& holdings_;
  Contributions& contributions_;
  std::vector<std::int32_t> index_;  ///< (node, buffer) → its index in stored_, or -1
  std::vector<Intervals<Content>> stored_;
  std::vector<Range> held_;
};

}  // namespace muster::verifier
