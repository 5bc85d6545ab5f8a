// The reference interpreter: the simplest possible execution of a schedule on real numbers. Every simulator and
// executor must agree with it bit for bit. Streams hold whole vectors, steps run whole; nothing is timed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schedule/arithmetic.h"
#include "schedule/holdings.h"
#include "schedule/run_order.h"
#include "schedule/schedule.h"

namespace muster {

/// What each node that needs a result holds at the end in the buffer `to` of its contracts (a node's contracts end in one
/// buffer): all its elements, 0 where none was ever stored; behind them all of `record`, if the node has receivers. Empty for other
/// nodes, and where nothing was stored.
using Outputs = std::vector<std::vector<Word>>;

/// Most words that interpret() keeps at a time, in buffers and streams together.
inline constexpr std::int64_t kMostInterpretedWords = std::int64_t{1} << 31;

/// Runs a schedule that verify() has accepted. Element e that node n holds at the start is arithmetic.input(n, e,
/// seed), or what `initial` says. Throws InputError if the schedule cannot finish, reads what does not exist or needs too much memory.
Outputs interpret(const Schedule& schedule, const Arithmetic& arithmetic, std::uint64_t seed,
                  const InitialData& initial = {});

/// The same in a given order of the steps, with the most words that were kept at a time.
struct Interpretation {
  Outputs outputs;
  std::int64_t most_words = 0;
};
Interpretation interpret_in_order(const Schedule& schedule, const Arithmetic& arithmetic, std::uint64_t seed,
                                  RunOrder order, const InitialData& initial = {});

/// The first word that differs from what the contracts require, and how many required words were compared: all of them, if
/// there is no difference.
struct Comparison {
  std::int64_t compared = 0;
  std::optional<std::string> difference;  ///< "rank 3, element 7: 1.5, expected 2"
};
Comparison compare_outputs(const Schedule& schedule, const Outputs& expected, const Outputs& actual,
                           const Arithmetic& arithmetic);

/// The order in which the contributions to one element of a node's result (as in Outputs) are combined, as a formula:
/// "((x2 + x1) + x0)" where x2 is the input of node 2. An input of another element is written x2[7]. The middle of a
/// long formula is left out: "(((x9 + x8) + ... 900 more ... + x1) + x0)". Throws InputError if there is no such
/// element.
std::string order_of_additions(const Schedule& schedule, NodeId node, std::int64_t element);

}  // namespace muster
