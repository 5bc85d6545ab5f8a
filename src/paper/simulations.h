// Simulations of claims that are checked together: many compare the same run with something else.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "plan/plan.h"
#include "result/result.h"

namespace muster {

/// Runs that have been made, by what was asked. For several threads.
class Simulations {
 public:
  /// The result for `key`: `make` is called for the first who asks, and others wait for it. What it throws is not kept.
  const Result& of(const std::string& key, const std::function<Result()>& make);

 private:
  struct Entry {
    std::once_flag is_made;
    Result result;
  };
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;
};

/// A job of a claim. Jobs whose settings, collectives, counts, types and calls are equal are equal.
struct ClaimJob : Job {
  std::string setting;  ///< the machine's name, what is changed of it, its shape and the family's options
  Simulations* simulations = nullptr;  ///< null: nothing is shared
};

}  // namespace muster
