// A run of a list of transactions, as tables.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "base/text_table.h"
#include "base/time_unit.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;
constexpr std::size_t kMostRows = 60;  // more are in the JSON

}  // namespace

std::string text_report(const TrafficAnswer& answer, const Style& style) {
  const auto rows = static_cast<std::int64_t>(answer.transactions.size());
  std::string text =
      fmt::format("traffic on {}: {} that ended, {} engine\n\n", answer.machine, counted(rows, "row"), answer.engine);
  TextTable table({{"row"}, {"start", kRight}, {"end", kRight}, {"cycles", kRight}});
  for (std::size_t i = 0; i < std::min(answer.transactions.size(), kMostRows); ++i) {
    const TransactionTimes& row = answer.transactions[i];
    table.add({row.id, grouped(row.start.value()), grouped(row.end.value()), grouped((row.end - row.start).value())});
  }
  text += table.text(style);
  if (answer.transactions.size() > kMostRows) {
    text += fmt::format("... and {}; --json has them all\n",
                        counted(rows - static_cast<std::int64_t>(kMostRows), "more row"));
  }
  TextTable links({{"resource"}, {"bytes", kRight}, {"utilization", kRight}, {"busiest"}, {"busy", kRight}});
  for (const Resource& resource : answer.resources) {
    if (resource.bytes.value() == 0) continue;
    const double busy = answer.seconds.value() > 0 ? resource.busy.value() / answer.seconds.value() : 0;
    links.add({resource.name, grouped(resource.bytes.value()), share_text(resource.utilization), resource.busiest,
               share_text(busy)});
  }
  text += "\n" + links.text(style) + "\n";
  text += fmt::format("total   {} cycles ({})\n", grouped(answer.cycles.value()), time_text(answer.seconds));
  if (answer.fault) {
    text += fmt::format("{} at {}, cycle {}: {}\n", answer.fault->kind, answer.fault->location,
                        grouped(answer.fault->cycle.value()), answer.fault->message);
  }
  return text;
}

}  // namespace muster
