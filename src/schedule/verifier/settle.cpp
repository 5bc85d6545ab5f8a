// What the ranks hold at the end against what their contracts say, and the words for the difference.
#include "schedule/verifier/settle.h"

#include <algorithm>

#include "schedule/rank_by_rank.h"

namespace muster::verifier {
namespace {

class Settlement {
 public:
  Settlement(const Subject& subject, const Contract& contract, std::int32_t index, const Owed& owed)
      : subject_(subject), contract_(contract), index_(index), owed_(owed) {}

  /// Nothing was stored there.
  [[nodiscard]] Counterexample unpaid(std::int64_t element) const {
    return found(Kind::missing, location(element), "{}; nothing was ever stored in element {}", owed_text(), element);
  }

  /// What is there is not what is owed, as its origins show.
  [[nodiscard]] Counterexample wrong(std::int64_t element, const Origins& origins) const {
    const std::int64_t wanted = element + owed_.displacement;
    std::vector<NodeId> missing;
    std::vector<std::pair<NodeId, std::uint64_t>> doubled;
    for (const NodeId node : sources_of(contract_, index_, owed_)) {
      const auto origin = origins.find({node, buffer_of(node), wanted});
      if (origin == origins.end()) missing.push_back(node);
      if (origin != origins.end() && origin->second > 1 && !owed_.at_least_once)
        doubled.emplace_back(node, origin->second);
    }
    const std::vector<Origin> foreign = foreign_origins(wanted, origins);
    std::string text;
    if (!missing.empty()) text += fmt::format(" lacks the contribution of {}", names(missing));
    if (!doubled.empty()) {
      text += fmt::format(
          "{} counts {} {} times{}", text.empty() ? "" : " and", name(doubled.front().first), doubled.front().second,
          doubled.size() > 1 ? fmt::format(" ({} more are counted more than once)", doubled.size() - 1) : "");
    }
    if (!foreign.empty()) {
      text += fmt::format("{} contains {}, which does not belong there", text.empty() ? "" : " and",
                          origin_text(foreign.front()));
      if (foreign.size() > 1) text += fmt::format(" (and {} more)", foreign.size() - 1);
    }
    if (text.empty() && owed_.source == kRanksUpToIt) {
      return found(Kind::disordered, location(element), "{}; element {} has them in a different order", owed_text(),
                   element);
    }
    MUSTER_ASSERT(!text.empty(), "element {} was refused, yet holds what is owed", element);
    const Kind kind = !foreign.empty() ? Kind::foreign : !missing.empty() ? Kind::missing : Kind::doubled;
    return found(kind, location(element), "{}; element {}{}", owed_text(), element, text);
  }

 private:
  [[nodiscard]] Location location(std::int64_t element) const {
    return {.node = contract_.ranks[at(index_)], .element = element};
  }

  /// Where a rank of the contract holds its vector.
  [[nodiscard]] Buffer buffer_of(NodeId node) const {
    const bool is_root = has_root(contract_.collective) && node == contract_.ranks[at(contract_.root)];
    return (is_root ? contract_.root_in_place : contract_.others_in_place) ? contract_.to : contract_.from;
  }

  [[nodiscard]] std::vector<Origin> foreign_origins(std::int64_t wanted, const Origins& origins) const {
    const auto sources = sources_of(contract_, index_, owed_);
    std::vector<NodeId> nodes(sources.begin(), sources.end());
    std::sort(nodes.begin(), nodes.end());
    std::vector<Origin> foreign;
    for (const auto& [origin, times] : origins) {
      const bool asked = origin.element == wanted && origin.buffer == buffer_of(origin.node) &&
                         std::binary_search(nodes.begin(), nodes.end(), origin.node);
      if (!asked) foreign.push_back(origin);
    }
    return foreign;
  }

  [[nodiscard]] std::string owed_text() const {
    const std::string who = name(contract_.ranks[at(index_)]);
    const std::string where =
        fmt::format("elements [{},{}) of {}", owed_.range.first, owed_.range.end(), buffer_name(contract_.to));
    if (owed_.source == kEveryRank) {
      return fmt::format("{} must hold the combination of {} ranks in {}", who, contract_.ranks.size(), where);
    }
    if (owed_.source == kRanksUpToIt) {
      return fmt::format("{} must hold the combination of ranks 0 to {}, in that order, in {}", who, index_, where);
    }
    const std::int64_t first = owed_.range.first + owed_.displacement;
    return fmt::format("{} must hold elements [{},{}) of {} in {}", who, first, first + owed_.range.count,
                       name(contract_.ranks[at(owed_.source)]), where);
  }

  [[nodiscard]] std::string name(NodeId node) const {
    const auto rank = std::find(contract_.ranks.begin(), contract_.ranks.end(), node);
    if (rank == contract_.ranks.end()) return subject_.node(node);
    return fmt::format("rank {} ({})", rank - contract_.ranks.begin(), subject_.node(node));
  }

  [[nodiscard]] std::string names(const std::vector<NodeId>& nodes) const {
    constexpr std::size_t kShown = 4;
    std::string text;
    for (std::size_t i = 0; i < nodes.size() && i < kShown; ++i) {
      if (i > 0) text += i + 1 == nodes.size() ? " and " : ", ";
      text += name(nodes[i]);
    }
    if (nodes.size() > kShown) text += fmt::format(" and {} more", nodes.size() - kShown);
    return text;
  }

  [[nodiscard]] std::string origin_text(const Origin& origin) const {
    return fmt::format("element {} of {} of {}", origin.element, buffer_name(origin.buffer), name(origin.node));
  }

  const Subject& subject_;
  const Contract& contract_;
  std::int32_t index_;
  const Owed& owed_;
};

class Settler {
 public:
  Settler(const Subject& subject, Memories& memories, Contributions& contributions, const Elements& where,
          const Trace& trace)
      : subject_(subject), memories_(memories), contributions_(contributions), where_(where), trace_(trace) {}

  Settled run() {
    for (const Contract& contract : subject_.schedule.contracts) {
      const bool is_scan = contract.collective == Collective::scan;
      Value combined = of_rank(contract, 0);
      for (std::size_t i = 1; !is_scan && i < contract.ranks.size(); ++i) {
        combined = contributions_.add(combined, of_rank(contract, i));
      }
      OwedRankByRank owed_by(contract);
      // Whoever owes the same and has the same is settled, too. Barriers are compared in windows, exactly.
      const bool is_alike = owed_by.is_alike() && contract.collective != Collective::barrier;
      Memories::Contents settled = Memories::kAsHeld;
      for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
        const Memories::Contents contents = memories_.contents(contract.ranks[i], contract.to);
        if (is_alike && memories_.same_contents(contents, settled)) continue;
        settled = contents;
        if (is_scan && i > 0) combined = contributions_.add(combined, of_rank(contract, i));
        const auto index = static_cast<std::int32_t>(i);
        for (const Owed& owed : owed_by.of(index)) {
          if (owed.range.count == 0 || (contributions_.windowed() && !owed.at_least_once)) continue;
          if (Finding wrong = pay(contract, index, owed, combined)) return {.verdict = {.counterexample = wrong}};
        }
      }
    }
    return {.verdict = {.counterexample = {}, .error_probability = contributions_.error_probability()},
            .has_repeats = has_repeats_};
  }

 private:
  Value of_rank(const Contract& contract, std::size_t index) {
    return contributions_.of(contract.ranks[index], held_in(contract, static_cast<std::int32_t>(index)));
  }

  /// `combined`: the ranks whose combination is owed, where one is.
  Finding pay(const Contract& contract, std::int32_t index, const Owed& owed, const Value& combined) {
    const NodeId node = contract.ranks[at(index)];
    const Settlement settlement(subject_, contract, index, owed);
    const Value expected = owed.source < 0 ? combined : of_rank(contract, at(owed.source));
    Finding wrong;
    const auto& where = where_[static_cast<std::size_t>(contract.to) - 1];
    auto range = std::partition_point(where.begin(), where.end(),
                                      [&](const Range& before) { return before.end() <= owed.range.first; });
    for (; !wrong && range != where.end() && range->first < owed.range.end(); ++range) {
      const std::int64_t first = std::max(range->first, owed.range.first);
      const std::int64_t end = std::min(range->end(), owed.range.end());
      memories_.visit(node, contract.to, {first, end - first}, [&](Range part, const Content* content) {
        if (wrong) return;
        if (content == nullptr) {
          wrong = settlement.unpaid(part.first);
        } else if (!is_fulfilled(owed, *content, expected)) {
          wrong = settlement.wrong(part.first, trace_(node, contract.to, part.first));
        }
      });
    }
    return wrong;
  }

  bool is_fulfilled(const Owed& owed, const Content& content, const Value& expected) {
    if (content.displacement != owed.displacement) return false;
    if (contributions_.same(content.value, expected)) return true;
    if (!owed.at_least_once || contributions_.windowed()) return false;
    if (contributions_.exact()) return contributions_.repeats(content.value, expected);
    return has_repeats_ = true;
  }

  const Subject& subject_;
  Memories& memories_;
  Contributions& contributions_;
  const Elements& where_;
  const Trace& trace_;
  bool has_repeats_ = false;
};

}  // namespace

Elements all_elements() {
  const std::vector<Range> all = {{0, kMostElements}};
  return {all, all, all};
}

Settled settle(const Subject& subject, Memories& memories, Contributions& contributions, const Elements& where,
               const Trace& trace) {
  return Settler(subject, memories, contributions, where, trace).run();
}

Verdict prove(const Schedule& schedule, const VerifyOptions& options, std::int64_t moves,
              const std::function<Settled(Contributions)>& execute) {
  Settled settled = execute(Contributions(schedule, options));
  if (!settled.has_repeats) return settled.verdict;
  const std::size_t windows = Contributions::windows(schedule);
  if (moves > kMostMoves / static_cast<std::int64_t>(windows)) {
    reject(
        "a barrier that combines tokens repeatedly needs exact verification, which is too expensive for {} nodes and "
        "{} steps; use fewer nodes, or combine each token once",
        schedule.node_count, moves);
  }
  for (std::size_t i = 0; i < windows; ++i) {
    Settled window = execute(Contributions::in_window(schedule, i));
    if (!window.verdict.verified()) return window.verdict;
  }
  return settled.verdict;
}

}  // namespace muster::verifier
