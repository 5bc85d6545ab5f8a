// expand(): writes the flat schedule that phases stand for. Parts are expanded first, innermost out; then every group
// of every phase gets a copy of its part's streams, lanes and steps, with nodes, buffers and elements mapped.
#include "schedule/phase.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "schedule/builder.h"
#include "schedule/phase_map.h"

namespace muster {

namespace {

/// Most entries that all expanded lists have together; ids have 31 bits, and a step is some 50 bytes.
constexpr std::int64_t kMostFlat = std::int64_t{1} << 27;

[[noreturn]] void reject_size() { reject("the flat schedule would have more than {} entries", kMostFlat); }

std::int64_t flat_size(const Schedule& s) {
  std::size_t size = s.steps.size() + s.streams.size() + s.sinks.size() + s.operands.size() + s.outputs.size() +
                     s.waits.size() + s.lanes.size();
  for (const auto& route : s.routes) size += route.size();
  return static_cast<std::int64_t>(size);
}

/// flat_size() of what a schedule expands to, without its waits between phases; `total` counts everything on the way.
std::int64_t expanded_size(const Schedule& schedule, std::int64_t& total) {
  if (schedule.is_flat()) return flat_size(schedule);
  std::vector<std::int64_t> parts;
  for (const Schedule& part : schedule.parts) parts.push_back(expanded_size(part, total));
  std::int64_t size = 0;
  for (const Phase& phase : schedule.phases) {
    if (phase.part < 0 || phase.part >= static_cast<std::int32_t>(parts.size())) continue;
    if (phase.groups < 0 || phase.groups >= static_cast<std::int32_t>(schedule.group_sets.size())) continue;
    const std::int64_t part = parts[static_cast<std::size_t>(phase.part)];
    const auto groups = static_cast<std::int64_t>(groups_of(schedule, phase).size());
    if (part > 0 && groups > kMostFlat / part) reject_size();
    size += part * groups;
    total += part * groups;
    if (total > kMostFlat) reject_size();
  }
  if (schedule.repeat < 1) reject("the phases run {} times; use at least 1", schedule.repeat);
  if (schedule.record_every < 1) reject("{} phases share a page of record; use at least 1", schedule.record_every);
  if (schedule.repeat > static_cast<std::int64_t>(kMostPhases / std::max<std::size_t>(1, schedule.phases.size()))) {
    reject("the flat schedule would have {} phases {} times; at most {} together", schedule.phases.size(),
           schedule.repeat, kMostPhases);
  }
  if (size > kMostFlat / schedule.repeat) reject_size();
  total += size * (schedule.repeat - 1);
  size *= schedule.repeat;
  if (total > kMostFlat) reject_size();
  return size;
}

class Expansion {
 public:
  /// `parts` are the schedule's parts, flat.
  Expansion(const Schedule& schedule, std::span<const Schedule* const> parts)
      : schedule_(schedule),
        parts_(parts),
        builder_({.nodes = schedule.node_count,
                  .count = schedule.extent[0],
                  .output = schedule.extent[1],
                  .model = schedule.extent[3]}),
        nodes_(static_cast<std::size_t>(schedule.node_count), Node{.scratch = schedule.extent[2]}),
        seen_(schedule.phases.size() * static_cast<std::size_t>(schedule.repeat), -1) {}

  Schedule run() {
    for (std::int64_t turn = 0; turn < schedule_.repeat; ++turn) {
      for (phase_ = 0; phase_ < phase_count(); ++phase_) {
        running_ = static_cast<std::int32_t>(turn) * phase_count() + phase_;
        group_ = -1;
        check_phase();
        write_phase();
      }
    }
    for (const Contract& contract : schedule_.contracts) builder_.contract(contract);
    Schedule flat = std::move(builder_).finish();
    flat.extent[2] = schedule_.extent[2];
    for (const Buffer buffer : {Buffer::series, Buffer::record}) {
      const std::int64_t pages = schedule_.pages_of(buffer);
      if (schedule_.extent_of(buffer) > kMostElements / pages)
        reject("{} would be beyond 2^62 elements", buffer_name(buffer));
      flat.extent[static_cast<std::size_t>(buffer) - 1] = pages * schedule_.extent_of(buffer);
    }
    for (const Node& node : nodes_) flat.extent[2] = std::max(flat.extent[2], node.scratch);
    return flat;
  }

  /// "phase 2, group 5: ", for messages.
  [[nodiscard]] std::string location() const {
    return group_ < 0 ? fmt::format("phase {}: ", phase_) : fmt::format("phase {}, group {}: ", phase_, group_);
  }

 private:
  struct LastStep {
    std::int32_t phase = 0;
    StepId step = 0;
  };
  struct Node {
    std::int64_t scratch = 0;      ///< elements in use
    std::int32_t lanes = 0;        ///< lanes written
    std::int64_t member_of = -1;   ///< the newest group that it is in
    std::vector<LastStep> last{};  ///< of each lane, by phase
  };

  [[nodiscard]] std::int32_t phase_count() const { return static_cast<std::int32_t>(schedule_.phases.size()); }
  const Phase& phase() const { return schedule_.phases[static_cast<std::size_t>(phase_)]; }
  const Schedule& part() const { return *parts_[static_cast<std::size_t>(phase().part)]; }
  Node& node(NodeId n) { return nodes_[static_cast<std::size_t>(n)]; }

  void check_phase() {
    const Phase& phase = this->phase();
    if (phase.part < 0 || phase.part >= static_cast<std::int32_t>(parts_.size())) {
      reject("uses part {} of {}", phase.part, parts_.size());
    }
    if (phase.groups < 0 || phase.groups >= static_cast<std::int32_t>(schedule_.group_sets.size())) {
      reject("uses group set {} of {}", phase.groups, schedule_.group_sets.size());
    }
    if (phase.offset < 0 || phase.offset > kMostElements) reject("has offset {}; use 0 to 2^62", phase.offset);
    for (const std::int32_t earlier : phase.after) {
      if (earlier < 0 || earlier >= phase_) reject("comes after phase {}, which is not an earlier phase", earlier);
    }
    if (part().contracts.empty()) reject("part {} has no contract", phase.part);
    const Contract& contract = part().contracts.front();
    for (const Contract& other : part().contracts) {
      if (other.from != contract.from || other.to != contract.to || vector_end(other) != vector_end(contract)) {
        reject("the contracts of part {} differ in buffers or count", phase.part);
      }
    }
    check_part();
    if (phase.input == Buffer::none || phase.output == Buffer::none)
      reject("has no buffer bound to its input or output");
    if (contract.from == contract.to && phase.input != phase.output) {
      reject("part {} works in place, but is bound to {} and {}", phase.part, buffer_name(phase.input),
             buffer_name(phase.output));
    }
  }

  /// Ids that are out of range would mean other copies of the part.
  void check_part() const {
    const auto inside = [](std::int64_t first, std::size_t end) {
      return [first, end](std::int32_t id) { return id >= first && id < static_cast<std::int64_t>(end); };
    };
    const Schedule& p = part();
    const StreamId last_term = term_operand(static_cast<std::int32_t>(p.terms.size()) - 1);
    if (!std::all_of(p.operands.begin(), p.operands.end(), inside(last_term, p.streams.size())) ||
        !std::all_of(p.outputs.begin(), p.outputs.end(), inside(0, p.streams.size())) ||
        !std::all_of(p.waits.begin(), p.waits.end(), inside(0, p.steps.size()))) {
      reject("part {} names a stream, term or step that it does not have", phase().part);
    }
    if (!p.factors.empty() && (p.factors.size() != p.operands.size() ||
                               !std::all_of(p.factors.begin(), p.factors.end(), inside(kOne, p.coefficients.size())))) {
      reject("part {} names a coefficient that it does not have", phase().part);
    }
  }

  void check_group(const Group& group) {
    const std::int64_t number = groups_++;
    if (static_cast<std::int64_t>(group.members.size()) != part().node_count) {
      reject("has {} members, but part {} has {} nodes", group.members.size(), phase().part, part().node_count);
    }
    for (const NodeId member : group.members) {
      if (member < 0 || member >= schedule_.node_count) {
        reject("member {} is not one of the {} nodes", member, schedule_.node_count);
      }
      if (node(member).member_of == number) reject("node {} is a member twice", member);
      node(member).member_of = number;
    }
    if (group.on < 0 || group.on >= schedule_.spans.size()) reject("span {} does not exist", group.on);
    if (schedule_.spans.count(group.on) != vector_end(part().contracts.front())) {
      reject("works on {} elements, but part {} on {}", schedule_.spans.count(group.on), phase().part,
             vector_end(part().contracts.front()));
    }
  }

  void write_phase() {
    Binding binding = bind(part());
    for (const Buffer buffer : {Buffer::series, Buffer::record}) {
      const std::int64_t page = buffer == Buffer::series ? running_ : running_ / schedule_.record_every;
      if (part().extent_of(buffer) > schedule_.extent_of(buffer))
        reject("part {} has {} elements in a page of {}, the schedule {}", phase().part, part().extent_of(buffer),
               buffer_name(buffer), schedule_.extent_of(buffer));
      binding.offset[static_cast<std::size_t>(buffer)] = page * schedule_.extent_of(buffer);
    }
    coefficients_.clear();
    for (const Coefficient& coefficient : part().coefficients)
      coefficients_.push_back(builder_.coefficient(coefficient));
    std::optional<PhaseMap> map;
    std::vector<Range> elements;
    SpanId on = -1;
    std::int64_t base = -1;
    for (const Group& group : groups_of(schedule_, phase())) {
      ++group_;
      check_group(group);
      const std::int64_t new_base = reserve_scratch(group, binding.scratch);
      if (!map || group.on != on || new_base != base) {  // all rows of a grid share one map
        on = group.on;
        base = new_base;
        elements = shifted(schedule_.spans.ranges(on), phase().offset);
        map.emplace(part(), phase(), binding, elements, base);
      }
      write_group(group, *map);
    }
  }

  static std::vector<Range> shifted(std::span<const Range> ranges, std::int64_t offset) {
    std::vector<Range> result(ranges.begin(), ranges.end());
    for (Range& range : result) {
      if (range.end() > kMostElements - offset) reject("works on elements beyond 2^62");
      range.first += offset;
    }
    return result;
  }

  /// Scratch that no other group has at any of the members.
  std::int64_t reserve_scratch(const Group& group, std::int64_t count) {
    if (count == 0) return 0;
    std::int64_t base = 0;
    for (const NodeId member : group.members) base = std::max(base, node(member).scratch);
    if (base > kMostElements - count) reject("scratch would be beyond 2^62 elements");
    for (const NodeId member : group.members) node(member).scratch = base + count;
    return base;
  }

  void write_group(const Group& group, PhaseMap& map) {
    const StreamId first_stream = streams_;
    write_streams(group, map);
    const StepId first_step = steps_;
    for (NodeId n = 0; n < part().node_count; ++n) {
      const NodeId member = group.members[static_cast<std::size_t>(n)];
      const std::vector<StepId>& waits = waits_at(member);
      for (const Lane& lane : part().lanes_of(n)) {
        const std::int32_t number = node(member).lanes++;
        for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
          auto writer = write_step(part().steps[static_cast<std::size_t>(s)], member, number, map, first_stream);
          MUSTER_ASSERT(writer.id() == first_step + s, "steps of part {} are not in the order of its lanes",
                        phase().part);
          for (const StepId wait : part().waits_of(part().steps[static_cast<std::size_t>(s)]))
            writer.after(first_step + wait);
          if (s != lane.first) continue;
          for (const StepId wait : waits) writer.after(wait);
          if ((waits_ += static_cast<std::int64_t>(waits.size())) > kMostFlat) reject_size();
        }
        if (lane.count > 0) node(member).last.push_back({running_, first_step + lane.first + lane.count - 1});
      }
    }
  }

  void write_streams(const Group& group, PhaseMap& map) {
    const auto member = [&](NodeId n) {
      if (n < 0 || n >= part().node_count) reject("part {} names node {} of {}", phase().part, n, part().node_count);
      return group.members[static_cast<std::size_t>(n)];
    };
    std::vector<NodeId> sinks;
    for (const Stream& stream : part().streams) {
      sinks.clear();
      for (const NodeId sink : part().sinks_of(stream)) sinks.push_back(member(sink));
      const StreamId id =
          builder_.multicast(member(stream.source), sinks, map.span(builder_, Buffer::none, stream.elements));
      streams_ = id + 1;
      if (stream.route == kDefaultRoute) continue;
      std::vector<Hop> hops;
      for (const Hop& hop : part().routes.at(static_cast<std::size_t>(stream.route))) {
        hops.push_back({member(hop.from), member(hop.to)});
      }
      builder_.route(id, std::move(hops));
    }
  }

  ScheduleBuilder::StepWriter write_step(const Step& step, NodeId member, std::int32_t lane, PhaseMap& map,
                                         StreamId first_stream) {
    auto writer = builder_.step(member, map.span(builder_, Buffer::none, step.elements), lane);
    ++steps_;
    const auto at = [&](Buffer buffer, SpanId span) {
      return map.span(builder_, buffer, buffer == Buffer::none ? step.elements : span);
    };
    const auto operands = part().operands_of(step);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (is_stream(operands[i])) {
        writer.take(first_stream + operands[i]);
      } else if (is_term(operands[i])) {
        const Term& term = part().term_of(operands[i]);
        writer.term(map.buffer(term.buffer), at(term.buffer, term.elements));
      } else {
        writer.own(map.buffer(step.own), at(step.own, step.own_elements));
      }
      const std::int32_t factor = part().factor_of(step, i);
      if (factor != kOne) writer.times(coefficients_[static_cast<std::size_t>(factor)]);
    }
    // Elements differ between buffers once they are mapped, so each location is written out.
    if (step.store != Buffer::none) writer.store(map.buffer(step.store), at(step.store, step.store_elements));
    if (step.is_exchange()) writer.send_old(map.buffer(step.sent), at(step.sent, step.sent_elements));
    for (const StreamId output : part().outputs_of(step)) writer.push(first_stream + output);
    return writer;
  }

  /// The last steps, at a node, of the phases that this one comes after; a phase that has no steps there stands for
  /// those that it comes after itself. Valid until the next call.
  const std::vector<StepId>& waits_at(NodeId n) {
    waits_here_.clear();
    open_.clear();
    add_earlier(running_);
    ++visit_;
    while (!open_.empty()) {
      const std::int32_t earlier = open_.back();
      open_.pop_back();
      if (std::exchange(seen_[static_cast<std::size_t>(earlier)], visit_) == visit_) continue;
      const auto& last = node(n).last;
      auto it = std::lower_bound(last.begin(), last.end(), earlier,
                                 [](const LastStep& l, std::int32_t p) { return l.phase < p; });
      if (it == last.end() || it->phase != earlier) {
        add_earlier(earlier);
      }
      for (; it != last.end() && it->phase == earlier; ++it) waits_here_.push_back(it->step);
    }
    std::sort(waits_here_.begin(), waits_here_.end());
    return waits_here_;
  }

  /// What a phase of some turn comes after; with nothing before it in its turn, all of the turn before.
  void add_earlier(std::int32_t running) {
    const std::int32_t first = running - running % phase_count();
    const auto& after = schedule_.phases[static_cast<std::size_t>(running - first)].after;
    for (const std::int32_t earlier : after) open_.push_back(first + earlier);
    if (!after.empty() || first == 0) return;
    for (std::int32_t p = 0; p < phase_count(); ++p) open_.push_back(first - phase_count() + p);
  }

  const Schedule& schedule_;
  std::span<const Schedule* const> parts_;
  ScheduleBuilder builder_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> coefficients_;  // of the part at hand, in builder_
  std::vector<std::int64_t> seen_;          // by phase: the visit that last met it
  std::vector<std::int32_t> open_;          // phases that waits_at() has to look at
  std::vector<StepId> waits_here_;          // what it finds
  std::int64_t visit_ = 0;
  std::int64_t groups_ = 0;
  std::int32_t phase_ = 0;
  std::int32_t running_ = 0;  // the phase at hand, counted through all repetitions
  std::int32_t group_ = -1;
  StreamId streams_ = 0;
  StepId steps_ = 0;
  std::int64_t waits_ = 0;  // between phases
};

/// expand() for a schedule whose size was checked.
Schedule expand_phases(const Schedule& schedule) {
  if (!schedule.steps.empty()) reject("a schedule has either steps or phases, not both");
  std::vector<Schedule> expanded;
  expanded.reserve(schedule.parts.size());
  std::vector<const Schedule*> parts;
  for (std::size_t i = 0; i < schedule.parts.size(); ++i) {
    const Schedule& part = schedule.parts[i];
    try {
      parts.push_back(part.is_flat() ? &part : &expanded.emplace_back(expand_phases(part)));
    } catch (const InputError& error) {
      reject("part {}: {}", i, error.what());
    }
  }
  Expansion expansion(schedule, parts);
  try {
    return expansion.run();
  } catch (const InputError& error) {
    reject("{}{}", expansion.location(), error.what());
  }
}

}  // namespace

Schedule expand(const Schedule& schedule) {
  if (schedule.is_flat()) return schedule;
  std::int64_t total = 0;
  (void)expanded_size(schedule, total);
  return expand_phases(schedule);
}

}  // namespace muster
