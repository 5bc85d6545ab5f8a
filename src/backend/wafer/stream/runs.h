// Times of wavelets as a short list of runs: how the stream engine represents a stream.
//
// A sequence gives the cycle of each element: elements [first, first of the next run) of a run happen `stride` cycles
// apart, from `time` on. A stream without stalls is one run; each stall adds one.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/index.h"

namespace muster::wafer {

inline constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max() / 4;

struct Run {
  std::int64_t time = 0;
  std::int32_t first = 0;
  std::int32_t stride = 1;
};

/// The first `known` elements of a sequence.
struct Runs {
  const Run* begin = nullptr;
  std::int32_t size = 0;
  std::int32_t known = 0;

  [[nodiscard]] std::int32_t end_of(std::int32_t run) const { return run + 1 < size ? begin[run + 1].first : known; }
  [[nodiscard]] std::int64_t time_of(std::int32_t run, std::int32_t element) const {
    return begin[run].time + static_cast<std::int64_t>(begin[run].stride) * (element - begin[run].first);
  }
  /// The cycle of the last element of a run.
  [[nodiscard]] std::int64_t last_of(std::int32_t run) const { return time_of(run, end_of(run) - 1); }
  /// Of all known elements; there is at least one.
  [[nodiscard]] std::int64_t first() const { return begin[0].time; }
  [[nodiscard]] std::int64_t last() const { return last_of(size - 1); }
  /// The cycle of one element, by search.
  [[nodiscard]] std::int64_t time(std::int32_t element) const;
  /// How many elements are before `cycle`.
  [[nodiscard]] std::int32_t count_before(std::int64_t cycle) const;
  /// The first elements alone.
  [[nodiscard]] Runs prefix(std::int32_t elements) const;
};

/// Whether both give every element the same cycle; a sequence may have several lists of runs.
bool same_times(const Runs& a, const Runs& b);

/// A list of runs that is being made, in the order of elements.
class RunWriter {
 public:
  void begin(const Runs& runs) {
    runs_.assign(runs.begin, runs.begin + runs.size);
    known_ = runs.known;
  }
  /// Elements [known, known + count), from `time` on.
  void add(std::int64_t time, std::int32_t count, std::int32_t stride);
  [[nodiscard]] Runs runs() const { return {runs_.data(), static_cast<std::int32_t>(runs_.size()), known_}; }

 private:
  std::vector<Run> runs_;
  std::int32_t known_ = 0;
};

/// Many sequences in one array.
class Sequences {
 public:
  explicit Sequences(std::size_t count) : entries_(count) {}
  [[nodiscard]] Runs operator[](std::int32_t id) const {
    const Entry& e = entries_[at(id)];
    return {pool_.data() + e.begin, e.size, e.known};
  }
  void set(std::int32_t id, const Runs& runs);

 private:
  struct Entry {
    std::int64_t begin = 0;
    std::int32_t size = 0;
    std::int32_t capacity = 0;
    std::int32_t known = 0;
  };
  std::vector<Entry> entries_;
  std::vector<Run> pool_;
};

}  // namespace muster::wafer
