// Phases to operations: which dimension each one uses, and how long it sends there.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "backend/cluster/cluster.h"
#include "base/index.h"
#include "machine/cluster.h"
#include "machine/cluster_rounds.h"
#include "schedule/rounds.h"

namespace muster::cluster {
namespace {

Bytes words(std::int64_t count) { return Bytes(count * std::int64_t{sizeof(Word)}); }

class Lowering {
 public:
  Lowering(const Schedule& schedule, const Cluster& cluster)
      : schedule_(schedule),
        cluster_(cluster),
        ranks_(rank_count(cluster)),
        dimensions_(cluster.dimensions.size()),
        seen_in_(at(schedule.node_count), -1) {
    rounds_.resize(schedule.parts.size());
    coordinates_.reserve(at(ranks_) * dimensions_);
    for (NodeId rank = 0; rank < ranks_; ++rank) {
      for (std::size_t d = 0; d < dimensions_; ++d) coordinates_.push_back(coordinate(cluster, rank, d));
    }
  }

  /// The operations, or why a phase cannot be one.
  Outcome<std::vector<Operation>> run() {
    std::vector<Operation> operations;
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(schedule_.phases.size()); ++p) {
      const Phase& phase = schedule_.phases[at(p)];
      if (groups_of(schedule_, phase).empty()) {
        operation_of_.push_back(-1);
        continue;
      }
      const auto dimension = dimension_of(phase);
      if (!dimension) return Refusal{fmt::format("phase {} does not stay in one dimension", p)};
      auto& rounds = rounds_[at(phase.part)];
      const Schedule& part = schedule_.parts[at(phase.part)];
      if (!rounds && !is_in_place(part)) {
        return Refusal{fmt::format("phase {} has a part that is not flat, or does not work in place in its input", p)};
      }
      if (phase.input != Buffer::input || phase.output != Buffer::input) {
        return Refusal{
            fmt::format("phase {} uses buffers other than the input; on a cluster every phase works in place", p)};
      }
      if (!rounds) rounds = rounds_of(part);
      add(p, *dimension, operations);
    }
    return operations;
  }

 private:
  static bool is_in_place(const Schedule& part) {
    const auto in_input = [](Buffer buffer) { return buffer == Buffer::none || buffer == Buffer::input; };
    return part.is_flat() && std::all_of(part.steps.begin(), part.steps.end(), [&](const Step& s) {
             return in_input(s.own) && in_input(s.store) && in_input(s.sent);
           });
  }

  /// The coordinate in which the members of every group differ, and no other: looked up once per set of groups.
  std::optional<std::int32_t> dimension_of(const Phase& phase) {
    if (at(phase.groups) >= dimension_of_set_.size()) dimension_of_set_.resize(at(phase.groups) + 1);
    auto& known = dimension_of_set_[at(phase.groups)];
    if (!known) known = dimension_of_groups(groups_of(schedule_, phase));
    return *known < 0 ? std::nullopt : std::optional(*known);
  }
  [[nodiscard]] std::int32_t dimension_of_groups(const std::vector<Group>& groups) const {
    std::int32_t found = -1;
    for (const Group& group : groups) {
      for (const NodeId member : group.members) {
        if (group.members.front() >= ranks_) return -1;
        if (member >= ranks_) continue;  // the group's switch
        for (std::size_t d = 0; d < dimensions_; ++d) {
          if (coordinate_of(member, d) == coordinate_of(group.members.front(), d)) continue;
          if (found >= 0 && at(found) != d) return -1;
          found = static_cast<std::int32_t>(d);
        }
      }
    }
    return found;
  }
  [[nodiscard]] std::int32_t coordinate_of(NodeId rank, std::size_t dimension) const {
    return coordinates_[at(rank) * dimensions_ + dimension];
  }

  void add(std::int32_t p, std::int32_t dimension, std::vector<Operation>& operations) {
    const Phase& phase = schedule_.phases[at(p)];
    std::vector<std::int32_t> after;
    for (const std::int32_t earlier : phase.after) {
      if (operation_of_[at(earlier)] >= 0) after.push_back(operation_of_[at(earlier)]);
    }
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());

    const auto last = static_cast<std::int32_t>(operations.size()) - 1;
    const bool beside = last >= 0 && operations[at(last)].dimension == dimension &&
                        operations[at(last)].after == after && is_apart(phase, operations[at(last)], last);
    if (!beside) operations.push_back({.dimension = dimension, .phases = {}, .after = std::move(after)});
    const auto id = static_cast<std::int32_t>(operations.size()) - 1;
    operation_of_.push_back(id);

    const Rounds& rounds = *rounds_[at(phase.part)];
    const Collective collective = schedule_.parts[at(phase.part)].contracts.front().collective;
    const RoundTimes times = round_times(cluster_, dimension, rounds, collective == Collective::reduce_scatter);
    Operation& operation = operations.back();
    operation.phases.push_back(p);
    operation.sending = std::max(operation.sending, times.sending);
    operation.delay = std::max(operation.delay, times.delay);
    const auto groups = static_cast<std::int64_t>(groups_of(schedule_, phase).size());
    operation.bytes += words(rounds.sent * groups);
    operation.port = std::max(operation.port, rounds.most);
  }

  /// Whether a phase shares no member with those of the newest operation. Most operations have one or two phases, of few
  /// different sets of groups, so that two sets are compared once.
  bool is_apart(const Phase& phase, const Operation& operation, std::int32_t id) {
    const std::int32_t other = schedule_.phases[at(operation.phases.back())].groups;
    if (other == phase.groups) return false;
    if (operation.phases.size() > 1) return is_apart_from_all(phase, operation, id);
    const auto [known, is_new] = apart_.try_emplace({other, phase.groups}, false);
    if (is_new) known->second = is_apart_from_all(phase, operation, id);
    return known->second;
  }
  bool is_apart_from_all(const Phase& phase, const Operation& operation, std::int32_t id) {
    if (std::exchange(marked_, id) != id) phases_marked_ = 0;
    for (; phases_marked_ < operation.phases.size(); ++phases_marked_) {
      for (const Group& group : groups_of(schedule_, schedule_.phases[at(operation.phases[phases_marked_])])) {
        for (const NodeId member : group.members) seen_in_[at(member)] = id;
      }
    }
    for (const Group& group : groups_of(schedule_, phase)) {
      for (const NodeId member : group.members) {
        if (seen_in_[at(member)] == id) return false;
      }
    }
    return true;
  }

  const Schedule& schedule_;
  const Cluster& cluster_;
  NodeId ranks_;
  std::size_t dimensions_;
  std::vector<std::int32_t> coordinates_;                      ///< of each NPU, dimension by dimension
  std::vector<std::optional<Rounds>> rounds_;                  ///< of each part that is used
  std::vector<std::optional<std::int32_t>> dimension_of_set_;  ///< of each set of groups; -1: none
  std::vector<std::int32_t> operation_of_;                     ///< of each phase so far; -1: it has no groups
  std::map<std::pair<std::int32_t, std::int32_t>, bool>
      apart_;                          ///< of two sets of groups: whether they share no member
  std::vector<std::int32_t> seen_in_;  ///< of each node: the last operation that marked it
  std::int32_t marked_ = -1;           ///< the operation that is being marked
  std::size_t phases_marked_ = 0;      ///< of its phases
};

}  // namespace

Outcome<std::unique_ptr<ClusterProgram>> lower(const Schedule& schedule, const Machine& machine,
                                               const LowerOptions& options) {
  if (is_linear(schedule)) return Refusal{std::string(kLinearRefusal)};
  if (schedule.is_flat()) {
    return Refusal{"a cluster runs schedules of phases, each along one dimension; this one is flat"};
  }
  auto program = std::make_unique<ClusterProgram>();
  program->machine = machine;
  program->arithmetic = options.arithmetic;
  program->schedule = schedule;
  for (const Contract& contract : schedule.contracts) {
    if (contract.from == Buffer::input && contract.to == Buffer::input) continue;
    return Refusal{"clusters work in place: the contract must begin and end in the input"};
  }
  auto operations = Lowering(schedule, *as<Cluster>(machine)).run();
  if (!operations) return Refusal{operations.reason()};
  program->operations = std::move(operations).value();
  return program;
}

}  // namespace muster::cluster
