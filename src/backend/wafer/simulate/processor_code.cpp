// Prepares operations and contracts for the simulator.
#include "backend/wafer/simulate/processor_code.h"

#include <algorithm>
#include <numeric>

#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

SpanView view(const SpanTable& table, SpanId id) {
  const auto ranges = table.ranges(id);
  return {.table = &table,
          .id = id,
          .count = table.count(id),
          .first = ranges.size() == 1 ? ranges[0].first : std::int64_t{-1}};
}

/// The operands one by one.
std::vector<TermCode> terms_of(const Fabric& fabric, std::int32_t class_id, const Operation& o) {
  const WaferProgram& program = fabric.program;
  std::vector<TermCode> terms;
  std::size_t own = 0;
  for (std::size_t i = 0; i < o.operands.size(); ++i) {
    TermCode& term = terms.emplace_back();
    if (o.operands[i] != kOwnOperand) {
      term.slot = fabric.slot(class_id, o.operands[i]);
    } else {
      const OwnOperand& operand =
          own == 0 ? OwnOperand{.buffer = o.own, .elements = o.own_elements} : o.more_own.at(own - 1);
      term.buffer = operand.buffer;
      term.elements = view(program.spans, operand.elements);
      ++own;
    }
    if (o.coefficients.empty() || o.coefficients[i] == kNoCoefficient) continue;
    term.has_coefficient = true;
    const Coefficient& coefficient = program.coefficients.at(at(o.coefficients[i]));
    term.coefficient = coefficient.value;
    term.array = coefficient.array;
    term.first = coefficient.first;
  }
  return terms;
}

/// Cycles of the datapath per element. An instruction has at most two inputs and at most one of them from the fabric; what works
/// on memory alone has an interval of its own.
Tick slots_of(const Mesh& mesh, const Operation& o, Tick streams) {
  const bool multiplies_first = o.operands.size() > 1 && !o.coefficients.empty() && o.coefficients[0] != kNoCoefficient;
  const auto instructions = std::max<Tick>(1, static_cast<Tick>(o.operands.size()) - 1 + (multiplies_first ? 1 : 0));
  if (streams > 0) return std::max(streams, instructions);
  return o.outputs.empty() ? instructions * static_cast<Tick>(mesh.local_interval.value()) : instructions;
}

OperationCode prepare(const Fabric& fabric, std::int32_t class_id, const Operation& o) {
  const SpanTable& spans = fabric.program.spans;
  OperationCode code;
  code.operation = &o;
  code.elements = view(spans, o.elements);
  code.own = view(spans, o.own_elements);
  code.store = view(spans, o.store_elements);
  code.sent = view(spans, o.sent_elements);
  for (const std::int8_t color : o.operands) {
    code.operand_slots.push_back(color == kOwnOperand ? kNoCell : fabric.slot(class_id, color));
  }
  for (const Output& output : o.outputs) code.output_slots.push_back(fabric.slot(class_id, output.color));
  code.cost = static_cast<Tick>(
      std::count_if(o.operands.begin(), o.operands.end(), [](std::int8_t c) { return c != kOwnOperand; }));
  if (o.is_weighted()) code.terms = terms_of(fabric, class_id, o);
  code.slots = slots_of(fabric.program.mesh(), o, code.cost);
  code.exchange = o.sent != Buffer::none;
  code.overwrites = code.exchange && o.sent == o.store && spans.meet(o.sent_elements, o.store_elements);
  return code;
}

std::int64_t longest(const Fabric& fabric, const OperationCode& o) {
  const std::int64_t waits = std::int64_t{o.cost} * fabric.program.mesh().receive_interval.value();
  return std::max<std::int64_t>(waits, o.slots) + std::ssize(o.output_slots);
}

/// Whether it begins with zeros and several vectors, which are not made when they are read.
bool holds_stencils(const WaferProgram& program) {
  return std::any_of(program.contracts.begin(), program.contracts.end(),
                     [](const Contract& contract) { return contract.collective == Collective::stencil; });
}

bool reads_series(const ProcessorClass& c) {
  return std::any_of(c.operations.begin(), c.operations.end(), [](const Operation& o) {
    return o.own == Buffer::series || std::any_of(o.more_own.begin(), o.more_own.end(),
                                                  [](const OwnOperand& own) { return own.buffer == Buffer::series; });
  });
}

bool is_simple(const OperationCode& code) {
  const Operation& o = *code.operation;
  const bool own_in_order = o.own == Buffer::none || code.own.first >= 0;
  const bool stored_in_order = o.store == Buffer::none || code.store.first >= 0;
  return !code.exchange && code.slots == 1 && code.terms.empty() && !o.operands.empty() && o.outputs.size() <= 1 &&
         code.elements.count > 0 && code.elements.count < kMostCycles && own_in_order && stored_in_order;
}

}  // namespace

ProcessorCode prepare(const Fabric& fabric, std::int32_t class_id) {
  const ProcessorClass& c = fabric.program.classes[at(class_id)];
  ProcessorCode code;
  code.operations = c.operations.size();
  for (std::size_t i = 0; i < c.operations.size(); ++i) {
    const Operation& o = c.operations[i];
    if (i == 0 || c.operations[i - 1].lane != o.lane) {
      code.lanes.push_back({.operations = {}, .first = static_cast<std::int32_t>(i)});
    }
    code.lanes.back().operations.push_back(prepare(fabric, class_id, o));
    code.has_waits |= !o.after.empty();
    if (o.store != Buffer::none) code.stored[at(static_cast<int>(o.store)) - 1] = true;
  }
  const bool is_stencil = holds_stencils(fabric.program);
  if (fabric.program.exchanges() || is_stencil) {  // what one repetition stores is in the other buffer in the next
    code.stored[0] = code.stored[1] = code.operations > 0;
  }
  const auto has = [&](Buffer buffer) { return code.operations > 0 && fabric.program.extent_of(buffer) > 0; };
  const auto stored = [&](Buffer buffer) -> bool& { return code.stored.at(static_cast<std::size_t>(buffer) - 1); };
  if (is_stencil) stored(Buffer::model) = has(Buffer::model);
  stored(Buffer::series) = has(Buffer::series) && reads_series(c);
  if (code.lanes.size() == 1) {
    for (OperationCode& o : code.lanes[0].operations) o.is_simple = is_simple(o);
  }
  return code;
}

DataContract::DataContract(const WaferProgram& program)
    : held_(program.class_of.size(), 0), output_(held_.size(), Buffer::none), first_owed_(held_.size() + 1, 0) {
  for (const Contract& contract : program.contracts) {
    if (contract.collective == Collective::stencil) {
      stencil_ = held_for_stencil(contract, program.extent_of(Buffer::model));
    }
    for (const StencilPoints& source : contract.sources) {
      std::uint8_t& held = held_[at(contract.ranks[at(source.rank)])];
      held = static_cast<std::uint8_t>(held | 1U << static_cast<unsigned>(Buffer::series));
    }
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(contract.ranks.size()); ++i) {
      const std::size_t node = at(contract.ranks[at(i)]);
      held_[node] = static_cast<std::uint8_t>(held_[node] | 1U << static_cast<unsigned>(held_in(contract, i)));
      if (output_[node] == Buffer::none) output_[node] = contract.to;
      add_owed(contract, i, owed_);
    }
    for (const StencilPoints& receiver : contract.receivers) {
      owed_.push_back({.node = contract.ranks[at(receiver.rank)],
                       .buffer = Buffer::record,
                       .range = {receiver.first, receiver.elements.count}});
    }
  }
  std::stable_sort(owed_.begin(), owed_.end(), [](const OwedRange& a, const OwedRange& b) { return a.node < b.node; });
  for (const OwedRange& owed_range : owed_) ++first_owed_[at(owed_range.node) + 1];
  std::partial_sum(first_owed_.begin(), first_owed_.end(), first_owed_.begin());
}

void DataContract::add_owed(const Contract& contract, std::int32_t index, std::vector<OwedRange>& all) {
  const NodeId node = contract.ranks[at(index)];
  const std::size_t first = all.size();
  for (const Owed& owed : owed_after(contract, index)) {
    if (all.size() > first && all.back().range.end() == owed.range.first) {
      all.back().range.count += owed.range.count;
    } else {
      all.push_back({.node = node, .buffer = contract.to, .range = owed.range});
    }
  }
}

DataContract::Owes DataContract::owes(NodeId node, Buffer buffer, Range elements) const {
  Owes owed = Owes::none;
  for (const OwedRange& owed_range : owed_by(node)) {
    if (owed_range.buffer != buffer || owed_range.range.first >= elements.end() ||
        elements.first >= owed_range.range.end())
      continue;
    if (owed_range.range.first <= elements.first && elements.end() <= owed_range.range.end()) return Owes::all;
    owed = Owes::some;
  }
  return owed;
}

bool DataContract::owes(NodeId node, Buffer buffer) const {
  const auto owed_ranges = owed_by(node);
  return std::any_of(owed_ranges.begin(), owed_ranges.end(),
                     [&](const OwedRange& owed_range) { return owed_range.buffer == buffer; });
}

bool DataContract::owes(NodeId node, Buffer buffer, std::int64_t element) const {
  const auto owed_ranges = owed_by(node);
  return std::any_of(owed_ranges.begin(), owed_ranges.end(), [&](const OwedRange& owed_range) {
    return owed_range.buffer == buffer && element >= owed_range.range.first && element < owed_range.range.end();
  });
}

PreparedProgram::PreparedProgram(const Fabric& fabric) : contract(fabric.program) {
  for (std::int32_t c = 0; c < static_cast<std::int32_t>(fabric.program.classes.size()); ++c) {
    codes.push_back(prepare(fabric, c));
    for (const LaneCode& lane : codes.back().lanes) {
      for (const OperationCode& o : lane.operations) longest_element = std::max(longest_element, longest(fabric, o));
    }
  }
}

}  // namespace muster::wafer
