// Events in order of time. The chunks that wait for a dimension are grouped by their next dimension, so that choosing one does not
// take longer if many wait.
#include "collective/dimensions/network.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/index.h"
#include "machine/cluster.h"

namespace muster {
namespace {

constexpr Ticks kForever(std::numeric_limits<std::int64_t>::max());

}  // namespace

DimensionNetwork::DimensionNetwork(std::int32_t dimensions, SendFirst first) : first_(first), lines_(at(dimensions)) {
  for (Line& line : lines_) line.waiting.resize(at(dimensions) + 1);
}

std::int32_t DimensionNetwork::begin(const ChunkOperations& chunks) {
  const auto collective = static_cast<std::int32_t>(left_.size());
  left_.push_back(static_cast<std::int64_t>(chunks.size()));
  if (chunks.empty()) ended_.push(collective);
  for (const std::vector<ChunkOperation>& operations : chunks) {
    arrivals_.push({now_, static_cast<std::int32_t>(chunks_.size()), 0});
    chunks_.push_back({.operations = &operations, .collective = collective});
    for (const ChunkOperation& o : operations) lines_[at(o.dimension)].left += o.sending;
  }
  return collective;
}

std::int32_t DimensionNetwork::begin(const ChunkOperations& chunks, const std::vector<Begin>& plan) {
  MUSTER_ASSERT(first_ != SendFirst::feeding, "what feeds a dimension is not compared between plans");
  const std::size_t first = chunks_.size(), apart = lines_.front().waiting.size();
  const std::int32_t collective = begin(chunks);
  for (Line& line : lines_) line.waiting.emplace_back();
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    chunks_[first + c].apart = apart;
    chunks_[first + c].positions.resize(chunks[c].size());
  }
  for (std::size_t position = 0; position < plan.size(); ++position) {
    const Begin& begins = plan[position];
    chunks_[first + at(begins.chunk)].positions[at(begins.operation)] = static_cast<std::int32_t>(position);
  }
  return collective;
}

std::optional<std::int32_t> DimensionNetwork::next_end() { return next_end(kForever); }

std::optional<std::int32_t> DimensionNetwork::next_end(Ticks limit) {
  for (;;) {
    take_arrivals();
    if (!ended_.empty()) {
      const std::int32_t collective = ended_.top();
      ended_.pop();
      return collective;
    }
    if (now_ >= limit) return std::nullopt;
    for (std::size_t d = 0; d < lines_.size(); ++d) {
      if (lines_[d].count > 0 && lines_[d].free <= now_) send(d);
    }
    const std::optional<Ticks> next = next_event();
    if (!next && limit == kForever) return std::nullopt;
    now_ = std::min(next.value_or(limit), limit);
  }
}

Ticks DimensionNetwork::left(std::int32_t dimension) const {
  const Line& line = lines_[at(dimension)];
  return line.left + std::max(Ticks(0), line.free - now_);
}

Ticks DimensionNetwork::busy(std::int32_t dimension) const { return lines_[at(dimension)].busy; }

std::optional<Ticks> DimensionNetwork::next_event() const {
  std::optional<Ticks> next;
  if (!arrivals_.empty()) next = arrivals_.top().time;
  for (const Line& line : lines_) {
    if (line.count > 0) next = std::min(next.value_or(line.free), line.free);
  }
  return next;
}

void DimensionNetwork::take_arrivals() {
  while (!arrivals_.empty() && arrivals_.top().time <= now_) {
    const Arrival a = arrivals_.top();
    arrivals_.pop();
    arrive(a);
  }
}

void DimensionNetwork::arrive(const Arrival& a) {
  Chunk& chunk = chunks_[at(a.chunk)];
  const std::vector<ChunkOperation>& operations = *chunk.operations;
  if (at(a.operation) == operations.size()) return end_chunk(chunk.collective);
  const ChunkOperation& operation = operations[at(a.operation)];
  Line& line = lines_[at(operation.dimension)];
  chunk.arrived = a.time;
  if (chunk.apart > 0) {
    line.waiting[chunk.apart].push({chunk.positions[at(a.operation)], a.chunk, a.operation});
  } else {
    line.waiting[next_dimension(a)].push({key_of(a.chunk, a.operation), a.chunk, a.operation});
  }
  line.waiting_time += operation.sending;
  ++line.count;
}

/// Of a chunk after its operation; as many as there are if there is none.
std::size_t DimensionNetwork::next_dimension(const Arrival& a) const {
  const std::vector<ChunkOperation>& operations = *chunks_[at(a.chunk)].operations;
  return at(a.operation) + 1 == operations.size() ? lines_.size() : at(operations[at(a.operation) + 1].dimension);
}

/// What the rule compares.
std::int64_t DimensionNetwork::key_of(std::int32_t chunk, std::int32_t operation) const {
  const Chunk& c = chunks_[at(chunk)];
  return (first_ == SendFirst::arrived ? c.arrived : (*c.operations)[at(operation)].sending).value();
}

void DimensionNetwork::end_chunk(std::int32_t collective) {
  if (--left_[at(collective)] == 0) ended_.push(collective);
}

void DimensionNetwork::send(std::size_t dimension) {
  Line& line = lines_[dimension];
  Heap<Waiting>& from = line.waiting[chosen(line)];
  const auto [key, chunk, index] = from.top();
  from.pop();
  const ChunkOperation& operation = (*chunks_[at(chunk)].operations)[at(index)];
  --line.count;
  line.waiting_time = line.waiting_time - operation.sending;
  line.left = line.left - operation.sending;
  line.busy += operation.sending;
  line.free = now_ + operation.sending;
  begins_.push_back({.chunk = chunk, .operation = index, .time = now_});
  arrivals_.push({line.free + operation.delay, chunk, index + 1});
}

/// The group of waiting chunks from which the next one is taken.
std::size_t DimensionNetwork::chosen(const Line& line) const {
  std::size_t best = line.waiting.size();
  std::tuple<Ticks, Waiting> least;
  for (std::size_t next = 0; next < line.waiting.size(); ++next) {
    if (line.waiting[next].empty()) continue;
    const auto [position, chunk, operation] = line.waiting[next].top();
    const std::int64_t by_rule = next > lines_.size() ? key_of(chunk, operation) : position;
    const std::tuple<Ticks, Waiting> key{queued_work(next), {by_rule, chunk, operation}};
    if (best == line.waiting.size() || key < least) {
      best = next;
      least = key;
    }
  }
  return best;
}

/// The work queued at the next dimension, if the rule uses it; infinite if there is none.
Ticks DimensionNetwork::queued_work(std::size_t next) const {
  if (first_ != SendFirst::feeding) return Ticks(0);
  if (next == lines_.size()) return kForever;
  return lines_[next].waiting_time + std::max(Ticks(0), lines_[next].free - now_);
}

}  // namespace muster
