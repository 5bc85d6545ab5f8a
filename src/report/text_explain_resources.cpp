// Columns that no resource has a value for are left out: when it was idle, or which of several was the busiest.
#include "report/text_explain_resources.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_table.h"
#include "base/time_unit.h"
#include "report/phrases.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;

/// Which columns there are.
struct Columns {
  bool idle = false;
  bool busiest = false;
};

void add_rows(TextTable& table, const ExplainedPlan& plan, const Columns& columns, const TimeUnit& unit) {
  const Seconds all = plan.candidate.simulated_seconds.value();
  const auto percent = [&](Seconds part) { return fmt::format("{:.1f}%", 100 * (part / all)); };
  for (std::size_t i = 0; i < plan.resources.size(); ++i) {
    const ExplainedResource& resource = plan.resources[i];
    std::vector<std::string> cells{i == 0 ? algorithm_text(plan.candidate.algorithm, plan.candidate.parameters) : "",
                                   i == 0 ? unit.text(plan.candidate.simulated_seconds) : "",
                                   fmt::format("{} {}", resource.name, i == plan.critical ? "*" : " "),
                                   to_text(resource.bytes), percent(resource.busy)};
    if (columns.idle) {
      const auto idle = resource.idle.value_or(ExplainedResource::Idle{});
      for (const Seconds part : {idle.before, idle.between, idle.after}) cells.push_back(percent(part));
    }
    if (columns.busiest) cells.push_back(resource.busiest);
    table.add(cells);
  }
}

}  // namespace

std::string resource_table(const ExplainAnswer& answer, const Style& style) {
  const std::vector<ExplainedResource>& resources = answer.chosen.resources;
  if (resources.empty()) return "";
  const auto any = [&](const auto& has) { return std::any_of(resources.begin(), resources.end(), has); };
  const Columns columns{.idle = any([](const ExplainedResource& resource) { return resource.idle.has_value(); }),
                        .busiest = any([](const ExplainedResource& resource) { return !resource.busiest.empty(); })};
  const TimeUnit unit = TimeUnit::of_column({answer.chosen.candidate.simulated_seconds,
                                             answer.other ? answer.other->candidate.simulated_seconds : std::nullopt});
  std::vector<TextTable::Column> heads{
      {"plan"}, {unit.name(), kRight}, {answer.resource}, {"total sent", kRight}, {"busy", kRight}};
  if (columns.idle) {
    for (const char* head : {"idle before", "between", "after"}) heads.push_back({head, kRight});
  }
  if (columns.busiest) heads.push_back({"busiest"});
  TextTable table(heads);
  add_rows(table, answer.chosen, columns, unit);
  if (answer.other) add_rows(table, *answer.other, columns, unit);
  return table.text(style);
}

}  // namespace muster
