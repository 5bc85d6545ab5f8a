// Chunks are not known to a program: phases are, and a chunk's phases have its offset.
#include "backend/cluster/operation_names.h"

#include <algorithm>

#include "base/index.h"

namespace muster::cluster {

OperationNames::OperationNames(const ClusterProgram& program) : program_(program) {
  for (const Operation& operation : program.operations) {
    chunk_at_[program.schedule.phases[at(operation.phases.front())].offset] = 0;
    const Collective collective = contract_of(operation).collective;
    if (std::find(collectives_.begin(), collectives_.end(), collective) == collectives_.end()) {
      collectives_.push_back(collective);
    }
  }
  std::int64_t number = 0;
  for (auto& [offset, chunk] : chunk_at_) chunk = ++number;
}

const Contract& OperationNames::contract_of(const Operation& operation) const {
  const Phase& phase = program_.schedule.phases[at(operation.phases.front())];
  return program_.schedule.parts[at(phase.part)].contracts.front();
}

std::int64_t OperationNames::chunk_of(const Operation& operation) const {
  return chunk_at_.at(program_.schedule.phases[at(operation.phases.front())].offset);
}

std::string OperationNames::name(const Operation& operation) const {
  return fmt::format("{} of chunk {}", collective_name(contract_of(operation).collective), chunk_of(operation));
}

TimelineSpan OperationNames::span(const Operation& operation, TimelineSpan span) const {
  const Contract& contract = contract_of(operation);
  span.label = fmt::format("{}, {} words", name(operation), contract.count);
  span.mark = std::to_string(chunk_of(operation));
  span.kind = static_cast<std::int32_t>(std::find(collectives_.begin(), collectives_.end(), contract.collective) -
                                        collectives_.begin());
  return span;
}

std::vector<std::string> OperationNames::kinds() const {
  std::vector<std::string> names;
  for (const Collective collective : collectives_) names.emplace_back(collective_name(collective));
  return names;
}

}  // namespace muster::cluster
