// Lists of runs.
#include "backend/wafer/stream/runs.h"

#include <algorithm>

namespace muster::wafer {

std::int64_t Runs::time(std::int32_t element) const {
  const Run* run =
      std::upper_bound(begin, begin + size, element, [](std::int32_t e, const Run& r) { return e < r.first; }) - 1;
  return time_of(static_cast<std::int32_t>(run - begin), element);
}

std::int32_t Runs::count_before(std::int64_t cycle) const {
  std::int32_t run = size - 1;
  while (run >= 0 && begin[run].time >= cycle) --run;
  if (run < 0) return 0;
  const std::int64_t steps = (cycle - 1 - begin[run].time) / begin[run].stride;
  return static_cast<std::int32_t>(std::min<std::int64_t>(end_of(run), begin[run].first + steps + 1));
}

Runs Runs::prefix(std::int32_t elements) const {
  Runs result{begin, size, std::min(known, elements)};
  while (result.size > 0 && begin[result.size - 1].first >= result.known) --result.size;
  return result;
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

}  // namespace muster::wafer
