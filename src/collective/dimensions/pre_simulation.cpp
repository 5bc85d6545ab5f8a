// Events in the order of time. What waits for a dimension is kept apart by the dimension that comes next, so that finding the
// one to send takes no longer where many wait.
#include "collective/dimensions/pre_simulation.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "base/index.h"

namespace muster {
namespace {

struct Arrival {
  Cycles time;
  std::int32_t chunk = 0;
  std::int32_t operation = 0;
  auto operator<=>(const Arrival&) const = default;
};

/// The smallest first.
template <class Value>
using Heap = std::priority_queue<Value, std::vector<Value>, std::greater<>>;

class PreSimulation {
 public:
  PreSimulation(const std::vector<std::vector<ChunkOperation>>& chunks, std::int32_t dimensions, SendFirst first)
      : chunks_(chunks), first_(first), lines_(at(dimensions)) {
    // Last in each line: chunks that end in this dimension.
    for (Line& line : lines_) line.waiting.resize(at(dimensions) + 1);
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(chunks.size()); ++c) arrivals_.push({Cycles(0), c, 0});
  }

  Timetable run() && {
    while (!arrivals_.empty() || waiting_ > 0) {
      const Cycles now = next_time();
      for (; !arrivals_.empty() && arrivals_.top().time <= now; arrivals_.pop()) arrive(arrivals_.top());
      for (std::size_t d = 0; d < lines_.size(); ++d) {
        if (lines_[d].count > 0 && lines_[d].free <= now) send(d, now);
      }
    }
    return std::move(table_);
  }

 private:
  /// The key, the chunk, and its operation.
  using Waiting = std::tuple<std::int64_t, std::int32_t, std::int32_t>;
  /// What waits for one dimension.
  struct Line {
    Cycles free;          ///< when it can send again
    Cycles waiting_time;  ///< of all that waits
    std::int64_t count = 0;
    std::vector<Heap<Waiting>> waiting;  ///< by the dimension that comes next
  };

  [[nodiscard]] Cycles next_time() const {
    Cycles next(std::numeric_limits<std::int64_t>::max());
    if (!arrivals_.empty()) next = arrivals_.top().time;
    for (const Line& line : lines_) {
      if (line.count > 0) next = std::min(next, line.free);
    }
    return next;
  }

  void arrive(const Arrival& a) {
    const auto& operations = chunks_[at(a.chunk)];
    if (at(a.operation) == operations.size()) {
      table_.end = std::max(table_.end, a.time);
      return;
    }
    const ChunkOperation& operation = operations[at(a.operation)];
    const bool is_last = at(a.operation) + 1 == operations.size();
    const std::size_t next = is_last ? lines_.size() : at(operations[at(a.operation) + 1].dimension);
    Line& line = lines_[at(operation.dimension)];
    const std::int64_t key = first_ == SendFirst::arrived ? a.time.value() : operation.sending.value();
    line.waiting[next].push({key, a.chunk, a.operation});
    line.waiting_time += operation.sending;
    ++line.count;
    ++waiting_;
  }

  void send(std::size_t dimension, Cycles now) {
    Line& line = lines_[dimension];
    Heap<Waiting>& from = line.waiting[chosen(line, now)];
    const auto [key, chunk, index] = from.top();
    from.pop();
    const ChunkOperation& operation = chunks_[at(chunk)][at(index)];
    --line.count;
    --waiting_;
    line.waiting_time = line.waiting_time - operation.sending;
    line.free = now + operation.sending;
    table_.begins.push_back({.chunk = chunk, .operation = index, .time = now});
    arrivals_.push({line.free + operation.delay, chunk, index + 1});
  }

  /// From where in the line the next one is taken.
  [[nodiscard]] std::size_t chosen(const Line& line, Cycles now) const {
    std::size_t best = lines_.size() + 1;
    std::tuple<Cycles, Waiting> least;
    for (std::size_t next = 0; next < line.waiting.size(); ++next) {
      if (line.waiting[next].empty()) continue;
      const std::tuple<Cycles, Waiting> key{hunger_of(next, now), line.waiting[next].top()};
      if (best > lines_.size() || key < least) {
        best = next;
        least = key;
      }
    }
    return best;
  }

  /// What the next dimension has left to send, where that counts; endless where there is none.
  [[nodiscard]] Cycles hunger_of(std::size_t next, Cycles now) const {
    if (first_ != SendFirst::feeding) return Cycles(0);
    if (next == lines_.size()) return Cycles(std::numeric_limits<std::int64_t>::max());
    return lines_[next].waiting_time + std::max(Cycles(0), lines_[next].free - now);
  }

  const std::vector<std::vector<ChunkOperation>>& chunks_;
  SendFirst first_;
  std::vector<Line> lines_;
  Heap<Arrival> arrivals_;
  std::int64_t waiting_ = 0;
  Timetable table_;
};

}  // namespace

Timetable pre_simulate(const std::vector<std::vector<ChunkOperation>>& chunks, std::int32_t dimensions,
                       SendFirst first) {
  return PreSimulation(chunks, dimensions, first).run();
}

}  // namespace muster
