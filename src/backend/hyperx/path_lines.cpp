// Switches are named by their cores.
#include "backend/hyperx/path_lines.h"

#include <array>

#include "machine/routing.h"

namespace muster::hyperx {
namespace {

using Kind = Wait::Kind;

constexpr std::array<const char*, 3> kLevels = {"core", "socket", "node"};

class Lines {
 public:
  Lines(const Wiring& wiring, std::span<const Wait> chain)
      : wiring_(wiring), chain_(chain), ranks_(rank_count(wiring.program().machine)) {}

  std::vector<PathLine> make() const {
    std::vector<PathLine> lines;
    for (std::size_t i = 0; i < chain_.size();) {
      std::size_t next = i + 1;
      while (next < chain_.size() && is_link(chain_[i]) && is_like(chain_[i], chain_[next])) ++next;
      lines.push_back({.begin = Ticks(chain_[i].begin),
                       .end = Ticks(chain_[next - 1].end),
                       .what = is_link(chain_[i]) ? links_text(i, next) : text(chain_[i])});
      i = next;
    }
    return lines;
  }

 private:
  [[nodiscard]] const Row& row_of(const Wait& wait) const { return wiring_.registers().rows[at(wait.row)]; }
  [[nodiscard]] NodeId core_of(const Wait& wait) const { return row_of(wait).at - ranks_; }
  [[nodiscard]] Port port_of(const Wait& wait) const { return wiring_.registers().ports[at(wait.input)]; }
  [[nodiscard]] NodeId sender_of(const Wait& wait) const {
    return wiring_.registers().rows[at(wiring_.row(wait.input))].at - ranks_;
  }
  [[nodiscard]] bool is_link(const Wait& wait) const {
    return wait.kind == Kind::latency && wiring_.ports().is_link(port_of(wait));
  }

  [[nodiscard]] bool is_like(const Wait& a, const Wait& b) const {
    return is_link(b) && wiring_.ports().level(port_of(a)) == wiring_.ports().level(port_of(b)) &&
           row_of(a).channel == row_of(b).channel;
  }

  [[nodiscard]] std::string links_text(std::size_t first, std::size_t end) const {
    const auto count = end - first;
    return fmt::format("a {} crosses {} {} link{}, core {} to core {}", channel_name(row_of(chain_[first]).channel),
                       count, kLevels[static_cast<std::size_t>(wiring_.ports().level(port_of(chain_[first])))],
                       count == 1 ? "" : "s", sender_of(chain_[first]), core_of(chain_[end - 1]));
  }

  [[nodiscard]] std::string text(const Wait& wait) const {
    const std::string packets = fmt::format("{} packet{}", wait.packets, wait.packets == 1 ? "" : "s");
    const NodeId core = core_of(wait);
    switch (wait.kind) {
      case Kind::latency:
        return fmt::format("the response starts at the switch of core {}", core);
      case Kind::reads:
        return fmt::format("the memory of core {} reads {}", core, packets);
      case Kind::writes:
        return fmt::format("the memory of core {} writes {}", core, packets);
      case Kind::link:
        return fmt::format("{} are serialised on a link at the switch of core {}", packets, core);
      case Kind::credits:
        return fmt::format("{} wait for credits at the switch of core {}", packets, core);
      case Kind::late:
        return fmt::format("core {} starts late", core);
    }
    return "";
  }

  const Wiring& wiring_;
  std::span<const Wait> chain_;
  NodeId ranks_ = 0;
};

}  // namespace

std::vector<PathLine> path_lines(const Wiring& wiring, std::span<const Wait> chain) {
  return Lines(wiring, chain).make();
}

std::vector<PathPart> path_parts(std::span<const Wait> chain) {
  const auto spent_on = [&](std::initializer_list<Kind> kinds) {
    Time time = 0;
    for (const Wait& wait : chain) {
      for (const Kind kind : kinds) time += wait.kind == kind ? wait.end - wait.begin : 0;
    }
    return Ticks(time);
  };
  std::vector<PathPart> parts{
      {.name = "latency", .time = spent_on({Kind::latency}), .meaning = "of the links on the path"},
      {.name = "memory",
       .time = spent_on({Kind::reads, Kind::writes}),
       .meaning = "reads and writes of a core's memory"},
      {.name = "link", .time = spent_on({Kind::link}), .meaning = "serialisation of packets on a link"}};
  const PathPart others[] = {
      {.name = "buffer", .time = spent_on({Kind::credits}), .meaning = "waiting for credits (full buffers)"},
      {.name = "late", .time = spent_on({Kind::late}), .meaning = "a core that starts late"}};
  for (const PathPart& part : others) {
    if (part.time > Ticks(0)) parts.push_back(part);
  }
  return parts;
}

}  // namespace muster::hyperx
