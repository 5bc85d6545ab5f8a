// The end of a verification: what the ranks hold against what they owe.
#pragma once

#include <array>
#include <functional>

#include "schedule/verifier/memories.h"
#include "schedule/verifier/trace.h"

namespace muster::verifier {

/// What element `element` of a node's buffer consists of at the end.
using Trace = std::function<Origins(NodeId, Buffer, std::int64_t element)>;

/// The same with the products of each contribution.
using ProductTrace = std::function<Products(NodeId, Buffer, std::int64_t element)>;

/// Elements of the buffers input, output and scratch: sorted, disjoint ranges.
using Elements = std::array<std::vector<Range>, 3>;
Elements all_elements();

struct Settled {
  Verdict verdict;
  bool has_repeats =
      false;  ///< contributions are repeated where they may be: whether they are all there is not settled
};

/// "rank 3 of contract 0" is said as "rank 3 (PE (3,0))"; lists are cut short. With contributions in a window, only what
/// may be repeated is looked at. Only what is owed in `where` is looked at.
Settled settle(const Subject& subject, Memories& memories, Contributions& contributions, const Elements& where,
               const Trace& trace);

/// The same for a flat schedule with linear contributions.
Verdict settle_linear(const Subject& subject, Memories& memories, Contributions& contributions,
                      const ProductTrace& trace);

/// Executes a schedule once with all its contributions and, if it repeats some where it may, once more for each window
/// of them. An execution makes so many `moves`. Throws InputError if all would be more than kMostMoves.
Verdict prove(const Schedule& schedule, const VerifyOptions& options, std::int64_t moves,
              const std::function<Settled(Contributions)>& execute);

/// About a minute: a barrier by dissemination of some 30,000 nodes.
inline constexpr std::int64_t kMostMoves = std::int64_t{1} << 28;

}  // namespace muster::verifier
