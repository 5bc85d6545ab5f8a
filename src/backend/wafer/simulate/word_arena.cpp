// Takes the memory of processors from the system, on large pages where it has them.
#include "backend/wafer/simulate/word_arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "base/error.h"

namespace muster::wafer {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::align_val_t kAlignment{kLargePage};

}  // namespace

WordArena::WordArena(std::size_t words) : size_(words) {
  if (words == 0) return;
  const std::size_t bytes = words * sizeof(Word);
  words_.reset(static_cast<Word*>(::operator new(bytes, kAlignment)));
#ifdef MADV_HUGEPAGE
  // Only a hint to the system: it changes nothing but the speed.
  if (bytes >= kLargePage) static_cast<void>(::madvise(words_.get(), bytes, MADV_HUGEPAGE));
#endif
  std::fill_n(words_.get(), words, Word{0});
}

std::span<Word> WordArena::take(std::size_t words) {
  MUSTER_ASSERT(with_gap(words) <= size_ - taken_, "the arena of {} words is too small", size_);
  const std::span<Word> part(words_.get() + taken_, words);
  taken_ += with_gap(words);
  return part;
}

void WordArena::Free::operator()(Word* words) const { ::operator delete(words, kAlignment); }

}  // namespace muster::wafer
