// Each flag by one small function.
#include "machine/cluster_options.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "base/numbers.h"
#include "machine/cluster.h"
#include "machine/routing.h"
#include "machine/slow_ranks.h"

namespace muster {
namespace {

constexpr std::int64_t kMostTimes = 1'000'000;

/// A link, not slow yet, by its ends "A-B".
SlowLink link_of(const std::string& ends, const char* flag, const char* example, const Machine& machine) {
  const auto [a, b] =
      parse_pair(ends, '-', {.flag = flag, .least = 0, .most = rank_count(machine) - 1, .example = example});
  SlowLink link{.a = static_cast<NodeId>(a), .b = static_cast<NodeId>(b)};
  if (link_dimension(*as<Cluster>(machine), link.a, link.b) >= 0) return link;
  reject(
      "{}: NPUs {} and {} have no direct link; name two neighbours on a ring, or two NPUs of one fully-connected "
      "group; "
      "behind a switch, use --slow RANK=FACTOR",
      flag, link.a, link.b);
}

void add_link(SlowLink link, const char* flag, ClusterOptions& options) {
  for (const SlowLink& other : options.slow_links) {
    const bool same = std::minmax(other.a, other.b) == std::minmax(link.a, link.b);
    if (same) reject("{}: the link {}-{} was given twice; give it once", flag, link.a, link.b);
  }
  options.slow_links.push_back(link);
}

void add_slow_link(const std::string& text, const Machine& machine, ClusterOptions& options) {
  const auto [ends, factor] = parse_assignment(text, "--slow-link", "0-1=4");
  SlowLink link = link_of(ends, "--slow-link", "0-1=4", machine);
  link.factor = parse_decimal(factor, {.flag = "--slow-link", .least = 1, .most = kMostTimes, .example = "0-1=4"});
  add_link(link, "--slow-link", options);
}

/// Links of one group that are missing.
struct GroupGaps {
  std::size_t dimension = 0;
  std::vector<SlowLink> links;
};

/// What can be asked where links cannot be missing.
std::string instead_of(const GroupGaps& gaps, const SlowLink& cut, const Cluster& cluster) {
  if (gaps.links.size() > 1) return fmt::format("remove fewer links, or use --slow-link {}-{}=FACTOR", cut.a, cut.b);
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
  const Detour found = detour(cluster.dimensions[d], missing);
  if (!found.cut) return found.factor;
  const SlowLink& cut = gaps.links[*found.cut];
  if (cluster.dimensions[d].kind == Cluster::Kind::fully_connected) {
    reject("--missing-link: without {} no NPU is linked to both {} and {} in dimension {}, so none can relay; {}",
           fmt::join(names, ", "), cut.a, cut.b, d + 1, instead_of(gaps, cut, cluster));
  }
  reject("--missing-link: without {} there is no path from NPU {} to {} in dimension {}; {}", fmt::join(names, ", "),
         cut.a, cut.b, d + 1, instead_of(gaps, cut, cluster));
}

bool is_in_group(const SlowLink& link, const GroupGaps& gaps, const Cluster& cluster) {
  return link_dimension(cluster, link.a, link.b) == static_cast<std::int32_t>(gaps.dimension) &&
         in_one_group(cluster, link.a, gaps.links[0].a, gaps.dimension);
}

/// A slow link of a group that lacks others may carry as much as the busiest: it is so many times slower still.
void add_missing_links(const std::vector<std::string>& texts, const Machine& machine, ClusterOptions& options) {
  const Cluster& cluster = *as<Cluster>(machine);
  std::vector<GroupGaps> groups;
  const std::size_t slow = options.slow_links.size();
  for (const std::string& text : texts) {
    const SlowLink link = link_of(text, "--missing-link", "0-1", machine);
    add_link(link, "--missing-link", options);
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const GroupGaps& gaps) { return is_in_group(link, gaps, cluster); });
    if (found != groups.end()) {
      found->links.push_back(link);
    } else {
      groups.push_back({.dimension = at(link_dimension(cluster, link.a, link.b)), .links = {link}});
    }
  }
  options.slow_links.resize(slow);
  for (const GroupGaps& gaps : groups) {
    const double factor = factor_without(gaps, cluster);
    for (std::size_t i = 0; i < slow; ++i) {
      if (is_in_group(options.slow_links[i], gaps, cluster)) options.slow_links[i].factor *= factor;
    }
    for (SlowLink link : gaps.links) {
      link.factor = factor;
      options.slow_links.push_back(link);
    }
  }
}

}  // namespace

Options cluster_options(const Machine& machine, const FlagTexts& flags) {
  const auto is_given = [&](const char* flag) { return flags.has(flag); };
  constexpr const char* kOwn[] = {"--jitter", "--slow", "--slow-link", "--missing-link", "--arrival-order"};
  if (std::none_of(std::begin(kOwn), std::end(kOwn), is_given)) return {};
  ClusterOptions options{.order = flags.has("--arrival-order") ? SendOrder::arrival : SendOrder::enforced};
  if (flags.has("--seed")) {
    options.seed = static_cast<std::uint64_t>(parse_number(flags.text("--seed"), {.flag = "--seed", .example = "1"}));
  }
  if (flags.has("--jitter")) {
    options.jitter =
        parse_decimal(flags.text("--jitter"), {.flag = "--jitter", .least = 0, .most = 1000, .example = "0.1"});
  }
  options.slow = slow_ranks(flags.values("--slow"), machine);
  for (const std::string& text : flags.values("--slow-link")) add_slow_link(text, machine, options);
  add_missing_links(flags.values("--missing-link"), machine, options);
  return options;
}

}  // namespace muster
