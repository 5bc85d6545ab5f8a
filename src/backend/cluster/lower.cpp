// Phases to operations: which dimension each one uses, and how long it sends there.
#include <algorithm>
#include <optional>

#include "backend/cluster/cluster.h"
#include "base/index.h"
#include "machine/families.h"
#include "schedule/rounds.h"

namespace muster::cluster {
namespace {

Bytes words(std::int64_t count) { return Bytes(count * std::int64_t{sizeof(Word)}); }

class Lowering {
 public:
  Lowering(const Schedule& schedule, const Cluster& cluster)
      : schedule_(schedule), cluster_(cluster), seen_in_(at(schedule.node_count), -1) {
    for (const Schedule& part : schedule.parts) rounds_.push_back(rounds_of(part));
  }

  /// The operations, or the first phase that has no dimension.
  std::optional<std::int32_t> run(std::vector<Operation>& operations) {
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(schedule_.phases.size()); ++p) {
      const auto dimension = dimension_of(schedule_.phases[at(p)]);
      if (!dimension) return p;
      add(p, *dimension, operations);
    }
    return std::nullopt;
  }

 private:
  /// The coordinate in which the members of every group differ, and no other. The widest groups have been looked at before.
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
        for (std::int32_t d = 0; d < static_cast<std::int32_t>(cluster_.dimensions.size()); ++d) {
          if (coordinate(cluster_, member, at(d)) == coordinate(cluster_, group.members.front(), at(d))) continue;
          if (found >= 0 && found != d) return -1;
          found = d;
        }
      }
    }
    return found;
  }

  void add(std::int32_t p, std::int32_t dimension, std::vector<Operation>& operations) {
    const Phase& phase = schedule_.phases[at(p)];
    std::vector<std::int32_t> after;
    for (const std::int32_t earlier : phase.after) after.push_back(operation_of_[at(earlier)]);
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());

    const auto last = static_cast<std::int32_t>(operations.size()) - 1;
    const bool beside = last >= 0 && operations[at(last)].dimension == dimension &&
                        operations[at(last)].after == after && is_apart_from(phase, last);
    if (!beside) operations.push_back({.dimension = dimension, .phases = {}, .after = std::move(after)});
    const auto id = static_cast<std::int32_t>(operations.size()) - 1;
    mark(phase, id);
    operation_of_.push_back(id);

    const Cluster::Dimension& d = cluster_.dimensions[at(dimension)];
    const Rounds& rounds = rounds_[at(phase.part)];
    Operation& operation = operations.back();
    operation.phases.push_back(p);
    operation.sending = std::max(operation.sending, sending_time(d, words(rounds.words)));
    operation.delay = std::max(operation.delay, waiting_time(d, rounds.count));
    const auto groups = static_cast<std::int64_t>(groups_of(schedule_, phase).size());
    operation.bytes += words(rounds.sent * groups);
    operation.port = std::max(operation.port, rounds.words);
  }

  [[nodiscard]] bool is_apart_from(const Phase& phase, std::int32_t operation) const {
    for (const Group& group : groups_of(schedule_, phase)) {
      for (const NodeId member : group.members) {
        if (seen_in_[at(member)] == operation) return false;
      }
    }
    return true;
  }
  void mark(const Phase& phase, std::int32_t operation) {
    for (const Group& group : groups_of(schedule_, phase)) {
      for (const NodeId member : group.members) seen_in_[at(member)] = operation;
    }
  }

  const Schedule& schedule_;
  const Cluster& cluster_;
  std::vector<Rounds> rounds_;                                 ///< of each part
  std::vector<std::optional<std::int32_t>> dimension_of_set_;  ///< of each set of groups; -1: none
  std::vector<std::int32_t> operation_of_;                     ///< of each phase so far
  std::vector<std::int32_t> seen_in_;                          ///< of each NPU: its last operation
};

}  // namespace

Outcome<std::unique_ptr<ClusterProgram>> lower(const Schedule& schedule, const Machine& machine,
                                               const LowerOptions& options) {
  if (schedule.is_flat()) {
    return Refusal{"a cluster runs schedules of phases, each along one dimension; this one is flat"};
  }
  auto program = std::make_unique<ClusterProgram>();
  program->machine = machine;
  program->arithmetic = options.arithmetic;
  program->schedule = schedule;
  if (const auto phase = Lowering(schedule, *machine.cluster()).run(program->operations)) {
    return Refusal{fmt::format("phase {} does not stay in one dimension of {}", *phase, machine.name)};
  }
  return program;
}

}  // namespace muster::cluster
