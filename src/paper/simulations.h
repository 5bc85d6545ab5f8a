// What claims that are checked together simulate: many compare the same run with something else.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "plan/plan.h"
#include "result/result.h"
#include "result/training.h"

namespace muster {

/// Answers by what was asked. For several threads.
template <class Answer>
class Shared {
 public:
  /// The answer for `key`: `make` is called for the first who asks, and others wait for it. What it throws is not kept.
  const Answer& of(const std::string& key, const std::function<Answer()>& make) {
    Entry& entry = entry_of(key);
    std::call_once(entry.is_made, [&] { entry.answer = make(); });
    return entry.answer;
  }

 private:
  /// With a lock of its own, so that different answers are made concurrently.
  struct Entry {
    std::once_flag is_made;
    Answer answer{};
  };
  Entry& entry_of(const std::string& key) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Entry>& found = entries_[key];
    if (found == nullptr) found = std::make_unique<Entry>();
    return *found;
  }
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;
};

struct Simulations {
  Shared<Result> collectives;
  Shared<TrainingAnswer> training;
  Shared<double> shots;  ///< seconds per step, as measured
};

/// A job of a claim. Jobs whose settings, collectives, counts, types and calls are equal are equal.
struct ClaimJob : Job {
  std::string setting;  ///< the machine's name, what is changed of it, its shape and the family's options
  Simulations* simulations = nullptr;  ///< null: nothing is shared
};

}  // namespace muster
