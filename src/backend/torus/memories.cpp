#include "backend/torus/memories.h"

#include <algorithm>

#include "backend/torus/fitness.h"
#include "base/index.h"

namespace muster::torus {
namespace {

/// Calls visit(piece, address) for every piece of a buffer that a core has.
template <class Visit>
void for_pieces(const TorusProgram& program, Buffer buffer, Visit visit) {
  const std::vector<Piece>& pieces = program.pieces.of(buffer);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Address address = program.memory.of(buffer, static_cast<std::int32_t>(i));
    if (address >= 0) visit(pieces[i], address);
  }
}

}  // namespace

Memories::Memories(const TorusProgram& program, const Repetition& repetition, std::optional<std::uint64_t> seed)
    : program_(program), repetition_(repetition), seed_(seed) {
  if (!seed) return;
  const std::size_t cores = program.cores.size();
  words_.resize(cores + program.torus().dram.banks.size());
  const auto tile = program.tile_bytes;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::int64_t bytes = i < cores ? repetition.memory() : repetition.bank_memory();
    words_[i].resize(at((bytes + tile) / kWordBytes));
  }
  for (NodeId rank = 0; rank < std::ssize(program.cores); ++rank) put_inputs(rank, 0);
}

void Memories::put_inputs(NodeId rank, int k) {
  if (!seed_) return;
  for (const Contract& contract : program_.contracts) {
    const auto member = std::find(contract.ranks.begin(), contract.ranks.end(), rank);
    if (member == contract.ranks.end()) continue;
    const auto index = static_cast<std::int32_t>(member - contract.ranks.begin());
    for (const Range& held : held_before(contract, index)) {
      for_pieces(program_, held_in(contract, index), [&](const Piece& piece, Address address) {
        const std::int64_t first = std::max(piece.first, held.first);
        const std::int64_t end = std::min(piece.first + piece.count, held.end());
        if (first >= end) return;
        const auto words =
            std::span(words_[at(rank)]).subspan(at(address / kWordBytes + first - piece.first), at(end - first));
        program_.arithmetic.inputs(rank, first, *seed_ + static_cast<std::uint64_t>(k), words);
      });
    }
  }
}

std::size_t Memories::index_of(NodeId node) const {
  if (at(node) < program_.cores.size()) return at(node);
  return program_.cores.size() + at(bank_at(program_.torus(), node));
}

std::vector<Word> Memories::read(NodeId node, Address address, std::int64_t bytes) const {
  if (!seed_) return {};
  const std::vector<Word>& words = words_[index_of(node)];
  const auto first = words.begin() + address / kWordBytes;
  return {first, first + std::min<std::ptrdiff_t>(bytes / kWordBytes, words.end() - first)};
}

void Memories::write(NodeId node, Address address, std::span<const Word> words) {
  if (!seed_) return;
  std::copy(words.begin(), words.end(), words_[index_of(node)].begin() + address / kWordBytes);
}

void Memories::combine(NodeId node, Address left, Address right, Address target, std::int64_t bytes) {
  if (!seed_) return;
  std::vector<Word> result = read(node, left, bytes);
  program_.arithmetic.combine(result, read(node, right, bytes));
  write(node, target, result);
}

std::vector<Word> Memories::outputs(NodeId rank, int k) const {
  std::vector<Word> words;
  for (const Contract& contract : program_.contracts) {
    const auto member = std::find(contract.ranks.begin(), contract.ranks.end(), rank);
    if (member == contract.ranks.end()) continue;
    const auto i = static_cast<std::int32_t>(member - contract.ranks.begin());
    if (owed_after(contract, i).empty()) continue;
    words.resize(at(program_.extent[static_cast<std::size_t>(contract.to) - 1]));
    if (contract.to == held_in(contract, i)) {  // what no step touches is still there
      for (const Range& held : held_before(contract, i)) {
        program_.arithmetic.inputs(rank, held.first, *seed_ + static_cast<std::uint64_t>(k),
                                   std::span(words).subspan(at(held.first), at(held.count)));
      }
    }
    for_pieces(program_, contract.to, [&](const Piece& piece, Address address) {
      const std::vector<Word> there = read(rank, repetition_.moved(address, k), piece.bytes());
      std::copy(there.begin(), there.end(), words.begin() + piece.first);
    });
  }
  return words;
}

}  // namespace muster::torus
