// One server per group of NPUs, which goes on with the most urgent transfer at any time.
#include <algorithm>
#include <set>

#include "app/training/carrier.h"
#include "base/index.h"

namespace muster::training {
namespace {

class Ideal : public Carrier {
 public:
  explicit Ideal(const Iteration& iteration) : groups_(iteration.groups.size()) {}

  std::int32_t begin(const Transfer& transfer) override {
    const auto number = static_cast<std::int32_t>(left_.size());
    left_.push_back(transfer.ideal);
    groups_[at(transfer.group)].emplace(transfer.urgency, number);
    return number;
  }

  std::optional<std::int32_t> next_end(Ticks limit) override {
    Group* next = nullptr;
    for (Group& group : groups_) {
      if (!group.empty() && (next == nullptr || left_of(group) < left_of(*next))) next = &group;
    }
    if (next == nullptr || left_of(*next) > limit - now_) {
      go_on(limit - now_);
      return std::nullopt;
    }
    go_on(left_of(*next));
    const std::int32_t ended = next->begin()->second;
    next->erase(next->begin());
    return ended;
  }

  [[nodiscard]] Ticks now() const override { return now_; }

 private:
  /// Urgency and number of what is under way: the first one is sent.
  using Group = std::set<std::pair<Urgency, std::int32_t>>;

  [[nodiscard]] Ticks left_of(const Group& group) const { return left_[at(group.begin()->second)]; }

  void go_on(Ticks time) {
    for (const Group& group : groups_) {
      if (!group.empty()) left_[at(group.begin()->second)] = left_of(group) - time;
    }
    now_ += time;
  }

  std::vector<Group> groups_;
  std::vector<Ticks> left_;  ///< to send of each transfer
  Ticks now_;
};

}  // namespace

std::unique_ptr<Carrier> ideal_carrier(const Iteration& iteration) { return std::make_unique<Ideal>(iteration); }

}  // namespace muster::training
