// What the family "cluster" says about itself.
#include <algorithm>

#include "base/error.h"
#include "machine/cluster.h"
#include "machine/cluster_options.h"
#include "machine/family.h"
#include "machine/read_network.h"
#include "machine/routing.h"
#include "machine/slow_ranks.h"
#include "machine/timing_keys.h"
#include "result/time_base.h"

namespace muster {
namespace {

constexpr std::string_view kFlags[] = {"--chunks", "--order",     "--accounting",   "--jitter",
                                       "--slow",   "--slow-link", "--missing-link", "--arrival-order"};

FactValue links_fact(const std::vector<SlowLink>& links) {
  FactValue::List list;
  for (const SlowLink& link : links) {
    const FactValue::List ends{{std::int64_t{link.a}}, {std::int64_t{link.b}}};
    list.push_back({FactValue::Object{{"ends", {ends}}, {"factor", {link.factor}}}});
  }
  return {list};
}

FactValue asymmetry_fact(const ClusterOptions& options) {
  return {FactValue::Object{{"jitter", {options.jitter}},
                            {"arrival_order", {options.order == SendOrder::arrival}},
                            {"slow", slow_ranks_fact(options.slow)},
                            {"late", {FactValue::List{}}},
                            {"slow_links", links_fact(options.slow_links)}}};
}

/// Whatever was asked to differ, in the order of the flags.
std::string conditions_text(const ClusterOptions& options) {
  std::string text;
  if (options.jitter > 0) text += fmt::format(", jitter {}", options.jitter);
  text += slow_ranks_text(options.slow, "NPU");
  for (const SlowLink& link : options.slow_links) {
    text += fmt::format(", link {}-{} slowed {:.4g}x", link.a, link.b, link.factor);
  }
  return options.order == SendOrder::arrival ? text + ", in order of arrival" : text;
}

class ClusterFamily final : public FamilyOf<Cluster> {
 public:
  [[nodiscard]] std::string_view name() const override { return "cluster"; }
  [[nodiscard]] FamilyWords words() const override {
    return {.rank = "NPU", .shape_unit = "NPU", .shape_key = "dimensions", .shape_title = "NPUs", .swept = "chunks"};
  }
  [[nodiscard]] Network read(const TomlTable& root) const override { return read_cluster(root); }
  [[nodiscard]] std::span<const MachineKey> keys() const override { return cluster_keys(); }
  [[nodiscard]] std::vector<TimingKey> timing_keys(const Machine& machine) const override {
    return cluster_timing_keys(machine);
  }

  [[nodiscard]] bool combines(const Network& /*network*/, NodeId /*node*/) const override { return true; }
  [[nodiscard]] std::int64_t buffered_words(const Network& network) const override {
    return own(network).buffer_chunks > 0 ? kWholeStream : 0;
  }
  [[nodiscard]] std::string node_text(const Network& network, NodeId node) const override {
    return node < ranks(network) ? fmt::format("NPU {}", node) : fmt::format("switch {}", node - ranks(network));
  }

  [[nodiscard]] TimeBase time_base(const Network& /*network*/) const override { return kPicoseconds; }
  [[nodiscard]] std::vector<std::int64_t> shape(const Network& network) const override {
    std::vector<std::int64_t> sizes;
    for (const Cluster::Dimension& dimension : own(network).dimensions) sizes.push_back(dimension.size);
    return sizes;
  }

  [[nodiscard]] std::span<const std::string_view> flags() const override { return kFlags; }
  [[nodiscard]] std::vector<std::string_view> key_flags() const override { return {"--accounting"}; }
  [[nodiscard]] Options options(const Machine& machine, const FlagTexts& flags) const override {
    return cluster_options(machine, flags);
  }
  [[nodiscard]] FamilyFacts facts(const Machine& /*machine*/, const Options& options) const override {
    const ClusterOptions* const asked = options.as<ClusterOptions>();
    if (asked == nullptr) return {};
    return {.conditions = conditions_text(*asked), .facts = {{"asymmetry", asymmetry_fact(*asked)}}};
  }
  [[nodiscard]] std::vector<std::string_view> fact_keys() const override { return {"asymmetry"}; }
};

}  // namespace

const Family& family_of(const Cluster& /*cluster*/) {
  static const ClusterFamily kFamily;
  return kFamily;
}

}  // namespace muster
