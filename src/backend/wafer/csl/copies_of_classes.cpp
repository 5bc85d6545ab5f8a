// The longest earlier occurrence is found with a suffix automaton: a state stands for all substrings with the same end
// positions, and remembers the first of them. What begins at i with n entries occurs earlier exactly if its state's
// first end lies before i + n - 1, and an overlap is no special case.
#include <algorithm>

#include "backend/wafer/csl/copies.h"
#include "base/index.h"

namespace muster::wafer {

namespace {

class SuffixAutomaton {
 public:
  static constexpr std::int32_t kNone = -1;
  static constexpr std::int32_t kRoot = 0;

  explicit SuffixAutomaton(std::span<const std::int32_t> text) {
    states_.reserve(2 * text.size() + 1);
    states_.emplace_back();
    for (const std::int32_t symbol : text) append(symbol);
  }

  [[nodiscard]] std::int32_t next(std::int32_t state, std::int32_t symbol) const {
    const std::int32_t edge = find(state, symbol);
    return edge == kNone ? kNone : edges_[at(edge)].target;
  }

  /// Where the first occurrence of the state's substrings ends.
  [[nodiscard]] std::int32_t first_end(std::int32_t state) const { return of(state).first_end; }

 private:
  struct State {
    std::int32_t length = 0;
    std::int32_t suffix = kNone;
    std::int32_t first_end = kNone;
    std::int32_t edges = kNone;
  };
  struct Edge {
    std::int32_t symbol = 0;
    std::int32_t target = 0;
    std::int32_t next = kNone;
  };

  [[nodiscard]] const State& of(std::int32_t state) const { return states_[at(state)]; }
  State& of(std::int32_t state) { return states_[at(state)]; }

  [[nodiscard]] std::int32_t find(std::int32_t state, std::int32_t symbol) const {
    std::int32_t edge = of(state).edges;
    while (edge != kNone && edges_[at(edge)].symbol != symbol) {
      edge = edges_[at(edge)].next;
    }
    return edge;
  }

  std::int32_t add_state(State state) {
    states_.push_back(state);
    return static_cast<std::int32_t>(states_.size()) - 1;
  }

  void add_edge(std::int32_t state, std::int32_t symbol, std::int32_t target) {
    edges_.push_back({symbol, target, of(state).edges});
    of(state).edges = static_cast<std::int32_t>(edges_.size()) - 1;
  }

  void append(std::int32_t symbol) {
    const std::int32_t end = of(newest_).length;
    const std::int32_t added = add_state({.length = end + 1, .first_end = end});
    std::int32_t state = newest_;
    newest_ = added;
    while (state != kNone && find(state, symbol) == kNone) {
      add_edge(state, symbol, added);
      state = of(state).suffix;
    }
    of(added).suffix = state == kNone ? kRoot : suffix_for(state, symbol);
  }

  /// The state of the longest suffix that occurred before, split off from its class if need be.
  std::int32_t suffix_for(std::int32_t state, std::int32_t symbol) {
    const std::int32_t target = next(state, symbol);
    if (of(target).length == of(state).length + 1) return target;
    const std::int32_t split =
        add_state({.length = of(state).length + 1, .suffix = of(target).suffix, .first_end = of(target).first_end});
    for (std::int32_t e = of(target).edges; e != kNone; e = edges_[at(e)].next) {
      const Edge edge = edges_[at(e)];
      add_edge(split, edge.symbol, edge.target);
    }
    of(target).suffix = split;
    for (; state != kNone; state = of(state).suffix) {
      const std::int32_t edge = find(state, symbol);
      if (edge == kNone || edges_[at(edge)].target != target) break;
      edges_[at(edge)].target = split;
    }
    return split;
  }

  std::vector<State> states_;
  std::vector<Edge> edges_;
  std::int32_t newest_ = kRoot;
};

}  // namespace

std::vector<CopyItem> compress_classes(std::span<const std::int32_t> classes) {
  const SuffixAutomaton automaton(classes);
  const auto count = static_cast<std::int32_t>(classes.size());
  std::vector<CopyItem> items;
  for (std::int32_t from = 0; from < count;) {
    std::int32_t length = 0;
    std::int32_t distance = 0;
    std::int32_t state = SuffixAutomaton::kRoot;
    while (from + length < count) {
      state = automaton.next(state, classes[at(from + length)]);
      const std::int32_t end = from + length;
      if (automaton.first_end(state) >= end) break;
      distance = end - automaton.first_end(state);
      ++length;
    }
    if (length < 2) {
      items.push_back({.change = classes[at(from)]});
    } else {
      items.push_back({.length = length, .distance = distance});
    }
    from += std::max(length, 1);
  }
  return items;
}

}  // namespace muster::wafer
