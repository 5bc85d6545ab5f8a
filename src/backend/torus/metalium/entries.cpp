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

/// For every call of a core's compute processor: how many of its calls are known to be in memory when it unpacks. Its tokens say so,
/// and come back through the dataflow processors.
std::vector<std::int32_t> packed_before(const Core& core) {
  std::array<std::size_t, kProcessors> next{};
  std::array<std::int32_t, kProcessors> known{};
  std::array<std::array<std::vector<std::int32_t>, kProcessors>, kProcessors>
      posted;  // [from][to]: what each token says
  std::array<std::array<std::size_t, kProcessors>, kProcessors> expected{};
  const auto compute = static_cast<std::size_t>(Processor::compute);
  std::vector<std::int32_t> before(core.calls[compute].size());
  for (bool moves = true; moves;) {
    moves = false;
    for (std::size_t p = 0; p < kProcessors; ++p) {
      for (; next[p] < core.calls[p].size(); ++next[p], moves = true) {
        const Call& call = core.calls[p][next[p]];
        if (const auto* const post = std::get_if<Post>(&call)) {
          const auto says = p == compute ? static_cast<std::int32_t>(next[p]) : known[p];
          posted[p][static_cast<std::size_t>(post->to)].push_back(says);
        } else if (const auto* const expect = std::get_if<Expect>(&call)) {
          const auto from = static_cast<std::size_t>(expect->from);
          if (expected[from][p] == posted[from][p].size()) break;
          known[p] = std::max(known[p], posted[from][p][expected[from][p]++]);
        }
        if (p == compute) before[next[p]] = known[p];
      }
    }
  }
  return before;
}

class Entries {
 public:
  Entries(const TorusProgram& program, NodeId rank, Processor processor)
      : program_(program), torus_(program.torus()), rank_(rank), processor_(processor) {}

  std::vector<std::string> run() && {
    const Core& core = program_.cores[static_cast<std::size_t>(rank_)];
    const bool is_compute = processor_ == Processor::compute;
    const std::vector<std::int32_t> before = is_compute ? packed_before(core) : std::vector<std::int32_t>();
    for (const Call& call : core.calls[static_cast<std::size_t>(processor_)]) {
      if (is_compute)
        std::erase_if(packed_, [&](const Packed& p) { return p.call < before[static_cast<std::size_t>(call_)]; });
      std::visit(*this, call);
      ++call_;
    }
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
    packed_.push_back({{tile(c.target), c.tiles}, call_});
    add("combine({}, {}, {}, {})", tile(c.left), tile(c.right), tile(c.target), c.tiles);
  }
  void operator()(const Copy& c) {
    settle({tile(c.source), c.tiles});
    packed_.push_back({{tile(c.target), c.tiles}, call_});
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
    if (std::none_of(packed_.begin(), packed_.end(), [&](const Packed& p) { return overlap(p.tiles, tiles); })) return;
    packed_.clear();
    add("settle()");
  }

  const TorusProgram& program_;
  const Torus& torus_;
  NodeId rank_;
  Processor processor_;
  std::vector<std::string> entries_;
  struct Packed {
    Tiles tiles;
    std::int32_t call = 0;
  };
  std::vector<Packed> packed_;  ///< and perhaps not in memory yet
  std::int32_t call_ = 0;
};

}  // namespace

std::vector<std::string> entries_of(const TorusProgram& program, NodeId rank, Processor processor) {
  return Entries(program, rank, processor).run();
}

std::string core_text(const Torus& torus, NodeId node) { return core_at(torus, coordinates_of(torus, node)); }

}  // namespace muster::torus
