// Instruction by instruction, then in lanes.
#include "backend/wafer/csl_reader/rebuild.h"

#include <algorithm>

#include "base/index.h"

namespace muster::wafer::csl {

namespace {

bool after(const ProcessorTrace& trace, std::size_t later, std::size_t earlier) {
  return trace.after.empty() ? later > earlier : trace.after[later][earlier];
}

bool is_plain_send(const Instruction& i) {
  return !i.op && !i.control && i.sends >= 0 && i.takes.empty() && i.sources.size() == 1;
}

bool is_copy(const Instruction& i) {
  return !i.op && i.sends < 0 && i.takes.empty() && i.sources.size() == 1 && i.stores;
}

bool same_but_times(const Operation& a, Operation b) {
  b.times = a.times;
  return a == b;
}

}  // namespace

void Rebuilder::set_type(const Type& type, const Place& place) {
  const ElementType found = type.kind == TypeKind::real && type.bits == 16   ? ElementType::f16
                            : type.kind == TypeKind::real && type.bits == 32 ? ElementType::f32
                                                                             : ElementType::i32;
  const bool known = type.bits == 32 || (type.kind == TypeKind::real && type.bits == 16);
  if (!known) fail(place, "vectors of {} are not supported; use f32, f16 or i32", to_text(type));
  if (type_ && *type_ != found) {
    fail(place, "vectors of {} and of {} in one program", type_name(*type_), type_name(found));
  }
  type_ = found;
  program_.arithmetic.type = found;
}

void Rebuilder::set_operator(Operator op, const Place& place) {
  if (op_ && *op_ != op) fail(place, "both {} and {} in one program", operator_name(*op_), operator_name(op));
  op_ = op;
  program_.arithmetic.op = op;
}

/// The arrays that the host knows as input, output and scratch are those buffers; all others lie behind scratch.
const Rebuilder::Placement& Rebuilder::placement(std::int32_t memory, const Place& place) {
  const Memory& m = trace_->memories[at(memory)];
  set_type(*m.type, place);
  const std::int64_t per_word = *type_ == ElementType::f16 ? 2 : 1;
  const std::int64_t words = (m.elements + per_word - 1) / per_word;
  const auto known = placements_.find(m.name);
  if (known != placements_.end()) {
    if (known->second.words != words)
      fail(place, "'{}' has {} words on another PE, not {}", m.name, known->second.words, words);
    return known->second;
  }
  Placement placed{.buffer = Buffer::scratch, .first = 0, .words = words};
  const auto named = m.exported ? buffer_from_name(m.name) : std::nullopt;
  if (named && *named != Buffer::none && *named != Buffer::scratch) placed.buffer = *named;
  auto& extent = program_.extent[static_cast<std::size_t>(placed.buffer) - 1];
  if (placed.buffer == Buffer::scratch) placed.first = extent;
  extent = placed.first + words;
  return placements_.emplace(m.name, placed).first->second;
}

Buffer Rebuilder::buffer_of(const MemoryWalk& walk) const {
  return placements_.at(trace_->memories[at(walk.memory)].name).buffer;
}

std::int64_t Rebuilder::words_of(const Instruction& instruction) const {
  const std::int64_t per_word = instruction.bits == 16 ? 2 : 1;
  if (instruction.extent % per_word != 0) {
    fail(instruction.place, "{} elements do not fill whole wavelets", instruction.extent);
  }
  return instruction.extent / per_word;
}

SpanId Rebuilder::span_of(const MemoryWalk& walk, const Instruction& instruction) {
  const std::int64_t base = placement(walk.memory, instruction.place).first;
  const std::int64_t per_word = instruction.bits == 16 ? 2 : 1;
  if (walk.stride == 1) {
    if (walk.first % per_word != 0) fail(instruction.place, "the elements do not begin with a whole wavelet");
    return program_.spans.add(Range{base + walk.first / per_word, words_of(instruction)});
  }
  if (per_word > 1) fail(instruction.place, "f16 with a stride of {} is not supported", walk.stride);
  if (walk.stride == 0) fail(instruction.place, "a stride of 0 is not supported");
  std::vector<Range> ranges;
  for (std::int64_t k = 0; k < instruction.extent; ++k) ranges.push_back({base + walk.first + k * walk.stride, 1});
  return program_.spans.add(ranges);
}

Operation Rebuilder::single(const Instruction& i, const std::map<int, std::int8_t>& color_index) {
  Operation operation;
  const SpanId nothing = program_.spans.add(Range{});
  operation.elements = operation.own_elements = operation.store_elements = operation.sent_elements = nothing;
  if (i.control) {
    operation.outputs.push_back(
        {color_index.at(i.sends), *i.control == ControlCode::advance ? Ending::advance : Ending::reset});
    return operation;
  }
  if (i.bits == 16 && (!i.takes.empty() || i.sends >= 0) && !i.packs_two) {
    fail(i.place, "one 16-bit number per wavelet is not supported; use .simd_mode = .{{ .simd_32 = true }}");
  }
  if (i.op) set_operator(*i.op, i.place);
  if (i.sources.size() > 1) fail(i.place, "an instruction that combines two arrays of memory is not supported");
  for (const MemoryWalk& walk : i.sources) {
    operation.own_elements = span_of(walk, i);
    operation.own = buffer_of(walk);
    operation.operands.push_back(kOwnOperand);
  }
  for (const int color : i.takes) operation.operands.push_back(color_index.at(color));
  if (i.stores) {
    operation.store_elements = span_of(*i.stores, i);
    operation.store = buffer_of(*i.stores);
  }
  if (i.sends >= 0) {
    operation.outputs.push_back({color_index.at(i.sends), i.advances ? Ending::advance_own : Ending::nothing});
  }
  operation.elements = i.stores                                          ? operation.store_elements
                       : operation.operands.empty() || i.sources.empty() ? program_.spans.add(Range{0, words_of(i)})
                                                                         : operation.own_elements;
  return operation;
}

std::optional<Operation> Rebuilder::pair(const Instruction& a, const Operation& one, const Instruction& b,
                                         const Operation& two) const {
  if (a.run != b.run || !is_plain_send(a)) return std::nullopt;
  Operation both = two;
  both.outputs = one.outputs;
  if (is_copy(b) && a.sources == b.sources) return both;
  if (b.takes.empty() || b.sends >= 0 || !b.stores) return std::nullopt;
  both.sent = one.own;
  both.sent_elements = one.own_elements;
  return both;
}

std::vector<Rebuilder::Group> Rebuilder::group(const ProcessorTrace& trace,
                                               const std::map<int, std::int8_t>& color_index) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < trace.instructions.size(); ++i) {
    const Instruction& now = trace.instructions[i];
    Operation operation = single(now, color_index);
    const bool beside = i > 0 && groups.back().members.size() == 1 && !after(trace, i, i - 1);
    if (beside && groups.back().task == now.task) {
      const Instruction& before = trace.instructions[i - 1];
      auto both = pair(before, groups.back().operation, now, operation);
      if (!both) both = pair(now, operation, before, groups.back().operation);
      if (both) {
        groups.back().members.push_back(i);
        groups.back().operation = std::move(*both);
        continue;
      }
    }
    groups.push_back({.members = {i}, .operation = std::move(operation), .task = now.task, .place = now.place});
  }
  return groups;
}

void Rebuilder::merge_advances(std::vector<Group>& lane) const {
  for (std::size_t g = 1; g < lane.size();) {
    Operation& before = lane[g - 1].operation;
    const Operation& now = lane[g].operation;
    const bool advance = now.operands.empty() && now.outputs.front().ending == Ending::advance && !lane[g].waits;
    const bool behind = before.outputs.size() == 1 && before.outputs[0].ending == Ending::nothing && before.times == 1;
    if (!advance || !behind || before.outputs[0].color != now.outputs[0].color || lane[g - 1].waits) {
      ++g;
      continue;
    }
    before.outputs[0].ending = Ending::advance;
    lane[g - 1].members.insert(lane[g - 1].members.end(), lane[g].members.begin(), lane[g].members.end());
    lane.erase(lane.begin() + static_cast<std::ptrdiff_t>(g));
  }
}

std::vector<Operation> Rebuilder::in_lanes(const ProcessorTrace& trace, std::vector<Group> groups) const {
  const auto follows = [&](const Group& later, const Group& earlier) {
    return std::all_of(later.members.begin(), later.members.end(), [&](std::size_t l) {
      return std::all_of(earlier.members.begin(), earlier.members.end(),
                         [&](std::size_t e) { return after(trace, l, e); });
    });
  };
  bool one_lane = true;
  for (std::size_t g = 1; g < groups.size(); ++g) one_lane &= follows(groups[g], groups[g - 1]);
  std::map<std::int32_t, std::vector<Group>> lanes;
  for (Group& g : groups) lanes[one_lane ? 0 : g.task].push_back(std::move(g));
  for (auto& [task, lane] : lanes) {
    for (std::size_t g = 1; g < lane.size(); ++g) {
      if (follows(lane[g], lane[g - 1])) continue;
      fail(lane[g].place, "the instruction runs beside that of line {}, in one task; that is not supported",
           lane[g - 1].place.line);
    }
  }
  // Who waits for whom, across lanes, and not because of an earlier wait.
  struct Wait {
    const Group* later;
    const Group* earlier;
  };
  std::vector<Wait> waits;
  for (auto& [task, lane] : lanes) {
    for (std::size_t g = 0; g < lane.size(); ++g) {
      for (auto& [other_task, other] : lanes) {
        if (other_task == task) continue;
        const auto last =
            std::find_if(other.rbegin(), other.rend(), [&](const Group& o) { return follows(lane[g], o); });
        if (last == other.rend() || (g > 0 && follows(lane[g - 1], *last))) continue;
        lane[g].waits = last->waits = true;
        waits.push_back({&lane[g], &*last});
      }
    }
  }
  if (waits.empty()) {
    for (auto& [task, lane] : lanes) merge_advances(lane);
  }
  std::vector<Operation> operations;
  std::map<const Group*, std::int32_t> index;
  std::int32_t number = 0;
  for (auto& [task, lane] : lanes) {
    const Group* before = nullptr;
    for (Group& g : lane) {
      g.operation.lane = number;
      const bool merges =
          before != nullptr && !g.waits && !before->waits && same_but_times(operations.back(), g.operation);
      if (merges) {
        ++operations.back().times;
      } else {
        operations.push_back(g.operation);
      }
      index[&g] = static_cast<std::int32_t>(operations.size()) - 1;
      before = &g;
    }
    ++number;
  }
  for (const Wait& wait : waits) operations[at(index[wait.later])].after.push_back(index[wait.earlier]);
  return operations;
}

std::vector<Operation> Rebuilder::operations(const ProcessorTrace& trace,
                                             const std::map<int, std::int8_t>& color_index) {
  trace_ = &trace;
  std::vector<Operation> operations = in_lanes(trace, group(trace, color_index));
  trace_ = nullptr;
  return operations;
}

}  // namespace muster::wafer::csl
