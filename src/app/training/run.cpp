// Task after task, while the carrier goes on beside.
#include <limits>

#include "app/training/train.h"
#include "base/error.h"
#include "base/index.h"

namespace muster::training {
namespace {

constexpr Ticks kForever(std::numeric_limits<std::int64_t>::max());

class Runner {
 public:
  Runner(const Iteration& iteration, Carrier& carrier)
      : iteration_(iteration), carrier_(carrier), numbers_(iteration.transfers.size(), -1) {}

  Breakdown run() && {
    for (const Task& task : iteration_.tasks) {
      const Ticks start = carrier_.now();
      if (task.kind == Task::Kind::begin) {
        begin(task.transfer);
        continue;
      }
      if (task.kind == Task::Kind::compute) {
        while (go_on(start + task.time)) continue;
      } else {
        while (!ended_[at(numbers_[at(task.transfer)])]) {
          const bool went_on = go_on(kForever);
          MUSTER_ASSERT(went_on, "transfer {} never ends", task.transfer);
        }
      }
      breakdown_.parts[at(static_cast<int>(task.share))] += carrier_.now() - start;
    }
    breakdown_.end = carrier_.now();
    return breakdown_;
  }

 private:
  void begin(std::int32_t transfer) {
    numbers_[at(transfer)] = carrier_.begin(iteration_.transfers[at(transfer)]);
    ended_.push_back(false);
    ++under_way_;
  }

  /// Whether something ended before `limit`.
  bool go_on(Ticks limit) {
    const Ticks start = carrier_.now();
    const std::optional<std::int32_t> ended = carrier_.next_end(limit);
    if (under_way_ > 0) breakdown_.communicating += carrier_.now() - start;
    if (!ended) return false;
    ended_[at(*ended)] = true;
    --under_way_;
    return true;
  }

  const Iteration& iteration_;
  Carrier& carrier_;
  std::vector<std::int32_t> numbers_;  ///< of transfers, at the carrier
  std::vector<bool> ended_;            ///< by these
  std::int64_t under_way_ = 0;
  Breakdown breakdown_;
};

}  // namespace

Breakdown run(const Iteration& iteration, Carrier& carrier) { return Runner(iteration, carrier).run(); }

}  // namespace muster::training
