// Which algorithms may answer a job, and what each promises.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace muster {

struct Candidate {
  Choice choice;
  Ticks predicted;
  std::optional<Ticks> screened = {};  ///< by the family's approximate simulator, where it was asked (screening.h)
  [[nodiscard]] Ticks time() const { return screened.value_or(predicted); }
};

/// How long an algorithm takes with such parameters; nothing: it cannot run with them.
using TimeOf = std::function<std::optional<Ticks>(const Parameters&)>;
struct Tuned {
  Parameters parameters;
  std::optional<Ticks> time;
};
/// From `start` on, another value for each parameter that is not given, if one that is worth trying takes less time.
Tuned tuned(const Algorithm& algorithm, const Request& request, const Parameters& given, const Tuned& start,
            const TimeOf& time_of);

struct Candidates {
  std::vector<Candidate> offered;  ///< best prediction first; equals in the order of the registry
  std::vector<SkippedAnswer> skipped;
};

/// Best prediction first; equals stay in their order.
void sort_by_prediction(std::vector<Candidate>& candidates);

/// Every algorithm for the request's collective on its machine's family. Parameters that are not given have their default,
/// or the value worth trying that is predicted to be better.
Candidates candidates_for(const Request& request, const Parameters& given = {});

/// Whether a candidate that is predicted to take no less than `least` is out of the question beside the `best` prediction.
using IsOut = bool (*)(Ticks least, Ticks best);

/// The named algorithms, best prediction first; equals in the order of the registry. Who is out of the question is not predicted, where that
/// is known without, but for the `favorite`.
std::vector<Candidate> likely_candidates(const Request& request, const std::set<std::string>& names,
                                         const std::string& favorite, IsOut is_out);

/// Throws InputError if no algorithm that supports the job can have the parameters that it gives.
void check_given(const Job& job);

/// Throws InputError if nothing fits because the job reserves too much of a budget.
void check_reserved(const Job& job, const PlanAnswer& answer);

/// The best candidate of an answer that did not fail. Throws InputError with the reasons if there is none.
Choice best_of(const Job& job, const PlanAnswer& answer);

}  // namespace muster
