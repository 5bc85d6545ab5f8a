// Checks, class by class, that a wafer program can be said in CSL, and collects the distinct route sets and lists.
#include "backend/wafer/csl/program.h"

#include <algorithm>
#include <optional>
#include <set>

#include "backend/wafer/csl/instructions.h"
#include "backend/wafer/csl/lists.h"
#include "backend/wafer/csl/operations.h"
#include "backend/wafer/csl/queues.h"
#include "backend/wafer/csl/routes.h"
#include "backend/wafer/csl/tabled.h"
#include "backend/wafer/csl/widths.h"
#include "base/saturating.h"
#include "machine/mesh.h"

namespace muster::wafer {

namespace {

/// Local task ids that are free on every architecture: below, some belong to queues, above, to the host library.
constexpr int kFirstTask = 8;
constexpr int kLastTask = 20;

/// Routes, lists and repetitions of all classes.
std::optional<std::string> add_classes(CslProgram& csl) {
  const WaferProgram& program = *csl.wafer;
  csl.routes.emplace_back();
  csl.route_of.resize(program.colors.size());
  std::vector<CslOperations> of_class;
  for (std::size_t c = 0; c < program.classes.size(); ++c) {
    const auto refuse = [&](const std::string& why) { return fmt::format("csl: {} {}", example_of(program, c), why); };
    if (const auto problem = add_routes(csl, program.classes[c], {})) return refuse(*problem);
    auto operations = csl_operations(program, program.classes[c]);
    if (!operations) return refuse(operations.reason());
    if (const auto problem = number_problem(operations.value())) return refuse(*problem);
    of_class.push_back(std::move(operations).value());
  }
  add_lists(csl, of_class);
  return std::nullopt;
}

std::optional<std::string> contract_problem(const WaferProgram& program) {
  if (program.contracts.size() != 1) {
    return fmt::format("csl: the program has {} contracts; one is supported", program.contracts.size());
  }
  const Contract& contract = program.contracts.front();
  if (contract.collective == Collective::neighbours || contract.collective == Collective::scan ||
      contract.collective == Collective::stencil) {
    return fmt::format("csl: the host script cannot check {}", collective_name(contract.collective));
  }
  if (!contract.blocks.empty()) {
    return fmt::format("csl: the host script cuts the vector of a {} evenly; leave the contract's blocks out",
                       collective_name(contract.collective));
  }
  if (is_partly_in_place(contract)) {
    return std::string(
        "csl: the host script puts all vectors into one buffer, but the root holds its own in another; let the root "
        "copy it");
  }
  const bool adds_f32 = program.arithmetic.type == ElementType::f32 && program.arithmetic.op == Operator::sum;
  if (contract.collective == Collective::barrier && !adds_f32) {
    return std::string("csl: the host script checks a barrier by a sum of f32 tokens; use --type f32 and --op sum");
  }
  const std::set<NodeId> ranks(contract.ranks.begin(), contract.ranks.end());
  if (ranks.size() != program.class_of.size()) {
    return fmt::format("csl: {} of {} PEs participate; all must", ranks.size(), program.class_of.size());
  }
  if (!std::is_sorted(contract.ranks.begin(), contract.ranks.end())) {
    return std::string("csl: the ranks are not numbered row by row, as the host script requires");
  }
  return std::nullopt;
}

std::optional<std::string> assign_queues_and_task(CslProgram& csl) {
  if (auto problem = assign_queues(csl)) return problem;
  csl.task = next_task(csl, kFirstTask - 1);
  const int last =
      csl.is_module() ? next_task(csl, csl.task) : csl.task;  // the example's task comes after the module's
  if (last > kLastTask) return std::string("csl: no task id is left that is not a color");
  return std::nullopt;
}

void collect_buffers(CslProgram& csl) {
  const WaferProgram& program = *csl.wafer;
  const Contract& contract = program.contracts.front();
  std::set<Buffer> used{contract.from, contract.to};
  for (const CslOperation& operation : csl.operations) {
    used.insert(operation.own);
    used.insert(operation.store);
    used.insert(operation.sent);
  }
  used.erase(Buffer::none);
  const std::int64_t per_word = csl.packs_two() ? 2 : 1;
  for (const Buffer buffer : used) {
    const std::int64_t words = program.extent[static_cast<std::size_t>(buffer) - 1];
    csl.buffers.push_back({buffer, saturating_product(per_word, words)});
  }
  csl.elements = saturating_product(per_word, contract.count);
  const auto is_whole = [&](const CslOperation& o) {
    return o.action == CslAction::nothing || is_control(o.action) ||
           (o.own_first == 0 && o.store_first == 0 && o.sent_first == 0 && o.length == csl.elements &&
            o.sent_length == csl.elements);
  };
  csl.whole = std::all_of(csl.buffers.begin(), csl.buffers.end(),
                          [&](const CslBuffer& b) { return b.elements == csl.elements; }) &&
              std::all_of(csl.operations.begin(), csl.operations.end(), is_whole);
}

std::optional<std::string> memory_problem(const CslProgram& csl) {
  std::int64_t bytes = 0;
  for (const CslBuffer& buffer : csl.buffers) {
    const std::int64_t size = size_of(csl.wafer->arithmetic.type).value();
    bytes = saturating_sum(bytes, saturating_product(buffer.elements, size));
  }
  const Bytes memory = csl.wafer->mesh().memory;
  const std::int64_t rows = tabled_bytes(csl);
  if (bytes > memory.value()) {
    return fmt::format("csl: the buffers of a PE take {} of its {}; use a shorter vector", to_text(Bytes(bytes)),
                       to_text(memory));
  }
  if (saturating_sum(bytes, rows) <= memory.value()) return std::nullopt;
  return fmt::format("csl: a PE's {} operations take {} beside buffers of {}, of its {}; use fewer PEs", csl.slots,
                     to_text(Bytes(rows)), to_text(Bytes(bytes)), to_text(memory));
}

}  // namespace

bool CslProgram::uses(CslAction action) const {
  return std::any_of(operations.begin(), operations.end(),
                     [&](const CslOperation& operation) { return operation.action == action; });
}

bool CslProgram::uses(CslAction action, std::size_t slot) const {
  const auto part =
      std::find_if(parts.begin(), parts.end(), [&](const CslPart& p) { return slot < p.first + p.slots; });
  return std::any_of(part->lists.begin(), part->lists.end(), [&](const auto& list) {
    return operations[static_cast<std::size_t>(list[slot - part->first])].action == action;
  });
}

bool CslProgram::loops() const {
  return std::any_of(operations.begin(), operations.end(), [](const CslOperation& o) { return o.back > 0; });
}

bool CslProgram::moves() const {
  return std::any_of(operations.begin(), operations.end(), [](const CslOperation& o) { return o.moves(); });
}

CslOperation CslOperation::kind() const {
  return {.action = action, .take = take, .send = send, .advance_own = advance_own};
}

std::size_t CslProgram::kind_of(const CslOperation& operation) const {
  return static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), operation.kind()) - kinds.begin());
}

namespace {

void choose_combination(CslProgram& csl) {
  const bool needed =
      csl.uses(CslAction::combine) || csl.uses(CslAction::combine_and_send) || csl.uses(CslAction::exchange_combine);
  if (!needed) return;
  const Arithmetic& arithmetic = csl.wafer->arithmetic;
  csl.combine = combine_instruction(arithmetic);
  csl.negate = negate_instruction(arithmetic);
  if (csl.combine.empty()) csl.callback = combine_function(arithmetic);
}

}  // namespace

std::optional<std::int64_t> written_bytes(const WaferProgram& program) {
  CslProgram csl;
  csl.wafer = std::make_shared<const WaferProgram>(program);
  if (add_classes(csl) || !csl.tabled) return std::nullopt;
  return tabled_bytes(csl);
}

// A data task whose id is a color may be started by wavelets of that color, so the id must not be one of ours.
int next_task(const CslProgram& csl, int taken) {
  const auto& colors = csl.wafer->colors;
  int task = taken + 1;
  while (std::find(colors.begin(), colors.end(), task) != colors.end()) ++task;
  return task;
}

Outcome<CslProgram> to_csl(const WaferProgram& program, CslForm form) {
  if (const std::string what = beyond_combining(program); !what.empty()) {
    return Refusal{fmt::format("csl: the program has {}, which cannot be written yet; simulate it instead", what)};
  }
  CslProgram csl;
  csl.form = form;
  csl.wafer = std::make_shared<const WaferProgram>(program);
  csl.remarks = csl_remarks(program);
  csl.type = type_name(program.arithmetic.type);
  csl.move = move_instruction(program.arithmetic.type);
  if (const auto problem = contract_problem(program)) return Refusal{*problem};
  if (const auto problem = add_classes(csl)) return Refusal{*problem};
  choose_combination(csl);
  if (const auto problem = assign_queues_and_task(csl)) return Refusal{*problem};
  collect_buffers(csl);
  if (const auto problem = memory_problem(csl)) return Refusal{*problem};
  if (const auto problem = table_problem(csl)) return Refusal{*problem};
  for (CslPart& part : csl.parts) {
    compress(part.list_of, program);
    if (!csl.tabled) compress(part.times_of, program);
  }
  if (csl.numbers.sets > 0) compress(csl.numbers.set_of, program);
  if (!csl.queue_sets.empty()) compress(csl.queues_of, program);
  for (CslSequence& sequence : csl.route_of) compress(sequence, program);
  return csl;
}

}  // namespace muster::wafer
