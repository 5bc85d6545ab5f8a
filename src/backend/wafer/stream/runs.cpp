// Lists of runs.
#include "backend/wafer/stream/runs.h"

#include <algorithm>

namespace muster::wafer {

std::int64_t Runs::time(std::int32_t element) const {
  const Run* run =
      std::upper_bound(begin, begin + size, element, [](std::int32_t e, const Run& r) { return e < r.first; }) - 1;
  return time_of(static_cast<std::int32_t>(run - begin), element);
}

std::int32_t first_gain(const Runs& old, const Runs& now) {
  const std::int32_t known = std::min(old.known, now.known);
  std::int32_t i = 0, j = 0;
  for (std::int32_t e = 0; e < known;) {
    while (old.end_of(i) <= e) ++i;
    while (now.end_of(j) <= e) ++j;
    const std::int32_t end = std::min({old.end_of(i), now.end_of(j), known});
    const std::int64_t ahead = old.time_of(i, e) - now.time_of(j, e);
    const std::int64_t faster = old.begin[i].stride - now.begin[j].stride;
    if (ahead > 0) return e;
    if (faster > 0) {
      const std::int64_t steps = -ahead / faster + 1;
      if (steps < end - e) return e + static_cast<std::int32_t>(steps);
    }
    e = end;
  }
  return -1;
}

bool same_times(const Runs& a, const Runs& b) {
  if (a.known != b.known) return false;
  std::int32_t i = 0, j = 0;
  for (std::int32_t e = 0; e < a.known;) {
    while (a.end_of(i) <= e) ++i;
    while (b.end_of(j) <= e) ++j;
    const std::int32_t end = std::min(a.end_of(i), b.end_of(j));
    if (a.time_of(i, e) != b.time_of(j, e)) return false;
    if (end - e > 1 && a.begin[i].stride != b.begin[j].stride) return false;
    e = end;
  }
  return true;
}

void RunWriter::add(std::int64_t time, std::int32_t count, std::int32_t stride) {
  if (!runs_.empty()) {
    Run& last = runs_.back();
    const std::int32_t length = known_ - last.first;
    const std::int64_t gap = time - (last.time + static_cast<std::int64_t>(last.stride) * (length - 1));
    const bool continues = (length == 1 || gap == last.stride) && (count == 1 || gap == stride);
    if (continues && gap <= INT32_MAX) {
      last.stride = static_cast<std::int32_t>(gap);
      known_ += count;
      return;
    }
  }
  runs_.push_back({.time = time, .first = known_, .stride = stride});
  known_ += count;
}

void Sequences::set(std::int32_t id, const Runs& runs) {
  Entry& e = entries_[at(id)];
  if (runs.size > e.capacity) {
    e.begin = static_cast<std::int64_t>(pool_.size());
    e.capacity = e.capacity == 0 ? runs.size : std::max(runs.size, 2 * e.capacity);
    pool_.resize(pool_.size() + at(e.capacity));
  }
  e.size = runs.size;
  e.known = runs.known;
  std::copy_n(runs.begin, runs.size, pool_.begin() + e.begin);
}

void Sequences::truncate(std::int32_t id, std::int32_t known) {
  Entry& e = entries_[at(id)];
  e.known = known;
  while (e.size > 0 && pool_[at(e.begin + e.size - 1)].first >= known) --e.size;
}

}  // namespace muster::wafer
