// Chunked AllReduces over the dimensions of a cluster, as phases: built and verified. Every chunk is reduced and
// scattered along the dimensions in an order of its own and gathered back in another. Prints the time as a ratio to the
// target and the peak memory, and checks that with one wrong phase it is refused. Fails if a verdict
// is wrong.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "base/index.h"
#include "machine/cluster.h"
#include "schedule/builder.h"
#include "schedule/verify.h"

namespace muster {
namespace {

using Order = std::vector<std::size_t>;
/// The orders of a chunk's reduce-scatters and of its allgathers.
struct Orders {
  Order scatter;
  Order gather;
};

/// A ring of exchanges. The reduce-scatter goes from `from` to output, the allgather stays in output.
Schedule ring(Collective collective, NodeId nodes, std::int64_t count, Buffer from) {
  const bool reduces = collective == Collective::reduce_scatter;
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const auto sent = [&](NodeId n, NodeId turn) {
    const NodeId index = n - turn - (reduces ? 1 : 0);
    return b.span(block(count, nodes, (index % nodes + nodes) % nodes));
  };
  std::vector<NodeId> ranks(at(nodes));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<StreamId> streams(at(nodes));
  for (NodeId turn = 0; turn + 1 < nodes; ++turn) {
    for (const NodeId n : ranks) streams[at(n)] = b.stream(n, (n + 1) % nodes, sent(n, turn));
    for (const NodeId n : ranks) {
      const NodeId before = (n + nodes - 1) % nodes;
      auto step = b.step(n, sent(before, turn)).take(streams[at(before)]);
      if (reduces) step.own(from);
      step.store(Buffer::output).send_old(turn == 0 ? from : Buffer::output, sent(n, turn)).push(streams[at(n)]);
    }
  }
  b.contract({.collective = collective, .ranks = ranks, .count = count, .from = from, .to = Buffer::output});
  return std::move(b).finish();
}

class ChunkedAllreduce {
 public:
  ChunkedAllreduce(std::vector<NodeId> sizes, std::int64_t chunk, std::int64_t chunks)
      : sizes_(std::move(sizes)),
        nodes_(std::accumulate(sizes_.begin(), sizes_.end(), 1, std::multiplies<>())),
        chunk_(chunk),
        b_({.nodes = nodes_, .count = chunk * chunks}) {
    for (NodeId stride = 1; const NodeId size : sizes_) {
      std::vector<NodeId>& coordinates = coordinates_.emplace_back();
      for (NodeId v = 0; v < nodes_; ++v) coordinates.push_back(v / stride % size);
      stride_.push_back(stride);
      stride *= size;
    }
    representative_.resize(at(nodes_));
    held_.resize(at(nodes_));
  }

  void add(const Orders& orders) {
    const auto [known, is_new] = stages_.try_emplace({orders.scatter, orders.gather});
    if (is_new) known->second = stages_of(orders);
    std::vector<std::int32_t> after;
    for (const Phase& stage : known->second) {
      Phase phase = stage;
      phase.offset = chunk_ * chunks_;
      phase.after = after;
      after = {b_.phase(std::move(phase))};
    }
    ++chunks_;
  }

  Schedule finish() && {
    std::vector<NodeId> ranks(at(nodes_));
    std::iota(ranks.begin(), ranks.end(), 0);
    b_.contract({.collective = Collective::allreduce, .ranks = std::move(ranks), .count = chunk_ * chunks_});
    return std::move(b_).finish();
  }

 private:
  /// The phases of a chunk at the beginning of the vector, without their waits. Nodes that differ only in dimensions
  /// that are whole (not scattered yet, or gathered again) answer for the same elements: the node at coordinate 0 represents
  /// all of them.
  std::vector<Phase> stages_of(const Orders& orders) {
    std::vector<Phase> stages;
    std::iota(representative_.begin(), representative_.end(), 0);
    for (std::size_t d = 0; d < sizes_.size(); ++d) make_whole(d);
    held_[0] = {{0, chunk_}};
    state_ = {};
    for (const std::size_t d : orders.scatter) {
      stages.push_back(stage(Collective::reduce_scatter, d, stages.empty() ? Buffer::input : Buffer::output));
      state_.scattered.push_back(d);
      for (NodeId v = 0; v < nodes_; ++v) representative_[at(v)] += coordinates_[d][at(v)] * stride_[d];
      const std::int64_t count = held_[0].front().count / sizes_[d];
      for (NodeId v = nodes_ - 1; v >= 0; --v) {
        if (representative_[at(v)] != v) continue;
        const NodeId coordinate = coordinates_[d][at(v)];
        const Range all = held_[at(v - coordinate * stride_[d])].front();
        held_[at(v)].assign(1, {all.first + count * coordinate, count});
      }
    }
    for (const std::size_t d : orders.gather) {
      make_whole(d);
      if (state_.gathered.empty() && state_.scattered.back() == d) {
        state_.scattered.pop_back();
      } else {
        state_.gathered.push_back(d);
      }
      for (NodeId v = 0; v < nodes_; ++v) {
        if (representative_[at(v)] != v) continue;
        held_[at(v)].reserve(held_[at(v)].size() * at(sizes_[d]));
        for (NodeId i = 1; i < sizes_[d]; ++i) append(held_[at(v + i * stride_[d])], held_[at(v)]);
      }
      stages.push_back(stage(Collective::allgather, d, Buffer::output));
    }
    return stages;
  }

  /// What decides who answers for what: the dimensions that are scattered, in order, and those of them that were gathered
  /// in another order.
  struct State {
    Order scattered;
    Order gathered;
    auto operator<=>(const State&) const = default;
  };

  void make_whole(std::size_t d) {
    for (NodeId v = 0; v < nodes_; ++v) representative_[at(v)] -= coordinates_[d][at(v)] * stride_[d];
  }

  static void append(const std::vector<Range>& more, std::vector<Range>& ranges) {
    for (const Range& range : more) {
      if (!ranges.empty() && ranges.back().end() == range.first) {
        ranges.back().count += range.count;
      } else {
        ranges.push_back(range);
      }
    }
  }

  /// All groups along a dimension that is whole.
  Phase stage(Collective collective, std::size_t d, Buffer from) {
    const auto [groups, is_new] = groups_.try_emplace({state_, d});
    if (is_new) groups->second = b_.groups(groups_along(d));
    std::int64_t count = 0;
    for (const Range& range : held_[0]) count += range.count;
    return {.part = part(collective, sizes_[d], count, from),
            .groups = groups->second,
            .input = from,
            .output = Buffer::output,
            .after = {}};
  }

  std::vector<Group> groups_along(std::size_t d) {
    std::vector<Group> groups;
    groups.reserve(at(nodes_ / sizes_[d]));
    std::vector<SpanId> spans(at(nodes_), -1);
    for (NodeId v = 0; v < nodes_; ++v) {
      if (coordinates_[d][at(v)] != 0) continue;
      const auto from_whom = at(representative_[at(v)]);
      if (spans[from_whom] < 0) spans[from_whom] = b_.span(held_[from_whom]);
      Group& group = groups.emplace_back(Group{.members = {}, .on = spans[from_whom]});
      group.members.reserve(at(sizes_[d]));
      for (NodeId i = 0; i < sizes_[d]; ++i) group.members.push_back(v + i * stride_[d]);
    }
    return groups;
  }

  std::int32_t part(Collective collective, NodeId nodes, std::int64_t count, Buffer from) {
    const auto [known, is_new] = parts_.try_emplace({collective, nodes, count, from});
    if (is_new) known->second = b_.part(ring(collective, nodes, count, from));
    return known->second;
  }

  std::vector<NodeId> sizes_;
  std::vector<NodeId> stride_;
  std::vector<std::vector<NodeId>> coordinates_;  ///< by dimension and node
  std::vector<NodeId> representative_;
  std::vector<std::vector<Range>> held_;  ///< by node: what it represents, in order
  NodeId nodes_;
  std::int64_t chunk_;
  std::int64_t chunks_ = 0;
  ScheduleBuilder b_;
  State state_;
  std::map<std::pair<State, std::size_t>, std::int32_t> groups_;
  std::map<std::pair<Order, Order>, std::vector<Phase>> stages_;
  std::map<std::tuple<Collective, NodeId, std::int64_t, Buffer>, std::int32_t> parts_;
};

struct Case {
  std::vector<NodeId> sizes;
  std::int64_t chunks = 0;
  std::size_t gathers = 0;  ///< orders of allgathers for each of reduce-scatters
  double target_seconds = 0;
};

/// Every order of reduce-scatters with so many of allgathers, the reversed one first.
std::vector<Orders> orders_of(const Case& c) {
  std::vector<Order> all;
  Order order(c.sizes.size());
  std::iota(order.begin(), order.end(), 0);
  do {
    all.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  std::vector<Orders> orders;
  for (std::size_t g = 0; g < c.gathers; ++g) {
    for (std::size_t s = 0; s < all.size(); ++s) {
      const Order& last = all[(s + g) % all.size()];
      orders.push_back({all[s], {last.rbegin(), last.rend()}});
    }
  }
  return orders;
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

/// Of the processor: what else the machine does must not decide.
double seconds_since(std::clock_t start) { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; }

Machine cluster_of(const std::vector<NodeId>& sizes) {
  Cluster cluster;
  for (const NodeId size : sizes) {
    Cluster::Dimension dimension;
    dimension.kind = Cluster::Kind::ring;
    dimension.size = size;
    dimension.link_bandwidth = BytesPerSecond(25e9);
    dimension.links = 1;
    cluster.dimensions.push_back(dimension);
  }
  cluster.buffer_chunks = 1;
  return {.name = "cluster", .summary = "rings in several dimensions", .network = cluster};
}

Schedule build(const Case& c) {
  const std::vector<Orders> orders = orders_of(c);
  const std::int64_t nodes = std::accumulate(c.sizes.begin(), c.sizes.end(), std::int64_t{1}, std::multiplies<>());
  ChunkedAllreduce allreduce(c.sizes, 4 * nodes, c.chunks);
  for (std::int64_t i = 0; i < c.chunks; ++i) allreduce.add(orders[at(i) % orders.size()]);
  return std::move(allreduce).finish();
}

/// Three wrong schedules: a phase works on the last chunk's elements, does not wait for the previous one, or has no
/// groups.
bool are_refused(const Case& c) {
  const Machine machine = cluster_of(c.sizes);
  Schedule schedule = build(c);
  const std::int32_t no_groups = static_cast<std::int32_t>(schedule.group_sets.size());
  schedule.group_sets.emplace_back();
  const std::size_t stages = 2 * c.sizes.size();
  Phase& phase = schedule.phases[schedule.phases.size() / stages / 2 * stages + stages - 1];  // the last of its chunk
  const auto is_refused = [&](auto Phase::*member, const auto& value) {
    auto& changed = phase.*member;
    const auto right = std::exchange(changed, value);
    const std::clock_t start = std::clock();
    const Verdict verdict = verify(schedule, machine);
    const double seconds = seconds_since(start);
    changed = right;
    fmt::print("  {:.1f} ms: {}\n", seconds * 1e3, verdict.verified() ? "ACCEPTED" : verdict.counterexample->message);
    return !verdict.verified();
  };
  bool all = is_refused(&Phase::offset, schedule.phases.back().offset);
  all &= is_refused(&Phase::after, std::vector<std::int32_t>());
  return is_refused(&Phase::groups, no_groups) && all;
}

bool measure(const Case& c, double target_bytes) {
  const Machine machine = cluster_of(c.sizes);
  double best_built = 1e9;
  double best = 1e9;
  std::optional<Schedule> schedule;
  bool verified = true;
  double error_probability = 0;
  for (int i = 0; i < 20; ++i) {
    schedule.reset();
    const std::clock_t start = std::clock();
    schedule = build(c);
    const double built = seconds_since(start);
    const Verdict verdict = verify(*schedule, machine);
    const double total = seconds_since(start);
    verified &= verdict.verified();
    error_probability = verdict.error_probability;
    if (!verdict.verified()) fmt::print("  {}\n", verdict.counterexample->message);
    if (total < best) best = total, best_built = built;
  }
  const double bytes = peak_bytes();
  fmt::print(
      "{} NPUs, {} chunks, {} phases, {} group sets, {} parts: built {:.1f} ms, verified {:.1f} ms, total {:.2f} of "
      "the target; "
      "peak memory {:.1f} MB, {:.2f} of the target; {}\n",
      fmt::join(c.sizes, "x"), c.chunks, schedule->phases.size(), schedule->group_sets.size(), schedule->parts.size(),
      best_built * 1e3, (best - best_built) * 1e3, best / c.target_seconds, bytes / 1e6, bytes / target_bytes,
      verified ? "verdict as expected" : "WRONG VERDICT");
  fmt::print("  error probability {:.1e}\n", error_probability);
  return verified;
}

}  // namespace

bool run_phases_bench() {
  constexpr double kTargetBytes = 30e6;
  const Case cases[] = {{.sizes = {16, 8, 8}, .chunks = 64, .gathers = 6, .target_seconds = 0.015},
                        {.sizes = {16, 16, 4, 4}, .chunks = 512, .gathers = 2, .target_seconds = 0.040}};
  bool right = true;
  for (const Case& c : cases) right &= measure(c, kTargetBytes);
  for (const Case& c : cases) {
    fmt::print("{} NPUs, one wrong phase:\n", fmt::join(c.sizes, "x"));
    right &= are_refused(c);
  }
  return right;
}

}  // namespace muster

int main() { return muster::run_phases_bench() ? EXIT_SUCCESS : EXIT_FAILURE; }
