// What the family "mesh" says about itself.
#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/ranges.h"
#include "machine/family.h"
#include "machine/mesh.h"
#include "machine/read_network.h"
#include "machine/routing.h"
#include "machine/timing_keys.h"

namespace muster {
namespace {

constexpr std::string_view kFlags[] = {"--grid", "--pes", "--reserve-colors", "--offset", "--threads"};

int reserved_colors(const FlagTexts& flags) {
  if (!flags.has("--reserve-colors")) return 0;
  const NumberRule rule{.flag = "--reserve-colors", .least = 0, .most = 1000, .example = "1"};
  return static_cast<int>(parse_number(flags.text("--reserve-colors"), rule));
}

void set_offset(const Machine& machine, const std::string& text, MeshOptions& options) {
  const Mesh& mesh = *as<Mesh>(machine);
  const auto [x, y] = parse_pair(text, ',', {.flag = "--offset", .least = 0, .most = INT32_MAX, .example = "4,1"});
  if (x + mesh.width > mesh.max_width || y + mesh.height > mesh.max_height) {
    reject("--offset: {} at {},{} does not fit on the fabric of {}x{}; use at most {},{}", shape_text(machine), x, y,
           mesh.max_width, mesh.max_height, mesh.max_width - mesh.width, mesh.max_height - mesh.height);
  }
  options.offset_x = static_cast<std::int32_t>(x);
  options.offset_y = static_cast<std::int32_t>(y);
}

/// The eighths of a side, from an end to the middle.
std::vector<std::int32_t> eighths_to_the_middle(std::int32_t length) {
  constexpr std::int32_t kParts = 8;
  std::set<std::int32_t> all;
  for (std::int32_t i = 0; i <= kParts / 2; ++i) all.insert((length - 1) * i / kParts);
  return {all.begin(), all.end()};
}

class MeshFamily final : public FamilyOf<Mesh> {
 public:
  [[nodiscard]] std::string_view name() const override { return "mesh"; }
  [[nodiscard]] FamilyWords words() const override {
    return {.rank = "PE", .shape_unit = "PE", .shape_key = "grid", .shape_title = "grid", .channel = "color"};
  }
  [[nodiscard]] Network read(const TomlTable& root) const override { return read_mesh(root); }
  [[nodiscard]] std::span<const MachineKey> keys() const override { return mesh_keys(); }
  [[nodiscard]] std::vector<TimingKey> timing_keys(const Machine& machine) const override {
    return mesh_timing_keys(machine);
  }

  [[nodiscard]] bool combines(const Network& /*network*/, NodeId /*node*/) const override { return true; }
  [[nodiscard]] std::int64_t buffered_words(const Network& network) const override {
    return own(network).router_buffer;
  }
  [[nodiscard]] std::string node_text(const Network& network, NodeId node) const override {
    return "PE " + rank_text(network, node);
  }
  [[nodiscard]] std::string rank_text(const Network& network, NodeId rank) const override {
    const Coordinates coordinates = coordinates_of(own(network), rank);
    return fmt::format("({},{})", coordinates.x, coordinates.y);
  }
  [[nodiscard]] NodeId rank_at(const Machine& machine, const std::string& text, const NumberRule& rule) const override {
    const Mesh& mesh = own(machine);
    const auto [x, y] = parse_pair(text, ',', rule);
    if (x >= mesh.width || y >= mesh.height) {
      reject("{}: ({},{}) is outside the grid {}; use at most {},{}", rule.flag, x, y, muster::shape_text(machine),
             mesh.width - 1, mesh.height - 1);
    }
    return static_cast<NodeId>(y * mesh.width + x);
  }

  [[nodiscard]] bool is_line(const Network& network) const override {
    return own(network).width == 1 || own(network).height == 1;
  }
  [[nodiscard]] std::vector<NodeId> ranks_to_the_middle(const Network& network) const override;

  [[nodiscard]] TimeBase time_base(const Network& network) const override {
    return {.ticks_per_second = own(network).clock.value(), .is_clock = true};
  }
  [[nodiscard]] std::optional<Bytes> memory_per_rank(const Network& network) const override {
    return own(network).memory;
  }
  [[nodiscard]] std::vector<std::int64_t> shape(const Network& network) const override {
    return {own(network).width, own(network).height};
  }

  [[nodiscard]] std::span<const std::string_view> flags() const override { return kFlags; }
  [[nodiscard]] Machine shaped(Machine machine, const FlagTexts& flags) const override {
    if (!flags.has("--grid")) {
      reject("{} needs --grid; use e.g. --grid 512x1 (at most {}x{})", machine.name, own(machine).max_width,
             own(machine).max_height);
    }
    const NumberRule rule{.flag = "--grid", .least = 1, .most = INT32_MAX, .example = "512x1"};
    const auto [width, height] = parse_pair(flags.text("--grid"), 'x', rule);
    return with_grid(std::move(machine), static_cast<std::int32_t>(width), static_cast<std::int32_t>(height));
  }
  [[nodiscard]] std::vector<Machine> shapes(const Machine& machine, const FlagTexts& flags) const override;
  [[nodiscard]] Options options(const Machine& machine, const FlagTexts& flags) const override {
    MeshOptions options{.reserved_colors = reserved_colors(flags)};
    if (flags.has("--offset")) set_offset(machine, flags.text("--offset"), options);
    check_options(machine, options);
    return options;
  }
  void check_options(const Machine& machine, const Options& options) const override;
  [[nodiscard]] std::string reserved_text(const Options& options) const override {
    const int reserved = options.of<MeshOptions>().reserved_colors;
    return reserved == 0 ? "" : fmt::format("{} reserved colors", reserved);
  }
};

std::vector<Machine> MeshFamily::shapes(const Machine& machine, const FlagTexts& flags) const {
  if (flags.has("--grid") && flags.has("--pes")) reject("--grid and --pes mean the same; give one of them");
  std::vector<std::pair<std::int64_t, std::int64_t>> grids;
  if (flags.has("--grid")) {
    grids =
        parse_grids(flags.text("--grid"), {.flag = "--grid", .least = 1, .most = INT32_MAX, .example = "16x1,64x1"});
  } else if (flags.has("--pes")) {
    const NumberRule rule{.flag = "--pes", .least = 1, .most = INT32_MAX, .example = "4:512:x2"};
    for (const std::int64_t pes : parse_numbers(flags.text("--pes"), rule)) grids.emplace_back(pes, 1);
  } else {
    reject("sweep needs shapes; use e.g. --pes 4:512:x2 or --grid 16x1,64x1");
  }
  std::vector<Machine> machines;
  for (const auto& [width, height] : grids) {
    machines.push_back(with_grid(machine, static_cast<std::int32_t>(width), static_cast<std::int32_t>(height)));
  }
  return machines;
}

std::vector<NodeId> MeshFamily::ranks_to_the_middle(const Network& network) const {
  const Mesh& mesh = own(network);
  std::vector<NodeId> ranks;
  for (const std::int32_t y : eighths_to_the_middle(mesh.height)) {
    for (const std::int32_t x : eighths_to_the_middle(mesh.width)) ranks.push_back(y * mesh.width + x);
  }
  return ranks;
}

/// At least one color must be left: every collective of several PEs sends something.
void MeshFamily::check_options(const Machine& machine, const Options& options) const {
  const int reserved = options.of<MeshOptions>().reserved_colors;
  if (reserved < 0) reject("reserved colors: {} is negative; use 0 or more", reserved);
  if (rank_count(machine) == 1) return;
  const Mesh& mesh = own(machine);
  const auto library = std::count_if(mesh.reserved_colors.begin(), mesh.reserved_colors.end(),
                                     [&](std::int32_t color) { return color < mesh.colors; });
  const std::int64_t usable = mesh.colors - library;
  if (reserved < usable) return;
  reject(
      "reserved colors: {} leave no free color out of the {} of {} ({} belong to the host library); reserve at most {}",
      reserved, mesh.colors, machine.name, library, usable - 1);
}

}  // namespace

const Family& family_of(const Mesh& /*mesh*/) {
  static const MeshFamily kFamily;
  return kFamily;
}

}  // namespace muster
