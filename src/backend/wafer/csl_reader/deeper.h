// Evaluation recurses over the tree; no program may recurse until the stack is full.
#pragma once

#include "backend/wafer/csl_reader/source.h"

namespace muster::wafer::csl {

inline constexpr int kDeepestEvaluation = 1500;

class DepthGuard {
 public:
  DepthGuard(int& depth, const Place& place) : depth_(depth) {
    if (++depth_ > kDeepestEvaluation) {
      --depth_;
      fail(place, "evaluation nested more than {} deep", kDeepestEvaluation);
    }
  }
  ~DepthGuard() { --depth_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;

 private:
  int& depth_;
};

}  // namespace muster::wafer::csl
