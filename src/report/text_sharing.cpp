// Jobs that share a cluster, as tables.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/counted.h"
#include "base/text_table.h"
#include "base/time_unit.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;

std::string jobs_table(const SharingAnswer& answer, const Style& style) {
  std::vector<std::optional<Seconds>> times;
  for (const SharedJobAnswer& job : answer.jobs) {
    times.insert(times.end(), {job.begins, job.ends, job.taken(), job.alone});
  }
  const TimeUnit unit = TimeUnit::of_column(times);
  TextTable table({{"job", kRight},
                   {"collective"},
                   {"bytes", kRight},
                   {"algorithm"},
                   {"start " + unit.name(), kRight},
                   {"end " + unit.name(), kRight},
                   {"time " + unit.name(), kRight},
                   {"alone " + unit.name(), kRight},
                   {"slowdown", kRight}});
  for (std::size_t i = 0; i < answer.jobs.size(); ++i) {
    const SharedJobAnswer& job = answer.jobs[i];
    table.add({std::to_string(i + 1), job.collective, grouped(job.bytes.value()),
               fmt::format("{} chunks={}", job.algorithm, job.chunks), unit.text(job.begins), unit.text(job.ends),
               unit.text(job.taken()), unit.text(job.alone), ratio_text(job.taken(), job.alone)});
  }
  return table.text(style);
}

std::string dimensions_table(const SharingAnswer& answer, const Style& style) {
  std::vector<std::optional<Seconds>> times;
  for (const SharingAnswer::Dimension& dimension : answer.dimensions) times.emplace_back(dimension.busy);
  const TimeUnit unit = TimeUnit::of_column(times);
  TextTable table({{"resource"}, {"busy " + unit.name(), kRight}, {"utilization", kRight}});
  for (std::size_t d = 0; d < answer.dimensions.size(); ++d) {
    const SharingAnswer::Dimension& dimension = answer.dimensions[d];
    table.add({fmt::format("dimension {}", d + 1), unit.text(dimension.busy), share_text(dimension.utilization)});
  }
  return table.text(style);
}

}  // namespace

std::string text_report(const SharingAnswer& answer, const Style& style) {
  const auto worst = std::max_element(answer.jobs.begin(), answer.jobs.end(), [](const auto& a, const auto& b) {
    return a.error_probability < b.error_probability;
  });
  std::string text = fmt::format(
      "{} on {}, {} NPUs; {}\n\n", counted(static_cast<std::int64_t>(answer.jobs.size()), "job"), answer.machine,
      fmt::join(answer.shape, "x"), answer.order == "fifo" ? "first come, first served" : "smallest chunk first");
  text += jobs_table(answer, style) + "\n" + dimensions_table(answer, style) + "\n";
  text += fmt::format("together   {}, utilization {}; one job after another: {}\n", time_text(answer.total),
                      share_text(answer.utilization), time_text(answer.in_turn));
  text += fmt::format("verified   every schedule is proven {}\n", proof_text(worst->error_probability));
  return text;
}

}  // namespace muster
