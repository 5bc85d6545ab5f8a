// Races between phases. Phases come in an order that respects `after`, so per element the last storing group and the
// readers since then are enough, as in check_races.cpp.
#include <algorithm>

#include "schedule/verifier/phase_stages.h"

namespace muster::verifier {
namespace {

constexpr std::int32_t kNoPhase = -1;

/// A group of a phase, which is named by its position in the component.
struct Run {
  std::int32_t phase = kNoPhase;
  std::int32_t group = 0;
  bool operator==(const Run&) const = default;
};

struct Touched {
  Run writer;
  std::vector<Run> readers;
};

class PhaseRaces {
 public:
  PhaseRaces(const PhaseSubject& phases, const Component& component)
      : subject_(phases.subject),
        schedule_(subject_.schedule),
        component_(component),
        footprints_(phases.footprints),
        facts_(phases.facts) {
    find_order();
  }

  Finding run() {
    if (all_in_line() || all_in_line_at_each_node()) return std::nullopt;
    touched_.resize(at(schedule_.node_count) * 3);
    for (std::size_t p = 0; p < component_.phases.size(); ++p) {
      for (std::size_t g = 0; g < groups_of(schedule_, phase(p)).size(); ++g) {
        if (Finding wrong = touch({static_cast<std::int32_t>(p), static_cast<std::int32_t>(g)})) return wrong;
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kBits = 64;

  [[nodiscard]] const Phase& phase(std::size_t position) const {
    return schedule_.phases[at(component_.phases[position])];
  }

  void find_order() {
    const std::size_t phases = component_.phases.size();
    words_ = (phases + kBits - 1) / kBits;
    before_.assign(phases * words_, 0);
    for (std::size_t p = 0; p < phases; ++p) {
      for (const std::int32_t number : phase(p).after) {
        const std::size_t earlier = index_of(number);
        if (is_before(earlier, p)) continue;
        for (std::size_t w = 0; w < words_; ++w) before_[p * words_ + w] |= before_[earlier * words_ + w];
        before_[p * words_ + earlier / kBits] |= std::uint64_t{1} << earlier % kBits;
      }
    }
  }

  /// A component has all phases that its phases come after.
  [[nodiscard]] std::size_t index_of(std::int32_t number) const {
    const auto found = std::lower_bound(component_.phases.begin(), component_.phases.end(), number);
    return static_cast<std::size_t>(found - component_.phases.begin());
  }

  [[nodiscard]] bool is_before(std::size_t earlier, std::size_t later) const {
    return ((before_[later * words_ + earlier / kBits] >> earlier % kBits) & 1U) != 0;
  }

  /// The usual case, found without looking at nodes: each phase comes after the previous one, and no node is in two
  /// groups of a phase.
  [[nodiscard]] bool all_in_line() const {
    for (std::size_t p = 0; p < component_.phases.size(); ++p) {
      if (p > 0 && !is_before(p - 1, p)) return false;
      if (!facts_[at(phase(p).groups)].no_node_is_twice) return false;
    }
    return true;
  }

  /// Found without looking at elements: at each node, each phase comes after the phase that the node was a rank of before.
  [[nodiscard]] bool all_in_line_at_each_node() const {
    std::vector<std::int32_t> phase_of(at(schedule_.node_count), kNoPhase);
    for (std::size_t p = 0; p < component_.phases.size(); ++p) {
      const std::vector<NodeId>& ranks = schedule_.parts[at(phase(p).part)].contracts.front().ranks;
      for (const Group& group : groups_of(schedule_, phase(p))) {
        for (const NodeId rank : ranks) {  // no others touch anything
          std::int32_t& last = phase_of[at(group.members[at(rank)])];
          if (last != kNoPhase && !is_before(at(last), p)) return false;
          last = static_cast<std::int32_t>(p);
        }
      }
    }
    return true;
  }

  Finding touch(Run run) {
    const Phase& phase = this->phase(at(run.phase));
    const Group& group = groups_of(schedule_, phase)[at(run.group)];
    const std::vector<Range> on = elements_of(schedule_, phase, group);
    const Footprints& footprints = footprints_[at(phase.part)];
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const Footprint& footprint = footprints[i];
      const NodeId node = group.members[i];
      for (const auto* set : {&footprint.reads_from, &footprint.stores_from}) {
        const bool stores = set == &footprint.stores_from;
        if (Finding wrong = touch_set({run, node, phase.input, on}, *set, stores)) return wrong;
      }
      for (const auto* set : {&footprint.reads_to, &footprint.stores_to}) {
        const bool stores = set == &footprint.stores_to;
        if (Finding wrong = touch_set({run, node, phase.output, on}, *set, stores)) return wrong;
      }
    }
    return std::nullopt;
  }

  struct Toucher {
    Run run;
    NodeId node;
    Buffer buffer;
    std::span<const Range> on;
  };
  Finding touch_set(const Toucher& who, const Footprint::Set& set, bool stores) {
    Finding wrong;
    for (const auto& piece : set.pieces()) {
      for (const Range& range : map_through(who.on, {piece.first, piece.end - piece.first})) {
        buffer_of(who.node, who.buffer).update(range, [&](Range part, Touched& touched) {
          if (!wrong) wrong = meet(who.run, who.node, who.buffer, part.first, touched, stores);
          record(who.run, touched, stores);
        });
      }
      if (wrong) return wrong;
    }
    return std::nullopt;
  }

  Intervals<Touched>& buffer_of(NodeId node, Buffer buffer) {
    return touched_[at(node) * 3 + static_cast<std::size_t>(buffer) - 1];
  }

  [[nodiscard]] bool in_order(Run earlier, Run later) const {
    return earlier == later || is_before(at(earlier.phase), at(later.phase));
  }

  [[nodiscard]] Finding meet(Run run, NodeId node, Buffer buffer, std::int64_t element, const Touched& touched,
                             bool stores) const {
    if (touched.writer.phase != kNoPhase && !in_order(touched.writer, run)) {
      return race(node, buffer, element, {touched.writer, "stores it"}, {run, stores ? "stores it too" : "reads it"});
    }
    if (!stores) return std::nullopt;
    for (const Run& reader : touched.readers) {
      if (!in_order(reader, run)) return race(node, buffer, element, {reader, "reads it"}, {run, "stores it"});
    }
    return std::nullopt;
  }

  /// A reader that comes before another is not needed any more: whoever comes after the later one comes after both.
  void record(Run run, Touched& touched, bool stores) const {
    if (stores) {
      touched = {run, {}};
      return;
    }
    std::erase_if(touched.readers, [&](const Run& reader) { return in_order(reader, run); });
    touched.readers.push_back(run);
  }

  struct Actor {
    Run run;
    const char* does;
  };
  [[nodiscard]] Counterexample race(NodeId node, Buffer buffer, std::int64_t element, Actor a, Actor b) const {
    const auto text = [&](const Actor& actor) {
      return fmt::format("group {} of phase {} {}", actor.run.group, component_.phases[at(actor.run.phase)],
                         actor.does);
    };
    return found(Kind::race, {.node = node, .element = element},
                 "at {}, two phases race for element {} of {}: {}, {}, and neither comes after the other",
                 subject_.node(node), element, buffer_name(buffer), text(a), text(b));
  }

  const Subject& subject_;
  const Schedule& schedule_;
  const Component& component_;
  const PartFootprints& footprints_;
  const std::vector<GroupSetFacts>& facts_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> before_;        ///< a row of words for each phase: a bit for each that it comes after
  std::vector<Intervals<Touched>> touched_;  ///< by node and buffer
};

}  // namespace

Finding check_phase_races(const PhaseSubject& phases, const Component& component) {
  return PhaseRaces(phases, component).run();
}

}  // namespace muster::verifier
