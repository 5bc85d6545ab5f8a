// Jitter, slow NPUs, slow and missing links: each flag by one small function.
#include "cli/asymmetry.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "cli/numbers.h"
#include "cli/question.h"
#include "machine/families.h"
#include "machine/routing.h"

namespace muster {
namespace {

constexpr std::int64_t kMostTimes = 1'000'000;

/// The first of these flags that was given, for messages; nothing if none was.
const char* first_given(const Arguments& arguments) {
  if (!arguments.jitter.empty()) return "--jitter";
  if (!arguments.slow.empty()) return "--slow";
  if (!arguments.slow_link.empty()) return "--slow-link";
  if (!arguments.missing_link.empty()) return "--missing-link";
  if (!arguments.late.empty()) return "--late";
  return arguments.arrival ? "--arrival-order" : nullptr;
}

void add_slow_npu(const std::string& text, const Machine& machine, Asymmetry& asymmetry) {
  const auto [rank, factor] = parse_assignment(text, "--slow", "3=2.5");
  const auto number = static_cast<NodeId>(
      parse_number(rank, {.flag = "--slow", .least = 0, .most = rank_count(machine) - 1, .example = "3=2.5"}));
  const double times = parse_decimal(factor, {.flag = "--slow", .least = 1, .most = kMostTimes, .example = "3=2.5"});
  if (!asymmetry.slow.emplace(number, times).second) reject("--slow: NPU {} was given twice; give it once", number);
}

/// A link, not slow yet, by its ends "A-B".
SlowLink link_of(const std::string& ends, const char* flag, const char* example, const Machine& machine) {
  const auto [a, b] =
      parse_pair(ends, '-', {.flag = flag, .least = 0, .most = rank_count(machine) - 1, .example = example});
  SlowLink link{.a = static_cast<NodeId>(a), .b = static_cast<NodeId>(b)};
  if (link_dimension(*machine.cluster(), link.a, link.b) >= 0) return link;
  reject(
      "{}: no link joins NPUs {} and {} alone; give two that differ in one coordinate, by one on a ring (a switch has "
      "no such links: --slow RANK=FACTOR)",
      flag, link.a, link.b);
}

void add_link(SlowLink link, const char* flag, Asymmetry& asymmetry) {
  for (const SlowLink& other : asymmetry.slow_links) {
    const bool same = std::minmax(other.a, other.b) == std::minmax(link.a, link.b);
    if (same) reject("{}: the link {}-{} was given twice; give it once", flag, link.a, link.b);
  }
  asymmetry.slow_links.push_back(link);
}

void add_slow_link(const std::string& text, const Machine& machine, Asymmetry& asymmetry) {
  const auto [ends, factor] = parse_assignment(text, "--slow-link", "0-1=4");
  SlowLink link = link_of(ends, "--slow-link", "0-1=4", machine);
  link.factor = parse_decimal(factor, {.flag = "--slow-link", .least = 1, .most = kMostTimes, .example = "0-1=4"});
  add_link(link, "--slow-link", asymmetry);
}

/// What can be asked where a link cannot be missing.
std::string instead_of(const SlowLink& link, const Cluster& cluster) {
  std::vector<std::size_t> others;
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
    if (detour_factor(cluster.dimensions[d])) others.push_back(d + 1);
  }
  if (others.empty()) return fmt::format("use --slow-link {}-{}=FACTOR", link.a, link.b);
  return fmt::format("use a link of dimension {}, or --slow-link {}-{}=FACTOR", fmt::join(others, " or "), link.a,
                     link.b);
}

void add_missing_link(const std::string& text, const Machine& machine, Asymmetry& asymmetry) {
  SlowLink link = link_of(text, "--missing-link", "0-1", machine);
  const std::int32_t d = link_dimension(*machine.cluster(), link.a, link.b);
  const auto factor = detour_factor(machine.cluster()->dimensions[at(d)]);
  if (!factor) {
    reject("--missing-link: without {}-{} there is no other way along dimension {}; {}", link.a, link.b, d + 1,
           instead_of(link, *machine.cluster()));
  }
  link.factor = *factor;
  add_link(link, "--missing-link", asymmetry);
}

}  // namespace

namespace {

void add_late_core(const std::string& text, const Machine& machine, Asymmetry& asymmetry) {
  const auto [rank, time] = parse_assignment(text, "--late", "3='2 us'");
  const auto number = static_cast<NodeId>(
      parse_number(rank, {.flag = "--late", .least = 0, .most = rank_count(machine) - 1, .example = "3='2 us'"}));
  const Outcome<Time> parsed = parse_time(time);
  if (!parsed) reject("--late: {}", parsed.reason());
  if (parsed.value().kind == Time::Kind::cycles) reject("--late: {} has no clock; use e.g. 3='2 us'", machine.name);
  if (!asymmetry.late.emplace(number, Seconds(parsed.value().value)).second) {
    reject("--late: core {} was given twice; give it once", number);
  }
}

/// Slow memories and late cores.
Asymmetry asymmetry_of_cores(const Arguments& arguments, const Machine& machine) {
  const std::pair<bool, const char*> others[] = {{!arguments.jitter.empty(), "--jitter"},
                                                 {!arguments.slow_link.empty(), "--slow-link"},
                                                 {!arguments.missing_link.empty(), "--missing-link"},
                                                 {arguments.arrival, "--arrival-order"}};
  for (const auto& [given, flag] : others) {
    if (given) reject("{}: {} is no cluster; leave it out", flag, machine.name);
  }
  Asymmetry asymmetry;
  for (const std::string& text : arguments.slow) add_slow_npu(text, machine, asymmetry);
  for (const std::string& text : arguments.late) add_late_core(text, machine, asymmetry);
  return asymmetry;
}

}  // namespace

std::optional<Asymmetry> asymmetry_of(const Arguments& arguments, const Machine& machine) {
  const char* const given = first_given(arguments);
  if (given == nullptr) return std::nullopt;
  if (machine.hyperx() != nullptr) return asymmetry_of_cores(arguments, machine);
  if (machine.cluster() == nullptr) reject("{}: {} is no cluster; leave it out", given, machine.name);
  if (!arguments.late.empty()) reject("--late: {} is no hyperx; leave it out", machine.name);
  Asymmetry asymmetry{.order = arguments.arrival ? SendOrder::arrival : SendOrder::enforced,
                      .seed = seed_of(arguments)};
  if (!arguments.jitter.empty()) {
    asymmetry.jitter =
        parse_decimal(arguments.jitter[0], {.flag = "--jitter", .least = 0, .most = 1000, .example = "0.1"});
  }
  for (const std::string& text : arguments.slow) add_slow_npu(text, machine, asymmetry);
  for (const std::string& text : arguments.slow_link) add_slow_link(text, machine, asymmetry);
  for (const std::string& text : arguments.missing_link) add_missing_link(text, machine, asymmetry);
  return asymmetry;
}

}  // namespace muster
