// Thread blocks run as far as they can, again and again. What each can do depends on nothing but how far the others are, and
// nothing that was possible becomes impossible, so the order in which they are tried does not matter.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "backend/cluster/msccl/lift.h"
#include "base/index.h"

namespace muster::msccl {
namespace {

using std::int32_t;

class Runner {
 public:
  Runner(const Algo& algo, int32_t slots) : slots_(slots) {
    std::map<std::tuple<int32_t, int32_t, int32_t>, std::size_t> connections;
    const auto connection = [&](int32_t from, int32_t to, int32_t channel) {
      return connections.emplace(std::tuple(from, to, channel), connections.size()).first->second;
    };
    for (int32_t g = 0; g < static_cast<int32_t>(algo.gpus.size()); ++g) {
      first_.push_back(blocks_.size());
      for (const ThreadBlock& block : algo.gpus[at(g)].blocks) {
        Running r{.gpu = g, .block = &block};
        if (block.send != kNone) r.out = connection(g, block.send, block.channel);
        if (block.receive != kNone) r.in = connection(block.receive, g, block.channel);
        blocks_.push_back(r);
      }
    }
    sent_.assign(connections.size(), 0);
    received_.assign(connections.size(), 0);
    is_waited_for_.assign(connections.size(), false);
  }

  bool run() {
    for (moved_ = true; moved_;) {
      moved_ = false;
      for (Running& r : blocks_) {
        while (r.next < r.block->steps.size() && advance(r)) moved_ = true;
      }
    }
    return std::all_of(blocks_.begin(), blocks_.end(),
                       [](const Running& r) { return r.next == r.block->steps.size(); });
  }

  /// The first few thread blocks that have not ended, and what they wait for.
  [[nodiscard]] std::string stuck() const {
    constexpr int kMostNamed = 4;
    std::string text;
    int named = 0;
    for (const Running& r : blocks_) {
      if (r.next == r.block->steps.size()) continue;
      if (named++ == kMostNamed) return text + "; ...";
      text += fmt::format("{}step {} of thread block {} of GPU {} waits for {}", text.empty() ? "" : "; ", r.next,
                          &r - (blocks_.data() + first_[at(r.gpu)]), r.gpu, waits_for(r));
    }
    return text;
  }

 private:
  struct Running {
    int32_t gpu = 0;
    const ThreadBlock* block = nullptr;
    std::size_t next = 0;  ///< step
    std::size_t in = 0, out = 0;
  };

  bool advance(Running& r) {
    const Step& step = r.block->steps[r.next];
    if (!is_done(r, step.dependency)) return false;
    if (receives(step.type)) {
      moved_ |= !is_waited_for_[r.in];  // whose sender may continue now
      is_waited_for_[r.in] = true;
      if (received_[r.in] >= sent_[r.in]) return false;
    }
    // A send without slots goes when the other side waits for it.
    if (sends(step.type)) {
      const bool has_room =
          sent_[r.out] - received_[r.out] < slots_ || (sent_[r.out] == received_[r.out] && is_waited_for_[r.out]);
      if (!has_room) return false;
      ++sent_[r.out];
    }
    if (receives(step.type)) {
      ++received_[r.in];
      is_waited_for_[r.in] = false;
    }
    ++r.next;
    return true;
  }
  [[nodiscard]] bool is_done(const Running& r, const Dependency& d) const {
    return d.block == kNone || blocks_[first_[at(r.gpu)] + at(d.block)].next > at(d.step);
  }
  [[nodiscard]] std::string waits_for(const Running& r) const {
    const Step& step = r.block->steps[r.next];
    if (!is_done(r, step.dependency)) {
      return fmt::format("step {} of thread block {}", step.dependency.step, step.dependency.block);
    }
    if (receives(step.type) && received_[r.in] >= sent_[r.in]) {
      return fmt::format("a message from GPU {} on channel {}", r.block->receive, r.block->channel);
    }
    return fmt::format("buffer space to send to GPU {} on channel {}", r.block->send, r.block->channel);
  }

  std::int64_t slots_;
  std::vector<Running> blocks_;
  std::vector<std::size_t> first_;  ///< of each GPU, in blocks_
  std::vector<std::int64_t> sent_, received_;
  bool moved_ = false;
  std::vector<bool> is_waited_for_;  ///< of each connection: its receiver is at a step that receives
};

}  // namespace

Slots least_slots(const Algo& algo) {
  constexpr int32_t kMany = kMostSteps;  // a thread block sends no more
  Runner unlimited(algo, kMany);
  if (!unlimited.run()) return {.least = std::nullopt, .stuck = unlimited.stuck()};
  // Few are enough as a rule, so they are tried first.
  int32_t low = 0, high = 1;
  while (high < kMany && !Runner(algo, high).run()) low = std::exchange(high, 2 * high) + 1;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (Runner(algo, middle).run()) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return {.least = low, .stuck = {}};
}

}  // namespace muster::msccl
