// Buffers of one length for all cores whose memory is used, core by core.
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

/// By core: whether a contract or a row speaks of its memory.
std::vector<bool> memories_used(const HyperXProgram& program) {
  const NodeId ranks = rank_count(program.machine);
  const Port memory = Ports(program.network()).memory();
  std::vector<bool> used(at(ranks));
  for (const Contract& contract : program.contracts) {
    for (const NodeId rank : contract.ranks) used[at(rank)] = true;
  }
  for (const Row& row : program.registers.rows) {
    // The port of the memory is the last of a list.
    if (program.registers.inputs_of(row).back() == memory || program.registers.outputs_of(row).back() == memory) {
      used[at(row.at - ranks)] = true;
    }
  }
  return used;
}

}  // namespace

std::int64_t words_held(const HyperXProgram& program) {
  const std::vector<bool> used = memories_used(program);
  return saturating_product(extent_of(program), std::count(used.begin(), used.end(), true));
}

Memories::Memories(const HyperXProgram& program, std::uint64_t seed) : program_(program), extent_(extent_of(program)) {
  std::int32_t users = 0;
  for (const bool is_used : memories_used(program)) {
    index_.push_back(users);
    users += is_used ? 1 : 0;
  }
  const auto use = [&](Buffer buffer) {
    if (buffer == Buffer::none || !buffers_[index(buffer)].empty()) return;
    buffers_[index(buffer)].resize(at(users) * at(extent_));
    is_written_[index(buffer)].resize(index_.size());
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
        const std::size_t buffer = index(held_in(contract, i));
        is_written_[buffer][at(rank)] = true;  // in place: an element that is owed where it is held needs no write
        const auto words = std::span(buffers_[buffer]).subspan(at(first(rank) + held.first), at(held.count));
        program.arithmetic.inputs(rank, held.first, seed, words);
      }
    }
  }
}

void Memories::write(NodeId rank, Buffer buffer, std::int64_t first, std::span<const Word> words) {
  if (words.empty()) return;
  std::ranges::copy(words, buffers_[index(buffer)].begin() + this->first(rank) + first);
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
