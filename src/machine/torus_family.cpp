// What the family "torus" says about itself.
#include "machine/family.h"
#include "machine/read_network.h"
#include "machine/torus.h"

namespace muster {
namespace {

constexpr std::int64_t kWordBytes = 4;  // elements of a stream are 32-bit words

class TorusFamily final : public FamilyOf<Torus> {
 public:
  [[nodiscard]] std::string_view name() const override { return "torus"; }
  [[nodiscard]] FamilyWords words() const override {
    return {.rank = "tile", .shape_unit = "tile", .shape_key = "grid", .shape_title = "grid"};
  }
  [[nodiscard]] Network read(const TomlTable& root) const override { return read_torus(root); }
  [[nodiscard]] std::span<const MachineKey> keys() const override { return torus_keys(); }

  [[nodiscard]] bool combines(const Network& network, NodeId node) const override { return node < ranks(network); }
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

  [[nodiscard]] TimeBase time_base(const Network& network) const override {
    return {.ticks_per_second = own(network).clock.value(), .is_clock = true};
  }
  [[nodiscard]] std::optional<Bytes> memory_per_rank(const Network& network) const override {
    return own(network).memory;
  }
  [[nodiscard]] std::vector<std::int64_t> shape(const Network& network) const override {
    return {own(network).width, own(network).height};
  }
  [[nodiscard]] std::span<const std::string_view> flags() const override { return {}; }
};

}  // namespace

const Family& family_of(const Torus& /*torus*/) {
  static const TorusFamily kFamily;
  return kFamily;
}

}  // namespace muster
