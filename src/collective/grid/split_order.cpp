// Jobs are taken in the order of their rows; a column is, once all of its rows have come to it. A flow joins the flow of another row where
// no PE of its own row has done anything since: so rows that only differ in times share a phase.
#include "collective/grid/split_order.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "base/error.h"
#include "base/index.h"

namespace muster {
namespace {

class Ordering {
 public:
  Ordering(const SplitGrid& grid, const SplitTimetable& table)
      : grid_(grid),
        table_(table),
        next_(at(grid.height), 0),
        touched_(at(grid.height), std::vector<std::int32_t>(at(grid.parts), -1)),
        has_sum_(at(grid.height), std::vector<bool>(at(grid.parts), false)),
        waiting_(at(grid.parts), {0, 0}) {}

  std::vector<SplitPhase> run() && {
    for (std::int32_t y = 0; y < grid_.height; ++y) open_.push_back(y);
    while (!open_.empty()) {
      const std::int32_t y = open_.back();
      open_.pop_back();
      advance(y);
    }
    for (std::int32_t y = 0; y < grid_.height; ++y) {
      MUSTER_ASSERT(next_[at(y)] == table_.rows[at(y)].size(), "row {} waits for a column that never begins", y);
    }
    for (SplitPhase& phase : phases_) std::sort(phase.rows.begin(), phase.rows.end());
    return std::move(phases_);
  }

 private:
  /// Takes the jobs of a row up to a column that others have not come to.
  void advance(std::int32_t y) {
    const std::vector<SplitJob>& jobs = table_.rows[at(y)];
    while (next_[at(y)] < jobs.size()) {
      const SplitJob& job = jobs[next_[at(y)]];
      if (job.kind == SplitJob::Kind::column) return wait(job);
      ++next_[at(y)];
      add_flow(job, y);
    }
  }

  void wait(const SplitJob& job) {
    const std::vector<std::int32_t> rows = rows_of(job.side);
    if (++waiting_[at(job.part)].at(at(job.side)) < static_cast<std::int32_t>(rows.size())) return;
    const auto number = static_cast<std::int32_t>(phases_.size());
    phases_.push_back({.kind = job.kind, .part = job.part, .side = job.side, .rows = rows});
    for (const std::int32_t y : rows) {
      touched_[at(y)][at(job.part)] = number;
      ++next_[at(y)];
      open_.push_back(y);
    }
    touched_[at(grid_.root_y)][0] = number;  // the root takes the part
  }

  [[nodiscard]] std::vector<std::int32_t> rows_of(std::int32_t side) const {
    const bool is_above = (side == 1) == grid_.above_is_longer();
    std::vector<std::int32_t> rows;
    for (std::int32_t y = is_above ? 0 : grid_.root_y; y <= (is_above ? grid_.root_y : grid_.height - 1); ++y) {
      rows.push_back(y);
    }
    return rows;
  }

  void add_flow(const SplitJob& job, std::int32_t y) {
    const bool is_far = job.kind == SplitJob::Kind::far;
    const std::int32_t first = is_far ? job.part : grid_.first_near_target(job.part, y);
    const std::int32_t last = is_far ? grid_.parts - 1 : job.part;
    std::int32_t since = 0;
    for (std::int32_t target = first; target <= last; ++target) {
      since = std::max(since, touched_[at(y)][at(target)] + 1);
    }
    const bool adds = has_sum_[at(y)][at(job.part)];
    has_sum_[at(y)][at(job.part)] = true;
    std::vector<std::int32_t>& alike = flows_[{job.kind, job.part, adds, y == grid_.root_y}];
    auto number = std::lower_bound(alike.begin(), alike.end(), since);
    if (number == alike.end()) {
      number = alike.insert(alike.end(), static_cast<std::int32_t>(phases_.size()));
      phases_.push_back({.kind = job.kind, .part = job.part, .adds = adds, .rows = {}});
    }
    phases_[at(*number)].rows.push_back(y);
    for (std::int32_t target = first; target <= last; ++target) touched_[at(y)][at(target)] = *number;
  }

  const SplitGrid& grid_;
  const SplitTimetable& table_;
  std::vector<std::size_t> next_;                   ///< of each row: the job that comes
  std::vector<std::vector<std::int32_t>> touched_;  ///< row, target: the last phase in which it did something; -1: none
  std::vector<std::vector<bool>> has_sum_;          ///< row, part
  std::vector<std::array<std::int32_t, 2>> waiting_;  ///< part, side: rows that have come to the column
  std::vector<std::int32_t> open_;                    ///< rows that may go on
  std::map<std::tuple<SplitJob::Kind, std::int32_t, bool, bool>, std::vector<std::int32_t>> flows_;
  std::vector<SplitPhase> phases_;
};

}  // namespace

std::vector<SplitPhase> split_phases(const SplitGrid& grid, const SplitTimetable& table) {
  return Ordering(grid, table).run();
}

}  // namespace muster
