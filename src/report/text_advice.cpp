// Advice for the designer of a cluster: the dimensions, the pairs of them, and what to make of it.
#include <fmt/format.h>

#include "base/counted.h"
#include "base/text_table.h"
#include "base/time_unit.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;

constexpr double kWorthSaying = 1.005;  ///< times as fast: what is less would be printed as 1.00

std::string percent(double part) { return fmt::format("{:.1f}%", 100 * part); }

std::string dimension_table(const AdviceAnswer& answer, const Style& style) {
  TextTable table({{"dimension"},
                   {"bandwidth", kRight},
                   {"share", kRight},
                   {"baseline busy", kRight},
                   {"wasted", kRight},
                   {"best for baseline", kRight},
                   {"any scheduler", kRight}});
  for (std::size_t d = 0; d < answer.dimensions.size(); ++d) {
    const AdviceAnswer::Dimension& dimension = answer.dimensions[d];
    table.add({fmt::format("{}: {}, {}", d + 1, dimension.kind, dimension.size), to_text(dimension.bandwidth),
               percent(dimension.share), percent(dimension.baseline_busy), to_text(dimension.baseline_wasted),
               to_text(dimension.baseline_best),
               fmt::format("{} to {}{}", to_text(answer.bandwidth * dimension.least_share),
                           to_text(answer.bandwidth * dimension.most_share), dimension.in_range() ? "" : " !")});
  }
  return table.text(style);
}

std::string verdict_text(const AdviceAnswer::Pair& pair) {
  switch (pair.provision) {
    case Provision::just_enough:
      return "just enough";
    case Provision::over:
      return "over-provisioned";
    case Provision::under:
      return "under-provisioned";
  }
  return "";
}

std::string pair_table(const AdviceAnswer& answer, const Style& style) {
  TextTable table(
      {{"dimensions"}, {"the later dimension is"}, {"has", kRight}, {"baseline uses", kRight}, {"ratio", kRight}});
  for (const AdviceAnswer::Pair& pair : answer.pairs) {
    const AdviceAnswer::Dimension& later = answer.dimensions[static_cast<std::size_t>(pair.second) - 1];
    table.add({fmt::format("{} and {}", pair.first, pair.second), verdict_text(pair), to_text(later.bandwidth),
               to_text(pair.enough), fmt::format("{:.3g}", pair.ratio)});
  }
  return table.empty() ? "" : table.text(style) + "\n";
}

/// Two or more: "a, b and c".
template <class Item>
std::string listed(const std::vector<Item>& items) {
  const auto last = items.end() - 1;
  return fmt::format("{} and {}", fmt::join(items.begin(), last, ", "), *last);
}

std::string dimensions_text(const std::vector<int>& numbers) {
  if (numbers.size() == 1) return fmt::format("dimension {}", numbers[0]);
  return "dimensions " + listed(numbers);
}

std::string ceiling_text(const AdviceAnswer& answer) {
  const double faster = answer.ceiling / answer.baseline_utilization;
  const std::string gain = faster < kWorthSaying ? "no faster than the baseline"  // as it would be printed
                                                 : fmt::format("{:.2f} times as fast as the baseline", faster);
  if (answer.limiting.empty()) return fmt::format("some schedule can use the full bandwidth: {}", gain);
  const bool is_singular = answer.limiting.size() == 1;
  return fmt::format("no schedule can use more than {} ({}): {} {} {} of the bandwidth and need{} {}",
                     percent(answer.ceiling), gain, dimensions_text(answer.limiting), is_singular ? "has" : "have",
                     percent(answer.limiting_share), is_singular ? "s" : "", percent(answer.limiting_least));
}

std::string spread_text(const AdviceAnswer::Spread& spread) {
  const std::string now =
      fmt::format("{}: an iteration takes {} under balanced", spread.workload, time_text(spread.now));
  const std::string tried = counted(spread.tried, "distribution");
  if (spread.now / spread.best < kWorthSaying) {
    return fmt::format("{}; of {} tried, none is more than {:.1f}% faster", now, tried, 100 * (kWorthSaying - 1));
  }
  std::vector<std::string> bandwidths;
  for (const BytesPerSecond bandwidth : spread.bandwidths) bandwidths.push_back(to_text(bandwidth));
  return fmt::format("{}; with {} it would take {}, {:.2f} times as fast ({} tried)", now, fmt::join(bandwidths, ", "),
                     time_text(spread.best), spread.now / spread.best, tried);
}

}  // namespace

std::string text_report(const AdviceAnswer& answer, const Style& style) {
  std::string text = fmt::format("{}: {}\n{} per NPU; {}; latency is assumed to be hidden\n\n", answer.machine,
                                 answer.summary, to_text(answer.bandwidth), listed(answer.collectives));
  text += dimension_table(answer, style) + "\n" + pair_table(answer, style);
  text += fmt::format("baseline   hierarchical uses {} of the bandwidth; {} limit{} it\n",
                      percent(answer.baseline_utilization), dimensions_text(answer.baseline_limiting),
                      answer.baseline_limiting.size() == 1 ? "s" : "");
  text += fmt::format("optimum    {}\n", ceiling_text(answer));
  if (answer.dimensions.size() > 2) {
    text +=
        "spread     the full bandwidth is usable if every set A of dimensions has at least (P_A - 1) / (P - 1) of it\n";
  }
  for (const AdviceAnswer::Spread& spread : answer.spreads) {
    text += fmt::format("workload   {}\n", hanging(spread_text(spread), 11));
  }
  for (const std::string& note : answer.notes) text += fmt::format("note       {}\n", note);
  return text;
}

}  // namespace muster
