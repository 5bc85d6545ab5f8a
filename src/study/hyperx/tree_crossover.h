// From which vectors on several trees of reducing switches pay, and with which memories they could.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "plan/plan.h"
#include "result/answer.h"

namespace muster {

/// For an allreduce where more than one tree finds links of its own; otherwise nothing. By prediction.
std::optional<TreesAnswer> compare_trees(const Job& job);

/// One sentence about it, in the style of crossover.h.
std::string tree_crossover_text(const Job& job, const TreesAnswer& trees);

/// Adds both to the answer of plan(). Where nodes have vectors, only trees fit, and how many of them is the only question of a
/// crossover.
void add_trees(const Job& job, PlanAnswer& answer);

/// The fewest packets from which on, for all longer vectors, `slower` takes more time than `faster`. Both are functions of the
/// number of packets which, from `period` packets on, gain a constant with every `period`; slower's is larger.
struct PacketCrossover {
  std::function<std::int64_t(std::int64_t)> slower;
  std::function<std::int64_t(std::int64_t)> faster;
  std::int64_t period = 1;
};
std::int64_t crossover_in_packets(const PacketCrossover& crossover);

}  // namespace muster
