// When cores have their results, and the traffic of links and memories.
#include "backend/hyperx/measure.h"

#include <algorithm>
#include <numeric>

#include "machine/hyperx.h"
#include "machine/routing.h"
#include "result/time_base.h"
#include "schedule/rank_by_rank.h"

namespace muster::hyperx {
namespace {

constexpr std::array<const char*, 3> kLevelNames = {"core links", "socket links", "node links"};

Seconds seconds(Time time) { return to_seconds(Ticks(time), kPicoseconds); }

/// Directions of links of each level.
std::array<std::int64_t, 3> link_counts(const HyperX& network) {
  const std::int64_t sockets = rank_count(network) / cores_per_socket(network);
  const std::int64_t nodes = sockets / network.sockets;
  const std::int64_t columns = network.core_columns, rows = network.core_rows;
  std::int64_t peers = 0;
  for (const std::int32_t size : network.shape) peers += size - 1;
  return {sockets * 2 * (rows * (columns - 1) + columns * (rows - 1)), sockets * (network.sockets - 1), nodes * peers};
}

/// What went through something in all instances together, and in the busiest.
struct Load {
  std::int64_t words = 0;
  std::int64_t most_words = 0;
  std::int64_t most_packets = 0;
  std::string busiest = {};  ///< which one that is
};

struct Loads {
  std::array<Load, 3> links;
  Load memory;
  std::int64_t hops = 0;
  std::int64_t port = 0;  ///< words that a core reads, or writes, at most
};

class LoadCount {
 public:
  LoadCount(const Wiring& wiring, const Timing& timing)
      : wiring_(wiring),
        timing_(timing),
        ranks_(rank_count(wiring.program().machine)),
        packets_(at(wiring.ports().count()), 0),
        words_(at(wiring.ports().count()), 0) {}

  Loads count() && {
    const std::span<const Row> rows = wiring_.registers().rows;
    for (std::size_t first = 0; first < rows.size();) {
      const auto own = wiring_.rows_of(rows[first].at);
      count_switch(own);
      first += own.size();
    }
    return loads_;
  }

 private:
  void count_switch(std::span<const Row> rows) {
    const Registers& registers = wiring_.registers();
    std::int64_t read = 0, written = 0;
    for (const Row& row : rows) {
      const std::int64_t words = registers.segments[at(row.id)].elements.count;
      for (const Port port : registers.inputs_of(row)) read += port == wiring_.ports().memory() ? words : 0;
      for (const Port port : registers.outputs_of(row)) {
        written += port == wiring_.ports().memory() ? words : 0;
        if (wiring_.ports().is_link(port)) count_link(port, words, timing_.packets(row.id));
      }
    }
    loads_.memory.words += read + written;
    if (read + written > loads_.memory.most_words) {
      loads_.memory.most_words = read + written;
      loads_.memory.busiest = fmt::format("core {}", rows.front().at - ranks_);
    }
    loads_.port = std::max({loads_.port, read, written});
    for (const Port port : used_) {
      Load& load = loads_.links[static_cast<std::size_t>(wiring_.ports().level(port))];
      if (packets_[at(port)] > load.most_packets) {
        load.most_packets = packets_[at(port)];
        load.busiest = link_text(rows.front().at, port);
      }
      load.words += words_[at(port)];
      packets_[at(port)] = words_[at(port)] = 0;
    }
    used_.clear();
  }

  [[nodiscard]] std::string link_text(NodeId from, Port port) const {
    return fmt::format("core {} to core {}", from - ranks_, wiring_.ports().end(from, port).value().at - ranks_);
  }

  void count_link(Port port, std::int64_t words, std::int64_t packets) {
    if (packets_[at(port)] == 0) used_.push_back(port);
    packets_[at(port)] += packets;
    words_[at(port)] += words;
    loads_.hops += packets;
  }

  const Wiring& wiring_;
  const Timing& timing_;
  NodeId ranks_ = 0;
  Loads loads_;
  std::vector<std::int64_t> packets_;  ///< of the present switch, by port
  std::vector<std::int64_t> words_;
  std::vector<Port> used_;
};

void add_loads(const Wiring& wiring, const Timing& timing, Result& result) {
  const HyperX& network = wiring.program().network();
  const Loads loads = LoadCount(wiring, timing).count();
  const auto counts = link_counts(network);
  const auto used_part = [&](std::int64_t words, double bandwidth, std::int64_t instances) {
    const double possible = bandwidth * static_cast<double>(instances) * result.seconds.value();
    return possible > 0 ? static_cast<double>(words * kWordBytes) / possible : 0;
  };
  std::int64_t words = 0;
  for (std::size_t level = 0; level < loads.links.size(); ++level) {
    const Load& load = loads.links[level];
    words += load.words;
    if (load.words == 0) continue;
    result.resources.push_back({.name = kLevelNames[level],
                                .bytes = Bytes(load.words * kWordBytes),
                                .busy = seconds(load.most_packets * timing.packet_time()),
                                .utilization = used_part(load.words, network.link_bandwidth.value(), counts[level]),
                                .busiest = load.busiest});
  }
  const double bandwidth = network.memory_bandwidth.value();
  result.resources.push_back({.name = "memory",
                              .bytes = Bytes(loads.memory.words * kWordBytes),
                              .busy = Seconds(static_cast<double>(loads.memory.most_words * kWordBytes) / bandwidth),
                              .utilization = used_part(loads.memory.words, bandwidth, rank_count(network)),
                              .busiest = loads.memory.busiest});
  result.utilization =
      used_part(words, network.link_bandwidth.value(), std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  result.hops = loads.hops;
  result.max_port_load = loads.port;
}

bool meet(const Range& a, const Range& b) { return a.first < b.end() && b.first < a.end(); }

/// When the last element that the core of a switch is owed, in a buffer, was written.
Time owed_time(const Wiring& wiring, std::span<const RowTimes> times, NodeId at_switch, Buffer to,
               std::span<const Owed> owed) {
  const Registers& registers = wiring.registers();
  Time last = 0;
  for (const Row& row : wiring.rows_of(at_switch)) {
    const Segment& segment = registers.segments[at(row.id)];
    const bool counts =
        segment.to == to && std::ranges::any_of(owed, [&](const Owed& o) { return meet(o.range, segment.elements); });
    if (counts) last = std::max(last, times[at(&row - registers.rows.data())].written);
  }
  return last;
}

std::vector<NodeTimes> node_times(const Wiring& wiring, std::span<const RowTimes> times) {
  const NodeId ranks = rank_count(wiring.program().machine);
  std::vector<NodeTimes> nodes(at(ranks));
  for (std::size_t row = 0; row < times.size(); ++row) {
    Ticks& finished = nodes[at(wiring.registers().rows[row].at - ranks)].finished;
    finished = std::max(finished, Ticks(times[row].end()));
  }
  for (const Contract& contract : wiring.program().contracts) {
    OwedRankByRank owed_by(contract);
    for (std::int32_t i = 0; i < std::ssize(contract.ranks); ++i) {
      const NodeId rank = contract.ranks[at(i)];
      const Time time = owed_time(wiring, times, ranks + rank, contract.to, owed_by.of(i));
      nodes[at(rank)].owed = std::max(nodes[at(rank)].owed, Ticks(time));
    }
  }
  return nodes;
}

}  // namespace

Result measure(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times, int calls) {
  Result result;
  std::vector<NodeTimes> nodes = node_times(wiring, times);
  Ticks owed, finished;
  for (const NodeTimes& n : nodes) {
    owed = std::max(owed, n.owed);
    finished = std::max(finished, n.finished);
  }
  if (owed == Ticks(0)) owed = finished;  // no rank needs a result
  result.cycles = owed;
  result.seconds = seconds(owed.value());
  result.parts = time_parts(wiring, timing, times, owed.value());
  result.channels = static_cast<int>(wiring.registers().segments.size());
  add_loads(wiring, timing, result);
  for (int call = 0; call < calls; ++call) {
    result.call_cycles.push_back(finished * call + owed);
    result.node_times.push_back(nodes);
    for (NodeTimes& n : nodes) {
      n.owed += n.owed == Ticks(0) ? Ticks(0) : finished;
      n.finished += n.finished == Ticks(0) ? Ticks(0) : finished;
    }
  }
  return result;
}

}  // namespace muster::hyperx
