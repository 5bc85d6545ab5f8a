// The timetable of a split reduce, by placing one job after another into the earliest gap that fits.
//
// F_j, the far flow of part j, occupies the target of part j and all farther ones; N_j, the near flow, occupies it and all
// nearer ones. F_j and N_i with i < j therefore run at the same time, and a target is rid of far flows after its own. Near
// flows of the last parts come first, while the first far flow is still on its way; then all far flows, back to back;
// then, some parts at a time, the other near flows and the columns, where they fit. A column is a chain that runs like a
// wave towards the root's row and on to the root: one job that occupies its target in each row a little later. N_i leaves
// the targets beyond i to their columns: so of two or three neighbouring parts the last comes first, and its column runs
// while the near flow of the next one does.
//
// All rows share a clock that runs with this wave: row y's cycle t is t - (lag of y) on it, where a wave is at y `lag`
// cycles after it was at the farthest row. Every job has one time on this clock, and every PE serves its jobs in the
// order of it. So the earliest unfinished job finds all of its PEs free for it: no deadlock.
//
// A column may also be a tree. It is much shorter than a wave, so all rows start at once, and what a row does in a column has a time
// of its own, equally long after the beginning in every column: again no two jobs meet in different orders.
#include "collective/grid/split_timetable.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/index.h"
#include "base/saturating.h"
#include "machine/mesh.h"

namespace muster {
namespace {

constexpr std::size_t kMostRowsCompared = 8;  ///< of each side

/// When a processor is busy: disjoint intervals in order, with time between them.
class Busy {
 public:
  /// The earliest time from `from` on at which it is free for `length` cycles.
  [[nodiscard]] std::int64_t earliest(std::int64_t from, std::int64_t length) const {
    auto next = std::ranges::partition_point(intervals_, [&](const auto& interval) { return interval.second <= from; });
    for (; next != intervals_.end() && next->first < from + length; ++next) from = next->second;
    return from;
  }
  void add(std::int64_t begin, std::int64_t end) {
    auto next = std::ranges::partition_point(intervals_, [&](const auto& interval) { return interval.second < begin; });
    if (next == intervals_.end() || next->first > end) {
      intervals_.insert(next, {begin, end});
      return;
    }
    next->first = std::min(next->first, begin);
    next->second = std::max(next->second, end);
    const auto behind = next + 1;
    if (behind == intervals_.end() || behind->first > end) return;
    next->second = behind->second;
    intervals_.erase(behind);
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> intervals_;
};

/// When the parent of each PE of a tree begins to take its words: the time recursion of pre-order trees (docs/wafer.md),
/// s = max(G, F + hops + 2 T_R), G = s + B, F = s + 1.
std::vector<std::int64_t> times_taken(const ReductionTree& tree, std::int64_t words, const Mesh& mesh) {
  std::vector<std::int64_t> can_send(at(tree.size()), 0), taken(at(tree.size()), 0);
  for (std::int32_t x = tree.size() - 1; x >= 0; --x) {
    std::int64_t stored = 0;
    for (const std::int32_t child : tree.children(x)) {
      const std::int64_t latency = (child - x) * mesh.hop_latency.value() + 2 * mesh.ramp_latency.value();
      taken[at(child)] = std::max(stored, can_send[at(child)] + latency);
      stored = taken[at(child)] + words;
      can_send[at(x)] = taken[at(child)] + 1;
    }
  }
  return taken;
}

/// When the root of a tree can use the first word of its first child, and how many children the PE with the most has.
struct TreeTiming {
  std::int64_t first_arrival = 0;
  std::int64_t most_children = 1;
};

TreeTiming timing_of(const ReductionTree& tree, std::int64_t words, const Mesh& mesh) {
  TreeTiming timing;
  if (tree.size() > 1) timing.first_arrival = times_taken(tree, words, mesh)[1];
  for (std::int32_t x = 0; x < tree.size(); ++x) {
    timing.most_children = std::max<std::int64_t>(timing.most_children, tree.child_count(x));
  }
  return timing;
}

/// What a row does in a column: when, counted from the column's beginning, and for how long.
struct ColumnWork {
  std::int64_t offset = 0;
  std::int64_t length = 0;
  std::int64_t forwards = 0;  ///< when it begins to send its sum on, word by word as it comes
};

/// Of each tree index, if all processors are ready at once and each begins when it can go on without waiting: those that send on begin
/// when their parent takes them.
std::vector<ColumnWork> column_work(const ReductionTree& tree, std::int64_t words, const Mesh& mesh) {
  const std::int64_t ramps = 2 * mesh.ramp_latency.value(), hop = mesh.hop_latency.value();
  std::vector<std::int64_t> taken = times_taken(tree, words, mesh);
  std::vector<ColumnWork> work(at(tree.size()));
  for (std::int32_t x = 0; x < tree.size(); ++x) {
    const std::int64_t sends = x == 0 ? 0 : taken[at(x)] - (x - tree.parent(x)) * hop - ramps;
    std::int64_t first = sends, last = sends;
    bool is_first = true;
    for (const std::int32_t child : tree.children(x)) {
      if (x > 0 && tree.is_last_child(child)) taken[at(child)] = sends - 1;
      if (is_first) first = taken[at(child)];
      is_first = false;
      last = taken[at(child)];
    }
    work[at(x)] = {.offset = first, .length = last - first + words, .forwards = last + 1};
  }
  return work;
}

/// In which order parts that are not early are placed: a first batch of neighbouring parts, then batches of another size.
struct Strategy {
  std::int32_t early = 0;  ///< near flows that come before all others
  std::int32_t first = 1;
  std::int32_t batch = 1;
  bool nearest_first = false;  ///< within a batch; otherwise the farthest part comes first
};

/// The most parts of which each comes to the root after one that has its target farther away: they need a color each.
std::int32_t longest_descent(const std::vector<std::int32_t>& parts) {
  std::vector<std::int32_t> least;  // negated ends of descents of each length
  for (const std::int32_t part : parts) {
    const auto end = std::lower_bound(least.begin(), least.end(), -part);
    if (end == least.end()) {
      least.push_back(-part);
    } else {
      *end = -part;
    }
  }
  return static_cast<std::int32_t>(least.size());
}

/// What jobs take, in whatever order they are placed.
struct JobTimes {
  JobTimes(const SplitTrees& trees, std::int64_t words_of_part, const Mesh& mesh)
      : waves(trees.waves),
        columns{column_work(*trees.columns[0], words_of_part, mesh),
                column_work(*trees.columns[1], words_of_part, mesh)},
        far(timing_of(*trees.far, words_of_part, mesh)),
        words(words_of_part),
        hop(mesh.hop_latency.value()),
        ramps(2 * mesh.ramp_latency.value()) {}

  bool waves;
  std::array<std::vector<ColumnWork>, 2> columns;  ///< of each side, by tree index
  TreeTiming far;
  std::int64_t words;
  std::int64_t hop;
  std::int64_t ramps;
};

class Planner {
 public:
  Planner(const SplitGrid& grid, const JobTimes& times, const Strategy& strategy, std::vector<std::int32_t> rows)
      : grid_(grid),
        rows_(std::move(rows)),
        times_(times),
        strategy_(strategy),
        busy_(at(grid.height), std::vector<Busy>(at(grid.parts))),
        ready_(at(grid.height), std::vector<std::int64_t>(at(grid.parts), 0)) {
    table_.rows.resize(at(grid.height));
  }

  /// Nothing if it does not end before `limit`.
  std::optional<SplitTimetable> run(std::int64_t limit = kMostCounted) && {
    for (const std::int32_t y : rows_) place_first_flows(y);
    place_batch(0, 0);
    for (std::int32_t first = 1, size = strategy_.first; first < grid_.parts && table_.end < limit;
         first += std::exchange(size, strategy_.batch)) {
      place_batch(first, std::min(first + size, grid_.parts) - 1);
    }
    if (table_.end >= limit) return std::nullopt;
    std::vector<std::int32_t> parts;
    for (const auto& [time, part] : arrivals_) parts.push_back(part);
    table_.descent = longest_descent(parts);
    for (auto& row : table_.rows) {
      std::stable_sort(row.begin(), row.end(), [](const SplitJob& a, const SplitJob& b) { return a.time < b.time; });
    }
    return std::move(table_);
  }

 private:
  /// When a wave is at row y, counted from when it was at the farthest one.
  [[nodiscard]] std::int64_t lag(std::int32_t y) const {
    if (!times_.waves) return 0;
    const std::int32_t farthest = std::max(grid_.root_y, grid_.height - 1 - grid_.root_y);
    return (farthest - std::abs(y - grid_.root_y)) * (times_.hop + times_.ramps + 1);
  }

  void place_first_flows(std::int32_t y) {
    for (std::int32_t i = 0; i < strategy_.early; ++i) place_near(y, grid_.parts - 1 - i);
    std::int64_t from = times_.far.first_arrival;
    const std::int64_t length = times_.words * times_.far.most_children;
    for (std::int32_t part = 0; part < grid_.parts; ++part) {
      if (grid_.far_length(part) == 1) continue;
      const Gang gang{.first = part, .last = grid_.parts - 1, .from = from, .length = length};
      from = place(y, {.kind = SplitJob::Kind::far, .part = part}, gang) + length;
    }
  }

  void place_batch(std::int32_t first, std::int32_t last) {
    std::vector<std::int32_t> parts;
    for (std::int32_t part = first; part <= last; ++part) parts.push_back(part);
    if (!strategy_.nearest_first) std::reverse(parts.begin(), parts.end());
    for (const std::int32_t part : parts) {
      if (part >= grid_.parts - strategy_.early) continue;
      for (const std::int32_t y : rows_) place_near(y, part);
    }
    for (const std::int32_t part : parts) place_columns(part);
  }

  void place_near(std::int32_t y, std::int32_t part) {
    if (grid_.near_length(part, y) == 1) return;
    const Gang gang{.first = grid_.first_near_target(part, y), .last = part, .from = 0, .length = times_.words};
    place(y, {.kind = SplitJob::Kind::near, .part = part}, gang);
  }

  /// Neighbouring targets of a row that do something together.
  struct Gang {
    std::int32_t first = 0;
    std::int32_t last = 0;
    std::int64_t from = 0;
    std::int64_t length = 0;
  };

  /// Puts a job of one row at the earliest time at which all of its targets are free. Returns the cycle.
  std::int64_t place(std::int32_t y, SplitJob job, const Gang& gang) {
    std::int64_t start = gang.from;
    for (bool moved = true; moved;) {
      moved = false;
      for (std::int32_t target = gang.first; target <= gang.last; ++target) {
        const std::int64_t free = busy_[at(y)][at(target)].earliest(start, gang.length);
        moved |= free > start;
        start = free;
      }
    }
    for (std::int32_t target = gang.first; target <= gang.last; ++target) occupy(y, target, start, gang.length);
    auto& ready = ready_[at(y)][at(job.part)];
    ready = std::max(ready, start + gang.length);
    job.time = start - lag(y);
    table_.rows[at(y)].push_back(job);
    return start;
  }

  void occupy(std::int32_t y, std::int32_t target, std::int64_t start, std::int64_t length) {
    busy_[at(y)][at(target)].add(start, start + length);
    table_.end = std::max(table_.end, start + length);
  }

  /// The part's column, from both sides; the later one, of the longer side, takes the sum on to the root.
  void place_columns(std::int32_t part) {
    const bool above = grid_.root_y > 0, below = grid_.root_y < grid_.height - 1;
    if (above && below) place_column(part, grid_.above_is_longer() ? +1 : -1, 0);
    place_column(part, grid_.above_is_longer() ? -1 : +1, 1);
  }

  void place_column(std::int32_t part, std::int32_t direction, std::int32_t side) {
    const std::vector<ColumnWork>& works = times_.columns.at(at(side));
    const auto row = [&](std::int32_t index) { return grid_.root_y + direction * index; };
    std::vector<std::int32_t> indices;
    for (const std::int32_t y : rows_) {
      const std::int32_t index = (y - grid_.root_y) * direction;
      if (index >= 0 && index < static_cast<std::int32_t>(works.size())) indices.push_back(index);
    }
    const auto work = [&](std::int32_t index) {
      return times_.waves
                 ? ColumnWork{.offset = lag(row(index)), .length = times_.words, .forwards = lag(row(index)) + 1}
                 : works[at(index)];
    };
    const bool to_root = side == 1 && part > 0;
    std::int64_t time = -work(0).offset;
    const auto arrival = [&] { return time + work(0).forwards + part * times_.hop + times_.ramps; };
    for (bool moved = true; moved;) {
      const std::int64_t before = time;
      for (const std::int32_t index : indices) {
        const auto [offset, length, forwards] = work(index);
        const std::int64_t start = std::max(time + offset, ready_[at(row(index))][at(part)]);
        time = busy_[at(row(index))][at(part)].earliest(start, length) - offset;
      }
      if (to_root) {
        time += busy_[at(grid_.root_y)][0].earliest(arrival(), times_.words) - arrival();
      }
      moved = time > before;
    }
    for (const std::int32_t index : indices) {
      const auto [offset, length, forwards] = work(index);
      occupy(row(index), part, time + offset, length);
      table_.rows[at(row(index))].push_back(
          {.kind = SplitJob::Kind::column, .part = part, .side = side, .time = time + offset - lag(row(index))});
    }
    ready_[at(grid_.root_y)][at(part)] = time + work(0).offset + work(0).length;
    if (!to_root) return;
    occupy(grid_.root_y, 0, arrival(), times_.words);
    arrivals_.emplace(arrival(), part);
  }

  const SplitGrid& grid_;
  std::vector<std::int32_t> rows_;
  const JobTimes& times_;
  Strategy strategy_;
  std::vector<std::vector<Busy>> busy_;            ///< row, target
  std::vector<std::vector<std::int64_t>> ready_;   ///< row, part: when the target has what the jobs so far bring it
  std::map<std::int64_t, std::int32_t> arrivals_;  ///< at the root: parts by time
  SplitTimetable table_;
};

/// Rows by which strategies are compared: the root's, the farthest, and those that take part in columns in another way than their neighbours.
std::vector<std::int32_t> some_rows(const SplitGrid& grid, const SplitTrees& trees) {
  std::set<std::int32_t> rows{grid.root_y, 0, grid.height - 1};
  for (std::size_t side = 0; side < trees.columns.size(); ++side) {
    const ReductionTree& tree = *trees.columns.at(side);
    const std::int32_t direction = (side == 1) == grid.above_is_longer() ? -1 : 1;
    std::size_t added = 0;
    for (std::int32_t x = 0; x < tree.size() && added < kMostRowsCompared; ++x) {
      const bool differs = x < 2 || tree.child_count(x) != tree.child_count(x - 1);
      if (differs && rows.insert(grid.root_y + direction * x).second) ++added;
    }
  }
  return {rows.begin(), rows.end()};
}

/// Few parts make many of them the same: those are tried once.
std::vector<Strategy> strategies(const SplitGrid& grid, std::int32_t fit) {
  std::vector<Strategy> all;
  std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t, bool>> known;
  const auto add = [&](const Strategy& strategy) {
    const std::int32_t first = std::min(strategy.first, grid.parts - 1);
    const std::int32_t batch = std::min(strategy.batch, grid.parts - 1 - first);
    const bool has_order = std::max(first, batch) > 1;
    if (known.emplace(strategy.early, first, batch, has_order && strategy.nearest_first).second)
      all.push_back(strategy);
  };
  for (std::int32_t early = fit; early <= std::min(fit + 1, grid.parts - 1); ++early) {
    for (const std::int32_t batch : {1, 2, 3, 4, 6}) {
      for (const std::int32_t first : std::set<std::int32_t>{1, 2, 3, batch}) {
        for (const bool nearest_first : {false, true}) {
          if (first <= batch) add({early, first, batch, nearest_first});
        }
      }
    }
  }
  return all;
}

}  // namespace

SplitTimetable split_timetable(const SplitGrid& grid, const SplitTrees& trees, std::int64_t words, const Mesh& mesh) {
  const std::int64_t cycles = saturating_product(words, mesh.receive_interval.value());  // of a port, per message
  const JobTimes times(trees, cycles, mesh);
  const auto fit = static_cast<std::int32_t>(std::min<std::int64_t>(grid.parts - 1, times.far.first_arrival / cycles));
  const auto planner = [&](const Strategy& strategy, const std::vector<std::int32_t>& rows) {
    return Planner(grid, times, strategy, rows);
  };
  // The root receives from both of its sides, from both sides of its column, and the parts.
  const bool has_near = grid.far_length(0)<grid.width, has_both = trees.columns[0]->size()> 1;
  const std::int32_t most_descent = std::max(1, mesh.input_queues - static_cast<int>(mesh.reserved_queues.size()) - 2 -
                                                    (has_near ? 1 : 0) - (has_both ? 1 : 0));
  const std::vector<std::int32_t> some = some_rows(grid, trees);
  std::optional<Strategy> best;
  std::pair<bool, std::int64_t> least;
  for (const Strategy& strategy : strategies(grid, fit)) {
    const auto table = planner(strategy, some).run(best && !least.first ? least.second : kMostCounted);
    if (!table) continue;
    const std::pair rank(table->descent > most_descent, table->end);
    if (best && rank >= least) continue;
    best = strategy;
    least = rank;
  }
  std::vector<std::int32_t> all(at(grid.height));
  std::iota(all.begin(), all.end(), 0);
  return *planner(*best, all).run();
}

}  // namespace muster
