// Independent pieces of work on all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace muster {

struct ParallelOptions {
  unsigned threads = 0;                  ///< 0: as many as the machine has
  std::function<void(double)> progress;  ///< told by the calling thread, from 0 to 1, now and then
};

/// Calls work(0) ... work(count - 1), each once, in any order and concurrently: none may touch what another one writes.
/// The last one begins first, as in a sweep it takes longest. When some throw, the others end, and the exception of
/// the smallest index is thrown again: whatever the threads do, the caller sees the same.
void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work,
                    const ParallelOptions& options = {});

}  // namespace muster
