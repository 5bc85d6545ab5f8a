// Times of chunk operations, from the schedules that they are.
#include "collective/dimensions/chunk.h"

#include <algorithm>
#include <numeric>

#include "base/index.h"
#include "collective/dimensions/part.h"
#include "machine/cluster.h"
#include "machine/cluster_rounds.h"
#include "schedule/phase.h"

namespace muster {

ChunkOperation OperationTimes::operation(std::int32_t dimension, Collective collective, std::int64_t count) {
  const auto [found, is_new] = known_.try_emplace({dimension, collective, count});
  if (!is_new) return found->second;
  const Rounds rounds = rounds_of(dimension_part(cluster_.dimensions[at(dimension)], collective, count));
  const RoundTimes times = round_times(cluster_, dimension, rounds, collective == Collective::reduce_scatter);
  found->second = {
      .dimension = dimension, .collective = collective, .count = count, .sending = times.sending, .delay = times.delay};
  return found->second;
}

ChunkOperation OperationTimes::longest(std::int32_t dimension, Collective collective, Counts counts) {
  ChunkOperation found = operation(dimension, collective, counts.most);
  for (std::int64_t count = std::max<std::int64_t>(1, counts.least); count < counts.most; ++count) {
    const ChunkOperation other = operation(dimension, collective, count);
    found.sending = std::max(found.sending, other.sending);
    found.delay = std::max(found.delay, other.delay);
  }
  return found;
}

std::vector<ChunkOperation> OperationTimes::operations(const ChunkOrder& chunk, Collective collective) {
  std::vector<ChunkOperation> all;
  if (collective == Collective::all_to_all) {  // everything is exchanged along every dimension
    for (const std::int32_t d : chunk.order) all.push_back(operation(d, collective, chunk.count));
    return all;
  }
  all.reserve(2 * chunk.order.size());
  std::vector<Counts> counts;  // of the vectors that groups share, dimension by dimension
  counts.reserve(chunk.order.size());
  Counts count{.least = chunk.count, .most = chunk.count};
  for (const std::int32_t d : chunk.order) {
    const std::int64_t size = cluster_.dimensions[at(d)].size;
    counts.push_back(count);
    count = {.least = count.least / size, .most = (count.most + size - 1) / size};
  }
  const bool fused = fuses_last(cluster_, collective, chunk.order);
  const std::size_t apart = counts.size() - (fused ? 1 : 0);
  for (std::size_t i = 0; i < apart && scatters(collective); ++i) {
    all.push_back(longest(chunk.order[i], Collective::reduce_scatter, counts[i]));
  }
  if (fused) all.push_back(longest(chunk.order.back(), Collective::allreduce, counts.back()));
  for (std::size_t i = apart; i-- > 0 && gathers(collective);) {
    all.push_back(longest(chunk.order[i], Collective::allgather, counts[i]));
  }
  return all;
}

bool fuses_last(const Cluster& cluster, Collective collective, const DimensionOrder& order) {
  return collective == Collective::allreduce && !order.empty() && cluster.dimensions[at(order.back())].reduces;
}

DimensionOrder baseline_order(const Cluster& cluster) {
  DimensionOrder order(cluster.dimensions.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

bool scatters(Collective collective) {
  return collective == Collective::allreduce || collective == Collective::reduce_scatter;
}
bool gathers(Collective collective) {
  return collective == Collective::allreduce || collective == Collective::allgather;
}
int passes_of(Collective collective) { return scatters(collective) && gathers(collective) ? 2 : 1; }
Compared compared_by(const Cluster& cluster, Collective collective) {
  if (collective == Collective::all_to_all) return {.collective = collective};
  if (!has_reducing_switch(cluster) || collective != Collective::allreduce) return {};
  return {.collective = collective, .passes = passes_of(collective)};
}
bool is_sliced(Collective collective) { return collective != Collective::allreduce; }

std::int64_t most_chunks(const Cluster& cluster) {
  // A chunk has a reduce-scatter and an allgather along each dimension, each for pieces of up to two lengths.
  return static_cast<std::int64_t>(kMostPhases / (4 * cluster.dimensions.size()));
}

std::vector<std::int64_t> chunk_words(const Cluster& cluster, Collective collective, std::int64_t words,
                                      std::int64_t chunks) {
  const std::int64_t unit = is_sliced(collective) ? rank_count(cluster) : 1;
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < chunks; ++i) all.push_back(block(words / unit, chunks, i).count * unit);
  return all;
}

}  // namespace muster
