// What the cores and the DRAM banks hold while a program runs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backend/torus/program.h"
#include "backend/torus/repetition.h"
#include "schedule/interpret.h"

namespace muster::torus {

class Memories {
 public:
  /// Holds what the contracts say, made from `seed`; nothing without a seed: then nothing is moved or combined.
  Memories(const TorusProgram& program, const Repetition& repetition, std::optional<std::uint64_t> seed);

  /// The inputs of a rank for the collective's call `k`.
  void put_inputs(NodeId rank, int k);

  /// Of a core or a DRAM bank, by its tile. Behind the end of a memory there is nothing: data that would lie there is padding.
  [[nodiscard]] std::vector<Word> read(NodeId node, Address address, std::int64_t bytes) const;
  void write(NodeId node, Address address, std::span<const Word> words);
  void combine(NodeId node, Address left, Address right, Address target, std::int64_t bytes);

  /// What the contracts require of a rank at the end of call `k`, as interpret() returns it.
  [[nodiscard]] std::vector<Word> outputs(NodeId rank, int k) const;

 private:
  [[nodiscard]] std::size_t index_of(NodeId node) const;

  const TorusProgram& program_;
  const Repetition& repetition_;
  std::optional<std::uint64_t> seed_;
  std::vector<std::vector<Word>> words_;  ///< of cores, then of banks
};

}  // namespace muster::torus
