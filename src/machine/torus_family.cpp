// What the family "torus" says about itself.
#include <algorithm>

#include "base/error.h"
#include "base/ranges.h"
#include "machine/family.h"
#include "machine/read_network.h"
#include "machine/timing_keys.h"
#include "machine/torus.h"

namespace muster {
namespace {

constexpr std::int64_t kWordBytes = 4;  // elements of a stream are 32-bit words
constexpr std::string_view kFlags[] = {"--grid", "--nodes", "--noc-assignment", "--sync"};

bool is_full_grid(const Torus& torus) { return rank_count(torus) == used_columns(torus) * used_rows(torus); }

/// What a tile that is no worker is, for messages.
std::string_view kind_text(TileKind kind) {
  switch (kind) {
    case TileKind::worker:
      return "a worker";
    case TileKind::fused_off:
      return "fused off";
    case TileKind::dram:
      return "a DRAM tile";
    case TileKind::ethernet:
      return "an Ethernet tile";
    case TileKind::pcie:
      return "the PCIe tile";
    case TileKind::arc:
      return "the ARC tile";
    case TileKind::router:
      return "only a router";
  }
  return "";
}

/// Whether a flag has the second of its two values; the first is the default.
bool is_second(const FlagTexts& flags, std::string_view flag, const std::vector<std::string>& values) {
  if (!flags.has(flag)) return false;
  const std::string& asked = flags.text(flag);
  if (std::find(values.begin(), values.end(), asked) == values.end()) {
    reject("{}: unknown value '{}'; {}", flag, asked, suggest(asked, values));
  }
  return asked == values[1];
}

class TorusFamily final : public FamilyOf<Torus> {
 public:
  [[nodiscard]] std::string_view name() const override { return "torus"; }
  [[nodiscard]] FamilyWords words() const override {
    return {.rank = "tile", .shape_unit = "tile", .shape_key = "grid", .shape_title = "grid", .channel = "semaphore"};
  }
  [[nodiscard]] std::vector<std::string_view> types() const override { return {"f32", "bf16", "i32"}; }
  [[nodiscard]] Network read(const TomlTable& root) const override { return read_torus(root); }
  [[nodiscard]] std::span<const MachineKey> keys() const override { return torus_keys(); }

  [[nodiscard]] std::vector<TimingKey> timing_keys(const Machine& machine) const override {
    return torus_timing_keys(machine);
  }

  [[nodiscard]] bool combines(const Network& network, NodeId node) const override { return node < ranks(network); }
  [[nodiscard]] bool stores(const Network& network, NodeId node) const override {
    const std::vector<Coordinates>& banks = own(network).dram.banks;
    return combines(network, node) ||
           std::find(banks.begin(), banks.end(), coordinates_of(own(network), node)) != banks.end();
  }
  [[nodiscard]] std::int64_t buffered_words(const Network& network) const override {
    return own(network).input_buffer.value() / kWordBytes;
  }
  [[nodiscard]] std::string node_text(const Network& network, NodeId node) const override {
    return "tile " + rank_text(network, node);
  }
  [[nodiscard]] std::string rank_text(const Network& network, NodeId rank) const override {
    const Coordinates coordinates = coordinates_of(own(network), rank);
    return fmt::format("({},{})", coordinates.x, coordinates.y);
  }
  [[nodiscard]] NodeId rank_at(const Machine& machine, const std::string& text, const NumberRule& rule) const override;

  [[nodiscard]] TimeBase time_base(const Network& network) const override {
    return {.ticks_per_second = own(network).clock.value(), .is_clock = true};
  }
  [[nodiscard]] std::optional<Bytes> memory_per_rank(const Network& network) const override {
    return own(network).memory;
  }
  /// One number where the last row of the grid is shorter.
  [[nodiscard]] std::vector<std::int64_t> shape(const Network& network) const override {
    const Torus& torus = own(network);
    if (!is_full_grid(torus)) return {rank_count(torus)};
    return {used_columns(torus), used_rows(torus)};
  }
  [[nodiscard]] std::string shape_text(const Network& network) const override {
    const std::string text = shape_flag_text(network);
    return is_full_grid(own(network)) ? text : text + " tiles";
  }

  [[nodiscard]] std::span<const std::string_view> flags() const override { return kFlags; }
  [[nodiscard]] Machine shaped(Machine machine, const FlagTexts& flags) const override;
  [[nodiscard]] std::vector<Machine> shapes(const Machine& machine, const FlagTexts& flags) const override;
  [[nodiscard]] Options options(const Machine& /*machine*/, const FlagTexts& flags) const override {
    return TorusOptions{.swapped = is_second(flags, "--noc-assignment", {"direct", "swapped"}),
                        .handshake = is_second(flags, "--sync", {"one-way", "handshake"})};
  }
  [[nodiscard]] FamilyFacts facts(const Machine& /*machine*/, const Options& options) const override {
    const auto [swapped, handshake] = options.of<TorusOptions>();
    return {.conditions = fmt::format("{}{}", swapped ? ", NoCs swapped" : "", handshake ? ", with handshakes" : ""),
            .facts = {{"noc_assignment", {std::string(swapped ? "swapped" : "direct")}, true},
                      {"sync", {std::string(handshake ? "handshake" : "one-way")}, true}}};
  }
  [[nodiscard]] std::vector<std::string_view> fact_keys() const override { return {"noc_assignment", "sync"}; }
};

NodeId TorusFamily::rank_at(const Machine& machine, const std::string& text, const NumberRule& rule) const {
  const Torus& torus = own(machine);
  const auto [x, y] = parse_pair(text, ',', rule);
  if (x >= torus.width || y >= torus.height) {
    reject("{}: tile ({},{}) is outside the {}x{} tiles of {}; at most {},{}", rule.flag, x, y, torus.width,
           torus.height, machine.name, torus.width - 1, torus.height - 1);
  }
  const Coordinates tile{.x = static_cast<std::int32_t>(x), .y = static_cast<std::int32_t>(y)};
  if (kind_of(torus, tile) != TileKind::worker) {
    reject("{}: tile ({},{}) is {}; use a worker: columns {}, rows {}", rule.flag, x, y,
           kind_text(kind_of(torus, tile)), fmt::join(torus.worker_columns, ", "), fmt::join(torus.worker_rows, ", "));
  }
  const NodeId rank = node_at(torus, tile);
  if (rank >= rank_count(torus)) {
    reject("{}: tile ({},{}) is a worker, but not one of the {} in use; the last is {}", rule.flag, x, y,
           shape_text(machine.network), rank_text(machine.network, rank_count(torus) - 1));
  }
  return rank;
}

Machine TorusFamily::shaped(Machine machine, const FlagTexts& flags) const {
  if (flags.has("--grid")) {
    const NumberRule rule{.flag = "--grid", .least = 1, .most = INT32_MAX, .example = "8x8"};
    const auto [columns, rows] = parse_pair(flags.text("--grid"), 'x', rule);
    machine = with_worker_grid(std::move(machine), columns, rows);
  }
  if (!flags.has("--nodes")) return machine;
  const std::int64_t ranks =
      parse_number(flags.text("--nodes"), {.flag = "--nodes", .least = 1, .most = INT32_MAX, .example = "64"});
  if (!flags.has("--grid")) return with_workers(std::move(machine), ranks);
  if (ranks != rank_count(own(machine))) {
    reject("--grid: {} has {} tiles, but --nodes says {}; give one of the two", flags.text("--grid"),
           rank_count(own(machine)), ranks);
  }
  return machine;
}

std::vector<Machine> TorusFamily::shapes(const Machine& machine, const FlagTexts& flags) const {
  if (flags.has("--grid") && flags.has("--nodes")) reject("--grid and --nodes both choose the tiles; give one of them");
  std::vector<Machine> machines;
  if (flags.has("--grid")) {
    const NumberRule rule{.flag = "--grid", .least = 1, .most = INT32_MAX, .example = "4x4,8x8"};
    for (const auto& [columns, rows] : parse_grids(flags.text("--grid"), rule)) {
      machines.push_back(with_worker_grid(machine, columns, rows));
    }
  } else if (flags.has("--nodes")) {
    const NumberRule rule{.flag = "--nodes", .least = 1, .most = INT32_MAX, .example = "4,16,64"};
    for (const std::int64_t ranks : parse_numbers(flags.text("--nodes"), rule)) {
      machines.push_back(with_workers(machine, ranks));
    }
  } else {
    machines.push_back(machine);
  }
  return machines;
}

}  // namespace

const Family& family_of(const Torus& /*torus*/) {
  static const TorusFamily kFamily;
  return kFamily;
}

}  // namespace muster
