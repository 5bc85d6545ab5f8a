// A shortcut for the composition of the usual phases, some hundred times as fast as compose(): of every buffer of a node
// it knows sets of elements, mostly one, all of which hold the same contributions of themselves. (Of an allgather or gather, "the
// contribution of the rank in whose block the element is" is the same for all.) It may give up on a right component, and then
// compose() decides; what it proves is right.
//
// Why that is sound: everything known is true before each group of a phase, and stays so. A group's part needs what its
// contract says is held; where that is known, what the contract owes is known afterwards. What the part may store
// elsewhere is forgotten (a part's footprint).
#pragma once

#include "schedule/verifier/known_elements.h"
#include "schedule/verifier/phase_stages.h"
#include "schedule/verifier/span_sets.h"

namespace muster::verifier {

class Shortcut {
 public:
  Shortcut(const PhaseSubject& phases, const VerifyOptions& options);

  /// Whether the ranks hold what they owe in the component's elements. False: not known.
  bool proves(const Component& component);
  /// Of all that was proven so far.
  [[nodiscard]] double error_probability() const { return contributions_.error_probability(); }

 private:
  /// A group set, ready for use: flat, with sets instead of spans.
  struct Groups {
    std::size_t stride = 0;           ///< members of a group
    std::vector<NodeId> members;      ///< group by group
    std::int64_t shift = 0;           ///< that what follows is for
    std::vector<SetId> wholes;        ///< by group: the elements that it works on
    std::int32_t cut = -1;            ///< that `blocks` is for
    std::vector<std::size_t> blocks;  ///< by group: for span_sets_.blocks_at()
  };
  /// What is asked of a part again and again.
  struct Part {
    bool is_usual = false;
    std::int32_t cut = -1;                  ///< if it works in blocks
    std::vector<std::int32_t> spoils_from;  ///< the ranks that store in `from`, unless it works in place
    std::vector<std::int32_t> spoils_to;    ///< those that store in `to` what they do not owe
  };
  /// A group of a phase.
  struct Run {
    const Contract& contract;
    const Part& part;
    const NodeId* members;
    SetId whole;
    const SetId* blocks;  ///< by rank, then all; if it works in blocks
    KnownElements& input;
    KnownElements& output;
    [[nodiscard]] NodeId node(std::size_t rank) const { return members[contract.ranks[rank]]; }
  };

  void find_initial();
  void find_initial(const Contract& contract);
  void find_parts();
  static void find_spoilers(const Contract& contract, const Footprints& footprints, Part& part);
  Groups& groups_at(std::int32_t group_set, std::int64_t shift, std::int32_t cut);
  void find_sets(const std::vector<Group>& groups, Groups& result);
  bool begin(const Component& component, std::int64_t offset);
  bool apply(const Phase& phase, std::int64_t shift);
  bool combine(const Run& run, Value& value);
  bool combine_all(const Run& run, Value& value);
  bool find_blocks(const Run& run, Value& value);
  static void write(const Run& run, const Value& value);
  bool is_fulfilled(const Contract& contract, const Value& expected, const std::vector<Range>& elements,
                    std::int64_t offset);
  bool holds(const Contract& contract, std::size_t rank, SetId set, const Value& expected);
  std::vector<SetId> blocks_in(const Contract& contract, const std::vector<Range>& elements, std::int64_t offset);
  KnownElements& memory(Buffer buffer) { return memories_[static_cast<std::size_t>(buffer) - 1]; }

  const Schedule& schedule_;
  const PartFootprints& footprints_;
  Contributions contributions_;
  ElementSets sets_;
  SpanSets span_sets_;
  bool fits_ = true;                   ///< all contracts are such as are understood
  std::int64_t most_ = kMostElements;  ///< all contracts have that many elements
  std::vector<Value> expected_;        ///< by contract: what is owed
  std::array<KnownElements::Pieces, 3> initial_;
  std::array<KnownElements, 3> memories_;
  std::vector<Part> parts_;
  std::vector<std::optional<Groups>> groups_;
};

}  // namespace muster::verifier
