// Who exchanges with whom: steps of Swing and of recursive doubling on a logical grid whose sides are powers of two.
//
// In a step, every player has one partner, and is its partner's. Steps alternate between the axes until one has no steps left;
// then the other goes on alone. On an axis of length p, in its step s:
//   recursive doubling  r exchanges with r xor 2^s;
//   Swing               an even r exchanges with r + rho(s), an odd one with r - rho(s), modulo p, where rho(s) = 1, -1, 3, -5, ...
//                       is the sum of (-2)^i for i = 0 to s. Mirrored: with the signs exchanged.
// Thesis, equations 3.1 to 3.3 and listings A.1 and A.3.
#pragma once

#include <cstdint>
#include <vector>

namespace muster {

/// The partner of each player.
using Matching = std::vector<std::int32_t>;

enum class PartnerRule : std::uint8_t { swing, recursive_doubling };

struct StepOrder {
  PartnerRule rule = PartnerRule::swing;
  bool vertical_first = false;
  bool mirrored = false;  ///< Swing only
};

/// Of an even or odd `r` on an axis of `length`, a power of two above 2^step.
std::int32_t partner_on_axis(std::int32_t r, int step, std::int32_t length, const StepOrder& order);

/// The steps of columns x rows players, numbered row by row.
std::vector<Matching> matchings(std::int32_t columns, std::int32_t rows, const StepOrder& order);

/// The players that the steps from `first` on lead to, for each player, sorted: S_k(n) = S_{k+1}(n) and S_{k+1}(partner_k(n)). In a
/// reduce-scatter, player n is responsible for the blocks of S_k(n) before step k.
std::vector<std::vector<std::int32_t>> reached_from(const std::vector<Matching>& steps, std::size_t first,
                                                    std::int32_t players);

/// A number for each player such that every set of reached_from() has consecutive ones: so messages of blocks in this order are contiguous.
std::vector<std::int32_t> contiguous_order(const std::vector<Matching>& steps, std::int32_t players);

}  // namespace muster
