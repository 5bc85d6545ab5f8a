// The form of phases, and whether parts fit the nodes where their groups are.
#include <algorithm>
#include <unordered_set>

#include "machine/routing.h"
#include "schedule/verifier/phase_stages.h"

namespace muster::verifier {
namespace {

/// Pairs of a group set and a part that have been seen.
class SeenPairs {
 public:
  bool is_new(const Phase& phase) {
    return seen_
        .insert((std::uint64_t{static_cast<std::uint32_t>(phase.groups)} << 32U) |
                static_cast<std::uint32_t>(phase.part))
        .second;
  }

 private:
  std::unordered_set<std::uint64_t> seen_;
};

class PhaseForm {
 public:
  explicit PhaseForm(const Subject& subject) : subject_(subject), schedule_(subject.schedule) {}

  Finding run() {
    if (Finding bad = sizes()) return bad;
    member_of_.assign(at(schedule_.node_count), -1);
    facts_.resize(schedule_.group_sets.size());
    for (phase_ = 0; phase_ < schedule_.phases.size(); ++phase_) {
      group_ = kNoGroup;
      if (Finding bad = phase()) return bad;
      if (Finding bad = part()) return bad;
      if (Finding bad = groups()) return bad;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kNoGroup = static_cast<std::size_t>(-1);
  [[nodiscard]] const Phase& this_phase() const { return schedule_.phases[phase_]; }
  [[nodiscard]] const Schedule& this_part() const { return schedule_.parts[at(this_phase().part)]; }

  template <class... Args>
  Finding wrong(fmt::format_string<Args...> format, Args&&... args) const {
    const std::string where = group_ == kNoGroup ? std::string() : fmt::format(", group {}", group_);
    return found(Kind::malformed, {}, "phase {}{}: {}", phase_, where,
                 fmt::format(format, std::forward<Args>(args)...));
  }

  [[nodiscard]] Finding sizes() const {
    const NodeId nodes = schedule_.node_count;
    if (nodes <= 0) return found(Kind::malformed, {}, "the schedule has {} nodes", nodes);
    if (!subject_.is_part && nodes > node_count(subject_.machine)) {
      return found(Kind::malformed, {}, "the schedule has {} nodes, the machine {}; use a larger machine or grid",
                   nodes, node_count(subject_.machine));
    }
    if (!schedule_.steps.empty() || !schedule_.streams.empty()) {
      return found(Kind::malformed, {}, "a schedule with phases has no steps or streams of its own");
    }
    if (schedule_.repeat != 1 && !is_stencil()) {
      return found(Kind::malformed, {}, "the phases run {} times, which only time steps of a stencil do",
                   schedule_.repeat);
    }
    if (schedule_.phases.size() > kMostPhases) {
      return found(Kind::malformed, {}, "the schedule has {} phases; at most {} are verified", schedule_.phases.size(),
                   kMostPhases);
    }
    if (schedule_.record_every < 1)
      return found(Kind::malformed, {}, "{} phases share a page of record; use at least 1", schedule_.record_every);
    for (const std::int64_t extent : schedule_.extent) {
      if (extent < 0 || extent > kMostElements) return found(Kind::malformed, {}, "a buffer of {} elements", extent);
    }
    return std::nullopt;
  }

  /// Whether the schedule has a contract that is a time step; then it has no other.
  [[nodiscard]] bool is_stencil() const {
    return !schedule_.contracts.empty() && schedule_.contracts.front().collective == Collective::stencil;
  }

  [[nodiscard]] Finding phase() const {
    const Phase& phase = this_phase();
    if (phase.part < 0 || at(phase.part) >= schedule_.parts.size()) {
      return wrong("uses part {} of {}", phase.part, schedule_.parts.size());
    }
    if (phase.groups < 0 || at(phase.groups) >= schedule_.group_sets.size()) {
      return wrong("uses group set {} of {}", phase.groups, schedule_.group_sets.size());
    }
    if (phase.offset < 0 || phase.offset > kMostElements) return wrong("has offset {}; use 0 to 2^62", phase.offset);
    for (const std::int32_t earlier : phase.after) {
      if (earlier < 0 || at(earlier) >= phase_)
        return wrong("comes after phase {}, which is not an earlier phase", earlier);
    }
    for (const Buffer buffer : {phase.input, phase.output}) {
      if (buffer == Buffer::none || buffer > Buffer::scratch)
        return wrong("has no buffer bound to its input or output");
    }
    return std::nullopt;
  }

  /// One contract, on buffers that can be bound. The nodes that it leaves out keep nothing: they forward and combine, as switches do.
  [[nodiscard]] Finding part() const {
    const Phase& phase = this_phase();
    if (this_part().contracts.size() != 1) {
      return wrong("part {} has {} contracts; a part has one", phase.part, this_part().contracts.size());
    }
    const Contract& contract = this_part().contracts.front();
    if (const auto keeps = node_beyond(contract)) {
      return wrong(
          "the contract of part {} covers {} of its {} nodes; it must cover all that store data, such as node {}",
          phase.part, contract.ranks.size(), this_part().node_count, *keeps);
    }
    if (contract.collective == Collective::neighbours) {
      return wrong("part {} is a neighbour exchange, whose slots do not lie on the vector of a group", phase.part);
    }
    if (contract.collective == Collective::stencil && !is_stencil()) {
      return wrong("part {} is a time step, but the schedule's contract is no stencil", phase.part);
    }
    if ((contract.from == contract.to) != (phase.input == phase.output)) {
      return wrong("part {} works {}, but is bound to {} and {}", phase.part,
                   contract.from == contract.to ? "in place" : "from one buffer to another", buffer_name(phase.input),
                   buffer_name(phase.output));
    }
    return std::nullopt;
  }

  /// A node that the contract leaves out though a step of it touches a buffer.
  [[nodiscard]] std::optional<NodeId> node_beyond(const Contract& contract) const {
    const Schedule& part = this_part();
    std::vector<bool> covered(at(std::max(0, part.node_count)), false);
    for (const NodeId node : contract.ranks) {
      if (node < 0 || node >= part.node_count) return std::nullopt;  // check_contracts() refuses it
      covered[at(node)] = true;
    }
    const auto beyond = std::find(covered.begin(), covered.end(), false);
    if (beyond == covered.end()) return std::nullopt;
    if (!part.is_flat()) return static_cast<NodeId>(beyond - covered.begin());
    for (const Lane& lane : part.lanes) {  // of a part that was not checked yet
      if (lane.node < 0 || lane.node >= part.node_count || covered[at(lane.node)]) continue;
      const auto end = std::min<std::int64_t>(std::int64_t{lane.first} + lane.count, std::ssize(part.steps));
      for (std::int64_t s = std::max(0, lane.first); s < end; ++s) {
        const Step& step = part.steps[at(s)];
        const bool keeps = step.own != Buffer::none || step.store != Buffer::none || step.sent != Buffer::none;
        if (keeps || has_term(part, step)) return lane.node;
      }
    }
    return std::nullopt;
  }

  static bool has_term(const Schedule& part, const Step& step) {
    const auto first = std::max<std::int64_t>(0, step.operands.first);
    const auto end = std::min<std::int64_t>(first + step.operands.count, std::ssize(part.operands));
    return first < end && std::any_of(part.operands.begin() + first, part.operands.begin() + end, is_term);
  }

  /// Each group alone; with each part that it is used with; then, for each phase, where its offset puts them.
  Finding groups() {
    const std::vector<Group>& groups = groups_of(schedule_, this_phase());
    GroupSet& facts = facts_[at(this_phase().groups)];
    const bool is_new_pair = seen_.is_new(this_phase());
    for (group_ = 0; is_new_pair && group_ < groups.size(); ++group_) {
      if (Finding bad = group(groups[group_], facts.is_known)) return bad;
    }
    if (!facts.is_known) {
      for (const Group& group : groups) facts.end = std::max(facts.end, end_of(group));
    }
    facts.is_known = true;
    return extents(groups, facts.end);
  }

  Finding extents(const std::vector<Group>& groups, std::int64_t end) {
    const Phase& phase = this_phase();
    const std::int64_t extent = std::min(schedule_.extent_of(phase.input), schedule_.extent_of(phase.output));
    if (end == 0 || phase.offset <= extent - end) return std::nullopt;
    for (group_ = 0; phase.offset <= extent - end_of(groups[group_]);) ++group_;
    return wrong("works on element {} of buffers of {}", end_of(groups[group_]) - 1 + phase.offset, extent);
  }

  [[nodiscard]] std::int64_t end_of(const Group& group) const { return schedule_.spans.hull(group.on).end(); }

  /// `is_known`: looked at before, with another part.
  Finding group(const Group& group, bool is_known) {
    const Phase& phase = this_phase();
    if (group.members.size() != at(this_part().node_count)) {
      return wrong("has {} members, part {} has {} nodes", group.members.size(), phase.part, this_part().node_count);
    }
    if (Finding bad = is_known ? std::nullopt : members(group)) return bad;
    if (group.on < 0 || group.on >= schedule_.spans.size()) return wrong("works on unknown span {}", group.on);
    const std::int64_t count = vector_end(this_part().contracts.front());
    if (schedule_.spans.count(group.on) != count) {
      return wrong("works on {} elements, part {} on {}", schedule_.spans.count(group.on), phase.part, count);
    }
    return std::nullopt;
  }

  Finding members(const Group& group) {
    const std::int64_t mark = marks_++;
    for (const NodeId member : group.members) {
      if (member < 0 || member >= schedule_.node_count) {
        return wrong("has node {} of {} as a member", member, schedule_.node_count);
      }
      if (member_of_[at(member)] == mark) return wrong("has {} as a member twice", subject_.node(member));
      member_of_[at(member)] = mark;
    }
    return std::nullopt;
  }

  struct GroupSet {
    bool is_known = false;
    std::int64_t end = 0;  ///< after its last element
  };

  const Subject& subject_;
  const Schedule& schedule_;
  std::size_t phase_ = 0;
  std::size_t group_ = kNoGroup;
  std::int64_t marks_ = 0;
  std::vector<std::int64_t> member_of_;  ///< node → the group seen last
  std::vector<GroupSet> facts_;          ///< group set → what was found
  SeenPairs seen_;
};

bool has_given_routes(const Schedule& schedule) {
  const auto given = [](const Stream& stream) { return stream.route != kDefaultRoute; };
  return std::any_of(schedule.streams.begin(), schedule.streams.end(), given) ||
         std::any_of(schedule.parts.begin(), schedule.parts.end(), has_given_routes);
}

/// The given routes of a schedule whose node i is `node_at[i]` of the machine.
Finding routes_at(const Schedule& schedule, std::span<const NodeId> node_at, const Machine& machine) {
  for (const Stream& stream : schedule.streams) {
    if (stream.route == kDefaultRoute) continue;
    for (const Hop& hop : schedule.routes[at(stream.route)]) {
      const NodeId from = node_at[at(hop.from)];
      const NodeId to = node_at[at(hop.to)];
      if (linked(machine, from, to)) continue;
      return found(Kind::no_route, {.node = from}, "a given route goes from {} to {}, but no link joins them",
                   node_text(machine, from), node_text(machine, to));
    }
  }
  SeenPairs seen;
  for (const Phase& phase : schedule.phases) {
    if (!seen.is_new(phase)) continue;
    const Schedule& part = schedule.parts[at(phase.part)];
    if (!has_given_routes(part)) continue;
    for (const Group& group : groups_of(schedule, phase)) {
      std::vector<NodeId> members;
      for (const NodeId member : group.members) members.push_back(node_at[at(member)]);
      if (Finding wrong = routes_at(part, members, machine)) return wrong;
    }
  }
  return std::nullopt;
}

/// Only nodes that can combine are members.
Finding check_members(const Subject& subject) {
  const Schedule& schedule = subject.schedule;
  std::vector<bool> combines(at(schedule.node_count));
  for (NodeId node = 0; node < schedule.node_count; ++node) combines[at(node)] = can_combine(subject.machine, node);
  if (std::all_of(combines.begin(), combines.end(), [](bool can) { return can; })) return std::nullopt;
  for (std::size_t p = 0; p < schedule.phases.size(); ++p) {
    for (const Group& group : groups_of(schedule, schedule.phases[p])) {
      for (const NodeId member : group.members) {
        if (combines[at(member)]) continue;
        return found(Kind::malformed, {.node = member}, "phase {}: {} only routes; it cannot be a member of a group", p,
                     subject.node(member));
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Finding check_phase_form(const Subject& subject) { return PhaseForm(subject).run(); }

Finding check_placement(const Subject& subject) {
  if (Finding wrong = check_members(subject)) return wrong;
  if (!has_given_routes(subject.schedule)) return std::nullopt;
  std::vector<NodeId> node_at(at(subject.schedule.node_count));
  for (NodeId node = 0; node < subject.schedule.node_count; ++node) node_at[at(node)] = node;
  return routes_at(subject.schedule, node_at, subject.machine);
}

}  // namespace muster::verifier
