// Lowering of phases: the program of each part is found once, on a mesh of its own, and put together where its groups are.
//
// Parts share colors where no switch is needed for it, or one at the sender (phase_colors.h); at a processor, the operations of a phase follow those of the phases
// before it, in one lane. No deadlock is possible: of the groups that have not finished, take the first one in the order of phases. All
// of its members have come to it, nothing of a later phase is before it in a queue, and its part cannot deadlock by itself.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "backend/wafer/lower/lower.h"
#include "backend/wafer/lower/phase_colors.h"
#include "base/index.h"
#include "machine/shapes.h"
#include "schedule/phase.h"
#include "schedule/phase_map.h"

namespace muster::wafer {
namespace {

/// Boxes of processors, row by row.
struct Box {
  NodeId width = 0;
  NodeId height = 0;
};

/// The box that the members fill in a mesh, if they do.
std::optional<Box> box_of(const Group& group, NodeId mesh_width) {
  const std::vector<NodeId>& members = group.members;
  const auto count = static_cast<NodeId>(members.size());
  const NodeId corner = members.front();
  NodeId run = 0;
  while (run < count && members[at(run)] == corner + run) ++run;
  const NodeId width = std::min(run, mesh_width - corner % mesh_width);
  for (NodeId i = 0; i < count; ++i) {
    if (members[at(i)] != corner + i / width * mesh_width + i % width) return std::nullopt;
  }
  if (count % width != 0) return std::nullopt;
  return Box{.width = width, .height = count / width};
}

/// Whether the phase runs at every processor after all earlier ones that run there: then they are one lane.
bool are_in_line(const Schedule& schedule) {
  for (std::size_t p = 1; p < schedule.phases.size(); ++p) {
    const auto& after = schedule.phases[p].after;
    if (std::ranges::find(after, static_cast<std::int32_t>(p) - 1) == after.end()) return false;
  }
  return true;
}

class PhaseLowering {
 public:
  PhaseLowering(const Schedule& schedule, const Machine& machine, const LowerOptions& options)
      : schedule_(schedule), machine_(machine), mesh_(*as<Mesh>(machine)), options_(options) {}

  Outcome<std::unique_ptr<WaferProgram>> run() {
    if (!are_in_line(schedule_)) return Refusal{"phases are not in one order"};
    program_ = std::make_unique<WaferProgram>();
    program_->machine = machine_;
    program_->arithmetic = options_.arithmetic;
    program_->spans = schedule_.spans;
    program_->extent = schedule_.extent;
    program_->contracts = schedule_.contracts;
    program_->parts.resize(schedule_.parts.size());
    if (auto refusal = place_phases()) return *refusal;
    if (auto refusal = lower_parts()) return *refusal;
    if (auto refusal = choose_colors()) return *refusal;
    write_programs();
    drop_unused_classes();
    if (auto reason = over_budget(*program_, options_.options.of<MeshOptions>().reserved_colors))
      return Refusal{*reason};
    return std::move(program_);
  }

 private:
  std::optional<Refusal> place_phases() {
    placements_.resize(schedule_.parts.size());
    for (const Phase& phase : schedule_.phases) {
      Placement& placement = placements_[at(phase.part)];
      const auto number = static_cast<std::int32_t>(program_->phases.size());
      if (placement.width == 0) placement.first_phase = number;
      placement.last_phase = number;
      PhasePlaces& places = program_->phases.emplace_back();
      places.part = phase.part;
      for (const Group& group : groups_of(schedule_, phase)) {
        if (group.members.empty() || group.members.back() >= mesh_.width * mesh_.height)
          return Refusal{"a group is not on the mesh"};
        const auto box = box_of(group, mesh_.width);
        if (!box) return Refusal{"a group is no box of processors"};
        if (placement.width == 0) {
          placement.width = box->width;
          placement.height = box->height;
        }
        if (placement.width != box->width || placement.height != box->height)
          return Refusal{"groups have different shapes"};
        if (schedule_.spans.ranges(group.on).size() != 1) return Refusal{"a group works on scattered elements"};
        places.corners.push_back(group.members.front());
      }
      placement.corners.insert(placement.corners.end(), places.corners.begin(), places.corners.end());
    }
    for (Placement& placement : placements_) {
      std::ranges::sort(placement.corners);
      const auto repeated = std::unique(placement.corners.begin(), placement.corners.end());
      placement.repeats = repeated != placement.corners.end();
      placement.corners.erase(repeated, placement.corners.end());
      if (overlap(placement)) return Refusal{"a part runs in boxes that overlap"};
    }
    return std::nullopt;
  }

  /// Whether different boxes of a part have a processor in common.
  [[nodiscard]] bool overlap(const Placement& placement) const {
    std::vector<bool> taken(at(mesh_.width * mesh_.height), false);
    for (const NodeId corner : placement.corners) {
      for (NodeId i = 0; i < placement.width * placement.height; ++i) {
        const std::size_t node = at(corner + i / placement.width * mesh_.width + i % placement.width);
        if (taken[node]) return true;
        taken[node] = true;
      }
    }
    return false;
  }

  std::optional<Refusal> lower_parts() {
    for (std::size_t p = 0; p < placements_.size(); ++p) {
      const Placement& placement = placements_[p];
      if (placement.width == 0) continue;
      auto part = lower(schedule_.parts[p], with_grid(machine_, placement.width, placement.height), options_);
      if (!part) return Refusal{part.reason()};
      if (std::ranges::any_of(part.value()->classes, has_several_lanes)) return Refusal{"a part has several lanes"};
      program_->parts[p] = std::move(*part.value());
    }
    return std::nullopt;
  }

  static bool has_several_lanes(const ProcessorClass& c) {
    return std::ranges::any_of(c.operations, [](const Operation& o) { return o.lane > 0 || !o.after.empty(); });
  }

  std::optional<Refusal> choose_colors() {
    colors_ = share_colors(program_->parts, placements_, mesh_.width);
    Switching switching;
    for (std::size_t p = 0; p < program_->parts.size(); ++p) {
      for (const ProcessorClass& c : program_->parts[p].classes) {
        for (ColorRoute route : c.routes) {
          route.color = colors_.of_part[p][at(route.color)];
          switching.routes.push_back(route);
        }
      }
    }
    for (std::size_t color = 0; color < colors_.switched.size(); ++color) {
      if (colors_.switched[color]) switching.routes.push_back({.color = static_cast<std::int8_t>(color), .count = 2});
    }
    auto colors = choose_hardware_colors(switching, colors_.count, mesh_, options_);
    if (!colors) return Refusal{colors.reason()};
    program_->colors = std::move(colors).value();
    for (std::size_t p = 0; p < program_->parts.size(); ++p) {
      auto& own = program_->parts[p].colors;
      for (std::size_t c = 0; c < own.size(); ++c) own[c] = program_->colors[at(colors_.of_part[p][c])];
    }
    return std::nullopt;
  }

  void write_programs() {
    program_->classes.emplace_back();
    program_->class_of.assign(at(mesh_.width * mesh_.height), 0);
    for (std::size_t p = 0; p < schedule_.phases.size(); ++p) {
      if (p > 0 && p + 1 == schedule_.phases.size()) keep_without_broadcast(schedule_.phases[p]);
      write_phase(p);
    }
  }

  void keep_without_broadcast(const Phase& last) {
    const Contract& contract = schedule_.parts[at(last.part)].contracts.front();
    const std::vector<Group>& groups = groups_of(schedule_, last);
    const auto all = at(mesh_.width * mesh_.height);
    if (contract.collective != Collective::broadcast || contract.ranks.size() != all || groups.size() != 1) return;
    WaferProgram& reduce = program_->without_broadcast.emplace_back();
    reduce.machine = machine_;
    reduce.arithmetic = program_->arithmetic;
    reduce.spans = program_->spans;
    reduce.extent = program_->extent;
    reduce.classes = program_->classes;
    reduce.class_of = program_->class_of;
    reduce.colors = program_->colors;
    reduce.contracts = {contract};
    reduce.contracts.front().collective = Collective::reduce;
    for (NodeId& rank : reduce.contracts.front().ranks) rank = groups.front().members[at(rank)];
  }

  void write_phase(std::size_t number) {
    const Phase& phase = schedule_.phases[number];
    const WaferProgram& part = program_->parts[at(phase.part)];
    const std::int64_t scratch = program_->extent[2];
    const Binding binding = bind(schedule_.parts[at(phase.part)]);
    program_->extent[2] += binding.scratch;
    find_active(part);
    SpanId on = -1;
    for (const Group& group : groups_of(schedule_, phase)) {
      if (group.on != on) {
        on = group.on;
        joined_.clear();
        map_.emplace(Map{.phase = phase,
                         .binding = binding,
                         .colors = colors_.of_part[at(phase.part)],
                         .shift = schedule_.spans.ranges(on).front().first + phase.offset,
                         .scratch = scratch});
      }
      for (const NodeId i : active_) {
        std::int32_t& present = program_->class_of[at(group.members[at(i)])];
        present = joined(present, part, part.class_of[at(i)]);
      }
    }
  }

  /// The nodes of a part that do anything.
  void find_active(const WaferProgram& part) {
    active_.clear();
    for (NodeId i = 0; i < static_cast<NodeId>(part.class_of.size()); ++i) {
      const ProcessorClass& c = part.classes[at(part.class_of[at(i)])];
      if (!c.routes.empty() || !c.operations.empty()) active_.push_back(i);
    }
  }

  /// The class that continues `present` with one of the part.
  std::int32_t joined(std::int32_t present, const WaferProgram& part, std::int32_t next) {
    if (present == last_joined_.present && next == last_joined_.next && !joined_.empty()) return last_joined_.result;
    const auto key = (static_cast<std::uint64_t>(present) << 32U) | static_cast<std::uint32_t>(next);
    const auto [known, is_new] = joined_.try_emplace(key, static_cast<std::int32_t>(program_->classes.size()));
    if (is_new) program_->classes.push_back(join(program_->classes[at(present)], part.classes[at(next)], part.spans));
    last_joined_ = {.present = present, .next = next, .result = known->second};
    return known->second;
  }

  /// Routes for one color are equal, or the processor itself has sent on it and moves its switch on (phase_colors.h).
  ProcessorClass join(ProcessorClass both, const ProcessorClass& next, const SpanTable& spans) {
    for (ColorRoute route : next.routes) {
      route.color = map_->colors[at(route.color)];
      const auto known = std::ranges::find(both.routes, route.color, &ColorRoute::color);
      if (known == both.routes.end()) {
        both.routes.push_back(route);
      } else if (known->count > 0 && known->positions.at(known->count - 1U) != route.positions[0]) {
        known->positions.at(known->count++) = route.positions[0];
        const bool is_advanced = advance_behind_last(both, route.color);
        MUSTER_ASSERT(is_advanced, "nothing moves the switch of color {} on", route.color);
      }
    }
    std::ranges::sort(both.routes, {}, &ColorRoute::color);
    for (const Operation& operation : next.operations) both.operations.push_back(mapped(operation, spans));
    return both;
  }

  [[nodiscard]] Operation mapped(Operation o, const SpanTable& spans) {
    for (std::int8_t& color : o.operands) {
      if (color != kOwnOperand) color = map_->colors[at(color)];
    }
    for (Output& output : o.outputs) output.color = map_->colors[at(output.color)];
    o.elements = span_of(spans, o.elements, map_->shift);
    o.own_elements = span_of(spans, o.own_elements, shift_of(o.own));
    o.store_elements = span_of(spans, o.store_elements, shift_of(o.store));
    o.sent_elements = span_of(spans, o.sent_elements, shift_of(o.sent));
    o.own = buffer_of(o.own);
    o.store = buffer_of(o.store);
    o.sent = buffer_of(o.sent);
    return o;
  }

  [[nodiscard]] Buffer buffer_of(Buffer of_part) const {
    if (of_part == Buffer::none) return Buffer::none;
    if (of_part == map_->binding.from) return map_->phase.input;
    return of_part == map_->binding.to ? map_->phase.output : Buffer::scratch;
  }

  [[nodiscard]] std::int64_t shift_of(Buffer of_part) const {
    const Buffer bound = buffer_of(of_part);
    const bool is_vector = of_part == map_->binding.from || of_part == map_->binding.to || bound == Buffer::none;
    return is_vector ? map_->shift : map_->scratch + map_->binding.offset.at(static_cast<std::size_t>(of_part));
  }

  SpanId span_of(const SpanTable& spans, SpanId id, std::int64_t shift) {
    ranges_.assign(spans.ranges(id).begin(), spans.ranges(id).end());
    for (Range& range : ranges_) range.first += shift;
    return program_->spans.add(ranges_);
  }

  /// Numbers classes in the order in which processors have them.
  void drop_unused_classes() {
    std::vector<std::int32_t> number(program_->classes.size(), -1);
    std::vector<ProcessorClass> used;
    for (std::int32_t& c : program_->class_of) {
      if (number[at(c)] < 0) {
        number[at(c)] = static_cast<std::int32_t>(used.size());
        used.push_back(std::move(program_->classes[at(c)]));
      }
      c = number[at(c)];
    }
    program_->classes = std::move(used);
  }

  /// How a part's elements and buffers are bound.
  struct Map {
    const Phase& phase;
    Binding binding;
    std::span<const std::int8_t> colors;  ///< of the program, for each of the part
    std::int64_t shift = 0;               ///< of elements of the vector
    std::int64_t scratch = 0;             ///< where the phase's scratch begins
  };

  const Schedule& schedule_;
  const Machine& machine_;
  const Mesh& mesh_;
  const LowerOptions& options_;
  std::unique_ptr<WaferProgram> program_;
  struct Joined {
    std::int32_t present = -1;
    std::int32_t next = -1;
    std::int32_t result = -1;
  };

  std::vector<Placement> placements_;  ///< of each part
  PhaseColors colors_;
  std::unordered_map<std::uint64_t, std::int32_t> joined_;  ///< by class and class of the part
  Joined last_joined_;
  std::vector<NodeId> active_;
  std::optional<Map> map_;
  std::vector<Range> ranges_;
};

}  // namespace

Outcome<std::unique_ptr<WaferProgram>> lower_phases(const Schedule& schedule, const Machine& machine,
                                                    const LowerOptions& options) {
  return PhaseLowering(schedule, machine, options).run();
}

}  // namespace muster::wafer
