// The search for the ends of the range of sizes that an algorithm wins, and the sentence about them.
#include "study/crossover.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <utility>

#include "base/counted.h"
#include "machine/family.h"
#include "plan/job.h"
#include "study/crossover_probe.h"

namespace muster {

namespace {

/// What a search is for: where the winner is no longer best.
struct Quest {
  std::int64_t from = 0;  ///< a count at which it is
  std::int64_t end = 0;
  std::int64_t margin = 0;                                                    ///< at `from`
  std::function<std::optional<Competitors::Probe>(std::int64_t)> probe = {};  ///< nothing: that is too much
  std::function<std::int64_t(std::int64_t)> resolution = [](auto) {
    return 1;
  };  ///< how near to an edge of about that size
};

class Search {
 public:
  Search(const std::string& winner, Quest quest)
      : winner_(winner), quest_(std::move(quest)), kept_margin_(quest_.margin) {
    edge_.kept = edge_.lost = quest_.from;
  }

  /// `guess`: where somebody else should be best. Whether the edge is exact, or the end was reached.
  bool run(std::optional<std::int64_t> guess) {
    if (quest_.from == quest_.end) return true;
    return find_bracket(guess) && (!edge_.taker || narrow(edge_.lost == guess));
  }
  [[nodiscard]] Edge edge(Edge::Basis basis) const {
    Edge edge = edge_;
    edge.basis = basis;
    return edge;
  }
  [[nodiscard]] bool learned() const { return edge_.kept != quest_.from || edge_.taker; }

 private:
  [[nodiscard]] bool is_up() const { return quest_.end > quest_.from; }

  /// From the guess on in growing steps, or without one by doubling and halving.
  bool find_bracket(std::optional<std::int64_t> guess) {
    std::int64_t next = guess.value_or(is_up() ? 2 * quest_.from : quest_.from / 2);
    std::int64_t stride = guess ? std::max<std::int64_t>(1, *guess / 16) : 0;
    while (edge_.kept != quest_.end && !edge_.taker) {
      next = is_up() ? std::min(next, quest_.end) : std::max(next, quest_.end);
      if (!probe(next)) return false;
      next =
          is_up() ? edge_.kept + (guess ? stride : edge_.kept) : edge_.kept - (guess ? stride : (edge_.kept + 1) / 2);
      stride *= 2;
    }
    return true;
  }

  /// Times are nearly linear in the count, so the line between the ends of the bracket finds the edge, and its neighbour proves it. Where
  /// that did not halve the bracket, the middle does. A `good_guess` was lost: its neighbour may be the edge.
  bool narrow(bool good_guess) {
    bool by_line = true;
    for (int turn = 0;; ++turn) {
      const std::int64_t resolution = quest_.resolution(edge_.kept), width = std::abs(edge_.lost - edge_.kept);
      if (width <= resolution) return true;
      std::int64_t next = by_line ? on_the_line() : middle();
      if (good_guess && turn == 0) next = is_up() ? edge_.lost - resolution : edge_.lost + resolution;
      const std::int64_t least = (resolution + 1) / 2;
      const auto [low, high] = std::minmax(edge_.kept, edge_.lost);
      if (!probe(std::clamp(next, low + least, high - least))) return false;
      const bool halved = std::abs(edge_.lost - edge_.kept) <= width / 2;
      by_line = halved || !by_line;
    }
  }

  [[nodiscard]] std::int64_t middle() const { return edge_.kept + (edge_.lost - edge_.kept) / 2; }

  [[nodiscard]] std::int64_t on_the_line() const {
    const auto rise = static_cast<double>(lost_margin_ - kept_margin_);
    const double share = static_cast<double>(-kept_margin_) / rise;  // kept: not above zero; lost: above it
    return edge_.kept + std::llround(share * static_cast<double>(edge_.lost - edge_.kept));
  }

  bool probe(std::int64_t count) {
    const auto found = quest_.probe(count);
    if (!found) return false;
    if (found->best == winner_) {
      edge_.kept = count;
      kept_margin_ = found->margin;
    } else {
      edge_.lost = count;
      edge_.taker = found->best;
      lost_margin_ = found->margin;
    }
    return true;
  }

  const std::string& winner_;
  Quest quest_;
  std::int64_t kept_margin_ = 0;
  std::int64_t lost_margin_ = 0;
  Edge edge_;
};

/// Of the winner, if the prediction says that it wins at the job's count.
Edge predicted_edge(Competitors& competitors, std::int64_t count, std::int64_t end) {
  const std::optional<Competitors::Probe> here = competitors.predicted(count);
  if (!here || here->best != competitors.winner()) return {};
  Search search(competitors.winner(), {.from = count,
                                       .end = end,
                                       .margin = here->margin,
                                       .probe = [&](std::int64_t at) { return competitors.predicted(at); },
                                       .resolution = [&](std::int64_t at) { return competitors.resolution(at); }});
  search.run(std::nullopt);
  return search.edge(Edge::Basis::predicted);
}

/// Simulation where the winner was simulated and the allowance lasts; else what the prediction says, if it has the same
/// winner; else what the simulations have found so far.
Edge edge_towards(Competitors& competitors, std::int64_t count, std::int64_t end) {
  Edge predicted = predicted_edge(competitors, count, end);
  if (!competitors.here() || !competitors.refill()) return predicted;

  std::optional<std::int64_t> guess;
  if (predicted.basis == Edge::Basis::predicted) guess = predicted.taker ? predicted.lost : end;
  Search search(competitors.winner(), {.from = count,
                                       .end = end,
                                       .margin = competitors.here()->margin,
                                       .probe = [&](std::int64_t at) { return competitors.simulated(at); },
                                       .resolution = [&](std::int64_t at) { return competitors.resolution(at); }});
  const bool is_exact = search.run(guess);
  Edge found = search.edge(Edge::Basis::simulated);
  if (is_exact) return found;
  const bool contradicted = found.taker || std::abs(found.kept - count) >= std::abs(guess.value_or(count) - count);
  if (guess && !contradicted) return predicted;
  return search.learned() ? found : Edge{};
}

/// Simulations need no remark.
std::string by_basis(const Edge& edge) { return edge.basis == Edge::Basis::simulated ? "" : ", by prediction"; }

/// Where the memory ends; some machines have no such limit.
std::string limit_text(const Job& job) {
  if (!job.machine.family().memory_per_rank(job.machine.network)) return "";
  return fmt::format(" that fits (up to {} elements)", grouped(largest_count(job)));
}

bool reaches_the_most(const Edge& above, const Job& job) { return !above.taker && above.kept >= largest_count(job); }
bool reaches_one_element(const Edge& below) { return !below.taker && below.kept <= 1; }

std::string above_text(const WinningRange& range, const Job& job) {
  const Edge& edge = range.above;
  if (edge.taker && edge.lost == edge.kept + 1) {
    return fmt::format("{} takes over from {} elements on{}", *edge.taker, grouped(edge.lost), by_basis(edge));
  }
  if (edge.taker) {
    return fmt::format("{} takes over somewhere between {} and {} elements{}", *edge.taker, grouped(edge.kept),
                       grouped(edge.lost), by_basis(edge));
  }
  if (!reaches_the_most(edge, job)) {
    return fmt::format("{} still wins at {} elements{}", range.best, grouped(edge.kept), by_basis(edge));
  }
  return fmt::format("{} wins at every larger size{}{}", range.best, limit_text(job), by_basis(edge));
}

std::string below_text(const WinningRange& range) {
  const Edge& edge = range.below;
  if (edge.taker) {
    const char* const where = edge.lost == edge.kept - 1 ? "" : "somewhere ";
    return fmt::format("{} takes over {}below {} elements{}", *edge.taker, where, grouped(edge.kept), by_basis(edge));
  }
  if (!reaches_one_element(edge)) {
    return fmt::format("{} still wins at {} elements{}", range.best, grouped(edge.kept), by_basis(edge));
  }
  return fmt::format("{} wins at every smaller size{}", range.best, by_basis(edge));
}

/// "up to 4,096 elements (predicted)"; `where` for sizes without an end.
std::string end_text(const char* word, const Edge& edge, const std::optional<std::string>& where) {
  const std::string sizes = where ? *where : fmt::format("{} {}", word, counted(edge.kept, "element"));
  return sizes + (edge.basis == Edge::Basis::simulated ? "" : " (predicted)");
}

/// Where nobody is known to take over, on either side: one sentence, since its subject is the same.
std::string unbroken_text(const WinningRange& range, const Job& job) {
  std::optional<std::string> larger, smaller;
  if (reaches_the_most(range.above, job)) larger = "at every larger size" + limit_text(job);
  if (reaches_one_element(range.below)) smaller = "at every smaller size";
  return fmt::format("{} also wins {} and {}", range.best, end_text("up to", range.above, larger),
                     end_text("down to", range.below, smaller));
}

/// Where the prediction would have chosen another one, which was simulated then: else it would be the first entry.
std::string disagreement(const Job& job, Competitors& competitors) {
  const std::optional<Competitors::Probe> predicted = competitors.predicted(job.count);
  if (!predicted || predicted->best == competitors.winner()) return "";
  return fmt::format("the prediction alone would choose {} here", predicted->best);
}

bool is_known(const Edge& edge) { return edge.basis != Edge::Basis::unknown; }

WinningRange winning_range_of(Competitors& competitors, const Job& job) {
  return {.best = competitors.winner(),
          .below = edge_towards(competitors, job.count, 1),
          .above = edge_towards(competitors, job.count, largest_count(job))};
}

}  // namespace

std::string range_text(const Job& job, WinningRange range) {
  const bool has_below = job.count > 1;
  const bool same_basis = !has_below || range.below.basis == range.above.basis;
  const bool everywhere = reaches_the_most(range.above, job) && (!has_below || reaches_one_element(range.below));
  if (is_known(range.above) && everywhere && same_basis) {
    return fmt::format("{} wins at every size{}{}", range.best, limit_text(job), by_basis(range.above));
  }
  const bool both = has_below && is_known(range.above) && is_known(range.below);
  if (both && !range.above.taker && !range.below.taker) return unbroken_text(range, job);
  std::string text;
  if (both && range.above.basis == Edge::Basis::predicted && same_basis) {  // said once
    text = "by prediction, ";
    range.above.basis = range.below.basis = Edge::Basis::simulated;
  }
  if (is_known(range.above)) text += above_text(range, job) + (both ? "; " : "");
  if (has_below && is_known(range.below)) text += below_text(range);
  return text;
}

WinningRange winning_range_of_best(const Job& job, const std::vector<Entry>& entries, const RunFunction& run) {
  Competitors competitors(job, entries, run);
  return winning_range_of(competitors, job);
}

std::string crossover_text(const Job& job, const std::vector<Entry>& entries, const RunFunction& run) {
  if (entries.empty() || entries.front().failed()) return "";
  Competitors competitors(job, entries, run);
  if (competitors.names().size() == 1) return fmt::format("no crossover: only {} fits", competitors.winner());
  if (job.collective == Collective::barrier) return "";  // it has no elements
  std::vector<std::string> parts{disagreement(job, competitors), range_text(job, winning_range_of(competitors, job))};
  std::erase(parts, "");
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace muster
