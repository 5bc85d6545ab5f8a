// Loads and queues as in ASTRA-sim 1.0, reconstructed from measurements.
#include "collective/dimensions/astra_plan.h"

#include <algorithm>
#include <list>
#include <queue>

#include "base/index.h"
#include "machine/cluster.h"
#include "machine/cluster_rounds.h"

namespace muster {
namespace {

constexpr double kThresholdPart = 16;

/// What `count` words add to the load of a dimension, relative to the bandwidth of dimension 0.
double load_of(const Cluster& cluster, std::int32_t dimension, double count) {
  const Cluster::Dimension& d = cluster.dimensions[at(dimension)];
  const double size = d.size;
  return count * ((size - 1) / size) / (d.bandwidth().value() / cluster.dimensions[0].bandwidth().value());
}

/// Operations of a chunk that a dimension does without anything in between.
struct Stage {
  std::int32_t first = 0;
  std::int32_t count = 1;
};

std::vector<Stage> stages_of(const std::vector<ChunkOperation>& operations, bool fuses_last) {
  std::vector<Stage> stages;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(operations.size()); ++i) {
    const bool fused = fuses_last && i > 0 && operations[at(i)].dimension == operations[at(i - 1)].dimension;
    if (fused) {
      ++stages.back().count;
    } else {
      stages.push_back({.first = i});
    }
  }
  return stages;
}

class Lines {
 public:
  Lines(const std::vector<std::vector<ChunkOperation>>& chunks, std::size_t dimensions, SendFirst first,
        bool fuses_last)
      : chunks_(chunks), first_(first), lines_(dimensions), working_on_(dimensions) {
    for (const auto& operations : chunks) stages_.push_back(stages_of(operations, fuses_last));
  }

  Timetable run() && {
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      line_up({.chunk = static_cast<std::int32_t>(c), .stage = 0});
      begin_what_can();
    }
    for (; !ends_.empty(); begin_what_can()) {
      const End end = ends_.top();
      ends_.pop();
      now_ = end.time;
      const ChunkStage done = *working_on_[end.dimension];
      working_on_[end.dimension].reset();
      if (at(done.stage) + 1 < stages_[at(done.chunk)].size()) line_up({done.chunk, done.stage + 1});
    }
    table_.end = now_;
    return std::move(table_);
  }

 private:
  struct ChunkStage {
    std::int32_t chunk = 0;
    std::int32_t stage = 0;
  };
  struct End {
    Ticks time;
    std::int64_t number = 0;  ///< those that end at once, in the order in which they began
    std::size_t dimension = 0;
    auto operator<=>(const End&) const = default;
  };

  [[nodiscard]] const ChunkOperation& first_operation(const ChunkStage& p) const {
    return chunks_[at(p.chunk)][at(stages_[at(p.chunk)][at(p.stage)].first)];
  }

  void line_up(const ChunkStage& p) {
    std::list<ChunkStage>& line = lines_[at(first_operation(p).dimension)];
    const bool to_the_end = first_ == SendFirst::arrived || at(p.stage) + 2 == stages_[at(p.chunk)].size();
    const auto behind = [&](const ChunkStage& other) {
      return first_operation(other).count >= first_operation(p).count;
    };
    line.insert(to_the_end ? line.end() : std::find_if(line.begin(), line.end(), behind), p);
  }

  void begin_what_can() {
    for (std::size_t d = 0; d < lines_.size(); ++d) {
      if (working_on_[d] || lines_[d].empty()) continue;
      const ChunkStage p = lines_[d].front();
      lines_[d].pop_front();
      working_on_[d] = p;
      const Stage& stage = stages_[at(p.chunk)][at(p.stage)];
      Ticks time = now_;
      for (std::int32_t i = stage.first; i < stage.first + stage.count; ++i) {
        table_.begins.push_back({.chunk = p.chunk, .operation = i, .time = time});
        time += chunks_[at(p.chunk)][at(i)].sending;
      }
      ends_.push({time, begun_++, d});
    }
  }

  const std::vector<std::vector<ChunkOperation>>& chunks_;
  SendFirst first_;
  std::vector<std::vector<Stage>> stages_;             ///< of each chunk
  std::vector<std::list<ChunkStage>> lines_;           ///< what waits for each dimension
  std::vector<std::optional<ChunkStage>> working_on_;  ///< each dimension
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::int64_t begun_ = 0;
  Ticks now_;
  Timetable table_;
};

}  // namespace

std::vector<DimensionOrder> astra_themis_orders(const ChunkedCollective& c) {
  const Cluster& cluster = c.cluster();
  const double passes = scatters(c.collective) && gathers(c.collective) ? 2 : 1;
  std::vector<double> loads(cluster.dimensions.size(), 0);
  DimensionOrder sorted = baseline_order(cluster);
  std::vector<DimensionOrder> orders;
  for (const std::int64_t count : c.chunks) {
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](std::int32_t a, std::int32_t b) { return loads[at(a)] < loads[at(b)]; });
    const double threshold = passes * load_of(cluster, sorted.front(), static_cast<double>(count) / kThresholdPart);
    const bool differ = loads[at(sorted.back())] - loads[at(sorted.front())] >= threshold;
    orders.push_back(differ ? sorted : baseline_order(cluster));
    auto left = static_cast<double>(count);
    for (const std::int32_t d : orders.back()) {
      loads[at(d)] += passes * load_of(cluster, d, left);
      left /= cluster.dimensions[at(d)].size;
    }
  }
  return orders;
}

ChunkPlan astra_plan(const ChunkedCollective& collective, const std::vector<DimensionOrder>& orders, SendFirst first,
                     bool fuses_last) {
  ChunkPlan plan = with_orders(collective, orders);
  const auto operations = operations_of(collective, plan.chunks);
  plan.table = Lines(operations, collective.cluster().dimensions.size(), first, fuses_last).run();
  plan.table.end += closing_time(collective.cluster());
  return plan;
}

}  // namespace muster
