// The caller begins a round, does its own share and those that no thread has taken by then, and waits for the rest. So it depends on a
// thread only while that thread is at work: where cores are busy with other things, a thread that waits for its turn holds up
// nobody.
#include "base/crew.h"

#include <chrono>

namespace muster {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSpins = 4000;                     ///< of a wait: some microseconds
constexpr int kYields = 200;                     ///< after that, before it sleeps
constexpr std::uint32_t kMostLate = 8;           ///< rounds in a row without help
constexpr std::uint32_t kAlone = 2000;           ///< rounds before threads are tried again
constexpr std::chrono::microseconds kLong{200};  ///< a thread that takes so much longer than the caller was interrupted

/// Returns when the number is no longer `old`: looks again and again, since most waits are short, then lets others run,
/// and at last sleeps.
void wait(const std::atomic<std::uint32_t>& number, std::uint32_t old) {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (number.load(std::memory_order_acquire) != old) return;
  }
  for (int yield = 0; yield < kYields; ++yield) {
    if (number.load(std::memory_order_acquire) != old) return;
    std::this_thread::yield();
  }
  number.wait(old);
}

}  // namespace

Crew::Crew(std::size_t members, std::function<void(std::size_t)> work)
    : members_(members), work_(std::move(work)), thrown_(members), shares_(members) {}

Crew::~Crew() {
  is_over_ = true;
  round_.fetch_add(1);
  round_.notify_all();
}

void Crew::run() {
  if (alone_ > 0 || members_ == 1) {
    if (alone_ > 0) --alone_;
    for (std::size_t member = 0; member < members_; ++member) work_as(member);
  } else {
    run_together();
  }
  rethrow();
}

void Crew::run_together() {
  if (threads_.empty()) start();
  left_.store(static_cast<std::uint32_t>(members_ - 1));
  const std::uint32_t round = round_.fetch_add(1) + 1;
  round_.notify_all();
  const auto begin = Clock::now();
  work_as(0);
  const auto own = Clock::now();
  bool was_late = false;
  for (std::size_t member = 1; member < members_; ++member) {
    if (!take(member, round)) continue;
    was_late = true;
    work_as(member);
    left_.fetch_sub(1);
  }
  for (std::uint32_t left = left_.load(); left != 0; left = left_.load()) wait(left_, left);
  if (!was_late) was_late = Clock::now() - own > kLong + 4 * (own - begin);
  late_ = was_late ? late_ + 1 : 0;
  if (late_ < kMostLate) return;
  late_ = 0;
  alone_ = kAlone;
}

void Crew::start() {
  for (std::size_t member = 1; member < members_; ++member) {
    threads_.emplace_back([this, member] { serve(member); });
  }
}

void Crew::serve(std::size_t member) {
  std::uint32_t round = 0;
  while (true) {
    wait(round_, round);
    round = round_.load();  // a late thread misses rounds
    if (is_over_) return;
    if (!take(member, round)) continue;
    work_as(member);
    if (left_.fetch_sub(1) == 1) left_.notify_one();
  }
}

/// Whether the share of this round is the caller's: nobody took it before.
bool Crew::take(std::size_t member, std::uint32_t round) {
  std::uint32_t before = shares_[member].taken.load();
  return static_cast<std::int32_t>(round - before) > 0 && shares_[member].taken.compare_exchange_strong(before, round);
}

void Crew::work_as(std::size_t member) {
  try {
    work_(member);
  } catch (...) {
    thrown_[member] = std::current_exception();
  }
}

void Crew::rethrow() {
  std::exception_ptr first;
  for (std::exception_ptr& exception : thrown_) {
    if (exception && !first) first = exception;
    exception = nullptr;
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace muster
