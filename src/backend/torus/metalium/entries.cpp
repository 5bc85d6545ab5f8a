#include "backend/torus/metalium/entries.h"

#include <algorithm>

#include "base/error.h"

namespace muster::torus {
namespace {

std::string core_at(const Torus& torus, Coordinates physical) {
  const Coordinates logical = logical_of(torus, physical);
  return fmt::format("core({}, {})", logical.x, logical.y);
}

/// Workers in a rectangle, and whether the issuer is one of them.
std::int64_t receivers(const Torus& torus, int noc, const Rectangle& area, Coordinates issuer, bool includes_self) {
  const Topology topology(torus, noc);
  std::int64_t count = 0;
  for (RouterId tile = 0; tile < topology.routers(); ++tile) {
    if (!topology.is_worker(tile) || !topology.contains(area, tile)) continue;
    if (includes_self || tile != topology.at(issuer)) ++count;
  }
  return count;
}

std::string processor_text(Processor processor) {
  constexpr std::string_view names[] = {"kDataflow0", "kDataflow1", "kCompute"};
  return std::string(names[static_cast<std::size_t>(processor)]);
}

/// Tiles [first, first + count).
struct Tiles {
  std::int64_t first = 0;
  std::int64_t count = 0;
};
bool overlap(const Tiles& a, const Tiles& b) { return a.first < b.first + b.count && b.first < a.first + a.count; }

class Entries {
 public:
  Entries(const TorusProgram& program, NodeId rank, Processor processor)
      : program_(program), torus_(program.torus()), rank_(rank), processor_(processor) {}

  std::vector<std::string> run() && {
    const Core& core = program_.cores[static_cast<std::size_t>(rank_)];
    for (const Call& call : core.calls[static_cast<std::size_t>(processor_)]) std::visit(*this, call);
    return std::move(entries_);
  }

  void operator()(const Write& c) { transfer("write", c.to, c.source, c.target, c.bytes); }
  void operator()(const Read& c) { transfer("read", c.of, c.source, c.target, c.bytes); }
  void operator()(const Multicast& c) {
    add("{}({}, {}, {}, {}, {}, {})", c.includes_self ? "multicast_with_self" : "multicast", corner(c.area.first),
        corner(c.area.last), to_how_many(c.area, c.includes_self), c.source, c.target, c.bytes);
  }
  void operator()(const Increment& c) { add("increment({}, {})", core_text(torus_, c.at), c.counter); }
  void operator()(const SetEverywhere& c) {
    add("{}({}, {}, {}, {}, {})", c.includes_self ? "set_with_self" : "set_everywhere", corner(c.area.first),
        corner(c.area.last), to_how_many(c.area, c.includes_self), c.counter, c.value);
  }
  void operator()(const Await& c) { add("await({}, {})", c.counter, c.value); }
  void operator()(const Flush& /*call*/) { add("flush()"); }
  void operator()(const WriteBarrier& /*call*/) { add("write_barrier()"); }
  void operator()(const ReadBarrier& /*call*/) { add("read_barrier()"); }
  void operator()(const AtomicBarrier& /*call*/) { add("atomic_barrier()"); }
  void operator()(const Post& c) { add("post({}, {})", processor_text(processor_), processor_text(c.to)); }
  void operator()(const Expect& c) { add("expect({}, {})", processor_text(c.from), processor_text(processor_)); }
  void operator()(const CombineWords& c) { add("combine_words({}, {}, {}, {})", c.left, c.right, c.target, c.words); }
  void operator()(const Combine& c) {
    settle({tile(c.left), c.tiles});
    settle({tile(c.right), c.tiles});
    packed_.push_back({tile(c.target), c.tiles});
    add("combine({}, {}, {}, {})", tile(c.left), tile(c.right), tile(c.target), c.tiles);
  }
  void operator()(const Copy& c) {
    settle({tile(c.source), c.tiles});
    packed_.push_back({tile(c.target), c.tiles});
    add("copy({}, {}, {})", tile(c.source), tile(c.target), c.tiles);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    entries_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  void transfer(std::string_view name, NodeId node, Address source, Address target, std::int64_t bytes) {
    const Coordinates tile = coordinates_of(torus_, node);
    const auto& banks = torus_.dram.banks;
    const auto bank = std::find(banks.begin(), banks.end(), tile);
    if (bank == banks.end()) return add("{}({}, {}, {}, {})", name, core_at(torus_, tile), source, target, bytes);
    add("{}_bank({}, {}, {}, {})", name, bank - banks.begin(), source, target, bytes);
  }

  [[nodiscard]] std::string corner(Coordinates physical) const { return core_at(torus_, physical); }
  [[nodiscard]] std::int64_t to_how_many(const Rectangle& area, bool includes_self) const {
    const int noc = program_.noc_of[static_cast<std::size_t>(processor_)];
    return receivers(torus_, noc, area, coordinates_of(torus_, rank_), includes_self);
  }

  [[nodiscard]] std::int64_t tile(Address address) const {
    MUSTER_ASSERT(address % program_.tile_bytes == 0, "tile at byte {} of {}-byte tiles", address, program_.tile_bytes);
    return address / program_.tile_bytes;
  }

  /// Before `tiles` are read.
  void settle(const Tiles& tiles) {
    if (std::none_of(packed_.begin(), packed_.end(), [&](const Tiles& p) { return overlap(p, tiles); })) return;
    packed_.clear();
    add("settle()");
  }

  const TorusProgram& program_;
  const Torus& torus_;
  NodeId rank_;
  Processor processor_;
  std::vector<std::string> entries_;
  std::vector<Tiles> packed_;  ///< since the last settle()
};

}  // namespace

std::vector<std::string> entries_of(const TorusProgram& program, NodeId rank, Processor processor) {
  return Entries(program, rank, processor).run();
}

std::string core_text(const Torus& torus, NodeId node) { return core_at(torus, coordinates_of(torus, node)); }

}  // namespace muster::torus
