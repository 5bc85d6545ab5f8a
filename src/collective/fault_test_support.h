// For tests only: whether what an algorithm makes is right, by proof and by running it.
#pragma once

#include <string>

#include "base/index.h"
#include "collective/algorithm.h"
#include "schedule/interpret.h"
#include "schedule/verify.h"

namespace muster {

/// The sum of an element of some ranks' inputs, for any order of additions.
inline Word sum_of(std::span<const NodeId> ranks, std::int64_t element, const Arithmetic& integers,
                   std::uint64_t seed) {
  Word sum = 0;
  for (const NodeId rank : ranks) sum = integers.combine(sum, integers.input(rank, element, seed));
  return sum;
}

/// The first thing that is wrong with a schedule, or nothing.
inline std::string fault_of(const Schedule& schedule, const Machine& machine) {
  constexpr std::uint64_t kSeed = 11;
  constexpr Arithmetic kIntegers{.type = ElementType::i32, .op = Operator::sum};
  const Verdict verdict = verify(schedule, machine);
  if (!verdict.verified()) return verdict.counterexample->message;
  const Outputs outputs = interpret(schedule, kIntegers, kSeed);
  for (const Contract& contract : schedule.contracts) {
    for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
      const NodeId rank = contract.ranks[i];
      for (const Owed& what : owed_after(contract, static_cast<std::int32_t>(i))) {
        if (what.at_least_once) continue;  // how often is the algorithm's business
        for (std::int64_t element = what.range.first; element < what.range.end(); ++element) {
          const auto sources = sources_of(contract, static_cast<std::int32_t>(i), what);
          if (outputs[at(rank)][at(element)] == sum_of(sources, element + what.displacement, kIntegers, kSeed))
            continue;
          return fmt::format("rank {}, element {} is wrong", rank, element);
        }
      }
    }
  }
  return "";
}

/// The same of what the algorithm makes for a request with one contract.
inline std::string fault_of(const Algorithm& algorithm, const Request& request, const Parameters& given) {
  const Schedule schedule = algorithm.make(request, complete_parameters(algorithm, request, given));
  const Contract& contract = schedule.contracts.at(0);
  if (contract.collective != request.collective || contract.count != request.count) return "another contract";
  return fault_of(schedule, request.machine);
}

}  // namespace muster
