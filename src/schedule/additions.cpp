// The order of additions, as a formula: the value of one element is followed back from the step that stored it last,
// through streams and buffers, to the inputs. Nothing recurses: a chain of a million nodes is a formula that deep.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "schedule/holdings.h"
#include "schedule/interpret.h"
#include "schedule/phase.h"
#include "schedule/run_order.h"

namespace muster {

namespace {

constexpr std::size_t kMostTerms = std::size_t{1} << 24;
constexpr std::size_t kShownWhole = 64;      ///< formulas of up to so many terms are shown whole
constexpr std::size_t kShownAtEachEnd = 24;  ///< of longer ones

/// An element of a buffer of a node, as it is just before event `before` of the run.
struct Cell {
  NodeId node = 0;
  Buffer buffer = Buffer::none;
  std::int64_t element = 0;
  std::int32_t before = 0;
};

/// Element k of the result of a step.
struct Result {
  StepId step = 0;
  std::int64_t k = 0;
};

/// A term of the formula, or a combination of its children from left to right.
struct Piece {
  NodeId node = 0;
  std::int64_t element = 0;
  std::vector<std::size_t> children;
};

class Formula {
 public:
  explicit Formula(const Schedule& flat) : flat_(flat), holdings_(flat), index_(checked_index(flat)) {
    const auto events = run_order(flat, index_);
    end_ = static_cast<std::int32_t>(events.size());
    ends_.assign(flat.steps.size(), -1);
    for (std::int32_t i = 0; i < end_; ++i) {
      const RunEvent& event = events[at(i)];
      if (!event.sends_old) ends_[at(event.step)] = i;
    }
  }

  /// Terms in a tree; the root is the first one.
  std::vector<Piece> terms(NodeId node, Buffer buffer, std::int64_t element) {
    terms_.clear();
    resolve_cell({node, buffer, element, end_});
    while (!open_.empty()) {
      const auto [index, result] = open_.back();
      open_.pop_back();
      expand_result(index, result);
      if (terms_.size() > kMostTerms)
        reject("node {}, element {}: the formula has more than {} terms", node, element, kMostTerms);
    }
    return std::move(terms_);
  }

 private:
  /// Adds a term for what a cell holds: an input, or the result of the step that stored it last.
  std::size_t resolve_cell(const Cell& cell) {
    const auto& stores = stores_of(cell.node);
    auto it = std::lower_bound(stores.begin(), stores.end(), cell.before,
                               [&](StepId s, std::int32_t before) { return ends_[at(s)] < before; });
    while (it != stores.begin()) {
      const Step& step = flat_.steps[at(*--it)];
      if (step.store != cell.buffer) continue;
      if (const auto k = position(step.store_elements, cell.element); k >= 0) return open({*it, k});
    }
    if (!holdings_.holds(cell.node, cell.buffer, cell.element)) {
      reject("node {}: element {} of {} does not exist", cell.node, cell.element, buffer_name(cell.buffer));
    }
    terms_.push_back({cell.node, cell.element, {}});
    return terms_.size() - 1;
  }

  std::size_t open(const Result& result) {
    terms_.emplace_back();
    open_.emplace_back(terms_.size() - 1, result);
    return terms_.size() - 1;
  }

  void expand_result(std::size_t index, const Result& result) {
    const Step& step = flat_.steps[at(result.step)];
    std::vector<std::size_t> children;
    for (const StreamId operand : flat_.operands_of(step)) {
      children.push_back(operand == kOwn ? resolve_cell(old_cell(result.step, step.own, step.own_elements, result.k))
                                         : resolve_stream(operand, result.k));
    }
    terms_[index].children = std::move(children);
  }

  std::size_t resolve_stream(StreamId stream, std::int64_t k) {
    const StepId producer = index_.producer[at(stream)];
    const Step& step = flat_.steps[at(producer)];
    if (!step.is_exchange()) return open({producer, k});
    return resolve_cell(old_cell(producer, step.sent, step.sent_elements, k));
  }

  /// What a step finds in a buffer. No other step may change it while this one runs: that would be a race.
  [[nodiscard]] Cell old_cell(StepId step, Buffer buffer, SpanId span, std::int64_t k) const {
    const auto s = static_cast<std::size_t>(step);
    return {index_.node_of[s], buffer, flat_.spans.element(span, k), ends_[s]};
  }

  /// The steps of a node that store, in the order in which they run.
  const std::vector<StepId>& stores_of(NodeId node) {
    const auto [found, is_new] = stores_.try_emplace(node);
    std::vector<StepId>& stores = found->second;
    if (!is_new) return stores;
    for (const Lane& lane : flat_.lanes_of(node)) {
      for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
        if (flat_.steps[at(s)].store != Buffer::none) stores.push_back(s);
      }
    }
    std::sort(stores.begin(), stores.end(), [&](StepId a, StepId b) { return ends_[at(a)] < ends_[at(b)]; });
    return stores;
  }

  [[nodiscard]] std::int64_t position(SpanId span, std::int64_t element) const {
    std::int64_t before = 0;
    for (const Range& range : flat_.spans.ranges(span)) {
      if (element >= range.first && element < range.end()) return before + element - range.first;
      before += range.count;
    }
    return -1;
  }

  const Schedule& flat_;
  const Holdings holdings_;
  const ScheduleIndex index_;
  std::int32_t end_ = 0;
  std::vector<std::int32_t> ends_;  // event at which a step runs
  std::map<NodeId, std::vector<StepId>> stores_;
  std::vector<Piece> terms_;
  std::vector<std::pair<std::size_t, Result>> open_;  // terms whose children are not known yet
};

/// Prints the inputs in the order of the formula. Of a long one, a pair of parentheses is shown only if both the first
/// and the last input inside it are.
class Printer {
 public:
  Printer(const std::vector<Piece>& terms, std::int64_t element) : terms_(terms), element_(element) { walk(); }

  [[nodiscard]] std::string text() const {
    std::vector<std::size_t> opens(leaves_.size()), closes(leaves_.size());
    for (const auto& [first, last] : pairs_) {
      if (!shown(first) || !shown(last)) continue;
      ++opens[first];
      ++closes[last];
    }
    std::string text;
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      if (!shown(i)) {
        const std::size_t skipped = leaves_.size() - 2 * kShownAtEachEnd;
        text += fmt::format(" + ... {} more ...", skipped);
        i += skipped - 1;
        continue;
      }
      if (i > 0) text += " + ";
      text.append(opens[i], '(');
      text += leaf_text(terms_[leaves_[i]]);
      text.append(closes[i], ')');
    }
    return text;
  }

 private:
  /// Finds the leaves from left to right, and for every binary combination its first and last leaf.
  void walk() {
    struct Visit {
      std::size_t term, next, first_leaf;
    };
    std::vector<Visit> stack{{0, 0, 0}};
    while (!stack.empty()) {
      Visit& visit = stack.back();
      const Piece& term = terms_[visit.term];
      if (term.children.empty()) leaves_.push_back(visit.term);
      if (visit.next >= 2) pairs_.emplace_back(visit.first_leaf, leaves_.size() - 1);
      if (visit.next == term.children.size()) {
        stack.pop_back();
      } else {
        const std::size_t child = term.children[visit.next++];
        stack.push_back({child, 0, leaves_.size()});
      }
    }
  }

  [[nodiscard]] bool shown(std::size_t leaf) const {
    return leaves_.size() <= kShownWhole || leaf < kShownAtEachEnd || leaf + kShownAtEachEnd >= leaves_.size();
  }

  [[nodiscard]] std::string leaf_text(const Piece& term) const {
    return term.element == element_ ? fmt::format("x{}", term.node) : fmt::format("x{}[{}]", term.node, term.element);
  }

  const std::vector<Piece>& terms_;
  std::int64_t element_;
  std::vector<std::size_t> leaves_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

}  // namespace

std::string order_of_additions(const Schedule& schedule, NodeId node, std::int64_t element) {
  if (is_linear(schedule))
    reject("the schedule has coefficients or terms; the order of additions is written for plain sums");
  if (!schedule.is_flat()) return order_of_additions(expand(schedule), node, element);
  for (const Contract& contract : schedule.contracts) {
    if (std::find(contract.ranks.begin(), contract.ranks.end(), node) == contract.ranks.end()) continue;
    const std::vector<Piece> terms = Formula(schedule).terms(node, contract.to, element);
    return Printer(terms, element).text();
  }
  reject("node {} is not a rank of any contract", node);
}

}  // namespace muster
