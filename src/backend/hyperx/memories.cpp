// Buffers of one length for all cores, core by core.
#include "backend/hyperx/memories.h"

#include <algorithm>

#include "base/saturating.h"
#include "machine/routing.h"
#include "schedule/rank_by_rank.h"

namespace muster::hyperx {
namespace {

std::int64_t extent_of(const HyperXProgram& program) {
  std::int64_t extent = 0;
  for (const Segment& segment : program.registers.segments) extent = std::max(extent, segment.elements.end());
  for (const Contract& contract : program.contracts) extent = std::max(extent, contract.count);
  return extent;
}

}  // namespace

std::int64_t words_held(const HyperXProgram& program) {
  return saturating_product(extent_of(program), rank_count(program.machine));
}

Memories::Memories(const HyperXProgram& program, std::uint64_t seed) : program_(program), extent_(extent_of(program)) {
  const auto ranks = at(rank_count(program.machine));
  const auto use = [&](Buffer buffer) {
    if (buffer == Buffer::none || !buffers_[index(buffer)].empty()) return;
    buffers_[index(buffer)].resize(ranks * at(extent_));
    is_written_[index(buffer)].resize(ranks);
  };
  for (const Segment& segment : program.registers.segments) {
    use(segment.from);
    use(segment.to);
  }
  for (const Contract& contract : program.contracts) {
    use(contract.from);
    use(contract.to);
    HeldRankByRank held_by(contract);
    for (std::int32_t i = 0; i < std::ssize(contract.ranks); ++i) {
      const NodeId rank = contract.ranks[at(i)];
      for (const Range& held : held_by.of(i)) {
        is_written_[index(contract.from)][at(rank)] = true;  // what is owed where it is held is there
        const auto words =
            std::span(buffers_[index(contract.from)]).subspan(at(rank * extent_ + held.first), at(held.count));
        program.arithmetic.inputs(rank, held.first, seed, words);
      }
    }
  }
}

void Memories::write(NodeId rank, Buffer buffer, std::int64_t first, std::span<const Word> words) {
  if (words.empty()) return;
  std::ranges::copy(words, buffers_[index(buffer)].begin() + rank * extent_ + first);
  is_written_[index(buffer)][at(rank)] = true;
}

Outputs Memories::outputs() const {
  Outputs outputs(at(rank_count(program_.machine)));
  for (const Contract& contract : program_.contracts) {
    OwedRankByRank owed_by(contract);
    for (std::int32_t i = 0; i < std::ssize(contract.ranks); ++i) {
      const NodeId rank = contract.ranks[at(i)];
      if (!is_written_[index(contract.to)][at(rank)] || owed_by.of(i).empty()) continue;
      const auto words = read(rank, contract.to, {0, extent_});
      outputs[at(rank)].assign(words.begin(), words.end());
    }
  }
  return outputs;
}

}  // namespace muster::hyperx
