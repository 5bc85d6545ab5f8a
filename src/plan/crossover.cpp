// Crossovers by prediction: no schedule is made for them.
#include "plan/crossover.h"

#include <algorithm>
#include <cstdlib>

#include "plan/candidates.h"
#include "plan/job.h"

namespace muster {

namespace {

Candidates candidates_at(Job job, std::int64_t count) {
  job.count = count;
  return candidates_for(request_of(job));
}

std::string best_at(const Job& job, std::int64_t count) {
  return candidates_at(job, count).offered.front().choice.algorithm->name;
}

/// The count nearest to `same` on its way to `other` at which somebody else is best; `same` and `other` differ in that.
std::int64_t first_change(const Job& job, const std::string& best, std::int64_t same, std::int64_t other) {
  while (std::abs(other - same) > 1) {
    const std::int64_t middle = same + (other - same) / 2;
    (best_at(job, middle) == best ? same : other) = middle;
  }
  return other;
}

}  // namespace

Reign reign_of_best(const Job& job) {
  Reign reign{.best = best_at(job, job.count), .first = 1, .last = largest_count(job)};
  for (std::int64_t same = job.count; same > 1;) {
    const std::int64_t next = same / 2;
    if (best_at(job, next) != reign.best) {
      reign.first = first_change(job, reign.best, same, next) + 1;
      reign.below = best_at(job, reign.first - 1);
      break;
    }
    same = next;
  }
  const std::int64_t most = largest_count(job);
  for (std::int64_t same = job.count; same < most;) {
    const std::int64_t next = std::min(2 * same, most);
    if (best_at(job, next) != reign.best) {
      reign.last = first_change(job, reign.best, same, next) - 1;
      reign.above = best_at(job, reign.last + 1);
      break;
    }
    same = next;
  }
  return reign;
}

std::string crossover_text(const Job& job) {
  const Candidates candidates = candidates_for(request_of(job));
  if (candidates.offered.empty()) return "";
  if (candidates.offered.size() == 1) return "no crossover: there is only one algorithm";
  const Reign reign = reign_of_best(job);
  const std::string last = grouped(reign.last);
  if (!reign.below && !reign.above) {
    return fmt::format("by prediction, {} is best for every vector up to the {} elements that the memory holds",
                       reign.best, last);
  }
  if (!reign.above) {
    return fmt::format("by prediction, {} is best from {} elements up to the {} that the memory holds, {} below",
                       reign.best, grouped(reign.first), last, *reign.below);
  }
  const std::string taken_over =
      fmt::format("{} takes over from {} elements on", *reign.above, grouped(reign.last + 1));
  if (!reign.below) return fmt::format("by prediction, {}; {} is best for all shorter vectors", taken_over, reign.best);
  return fmt::format("by prediction, {}, {} below {}; in between {} is best", taken_over, *reign.below,
                     grouped(reign.first), reign.best);
}

}  // namespace muster
