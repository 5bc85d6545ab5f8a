// What the evaluation of a stranger's program may use up: steps, array elements, nested evaluations and calls.
#pragma once

#include <algorithm>
#include <cstdint>

#include "backend/wafer/csl_reader/source.h"

namespace muster::wafer::csl {

/// Counts what is used, and throws InputError at the location where a limit is passed.
class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits), allowed_(limits.steps) {}

  /// One more node is evaluated.
  void step(const Location& location) {
    if (++steps_ > allowed_) fail(location, "the program is not done after {} steps of evaluation", allowed_);
  }
  /// Something is done that a program does only so often: it may continue for as many steps more. So an endless loop is found
  /// soon, and yet a program for a whole wafer may take its time.
  void allow(std::int64_t steps) {
    const std::int64_t most = std::max(limits_.most_steps, allowed_);
    allowed_ = steps > most - allowed_ ? most : allowed_ + steps;
  }
  /// An array of so many elements is made.
  void use_cells(std::int64_t count, const Location& location) {
    if (count < 0 || count > limits_.cells - cells_) {
      fail(location, "the arrays of the program have more than {} elements", limits_.cells);
    }
    cells_ += count;
    allow(count * limits_.steps_per_cell);
  }

  /// One level of recursion, for as long as it exists.
  class Level {
   public:
    Level(int& depth, int most, const char* what, const Location& location) : depth_(depth) {
      if (depth_ >= most) fail(location, "{} nested more than {} deep", what, most);
      ++depth_;
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    int& depth_;
  };
  /// Evaluation recurses over the tree; no program may recurse until the stack is full.
  [[nodiscard]] Level deeper(const Location& location) { return {depth_, kDeepestEvaluation, "evaluation", location}; }
  [[nodiscard]] Level import(const Location& location) { return {calls_, limits_.nesting, "imports", location}; }
  [[nodiscard]] Level call(const Location& location) { return {calls_, limits_.nesting, "calls", location}; }

 private:
  static constexpr int kDeepestEvaluation = 1500;

  const Limits& limits_;
  std::int64_t steps_ = 0;
  std::int64_t allowed_;  ///< steps
  std::int64_t cells_ = 0;
  int depth_ = 0;
  int calls_ = 0;
};

}  // namespace muster::wafer::csl
