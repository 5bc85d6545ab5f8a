// What the family "bus" says about itself.
#include "base/error.h"
#include "base/ranges.h"
#include "bus.h"
#include "machine/family.h"
#include "machine/read_network.h"
#include "machine/routing.h"

namespace muster {
namespace {

constexpr MachineKey kKeys[] = {
    {.name = "clock",
     .type = "frequency",
     .allowed = "1 Hz or more",
     .example = "\"1 GHz\"",
     .meaning = "The clock, in whose cycles times are counted."},
    {.name = "bus.ranks",
     .type = "whole number",
     .allowed = "1 to 1000",
     .example = "8",
     .meaning = "Ranks on the bus."},
    {.name = "bus.start",
     .type = "time",
     .allowed = "1 to 1000000 cycles",
     .example = "\"10 cycles\"",
     .meaning = "Time to win the bus, before a message."},
};

constexpr std::string_view kFlags[] = {"--nodes"};

class BusFamily final : public FamilyOf<Bus> {
 public:
  [[nodiscard]] std::string_view name() const override { return "bus"; }
  [[nodiscard]] FamilyWords words() const override {
    return {
        .rank = "rank", .shape_unit = "rank", .shape_key = "nodes", .shape_title = "ranks", .shape_is_number = true};
  }
  [[nodiscard]] std::span<const MachineKey> keys() const override { return kKeys; }
  [[nodiscard]] Network read(const TomlTable& root) const override {
    require_keys(root, name());
    Bus bus;
    bus.clock = read_clock(root);
    const TomlTable table = root.table("bus");
    bus.ranks = read_integer(table, "ranks", 1, 1000);
    bus.start = read_cycles(table, "start", bus.clock);
    return bus;
  }

  [[nodiscard]] bool combines(const Network& /*network*/, NodeId /*node*/) const override { return true; }
  [[nodiscard]] std::int64_t buffered_words(const Network& /*network*/) const override { return kWholeStream; }
  [[nodiscard]] std::string node_text(const Network& /*network*/, NodeId node) const override {
    return fmt::format("rank {}", node);
  }
  [[nodiscard]] TimeBase time_base(const Network& network) const override {
    return {.ticks_per_second = own(network).clock.value(), .is_clock = true};
  }
  [[nodiscard]] std::vector<std::int64_t> shape(const Network& network) const override { return {own(network).ranks}; }
  [[nodiscard]] std::span<const std::string_view> flags() const override { return kFlags; }
  [[nodiscard]] Machine shaped(Machine machine, const FlagTexts& flags) const override {
    if (!flags.has("--nodes")) return machine;
    return with_ranks(machine, parse_number(flags.text("--nodes"), rule(machine)));
  }
  [[nodiscard]] std::vector<Machine> shapes(const Machine& machine, const FlagTexts& flags) const override {
    if (!flags.has("--nodes")) return {machine};
    std::vector<Machine> all;
    for (const std::int64_t ranks : parse_numbers(flags.text("--nodes"), rule(machine))) {
      all.push_back(with_ranks(machine, ranks));
    }
    return all;
  }

 private:
  static NumberRule rule(const Machine& machine) {
    return {.flag = "--nodes", .least = 1, .most = own(machine).ranks, .example = "4"};
  }
  static Machine with_ranks(Machine machine, std::int64_t ranks) {
    as<Bus>(machine)->ranks = static_cast<std::int32_t>(ranks);
    return machine;
  }
};

}  // namespace

const Family& family_of(const Bus& /*bus*/) {
  static const BusFamily kFamily;
  return kFamily;
}

NodeId rank_count(const Bus& bus) { return bus.ranks; }
NodeId node_count(const Bus& bus) { return bus.ranks; }
bool linked(const Bus& /*bus*/, NodeId from, NodeId to) { return from != to; }
std::vector<NodeId> default_route(const Bus& /*bus*/, NodeId from, NodeId to) {
  return from == to ? std::vector<NodeId>{from} : std::vector<NodeId>{from, to};
}
std::int64_t default_hops(const Bus& /*bus*/, NodeId from, NodeId to) { return from == to ? 0 : 1; }

}  // namespace muster
