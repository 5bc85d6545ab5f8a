// Several link-disjoint trees of HyperX nodes, and the time of a vector that is split over them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collective/algorithm.h"
#include "collective/switches/embedding.h"
#include "machine/hyperx.h"

namespace muster {

/// The embeddings of spanning trees of the request's only group, one core of each node: this many, or all that exist.
std::vector<EmbeddingPlan> plan_trees(const Request& request, std::int64_t most);

/// Why only one tree is supported; nothing if several are.
std::optional<std::string> why_one_tree(const Request& request);

/// How many there are.
std::int64_t count_trees(const Request& request);

std::vector<Ticks> depths_of(const std::vector<EmbeddingPlan>& plans);

/// Pieces of a vector are whole packets, except for the last one.
std::int64_t words_of_packet(const HyperX& hyperx);

/// How many packets a vector of at least one word takes.
std::int64_t packets_of(const HyperX& hyperx, std::int64_t words);

/// Which of how many pieces.
struct Piece {
  std::int64_t pieces = 1;
  std::int64_t number = 0;
};
std::int64_t words_of_piece(const HyperX& hyperx, std::int64_t words, const Piece& piece);

/// The longest time of the trees, each with its piece. `depths` are those of their plans.
Ticks time_on_trees(const HyperX& hyperx, const std::vector<Ticks>& depths, std::int64_t words);

}  // namespace muster
