// The earliest cycles of a sequence: not before what it waits for, in order, and in no cycle in which a color with priority uses
// the link.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backend/wafer/stream/runs.h"

namespace muster::wafer {

/// Cycles taken by colors with priority. Queried for cycles in rising order.
class Rivals {
 public:
  /// The runs of one rival after another, in the order of time: `after(id)` is the rival after `id`, or negative.
  struct Chain {
    virtual ~Chain() = default;
    /// The runs of `id`, none if it does not count.
    [[nodiscard]] virtual Runs runs(std::int32_t id) const = 0;
    [[nodiscard]] virtual std::int32_t after(std::int32_t id) const = 0;
  };

  void clear() {
    cursors_.clear();
    met_ = false;
  }
  void add(const Chain& chain, std::int32_t id) { cursors_.push_back({.chain = &chain, .id = id}); }
  [[nodiscard]] bool empty() const { return cursors_.empty(); }
  /// The first free cycle from `cycle` on.
  std::int64_t next_free(std::int64_t cycle);
  /// How many of `count` cycles, `stride` apart and starting at a free one, are consecutively free.
  [[nodiscard]] std::int32_t free_length(std::int64_t cycle, std::int32_t stride, std::int32_t count);
  /// Whether a taken cycle was hit.
  [[nodiscard]] bool met() const { return met_; }

 private:
  struct Cursor {
    const Chain* chain = nullptr;
    std::int32_t id = -1;
    std::int32_t run = 0;
    /// The first taken cycle from `cycle` on.
    std::int64_t next(std::int64_t cycle);
    [[nodiscard]] Runs runs() const { return chain->runs(id); }
  };
  static std::int32_t free_length(Cursor cursor, std::int64_t cycle, std::int32_t stride, std::int32_t count);

  std::vector<Cursor> cursors_;
  bool met_ = false;
};

/// What a sequence waits for: element e not before the times listed for it. Without one it is unconstrained.
class Source {
 public:
  void clear() {
    used_ = 0;
    part_ = 0;
    run_ = 0;
    until_ = 0;
  }
  /// Element first + k not before runs.time(k) + offset. Parts do not overlap; they are added from the front on or from
  /// the back on.
  void add(const Runs& runs, std::int64_t first, std::int64_t offset) {
    if (runs.known == 0) return;
    if (used_ == parts_.size()) parts_.emplace_back();
    parts_[used_++] = {runs, first, offset};
  }
  /// Call it once all parts are there.
  void finish() {
    if (used_ < 2 || parts_[0].first < parts_[used_ - 1].first) return;
    std::reverse(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(used_));
  }

  /// Makes the values below hold for `element`. Elements are queried in rising order.
  void seek(std::int32_t element) {
    if (element >= until_) load(element);
    value_ = time_ + static_cast<std::int64_t>(stride_) * (element - at_);
  }
  [[nodiscard]] std::int64_t value() const { return value_; }
  [[nodiscard]] std::int32_t stride() const { return stride_; }
  /// The first element for which they no longer hold.
  [[nodiscard]] std::int32_t until() const { return until_; }

 private:
  struct Part {
    Runs runs;
    std::int64_t first = 0;
    std::int64_t offset = 0;
  };
  void load(std::int32_t element);

  std::vector<Part> parts_;  ///< the first `used` of them; the others keep their memory for later questions
  std::size_t used_ = 0;
  std::size_t part_ = 0;
  std::int32_t run_ = 0;
  std::int64_t time_ = 0;  ///< of element at_
  std::int32_t at_ = 0;
  std::int32_t stride_ = 0;
  std::int32_t until_ = 0;
  std::int64_t value_ = 0;
};

/// Element e not before that of element e - distance, plus `delay`: what a short buffer does to a stream.
struct Throttle {
  std::int32_t distance = 0;  ///< 0: none
  std::int64_t delay = 0;
};

/// The input of a solver.
struct Question {
  std::int32_t count = 0;  ///< elements
  std::int64_t floor = 0;  ///< the first queried one is not before it
  std::int32_t step = 1;   ///< least distance of two
  Runs certain;            ///< the first ones, which are known
  std::int64_t end = 0;    ///< no cycle from here on
};

class Solver {
 public:
  void begin(const Question& question);
  /// At most this many elements.
  void limit(std::int64_t count) {
    question_.count = static_cast<std::int32_t>(std::min<std::int64_t>(question_.count, count));
  }
  Source& add_source();
  void add_throttle(std::int32_t distance, std::int64_t delay);
  Rivals& rivals() { return rivals_; }
  /// The result, valid until the next query.
  Runs solve();
  [[nodiscard]] Runs answer() const { return writer_.runs(); }
  /// Whether some element is later than the first source has it.
  [[nodiscard]] bool late() const { return late_; }
  /// The cycle of the first element that was not before the end; negative: there was none.
  [[nodiscard]] std::int64_t beyond() const { return beyond_; }

 private:
  std::int64_t own_value(const Throttle& throttle, std::int32_t element, std::int32_t& until) const;
  [[nodiscard]] std::int32_t stride_at(std::int64_t time) const;
  [[nodiscard]] std::int32_t overtaken(std::int32_t element, std::int64_t time, std::int32_t stride,
                                       std::int32_t until) const;

  Question question_;
  RunWriter writer_;
  std::vector<Source> sources_;
  std::size_t used_ = 0;
  std::vector<Throttle> throttles_;
  Rivals rivals_;
  bool late_ = false;
  std::int64_t beyond_ = -1;
};

}  // namespace muster::wafer
