// Threads that do short pieces of work together, again and again, and meet after each: in a microsecond, where for_each_index takes
// many.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace muster {

class Crew {
 public:
  /// Every call of run() will call work(0) ... work(members - 1).
  Crew(std::size_t members, std::function<void(std::size_t)> work);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  Crew(Crew&&) = delete;
  Crew& operator=(Crew&&) = delete;

  /// work(0) here, the others at the same time on a thread each, or here if that thread is late: none may touch what another one
  /// writes. What they did is visible here when this returns, and to all of them in the next call. When some throw, the exception
  /// of the smallest index is thrown again. Threads are started by the first call, and left alone for a while when they
  /// do not help because the cores have other work.
  void run();

 private:
  /// A thread's share of a round, which it or the caller takes.
  struct alignas(64) Share {
    std::atomic<std::uint32_t> taken = 0;  ///< the last round in which it was
  };
  void start();
  void serve(std::size_t member);
  bool take(std::size_t member, std::uint32_t round);
  void work_as(std::size_t member);
  void run_together();
  void rethrow();

  std::size_t members_;
  std::function<void(std::size_t)> work_;
  std::vector<std::exception_ptr> thrown_;  ///< by each member
  std::vector<Share> shares_;
  std::uint32_t late_ = 0;                            ///< rounds in a row in which threads did not help
  std::uint32_t alone_ = 0;                           ///< rounds to go without them
  std::atomic<bool> is_over_ = false;                 ///< told by the next round
  alignas(64) std::atomic<std::uint32_t> round_ = 0;  ///< that is, or was, at work
  alignas(64) std::atomic<std::uint32_t> left_ = 0;   ///< shares that are not done
  std::vector<std::jthread> threads_;                 ///< of the members from 1 on; they end before the rest goes
};

}  // namespace muster
