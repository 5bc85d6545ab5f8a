// What the family "hyperx" says about itself.
#include <algorithm>

#include "base/error.h"
#include "base/ranges.h"
#include "base/saturating.h"
#include "machine/family.h"
#include "machine/hyperx.h"
#include "machine/read_network.h"
#include "machine/routing.h"
#include "machine/slow_ranks.h"
#include "machine/timing_keys.h"
#include "result/time_base.h"

namespace muster {
namespace {

constexpr std::int64_t kWordBytes = 4;  // elements of a stream are 32-bit words
constexpr std::string_view kFlags[] = {"--nodes", "--shape", "--group", "--vectors", "--slow", "--late"};

/// The nodes in each dimension: "32x32x16".
std::vector<std::int32_t> parse_shape(const std::string& text) {
  const NumberRule rule{.flag = "--shape", .least = 1, .most = 1'000'000, .example = "4x4"};
  std::vector<std::int32_t> shape;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('x', start), text.size());
    shape.push_back(static_cast<std::int32_t>(parse_number(text.substr(start, end - start), rule)));
    start = end + 1;
  }
  return shape;
}

Machine with_typed_shape(Machine machine, const FlagTexts& flags) {
  std::vector<std::int32_t> shape = parse_shape(flags.text("--shape"));
  std::int64_t nodes = 1;
  for (const std::int32_t size : shape) nodes = saturating_product(nodes, size);
  if (flags.has("--nodes") && flags.text("--nodes") != std::to_string(nodes)) {
    reject("--shape: {} has {} nodes, but --nodes says {}; give one of the two", flags.text("--shape"), nodes,
           flags.text("--nodes"));
  }
  std::erase(shape, 1);  // a dimension of one node has no links
  return with_shape(std::move(machine), shape);
}

/// The nodes of each --group.
std::vector<std::vector<std::int32_t>> groups_of(const Machine& machine, const FlagTexts& flags) {
  std::vector<std::vector<std::int32_t>> groups;
  for (const std::string& text : flags.values("--group")) {
    const std::int64_t nodes = hyperx_nodes(*as<HyperX>(machine));
    const NumberRule rule{.flag = "--group", .least = 0, .most = nodes - 1, .example = "0:3,8"};
    auto& group = groups.emplace_back();
    for (const std::int64_t node : parse_numbers(text, rule)) group.push_back(static_cast<std::int32_t>(node));
  }
  return groups;
}

bool has_vector_per_node(const FlagTexts& flags) {
  if (!flags.has("--vectors")) return false;
  const std::vector<std::string> known{"core", "node"};
  const std::string& asked = flags.text("--vectors");
  if (std::find(known.begin(), known.end(), asked) == known.end()) {
    reject("--vectors: unknown owner '{}'; {}", asked, suggest(asked, known));
  }
  return asked == "node";
}

std::map<NodeId, Seconds> late_cores(const Machine& machine, const FlagTexts& flags) {
  std::map<NodeId, Seconds> late;
  for (const std::string& text : flags.values("--late")) {
    const auto [rank, time] = parse_assignment(text, "--late", "3='2 us'");
    const auto number = static_cast<NodeId>(
        parse_number(rank, {.flag = "--late", .least = 0, .most = rank_count(machine) - 1, .example = "3='2 us'"}));
    const Outcome<Seconds> parsed = parse_seconds(time);
    if (!parsed) reject("--late: {}", parsed.reason());
    if (!late.emplace(number, parsed.value()).second) {
      reject("--late: core {} was given twice; give it once", number);
    }
  }
  return late;
}

/// Whether --nodes would give the machine its shape.
bool has_even_shape(const Network& network) {
  Machine machine{.name = "", .summary = "", .network = network};
  HyperX& hyperx = *as<HyperX>(machine);
  const std::vector<std::int32_t> shape = hyperx.shape;
  const std::int64_t nodes = hyperx_nodes(hyperx);
  hyperx.failed_nodes.clear();  // they are numbered for this shape
  hyperx.failed_links.clear();
  return as<HyperX>(with_nodes(std::move(machine), nodes))->shape == shape;
}

/// Nodes as --group takes them: "0:3,8".
std::string nodes_text(std::vector<std::int32_t> nodes) {
  std::sort(nodes.begin(), nodes.end());
  std::string text;
  for (std::size_t first = 0, end = 0; first < nodes.size(); first = end) {
    for (end = first + 1; end < nodes.size() && nodes[end] == nodes[end - 1] + 1;) ++end;
    if (!text.empty()) text += ",";
    text += std::to_string(nodes[first]);
    if (end - first > 1) text += fmt::format(":{}", nodes[end - 1]);
  }
  return text;
}

std::string groups_text(const HyperXOptions& options) {
  std::vector<std::string> groups;
  for (const std::vector<std::int32_t>& nodes : options.groups) groups.push_back(nodes_text(nodes));
  if (groups.empty()) return "";
  return fmt::format(", group{} {}", groups.size() == 1 ? "" : "s", fmt::join(groups, " and "));
}

FactValue list_fact(const std::vector<std::int32_t>& numbers) {
  FactValue::List list;
  for (const std::int32_t number : numbers) list.push_back({std::int64_t{number}});
  return {list};
}

FactValue groups_fact(const HyperXOptions& options) {
  if (options.groups.empty()) return {};
  FactValue::List groups;
  for (const std::vector<std::int32_t>& group : options.groups) groups.push_back(list_fact(group));
  return {groups};
}

FactValue asymmetry_fact(const HyperXOptions& options) {
  if (options.slow.empty() && options.late.empty()) return {};
  FactValue::List late;
  for (const auto& [rank, time] : options.late) {
    late.push_back({FactValue::Object{{"rank", {std::int64_t{rank}}}, {"seconds", {time.value()}}}});
  }
  return {FactValue::Object{{"jitter", {0.0}},
                            {"arrival_order", {false}},
                            {"slow", slow_ranks_fact(options.slow)},
                            {"late", {late}},
                            {"slow_links", {FactValue::List{}}}}};
}

class HyperXFamily final : public FamilyOf<HyperX> {
 public:
  [[nodiscard]] std::string_view name() const override { return "hyperx"; }
  [[nodiscard]] FamilyWords words() const override {
    return {.rank = "core",
            .shape_unit = "node",
            .shape_key = "nodes",
            .shape_title = "nodes",
            .shape_is_number = true,
            .channel = "collective id"};
  }
  [[nodiscard]] Network read(const TomlTable& root) const override { return read_hyperx(root); }
  [[nodiscard]] std::span<const MachineKey> keys() const override { return hyperx_keys(); }
  [[nodiscard]] std::vector<TimingKey> timing_keys(const Machine& machine) const override {
    return hyperx_timing_keys(machine);
  }

  [[nodiscard]] bool combines(const Network& /*network*/, NodeId /*node*/) const override { return true; }
  [[nodiscard]] bool default_routes_are_whole(const Network& network) const override {
    return !has_failures(own(network));
  }
  [[nodiscard]] std::int64_t buffered_words(const Network& network) const override {
    return own(network).buffer_packets * own(network).packet.value() / kWordBytes;
  }
  [[nodiscard]] std::string node_text(const Network& network, NodeId node) const override {
    return node < ranks(network) ? fmt::format("core {}", node)
                                 : fmt::format("switch of core {}", node - ranks(network));
  }

  [[nodiscard]] TimeBase time_base(const Network& /*network*/) const override { return kPicoseconds; }
  [[nodiscard]] std::vector<std::int64_t> shape(const Network& network) const override {
    return {hyperx_nodes(own(network))};
  }
  [[nodiscard]] std::string shape_text(const Network& network) const override {
    const std::vector<std::int32_t>& shape = own(network).shape;
    return shape.empty() ? "1 node" : fmt::format("{} nodes", fmt::join(shape, "x"));
  }
  [[nodiscard]] std::string shape_flag_text(const Network& network) const override {
    if (has_even_shape(network)) return std::to_string(hyperx_nodes(own(network)));
    return fmt::format("{}", fmt::join(own(network).shape, "x"));
  }

  [[nodiscard]] std::span<const std::string_view> flags() const override { return kFlags; }
  [[nodiscard]] Machine shaped(Machine machine, const FlagTexts& flags) const override {
    if (flags.has("--shape")) return with_typed_shape(std::move(machine), flags);
    if (!flags.has("--nodes")) return machine;
    const NumberRule rule{.flag = "--nodes", .least = 1, .most = 1'000'000, .example = "16"};
    return with_nodes(std::move(machine), parse_number(flags.text("--nodes"), rule));
  }
  [[nodiscard]] std::vector<Machine> shapes(const Machine& machine, const FlagTexts& flags) const override;
  [[nodiscard]] Options options(const Machine& machine, const FlagTexts& flags) const override {
    return HyperXOptions{.groups = groups_of(machine, flags),
                         .vector_per_node = has_vector_per_node(flags),
                         .slow = slow_ranks(flags.values("--slow"), machine),
                         .late = late_cores(machine, flags)};
  }
  [[nodiscard]] NodeId first_rank(const Machine& machine, const Options& options) const override {
    const HyperX& hyperx = own(machine);
    const auto& groups = options.of<HyperXOptions>().groups;
    if (!groups.empty() && !groups.front().empty()) return groups.front().front() * switches_per_node(hyperx);
    std::int32_t node = 0;
    while (node + 1 < hyperx_nodes(hyperx) && has_failed(hyperx, node)) ++node;
    return node * switches_per_node(hyperx);
  }
  [[nodiscard]] FamilyFacts facts(const Machine& machine, const Options& options) const override;
  [[nodiscard]] std::vector<std::string_view> fact_keys() const override {
    return {"node_shape", "vectors", "groups", "asymmetry"};
  }
};

std::vector<Machine> HyperXFamily::shapes(const Machine& machine, const FlagTexts& flags) const {
  if (flags.has("--nodes") && flags.has("--shape")) reject("--nodes and --shape mean the same; give one of them");
  std::vector<Machine> machines;
  if (flags.has("--nodes")) {
    const NumberRule rule{.flag = "--nodes", .least = 1, .most = 1'000'000, .example = "1,4,16"};
    for (const std::int64_t nodes : parse_numbers(flags.text("--nodes"), rule)) {
      machines.push_back(with_nodes(machine, nodes));
    }
  } else if (flags.has("--shape")) {
    for (const std::string& shape : parse_words(flags.text("--shape"), "--shape")) {
      machines.push_back(with_shape(machine, parse_shape(shape)));
    }
  } else {
    machines.push_back(machine);
  }
  return machines;
}

FamilyFacts HyperXFamily::facts(const Machine& machine, const Options& options) const {
  const HyperXOptions& asked = options.of<HyperXOptions>();
  std::string conditions = slow_ranks_text(asked.slow, "core");
  for (const auto& [rank, time] : asked.late) conditions += fmt::format(", core {} late by {}", rank, to_text(time));
  return {.per_vector = asked.vector_per_node ? " per node" : "",
          .members = groups_text(asked),
          .conditions = std::move(conditions),
          .facts = {{"node_shape", list_fact(own(machine).shape)},
                    {"vectors", {std::string(asked.vector_per_node ? "node" : "core")}, true},
                    {"groups", groups_fact(asked)},
                    {"asymmetry", asymmetry_fact(asked)}}};
}

}  // namespace

const Family& family_of(const HyperX& /*hyperx*/) {
  static const HyperXFamily kFamily;
  return kFamily;
}

}  // namespace muster
