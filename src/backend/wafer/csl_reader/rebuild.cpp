// Instruction by instruction, then in lanes.
#include "backend/wafer/csl_reader/rebuild.h"

#include <algorithm>
#include <bit>

#include "base/index.h"

namespace muster::wafer::csl {

namespace {

bool is_plain_send(const Instruction& i) {
  return !i.op && !i.control && !i.number && i.commands == 0 && i.sends >= 0 && i.takes.empty() &&
         i.sources.size() == 1;
}

bool is_copy(const Instruction& i) {
  return !i.op && !i.number && i.sends < 0 && i.takes.empty() && i.sources.size() == 1 && i.stores;
}

}  // namespace

void Rebuilder::set_type(const Type& type, const Location& location) {
  const ElementType found = type.kind == TypeKind::real && type.bits == 16   ? ElementType::f16
                            : type.kind == TypeKind::real && type.bits == 32 ? ElementType::f32
                                                                             : ElementType::i32;
  const bool is_real = type.kind == TypeKind::real;
  const bool known = is_real ? type.bits == 32 || type.bits == 16 : type.bits == 32 && type.is_signed;
  if (!known) fail(location, "vectors of {} are not supported; use f32, f16 or i32", to_text(type));
  if (type_ && *type_ != found) {
    fail(location, "vectors of {} and of {} in one program", type_name(*type_), type_name(found));
  }
  type_ = found;
  program_.arithmetic.type = found;
}

void Rebuilder::set_operator(Operator op, const Location& location) {
  if (op_ && *op_ != op) fail(location, "both {} and {} in one program", operator_name(*op_), operator_name(op));
  if (!op_) op_location_ = location;
  op_ = op;
  program_.arithmetic.op = op;
}

void Rebuilder::settle_operator() {
  if (!op_ || !negated_.value_or(false)) return;
  if (*op_ != Operator::max) {
    fail(op_location_, "the {} of negated values is not supported; their max is", operator_name(*op_));
  }
  program_.arithmetic.op = Operator::min;
}

/// The arrays that the host knows as input, output and scratch are those buffers; all others lie behind scratch.
const Rebuilder::Placement& Rebuilder::placement(std::int32_t memory, const Location& location) {
  const Memory& m = trace_->memories[at(memory)];
  set_type(*m.type, location);
  const std::int64_t per_word = *type_ == ElementType::f16 ? 2 : 1;
  const std::int64_t words = (m.elements + per_word - 1) / per_word;
  const auto known = placements_.find(m.name);
  if (known != placements_.end()) {
    if (known->second.words != words)
      fail(location, "'{}' has {} words on another PE, not {}", m.name, known->second.words, words);
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
    fail(instruction.location, "{} elements do not fill whole wavelets", instruction.extent);
  }
  return instruction.extent / per_word;
}

SpanId Rebuilder::span_of(const MemoryWalk& walk, const Instruction& instruction) {
  const std::int64_t base = placement(walk.memory, instruction.location).first;
  const std::int64_t per_word = instruction.bits == 16 ? 2 : 1;
  if (walk.stride == 1) {
    if (walk.first % per_word != 0) fail(instruction.location, "the elements do not begin with a whole wavelet");
    return program_.spans.add(Range{base + walk.first / per_word, words_of(instruction)});
  }
  if (per_word > 1) fail(instruction.location, "f16 with a stride of {} is not supported", walk.stride);
  if (walk.stride == 0) fail(instruction.location, "a stride of 0 is not supported");
  std::vector<Range> ranges;
  for (std::int64_t k = 0; k < instruction.extent; ++k) ranges.push_back({base + walk.first + k * walk.stride, 1});
  return program_.spans.add(ranges);
}

Operation Rebuilder::single(const Instruction& i, const std::map<int, std::int8_t>& color_index) {
  Operation operation;
  const SpanId nothing = program_.spans.add(Range{});
  operation.elements = operation.own_elements = operation.store_elements = operation.sent_elements = nothing;
  if (i.commands != 0) {
    operation.outputs.push_back({color_index.at(i.sends), Ending::commands, {i.commands}});
    return operation;
  }
  if (i.control) {
    operation.outputs.push_back(
        {color_index.at(i.sends), *i.control == ControlCode::advance ? Ending::advance : Ending::reset});
    return operation;
  }
  if (i.bits == 16 && (!i.takes.empty() || i.sends >= 0) && !i.packs_two) {
    fail(i.location, "one 16-bit number per wavelet is not supported; use .simd_mode = .{{ .simd_32 = true }}");
  }
  const bool has_array = multiplies_array(i);
  if (i.op && !has_array) set_operator(*i.op, i.location);
  if (i.number || has_array || i.sources.size() > 1) set_operator(Operator::sum, i.location);
  add_operands(operation, i, color_index, has_array);
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
  if (has_array) operation.elements = span_of(i.sources[array_of(i)], i);
  return operation;
}

std::size_t Rebuilder::array_of(const Instruction& i) const {
  for (std::size_t s = 0; s < i.sources.size(); ++s) {
    const Memory& memory = trace_->memories[at(i.sources[s].memory)];
    if (memory.exported && memory.name == buffer_name(Buffer::model)) return s;
  }
  return i.sources.size();
}

/// A product of two vectors, one of them the array of the model.
bool Rebuilder::multiplies_array(const Instruction& i) const {
  return i.op == Operator::prod && array_of(i) < i.sources.size() && i.sources.size() + i.takes.size() == 2;
}

/// Coefficients are known by their values; their names are not in the text.
std::int16_t Rebuilder::coefficient(const Coefficient& wanted) {
  const auto same = [&](const Coefficient& c) {
    return c.array == wanted.array &&
           std::bit_cast<std::uint32_t>(c.value) == std::bit_cast<std::uint32_t>(wanted.value);
  };
  auto& known = program_.coefficients;
  const auto found = std::find_if(known.begin(), known.end(), same);
  const auto index = static_cast<std::int16_t>(found - known.begin());
  if (found == known.end()) {
    known.push_back(wanted);
    known.back().name = fmt::format("c{}", index);
  }
  return index;
}

void Rebuilder::add_operands(Operation& operation, const Instruction& i, const std::map<int, std::int8_t>& color_index,
                             bool has_array) {
  const auto add_stream = [&] {
    for (const int color : i.takes) operation.operands.push_back(color_index.at(color));
  };
  if (i.stream_first) add_stream();
  for (std::size_t s = 0; s < i.sources.size(); ++s) {
    if (has_array && s == array_of(i)) {
      (void)span_of(i.sources[s], i);
      continue;
    }
    const SpanId elements = span_of(i.sources[s], i);
    const Buffer buffer = buffer_of(i.sources[s]);
    if (operation.own == Buffer::none) {
      operation.own_elements = elements;
      operation.own = buffer;
    } else {
      operation.more_own.push_back({buffer, elements});
    }
    operation.operands.push_back(kOwnOperand);
  }
  if (!i.stream_first) add_stream();
  if (!i.number && !has_array) return;
  operation.coefficients.assign(operation.operands.size(), kNoCoefficient);
  operation.coefficients.back() = has_array ? coefficient({.name = "", .value = 1, .array = Buffer::model})
                                            : coefficient({.name = "", .value = *i.number});
}

std::optional<Operation> Rebuilder::pair(const Instruction& a, const Operation& sending, const Instruction& b,
                                         const Operation& receiving) const {
  if (a.run != b.run || !is_plain_send(a)) return std::nullopt;
  Operation both = receiving;
  both.outputs = sending.outputs;
  if (b.takes.empty() || b.sends >= 0 || !b.stores) return std::nullopt;
  both.sent = sending.own;
  both.sent_elements = sending.own_elements;
  return both;
}

std::vector<Group> Rebuilder::group(const ProcessorTrace& trace, const std::map<int, std::int8_t>& color_index) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < trace.instructions.size(); ++i) {
    const Instruction& now = trace.instructions[i];
    Operation operation = single(now, color_index);
    const bool beside = i > 0 && groups.back().members.size() == 1 && !follows(trace, i, i - 1);
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
    const bool copies = beside && groups.back().task == now.task && is_plain_send(trace.instructions[i - 1]) &&
                        is_copy(now) && trace.instructions[i - 1].sources == now.sources;
    groups.push_back({.members = {i},
                      .operation = std::move(operation),
                      .task = now.task,
                      .location = now.location,
                      .beside_send = copies});
  }
  return groups;
}

std::vector<Operation> Rebuilder::operations(const ProcessorTrace& trace,
                                             const std::map<int, std::int8_t>& color_index) {
  trace_ = &trace;
  std::vector<Operation> operations = in_lanes(trace, group(trace, color_index));
  check_negations(trace);
  trace_ = nullptr;
  return operations;
}

}  // namespace muster::wafer::csl
