// A shortcut for the composition of the usual phases, some hundred times as fast as compose(): of every buffer of a node
// it knows one set of elements, all of which hold the same contributions of themselves. (Of an allgather, "the contribution of
// the rank in whose block the element is" is the same for all.) It may give up on a right component, and then compose()
// decides; what it proves is right.
//
// Why that is sound: everything known is true before each group of a phase, and stays so. A group's part needs what its
// contract says is held; where that is known, what the contract owes is known afterwards. What the part may store
// elsewhere is forgotten (a part's footprint), and so is what a buffer was known to hold before.
#pragma once

#include "schedule/verifier/element_sets.h"
#include "schedule/verifier/phase_stages.h"

namespace muster::verifier {

class Shortcut {
 public:
  Shortcut(const PhaseSubject& phases, const VerifyOptions& options);

  /// Whether the ranks hold what they owe in the component's elements. False: not known.
  bool proves(const Component& component);
  /// Of all that was proven so far.
  [[nodiscard]] double error_probability() const { return contributions_.error_probability(); }

 private:
  static constexpr SetId kNothing = -1;
  static constexpr SetId kEverything = -2;  ///< that a component may touch

  /// The elements `set` of a buffer hold `value`, each of its own element.
  struct Known {
    SetId set = kNothing;
    Value value;
  };
  using Memory = std::vector<Known>;  ///< by node
  /// A group set, ready for use: flat, with sets instead of spans.
  struct Groups {
    std::size_t ranks = 0;            ///< of a group's members, those that a contract is over: the first ones
    std::size_t stride = 0;           ///< members of a group
    std::vector<NodeId> members;      ///< group by group
    std::vector<SetId> wholes;        ///< by group: the elements that it works on
    std::vector<std::size_t> blocks;  ///< by group: where in blocks_ the members' blocks of them begin
  };
  /// What is asked of a part again and again.
  struct Part {
    bool is_usual = false;  ///< its collective and its ranks are
    bool stores_from = false;
    std::vector<bool> spoils_from;  ///< by node: whether it stores in `from`
    std::vector<bool> spoils_to;
  };
  struct SpanSets {
    SetId whole = kNothing;
    std::size_t members = 0;  ///< that `blocks` are for
    std::size_t blocks = 0;
  };

  void find_initial();
  void find_parts();
  const Groups& groups_at(std::int32_t group_set, std::size_t ranks);
  const SpanSets& sets_of(SpanId span, std::size_t members);
  bool apply(const Phase& phase);
  bool combine(const Contract& contract, const Groups& groups, std::size_t group, Value& value);
  bool holds(const Memory& memory, NodeId node, SetId set) const {
    const SetId known = memory[at(node)].set;
    return known == set || known == kEverything || set == ElementSets::kEmpty;
  }
  std::vector<SetId> blocks_in(const Contract& contract, const std::vector<Range>& elements, std::int64_t offset);
  bool is_fulfilled(const Contract& contract, const Value& expected, const std::vector<SetId>& owed);
  Memory& memory(Buffer buffer) { return memories_[static_cast<std::size_t>(buffer) - 1]; }

  const Schedule& schedule_;
  const PartFootprints& footprints_;
  Contributions contributions_;
  ElementSets sets_;
  std::int64_t most_ = kMostElements;  ///< all contracts have that many elements
  std::vector<Value> expected_;        ///< by contract: what is owed
  bool gathers_ = false;               ///< a contract is an allgather
  std::array<Memory, 3> initial_;
  std::array<Memory, 3> memories_;
  const Memory* input_ = nullptr;  ///< of the phase at hand
  std::vector<Part> parts_;
  std::vector<std::optional<Groups>> groups_;
  std::vector<SpanSets> span_sets_;
  std::vector<SetId> blocks_;
};

}  // namespace muster::verifier
