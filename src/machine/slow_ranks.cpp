#include "machine/slow_ranks.h"

#include "base/error.h"
#include "base/numbers.h"
#include "machine/family.h"
#include "machine/routing.h"

namespace muster {

std::map<NodeId, double> slow_ranks(const std::vector<std::string>& texts, const Machine& machine) {
  constexpr std::int64_t kMostTimes = 1'000'000;
  std::map<NodeId, double> slow;
  for (const std::string& text : texts) {
    const auto [rank, factor] = parse_assignment(text, "--slow", "3=2.5");
    const auto number = static_cast<NodeId>(
        parse_number(rank, {.flag = "--slow", .least = 0, .most = rank_count(machine) - 1, .example = "3=2.5"}));
    const double times = parse_decimal(factor, {.flag = "--slow", .least = 1, .most = kMostTimes, .example = "3=2.5"});
    if (!slow.emplace(number, times).second) {
      reject("--slow: {} {} was given twice; give it once", machine.family().words().rank, number);
    }
  }
  return slow;
}

FactValue slow_ranks_fact(const std::map<NodeId, double>& slow) {
  FactValue::List list;
  for (const auto& [rank, factor] : slow) {
    list.push_back({FactValue::Object{{"rank", {std::int64_t{rank}}}, {"factor", {factor}}}});
  }
  return {list};
}

std::string slow_ranks_text(const std::map<NodeId, double>& slow, std::string_view rank_name) {
  std::string text;
  for (const auto& [number, factor] : slow) text += fmt::format(", {} {} slowed {}x", rank_name, number, factor);
  return text;
}

}  // namespace muster
