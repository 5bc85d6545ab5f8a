// A program that negates must do so with all that it combines: what the host gave before, what the host gets after.
#include "backend/wafer/csl_reader/rebuild.h"
#include "base/index.h"

namespace muster::wafer::csl {

namespace {

/// The arrays that the host knows and whose elements an instruction reads before one has stored them, by memory.
std::map<std::int32_t, Location> read_as_given(const ProcessorTrace& trace) {
  std::map<std::int32_t, Location> found;
  std::vector<std::vector<bool>> stored;
  for (const Memory& memory : trace.memories) stored.emplace_back(at(memory.elements), false);
  for (const Instruction& i : trace.instructions) {
    for (const MemoryWalk& walk : i.sources) {
      for (std::int64_t k = 0; k < i.extent; ++k) {
        const bool is_given = !stored[at(walk.memory)][at(walk.first + k * walk.stride)];
        if (is_given && trace.memories[at(walk.memory)].exported) found.try_emplace(walk.memory, i.location);
      }
    }
    if (!i.stores) continue;
    for (std::int64_t k = 0; k < i.extent; ++k) {
      stored[at(i.stores->memory)][at(i.stores->first + k * i.stores->stride)] = true;
    }
  }
  return found;
}

}  // namespace

void Rebuilder::check_negations(const ProcessorTrace& trace) {
  const auto& [before, after] = trace.negations;
  const auto name = [&](std::int32_t memory) { return trace.memories[at(memory)].name; };
  if (trace.instructions.empty()) {  // no PE has its output
    for (const auto& [memory, location] : before) {
      if (name(memory) == buffer_name(Buffer::input))
        fail(location, "'{}' is negated, and nothing follows", name(memory));
    }
    return;
  }
  const Location& first = trace.instructions.front().location;
  const bool negates = !before.empty() || !after.empty();
  if (negated_.value_or(negates) != negates) fail(first, "some PEs negate their vectors, others do not");
  negated_ = negates;
  if (!negates) return;
  for (const auto& [memory, location] : read_as_given(trace)) {
    if (!before.contains(memory))
      fail(location, "'{}' is not negated before the first instruction; others are", name(memory));
  }
  for (const auto& [memory, location] : before) {
    if (!after.contains(memory)) fail(location, "'{}' is not negated again after the last instruction", name(memory));
  }
  for (const Instruction& i : trace.instructions) {
    if (!i.stores || after.contains(i.stores->memory)) continue;
    if (placement(i.stores->memory, i.location).buffer == Buffer::scratch) continue;
    fail(i.location, "'{}' is not negated after the last instruction; others are", name(i.stores->memory));
  }
}

}  // namespace muster::wafer::csl
