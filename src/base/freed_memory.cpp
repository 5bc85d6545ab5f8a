// The settings of glibc's allocator.
#include "base/freed_memory.h"

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace muster {

void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int kGrownBy = 1 << 24;
  (void)mallopt(M_MMAP_MAX, 0);
  (void)mallopt(M_TRIM_THRESHOLD, -1);
  (void)mallopt(M_TOP_PAD, kGrownBy);
#endif
}

}  // namespace muster
