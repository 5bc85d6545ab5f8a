// Races between phases. Phases come in an order that respects `after`, so per element the last storing group and the
// readers since then are enough, as in check_races.cpp.
#include <algorithm>

#include "schedule/verifier/phase_stages.h"

namespace muster::verifier {
namespace {

constexpr std::int32_t kNobody = -1;

/// A group of a phase.
struct Run {
  std::int32_t phase = kNobody;
  std::int32_t group = 0;
  bool operator==(const Run&) const = default;
};

struct Touched {
  Run writer;
  std::vector<Run> readers;
};

class PhaseRaces {
 public:
  PhaseRaces(const Subject& subject, const PartFootprints& footprints)
      : subject_(subject), schedule_(subject.schedule), footprints_(footprints) {
    find_order();
  }

  Finding run() {
    if (no_two_meet()) return std::nullopt;
    touched_.resize(at(schedule_.node_count) * 3);
    for (std::size_t p = 0; p < schedule_.phases.size(); ++p) {
      for (std::size_t g = 0; g < schedule_.phases[p].groups.size(); ++g) {
        if (Finding wrong = touch({static_cast<std::int32_t>(p), static_cast<std::int32_t>(g)})) return wrong;
      }
    }
    return std::nullopt;
  }

 private:
  void find_order() {
    const std::size_t phases = schedule_.phases.size();
    before_.assign(phases, std::vector<bool>(phases));
    for (std::size_t p = 0; p < phases; ++p) {
      for (const std::int32_t earlier : schedule_.phases[p].after) {
        if (before_[p][at(earlier)]) continue;
        before_[p][at(earlier)] = true;
        for (std::size_t q = 0; q < at(earlier); ++q) {
          if (before_[at(earlier)][q]) before_[p][q] = true;
        }
      }
    }
  }

  /// The usual case, found without looking at elements: each phase comes after the one before it, and no node is in two
  /// groups of a phase.
  [[nodiscard]] bool no_two_meet() const {
    std::vector<std::int32_t> phase_of(at(schedule_.node_count), kNobody);
    for (std::size_t p = 0; p < schedule_.phases.size(); ++p) {
      if (p > 0 && !before_[p][p - 1]) return false;
      for (const Group& group : schedule_.phases[p].groups) {
        for (const NodeId member : group.members) {
          if (phase_of[at(member)] == static_cast<std::int32_t>(p)) return false;
          phase_of[at(member)] = static_cast<std::int32_t>(p);
        }
      }
    }
    return true;
  }

  Finding touch(Run run) {
    const Phase& phase = schedule_.phases[at(run.phase)];
    const Group& group = phase.groups[at(run.group)];
    const Footprints& footprints = footprints_[at(phase.part)];
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const Footprint& footprint = footprints[i];
      const NodeId node = group.members[i];
      for (const auto* set : {&footprint.reads_from, &footprint.stores_from}) {
        const bool stores = set == &footprint.stores_from;
        if (Finding wrong = touch_set(run, node, phase.input, *set, stores)) return wrong;
      }
      for (const auto* set : {&footprint.reads_to, &footprint.stores_to}) {
        const bool stores = set == &footprint.stores_to;
        if (Finding wrong = touch_set(run, node, phase.output, *set, stores)) return wrong;
      }
    }
    return std::nullopt;
  }

  Finding touch_set(Run run, NodeId node, Buffer buffer, const Footprint::Set& set, bool stores) {
    const Group& group = schedule_.phases[at(run.phase)].groups[at(run.group)];
    Finding wrong;
    for (const auto& piece : set.pieces()) {
      for (const Range& range : map_through(schedule_.spans.ranges(group.on), {piece.first, piece.end - piece.first})) {
        buffer_of(node, buffer).update(range, [&](Range part, Touched& touched) {
          if (!wrong) wrong = meet(run, node, buffer, part.first, touched, stores);
          record(run, touched, stores);
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
    return earlier == later || before_[at(later.phase)][at(earlier.phase)];
  }

  [[nodiscard]] Finding meet(Run run, NodeId node, Buffer buffer, std::int64_t element, const Touched& touched,
                             bool stores) const {
    if (touched.writer.phase != kNobody && !in_order(touched.writer, run)) {
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
    const auto text = [](const Actor& actor) {
      return fmt::format("group {} of phase {} {}", actor.run.group, actor.run.phase, actor.does);
    };
    return found(Kind::race, {.node = node, .element = element},
                 "at {}, two phases race for element {} of {}: {}, {}, and neither comes after the other",
                 subject_.node(node), element, buffer_name(buffer), text(a), text(b));
  }

  const Subject& subject_;
  const Schedule& schedule_;
  const PartFootprints& footprints_;
  std::vector<std::vector<bool>> before_;    ///< before_[p][q]: p comes after q
  std::vector<Intervals<Touched>> touched_;  ///< by node and buffer
};

}  // namespace

Finding check_phase_races(const Subject& subject, const PartFootprints& footprints) {
  return PhaseRaces(subject, footprints).run();
}

}  // namespace muster::verifier
