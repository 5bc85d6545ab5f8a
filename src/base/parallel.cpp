// Every thread takes the next index until none is left; the caller waits and tells how far they are.
#include "base/parallel.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace muster {

namespace {

constexpr std::chrono::milliseconds kBetweenReports{100};

/// Which indices are taken and done, and what was thrown. Work is never as short as a lock takes.
class Pool {
 public:
  Pool(std::size_t count, const std::function<void(std::size_t)>& work)
      : count_(count), left_(count), work_(work), thrown_(count) {}

  void run() {
    for (std::size_t i = take(); i < count_; i = take()) {
      std::exception_ptr exception;
      try {
        work_(i);
      } catch (...) {
        exception = std::current_exception();
      }
      finish(i, exception);
    }
  }

  void wait(const std::function<void(double)>& progress) {
    std::unique_lock lock(mutex_);
    for (bool all_done = false; !all_done;) {
      all_done = changed_.wait_for(lock, kBetweenReports, [this] { return done_ == count_; });
      if (!progress) continue;
      const double fraction = count_ == 0 ? 1.0 : static_cast<double>(done_) / static_cast<double>(count_);
      lock.unlock();
      progress(fraction);
      lock.lock();
    }
  }

  void rethrow() const {
    for (const std::exception_ptr& exception : thrown_) {
      if (exception) std::rethrow_exception(exception);
    }
  }

 private:
  /// The largest index that no thread has taken; count_ if there is none.
  std::size_t take() {
    const std::lock_guard lock(mutex_);
    return left_ == 0 ? count_ : --left_;
  }

  void finish(std::size_t index, const std::exception_ptr& exception) {
    const std::lock_guard lock(mutex_);
    thrown_[index] = exception;
    if (++done_ == count_) changed_.notify_all();
  }

  std::size_t count_;
  std::size_t left_;
  std::size_t done_ = 0;
  const std::function<void(std::size_t)>& work_;
  std::vector<std::exception_ptr> thrown_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace

void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work, const ParallelOptions& options) {
  const std::size_t cores = options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  Pool pool(count, work);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(cores, count); ++i) threads.emplace_back([&pool] { pool.run(); });
    pool.wait(options.progress);
  }
  pool.rethrow();
}

}  // namespace muster
