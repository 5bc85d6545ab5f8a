// Prepares operations and contracts for the simulator.
#include "backend/wafer/simulate/processor_code.h"

#include <algorithm>
#include <numeric>

#include "base/index.h"

namespace muster::wafer {
namespace {

SpanView view(const SpanTable& table, SpanId id) {
  const auto ranges = table.ranges(id);
  return {.table = &table,
          .id = id,
          .count = table.count(id),
          .first = ranges.size() == 1 ? ranges[0].first : std::int64_t{-1}};
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
  code.exchange = o.sent != Buffer::none;
  code.overwrites = code.exchange && o.sent == o.store && spans.meet(o.sent_elements, o.store_elements);
  return code;
}

bool is_simple(const OperationCode& code) {
  const Operation& o = *code.operation;
  const bool own_in_order = o.own == Buffer::none || code.own.first >= 0;
  const bool stored_in_order = o.store == Buffer::none || code.store.first >= 0;
  return !code.exchange && code.cost <= 1 && !o.operands.empty() && o.outputs.size() <= 1 && code.elements.count > 0 &&
         code.elements.count < kMostCycles && own_in_order && stored_in_order;
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
  if (code.lanes.size() == 1) {
    for (OperationCode& o : code.lanes[0].operations) o.is_simple = is_simple(o);
  }
  return code;
}

DataContract::DataContract(const WaferProgram& program)
    : held_(program.class_of.size(), 0), output_(held_.size(), Buffer::none), first_debt_(held_.size() + 1, 0) {
  for (const Contract& contract : program.contracts) {
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(contract.ranks.size()); ++i) {
      const std::size_t node = at(contract.ranks[at(i)]);
      if (!held_before(contract, i).empty()) {
        held_[node] = static_cast<std::uint8_t>(held_[node] | 1U << static_cast<unsigned>(contract.from));
      }
      if (output_[node] == Buffer::none) output_[node] = contract.to;
      add_debts(contract, i, debts_);
    }
  }
  std::stable_sort(debts_.begin(), debts_.end(), [](const Debt& a, const Debt& b) { return a.node < b.node; });
  for (const Debt& debt : debts_) ++first_debt_[at(debt.node) + 1];
  std::partial_sum(first_debt_.begin(), first_debt_.end(), first_debt_.begin());
}

void DataContract::add_debts(const Contract& contract, std::int32_t index, std::vector<Debt>& all) {
  const NodeId node = contract.ranks[at(index)];
  const std::size_t first = all.size();
  for (const Owed& owed : owed_after(contract, index)) {
    if (all.size() > first && all.back().place.end() == owed.place.first) {
      all.back().place.count += owed.place.count;
    } else {
      all.push_back({.node = node, .buffer = contract.to, .place = owed.place});
    }
  }
}

DataContract::Owes DataContract::owes(NodeId node, Buffer buffer, Range elements) const {
  Owes owed = Owes::none;
  for (const Debt& debt : debts_of(node)) {
    if (debt.buffer != buffer || debt.place.first >= elements.end() || elements.first >= debt.place.end()) continue;
    if (debt.place.first <= elements.first && elements.end() <= debt.place.end()) return Owes::all;
    owed = Owes::some;
  }
  return owed;
}

bool DataContract::owes(NodeId node, Buffer buffer, std::int64_t element) const {
  const auto debts = debts_of(node);
  return std::any_of(debts.begin(), debts.end(), [&](const Debt& debt) {
    return debt.buffer == buffer && element >= debt.place.first && element < debt.place.end();
  });
}

}  // namespace muster::wafer
