// What the allocator does with memory that was freed.
#pragma once

namespace muster {

/// For programs whose large blocks come and go stage by stage: what one stage frees serves the next one. Otherwise the system
/// takes it back, and clears every page before it hands it out again. Does nothing where the allocator is another one.
void keep_freed_memory();

}  // namespace muster
