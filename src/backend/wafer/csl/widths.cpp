#include "backend/wafer/csl/widths.h"

#include <algorithm>

#include "backend/wafer/csl/columns.h"

namespace muster::wafer {

namespace {

constexpr std::size_t kMostEntries = 65535;  // u16

std::int64_t last_element(const CslOperation& o) {
  return std::max({o.own_first + o.length, o.store_first + o.length, o.sent_first + o.sent_length});
}

}  // namespace

std::optional<std::string> number_problem(const CslOperations& operations) {
  for (std::size_t index = 0; index < operations.list.size(); ++index) {
    if (const std::int64_t last = last_element(operations.list[index]); last > kMostNumber) {
      return fmt::format("works on elements up to {}; descriptors count to {}; use a shorter vector", last,
                         kMostNumber);
    }
    if (operations.times[index] > kMostNumber) {
      return fmt::format("repeats an operation {} times; at most {} are counted; use fewer PEs",
                         operations.times[index], kMostNumber);
    }
  }
  return std::nullopt;
}

std::optional<std::string> table_problem(const CslProgram& csl) {
  const auto too_many = [](std::string_view what, std::size_t count) -> std::optional<std::string> {
    if (count <= kMostEntries) return std::nullopt;
    return fmt::format("csl: the program has {} {}; at most {} are counted; use fewer PEs", count, what, kMostEntries);
  };
  if (csl.elements > kMostNumber) {
    return fmt::format("csl: the vector has {} elements; descriptors count to {}; use a shorter one", csl.elements,
                       kMostNumber);
  }
  if (auto problem = too_many("numbers in its table of operations", csl.operations.size() * csl_columns(csl).size())) {
    return problem;
  }
  if (auto problem = too_many("numbers in a PE's rows", (csl.slots + 1) * csl_columns(csl).size())) return problem;
  if (auto problem = too_many("routes", csl.routes.size())) return problem;
  if (auto problem = too_many("choices of queues", csl.queue_sets.size())) return problem;
  if (auto problem = too_many("own numbers", csl.own_numbers + static_cast<std::size_t>(kMostNumber))) return problem;
  for (const CslPart& part : csl.parts) {
    if (auto problem = too_many("operation lists", std::max(part.lists.size(), part.times.size()))) return problem;
  }
  return std::nullopt;
}

}  // namespace muster::wafer
