// The composition of phases: each group of each phase acts on the nodes' buffers as its part's contract says. What a
// part stores beyond what it owes is worthless afterwards.
#include <algorithm>

#include "schedule/verifier/phase_stages.h"
#include "schedule/verifier/segments.h"
#include "schedule/verifier/settle.h"

namespace muster::verifier {
namespace {

/// A group of a phase, with everything that is asked of it.
struct Run {
  std::size_t phase_number = 0;
  std::size_t group_number = 0;
  const Phase& phase;
  const Group& group;
  const Contract& contract;
  std::vector<Range> on;

  [[nodiscard]] NodeId node(std::int32_t rank) const { return group.members[at(contract.ranks[at(rank)])]; }
  /// Where a rank's share of what the contract says is held is expected.
  [[nodiscard]] Buffer source(std::int32_t rank) const {
    return held_in(contract, rank) == contract.from ? phase.input : phase.output;
  }
  [[nodiscard]] std::int32_t ranks() const { return static_cast<std::int32_t>(contract.ranks.size()); }
  [[nodiscard]] std::string name() const { return fmt::format("phase {}, group {}", phase_number, group_number); }
};

Run run_of(const Schedule& schedule, std::size_t phase_number, std::size_t group_number) {
  const Phase& phase = schedule.phases[phase_number];
  const Group& group = groups_of(schedule, phase)[group_number];
  return {.phase_number = phase_number,
          .group_number = group_number,
          .phase = phase,
          .group = group,
          .contract = schedule.parts[at(phase.part)].contracts.front(),
          .on = elements_of(schedule, phase, group)};
}

/// Walks the phases of a component backwards, as Tracer walks steps.
class PhaseTracer {
 public:
  PhaseTracer(const Schedule& schedule, const Component& component) : schedule_(schedule), component_(component) {}

  /// What an element consists of before group `group` of the component's phase `position` (after all phases: their number,
  /// 0).
  Origins origins(NodeId node, Buffer buffer, std::int64_t element, std::size_t position, std::size_t group) {
    demand_.add(node, buffer, element, 1);
    while (position > 0 || group > 0) {
      if (group == 0) {
        group = groups_of(schedule_, schedule_.phases[at(component_.phases[--position])]).size();
        continue;
      }
      undo(run_of(schedule_, at(component_.phases[position]), --group));
    }
    return demand_.origins();
  }

 private:
  struct Demand {
    NodeId node;
    Buffer buffer;
    std::int64_t element;
    Weights weights;
  };

  void undo(const Run& run) {
    new_demand_.clear();
    for (std::int32_t rank = 0; rank < run.ranks(); ++rank) {
      MemoryDemand::Elements* wanted = demand_.find(run.node(rank), run.phase.output);
      if (wanted == nullptr) continue;
      for (const Owed& owed : owed_after(run.contract, rank)) undo_owed(run, owed, *wanted);
    }
    for (const Demand& added : new_demand_) demand_.add(added.node, added.buffer, added.element, added.weights);
  }

  void undo_owed(const Run& run, const Owed& owed, MemoryDemand::Elements& wanted) {
    std::int64_t position = owed.range.first;
    for (const Range& range : map_through(run.on, owed.range)) {
      for (auto wanted_element = wanted.lower_bound(range.first);
           wanted_element != wanted.end() && wanted_element->first < range.end();) {
        demand_sources(run, owed, position + wanted_element->first - range.first + owed.displacement,
                       wanted_element->second);
        wanted_element = wanted.erase(wanted_element);
      }
      position += range.count;
    }
  }

  void demand_sources(const Run& run, const Owed& owed, std::int64_t position, Weights weights) {
    const std::int64_t element = map_through(run.on, {position, 1}).front().first;
    // A barrier's tokens may have been counted any number of times; assume more than once.
    if (owed.at_least_once) weights[Product{}] = 2;
    const auto demand = [&](std::int32_t rank) {
      new_demand_.push_back({run.node(rank), run.source(rank), element, weights});
    };
    if (owed.source != kEveryRank) return demand(owed.source);
    for (std::int32_t rank = 0; rank < run.ranks(); ++rank) demand(rank);
  }

  const Schedule& schedule_;
  const Component& component_;
  MemoryDemand demand_;
  std::vector<Demand> new_demand_;
};

class Composition {
 public:
  Composition(const PhaseSubject& phases, const Component& component, Contributions contributions)
      : subject_(phases.subject),
        schedule_(subject_.schedule),
        component_(component),
        footprints_(phases.footprints),
        holdings_(schedule_),
        contributions_(std::move(contributions)),
        memories_(schedule_, holdings_, contributions_) {}

  Settled run() {
    for (index_ = 0; index_ < component_.phases.size(); ++index_) {
      const std::size_t p = at(component_.phases[index_]);
      for (std::size_t g = 0; g < groups_of(schedule_, schedule_.phases[p]).size(); ++g) {
        if (Finding wrong = apply(run_of(schedule_, p, g))) return {.verdict = {.counterexample = wrong}};
      }
    }
    const Trace trace = [&](NodeId node, Buffer buffer, std::int64_t element) {
      return PhaseTracer(schedule_, component_).origins(node, buffer, element, component_.phases.size(), 0);
    };
    return settle(subject_, memories_, contributions_, component_.elements, trace);
  }

 private:
  struct Result {
    NodeId node = 0;
    std::vector<Range> elements;
    Segments segments;
  };

  Finding apply(const Run& run) {
    if (Finding wrong = everything_held(run)) return wrong;
    combined_.reset();
    std::vector<Result> results;
    for (std::int32_t rank = 0; rank < run.ranks(); ++rank) {
      for (const Owed& owed : owed_after(run.contract, rank)) {
        if (owed.range.count == 0) continue;
        Segments segments;
        if (Finding wrong = owed_segments(run, owed, segments)) return wrong;
        results.push_back({run.node(rank), map_through(run.on, owed.range), std::move(segments)});
      }
    }
    spoil(run);
    for (const Result& result : results) {
      store_segments(contributions_, memories_.writable(result.node, run.phase.output), result.elements,
                     result.segments);
    }
    return std::nullopt;
  }

  /// What the part's contract says its ranks hold must exist in the bound buffer.
  Finding everything_held(const Run& run) {
    Segments ignored;
    for (std::int32_t rank = 0; rank < run.ranks(); ++rank) {
      for (const Range& held : held_before(run.contract, rank)) {
        const NodeId node = run.node(rank);
        const auto absent = read_segments(memories_, node, run.source(rank), map_through(run.on, held), ignored);
        if (!absent) continue;
        return found(Kind::too_early, {.node = node, .element = *absent},
                     "{}: part {} needs element {} of {} at {}, where nothing has been stored before", run.name(),
                     run.phase.part, *absent, buffer_name(run.source(rank)), subject_.node(node));
      }
    }
    return std::nullopt;
  }

  /// What is owed, as segments over the elements where it will be.
  Finding owed_segments(const Run& run, const Owed& owed, Segments& segments) {
    const Range source{owed.range.first + owed.displacement, owed.range.count};
    const std::vector<Range> source_elements = map_through(run.on, source);
    if (owed.source == kEveryRank) {
      if (Finding wrong = combine(run)) return wrong;
      segments = cut_segments(*combined_, source);
    } else {
      read_segments(memories_, run.node(owed.source), run.source(owed.source), source_elements, segments);
    }
    if (owed.at_least_once) {
      Segments sum;
      add_segments(contributions_, segments, segments, sum);  // counted an unknown number of times
      segments = std::move(sum);
    }
    if (owed.displacement != 0)
      segments = seen_from(contributions_, segments, source_elements, map_through(run.on, owed.range));
    return std::nullopt;
  }

  /// The combination of all ranks over the whole vector, once per group.
  Finding combine(const Run& run) {
    if (combined_) return std::nullopt;
    Segments sum;
    Segments next;
    Segments segments;
    for (std::int32_t rank = 0; rank < run.ranks(); ++rank) {
      read_segments(memories_, run.node(rank), run.source(rank), run.on, segments);
      if (rank == 0) {
        sum = segments;
        continue;
      }
      if (const auto position = add_segments(contributions_, sum, segments, next)) return crossed(run, rank, *position);
      std::swap(sum, next);
    }
    combined_ = std::move(sum);
    return std::nullopt;
  }

  [[nodiscard]] Finding crossed(const Run& run, std::int32_t rank, std::int64_t position) const {
    const std::int64_t element = map_through(run.on, {position, 1}).front().first;
    const auto text = [&](std::int32_t of) {
      const Origins origins =
          PhaseTracer(schedule_, component_).origins(run.node(of), run.source(of), element, index_, run.group_number);
      const Origin& origin = origins.begin()->first;
      return fmt::format("element {} of {} of {}", origin.element, buffer_name(origin.buffer),
                         subject_.node(origin.node));
    };
    return found(Kind::foreign, {.node = run.node(rank), .element = element}, "{} combines, as element {}, {} with {}",
                 run.name(), element, text(0), text(rank));
  }

  /// Whatever the part stores is gone, unless it is owed: that is written anew.
  void spoil(const Run& run) {
    const Footprints& footprints = footprints_[at(run.phase.part)];
    for (std::int32_t rank = 0; rank < run.ranks(); ++rank) {
      const NodeId member = run.contract.ranks[at(rank)];
      const Footprint& footprint = footprints[at(member)];
      spoil_set(run, rank, run.phase.input, footprint.stores_from);
      spoil_set(run, rank, run.phase.output, footprint.stores_to);
    }
  }

  void spoil_set(const Run& run, std::int32_t rank, Buffer buffer, Footprint::Set set) {
    if (buffer == run.phase.output) {
      for (const Owed& owed : owed_after(run.contract, rank)) set.erase(owed.range);
    }
    const NodeId node = run.node(rank);
    for (const auto& piece : set.pieces()) {
      for (const Range& range : map_through(run.on, {piece.first, piece.end - piece.first})) {
        memories_.writable(node, buffer).erase(range);
      }
    }
  }

  const Subject& subject_;
  const Schedule& schedule_;
  const Component& component_;
  const PartFootprints& footprints_;
  Holdings holdings_;
  Contributions contributions_;
  Memories memories_;
  std::size_t index_ = 0;  ///< of the phase at hand in the component
  std::optional<Segments> combined_;
};

}  // namespace

Verdict compose(const PhaseSubject& phases, const Component& component, const VerifyOptions& options) {
  const Schedule& schedule = phases.subject.schedule;
  std::int64_t members = 0;
  for (const std::int32_t phase : component.phases) {
    for (const Group& group : groups_of(schedule, schedule.phases[at(phase)])) {
      members += static_cast<std::int64_t>(group.members.size());
    }
  }
  return prove(schedule, options, members, [&](Contributions contributions) {
    return Composition(phases, component, std::move(contributions)).run();
  });
}

}  // namespace muster::verifier
