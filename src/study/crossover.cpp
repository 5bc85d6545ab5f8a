// The search for the ends of the range of sizes that an algorithm wins, and the sentence about them.
#include "study/crossover.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/counted.h"
#include "machine/family.h"
#include "plan/job.h"
#include "study/crossover_probe.h"

namespace muster {

namespace {

/// The algorithm that is best by prediction at the job's count, and where that changes on the way to `end`.
Edge predicted_edge(Field& field, std::int64_t count, std::int64_t end) {
  const std::string best = field.predicted_best(count);
  const auto keeps = [&](std::int64_t at) { return field.predicted_best(at) == best; };
  Edge edge{.basis = Edge::Basis::predicted, .kept = count, .lost = count};
  while (edge.kept != end && keeps(edge.lost)) {
    edge.kept = edge.lost;
    edge.lost = end > count ? std::min(2 * edge.kept, end) : std::max<std::int64_t>(edge.kept / 2, 1);
  }
  if (edge.kept == end) return edge;
  while (std::abs(edge.lost - edge.kept) > field.resolution(edge.kept)) {
    const std::int64_t middle = edge.kept + (edge.lost - edge.kept) / 2;
    (keeps(middle) ? edge.kept : edge.lost) = middle;
  }
  edge.taker = field.predicted_best(edge.lost);
  return edge;
}

/// One search by simulation, from the job's count towards `end`.
class Search {
 public:
  Search(Field& field, std::int64_t count, std::int64_t end)
      : field_(field), start_(count), end_(end), last_margin_(field.here()->margin) {
    edge_.kept = edge_.lost = last_ = count;
    edge_.basis = Edge::Basis::simulated;
  }

  /// `guess`: where somebody else should be best. Whether the edge is exact, or the end was reached.
  bool run(std::optional<std::int64_t> guess) {
    if (start_ == end_) return true;
    return find_bracket(guess) && (!edge_.taker || narrow(guess.has_value()));
  }
  [[nodiscard]] const Edge& edge() const { return edge_; }
  [[nodiscard]] bool learned() const { return edge_.kept != start_ || edge_.taker; }

 private:
  bool find_bracket(std::optional<std::int64_t> guess) {
    const bool up = end_ > start_;
    std::int64_t next = guess.value_or(up ? 2 * start_ : start_ / 2);
    std::int64_t stride = guess ? std::max<std::int64_t>(1, *guess / 16) : next;
    while (edge_.kept != end_ && !edge_.taker) {
      next = up ? std::min(next, end_) : std::max(next, end_);
      if (!probe(next)) return false;
      next = up ? edge_.kept + stride : edge_.kept - stride;
      stride *= 2;
    }
    return true;
  }

  /// Times are nearly linear in the count, so the line through the last two margins finds the edge; its neighbour proves it.
  bool narrow(bool guessed) {
    for (int turn = guessed ? 1 : 0; std::abs(edge_.lost - edge_.kept) > 1; ++turn) {
      const std::int64_t direction = end_ > start_ ? 1 : -1;
      std::int64_t next = turn % 6 == 5 ? edge_.kept + (edge_.lost - edge_.kept) / 2 : on_the_line();
      if (turn % 3 == 1) next = last_ == edge_.lost ? last_ - direction : last_ + direction;
      const auto [low, high] = std::minmax(edge_.kept, edge_.lost);
      if (!probe(std::clamp(next, low + 1, high - 1))) return false;
    }
    return true;
  }

  [[nodiscard]] std::int64_t on_the_line() const {
    const std::int64_t rise = last_margin_ - margin_before_;
    if (rise == 0) return edge_.kept + (edge_.lost - edge_.kept) / 2;
    const double slope = static_cast<double>(rise) / static_cast<double>(last_ - before_);
    return last_ - std::llround(static_cast<double>(last_margin_) / slope);
  }

  bool probe(std::int64_t count) {
    const auto found = field_.simulated(count);
    if (!found) return false;
    before_ = std::exchange(last_, count);
    margin_before_ = std::exchange(last_margin_, found->margin);
    if (found->best == field_.winner()) {
      edge_.kept = count;
    } else {
      edge_.lost = count;
      edge_.taker = found->best;
    }
    return true;
  }

  Field& field_;
  std::int64_t start_ = 0;
  std::int64_t end_ = 0;
  std::int64_t last_ = 0;  // the latest probe, and the one before
  std::int64_t last_margin_ = 0;
  std::int64_t before_ = 0;
  std::int64_t margin_before_ = 0;
  Edge edge_;
};

/// Simulation where the winner was simulated and the allowance lasts; else what the prediction says, if it has the same
/// winner; else what the simulations have found so far.
Edge edge_towards(Field& field, std::int64_t count, std::int64_t end) {
  Edge predicted;
  if (field.predicted_best(count) == field.winner()) predicted = predicted_edge(field, count, end);
  if (!field.here() || !field.refill()) return predicted;

  std::optional<std::int64_t> guess;
  if (predicted.basis == Edge::Basis::predicted) guess = predicted.taker ? predicted.lost : end;
  Search search(field, count, end);
  if (search.run(guess)) return search.edge();
  const bool contradicted =
      search.edge().taker || std::abs(search.edge().kept - count) >= std::abs(guess.value_or(count) - count);
  if (guess && !contradicted) return predicted;
  return search.learned() ? search.edge() : Edge{};
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
    return fmt::format("{} takes over between {} and {} elements{}", *edge.taker, grouped(edge.kept),
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
std::string disagreement(const Job& job, Field& field) {
  const std::string& predicted = field.predicted_best(job.count);
  if (predicted == field.winner()) return "";
  return fmt::format("the prediction alone would choose {} here", predicted);
}

bool is_known(const Edge& edge) { return edge.basis != Edge::Basis::unknown; }

WinningRange winning_range_of(Field& field, const Job& job) {
  return {.best = field.winner(),
          .below = edge_towards(field, job.count, 1),
          .above = edge_towards(field, job.count, largest_count(job))};
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
  Field field(job, entries, run);
  return winning_range_of(field, job);
}

std::string crossover_text(const Job& job, const std::vector<Entry>& entries, const RunFunction& run) {
  if (entries.empty() || entries.front().failed()) return "";
  Field field(job, entries, run);
  if (field.names().size() == 1) return fmt::format("no crossover: only {} fits", field.winner());
  if (job.collective == Collective::barrier) return "";  // it has no elements
  std::vector<std::string> parts{disagreement(job, field), range_text(job, winning_range_of(field, job))};
  std::erase(parts, "");
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace muster
