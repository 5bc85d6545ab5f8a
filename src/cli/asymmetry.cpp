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

/// Links of one group that are missing.
struct GroupGaps {
  std::size_t dimension = 0;
  std::vector<SlowLink> links;
};

/// What can be asked where links cannot be missing.
std::string instead_of(const GroupGaps& gaps, const SlowLink& cut, const Cluster& cluster) {
  if (gaps.links.size() > 1) return fmt::format("leave one out, or use --slow-link {}-{}=FACTOR", cut.a, cut.b);
  std::vector<std::size_t> others;
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
    if (!detour(cluster.dimensions[d], {{.a = 0, .b = 1}}).cut) others.push_back(d + 1);
  }
  if (others.empty()) return fmt::format("use --slow-link {}-{}=FACTOR", cut.a, cut.b);
  return fmt::format("use a link of dimension {}, or --slow-link {}-{}=FACTOR", fmt::join(others, " or "), cut.a,
                     cut.b);
}

/// How many times as long the group takes.
double factor_without(const GroupGaps& gaps, const Cluster& cluster) {
  const std::size_t d = gaps.dimension;
  std::vector<LinkEnds> missing;
  std::vector<std::string> names;
  for (const SlowLink& link : gaps.links) {
    missing.push_back({.a = coordinate(cluster, link.a, d), .b = coordinate(cluster, link.b, d)});
    names.push_back(fmt::format("{}-{}", link.a, link.b));
  }
  const Detour way = detour(cluster.dimensions[d], missing);
  if (!way.cut) return way.factor;
  const SlowLink& cut = gaps.links[*way.cut];
  if (cluster.dimensions[d].kind == Cluster::Kind::fully_connected) {
    reject("--missing-link: without {} no NPU has links to both {} and {} along dimension {}; {}",
           fmt::join(names, ", "), cut.a, cut.b, d + 1, instead_of(gaps, cut, cluster));
  }
  reject("--missing-link: without {} there is no other way from NPU {} to {} along dimension {}; {}",
         fmt::join(names, ", "), cut.a, cut.b, d + 1, instead_of(gaps, cut, cluster));
}

bool is_in_group(const SlowLink& link, const GroupGaps& gaps, const Cluster& cluster) {
  return link_dimension(cluster, link.a, link.b) == static_cast<std::int32_t>(gaps.dimension) &&
         in_one_group(cluster, link.a, gaps.links[0].a, gaps.dimension);
}

/// A slow link of a group that lacks others may carry as much as the busiest: it is so many times slower still.
void add_missing_links(const std::vector<std::string>& texts, const Machine& machine, Asymmetry& asymmetry) {
  const Cluster& cluster = *machine.cluster();
  std::vector<GroupGaps> groups;
  const std::size_t slow = asymmetry.slow_links.size();
  for (const std::string& text : texts) {
    const SlowLink link = link_of(text, "--missing-link", "0-1", machine);
    add_link(link, "--missing-link", asymmetry);
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const GroupGaps& gaps) { return is_in_group(link, gaps, cluster); });
    if (found != groups.end()) {
      found->links.push_back(link);
    } else {
      groups.push_back({.dimension = at(link_dimension(cluster, link.a, link.b)), .links = {link}});
    }
  }
  asymmetry.slow_links.resize(slow);
  for (const GroupGaps& gaps : groups) {
    const double factor = factor_without(gaps, cluster);
    for (std::size_t i = 0; i < slow; ++i) {
      if (is_in_group(asymmetry.slow_links[i], gaps, cluster)) asymmetry.slow_links[i].factor *= factor;
    }
    for (SlowLink link : gaps.links) {
      link.factor = factor;
      asymmetry.slow_links.push_back(link);
    }
  }
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
  add_missing_links(arguments.missing_link, machine, asymmetry);
  return asymmetry;
}

}  // namespace muster
