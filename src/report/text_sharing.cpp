// Jobs that share a cluster, as tables.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "base/text_table.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;

std::string jobs_table(const SharingAnswer& answer, const Style& style) {
  TextTable table({{"job", kRight},
                   {"collective"},
                   {"bytes", kRight},
                   {"algorithm"},
                   {"start us", kRight},
                   {"end us", kRight},
                   {"time us", kRight},
                   {"alone us", kRight},
                   {"slowdown", kRight}});
  for (std::size_t i = 0; i < answer.jobs.size(); ++i) {
    const SharedJobAnswer& job = answer.jobs[i];
    table.add({std::to_string(i + 1), job.collective, grouped(job.bytes.value()),
               fmt::format("{} chunks={}", job.algorithm, job.chunks), microseconds_text(job.begins),
               microseconds_text(job.ends), microseconds_text(job.taken()), microseconds_text(job.alone),
               ratio_text(job.taken(), job.alone)});
  }
  return table.text(style);
}

std::string dimensions_table(const SharingAnswer& answer, const Style& style) {
  TextTable table({{"resource"}, {"busy us", kRight}, {"utilization", kRight}});
  for (std::size_t d = 0; d < answer.dimensions.size(); ++d) {
    const SharingAnswer::Dimension& dimension = answer.dimensions[d];
    table.add(
        {fmt::format("dimension {}", d + 1), microseconds_text(dimension.busy), share_text(dimension.utilization)});
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
  text +=
      fmt::format("together   {} us, utilization {}; one job after another: {} us\n", microseconds_text(answer.total),
                  share_text(answer.utilization), microseconds_text(answer.in_turn));
  text += fmt::format("verified   every schedule is proven {}\n", proof_text(worst->error_probability));
  return text;
}

}  // namespace muster
