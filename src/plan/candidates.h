// Which algorithms may answer a job, and what each promises.
#pragma once

#include <vector>

#include "plan/plan.h"

namespace muster {

struct Candidate {
  Choice choice;
  Ticks predicted;
};

struct Candidates {
  std::vector<Candidate> offered;  ///< best prediction first; equals in the order of the registry
  std::vector<SkippedAnswer> skipped;
};

/// Best prediction first; equals stay in their order.
void sort_by_prediction(std::vector<Candidate>& candidates);

/// Every algorithm for the request's collective on its machine's family. Parameters that are not given have their default,
/// or the value worth trying that is predicted to be better.
Candidates candidates_for(const Request& request, const Parameters& given = {});

/// Throws InputError if no algorithm that supports the job can have the parameters that it gives.
void check_given(const Job& job);

/// Throws InputError if nothing fits because the job reserves too much of a budget.
void check_reserved(const Job& job, const PlanAnswer& answer);

/// The best candidate of an answer that did not fail. Throws InputError with the reasons if there is none.
Choice best_of(const Job& job, const PlanAnswer& answer);

}  // namespace muster
