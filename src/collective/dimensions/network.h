// The dimensions of a cluster, shared by any number of collectives that start over time: the layers of one training iteration, or
// several jobs.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "collective/dimensions/chunk.h"
#include "machine/cluster.h"

namespace muster {

/// Which of the chunks that wait for a dimension goes first; chunks that are equal in this, by their numbers: those of an
/// earlier collective first.
enum class SendFirst : std::uint8_t {
  arrived,   ///< the oldest (fifo)
  smallest,  ///< the chunk that is sent soonest (scf)
  feeding,   ///< the chunk whose next dimension has the least queued work, so that none runs idle; then the smallest
};

/// Operation `operation` of chunk `chunk`, in the order in which they begin; those that begin at once, by dimension.
struct Begin {
  std::int32_t chunk = 0;
  std::int32_t operation = 0;
  Ticks time;
};

/// The operations of each chunk of a collective.
using ChunkOperations = std::vector<std::vector<ChunkOperation>>;

/// A dimension sends one operation at a time, the next when the last byte of the previous one has left; a chunk's next operation
/// can begin when its last one has arrived. Time does not advance until next_end() is called.
class DimensionNetwork {
 public:
  DimensionNetwork(std::int32_t dimensions, SendFirst first);

  /// From now on these chunks may be sent; `chunks` is kept by the caller until the collective has ended. Returns the
  /// collective's number: 0, 1, 2, ...
  std::int32_t begin(const ChunkOperations& chunks);
  /// The same, with a plan of the collective: its chunks that wait for a dimension go in the order of the plan, and only between
  /// collectives `first` decides, which must not be `feeding`. So a collective alone takes the plan's time.
  std::int32_t begin(const ChunkOperations& chunks, const std::vector<Begin>& plan);

  /// Advances until a collective ends, but not beyond `limit`: the collective, or none. Nothing is sent at `limit` or at the end of
  /// a collective before the next call, so that what starts at that time is included.
  std::optional<std::int32_t> next_end(Ticks limit);
  /// The same until nothing is left.
  std::optional<std::int32_t> next_end();

  [[nodiscard]] Ticks now() const { return now_; }
  /// Chunks are numbered through all collectives.
  [[nodiscard]] const std::vector<Begin>& begins() const { return begins_; }
  /// How long a dimension would still send, if nothing else began.
  [[nodiscard]] Ticks left(std::int32_t dimension) const;
  /// How long each dimension has sent or will have, by what it has begun.
  [[nodiscard]] Ticks busy(std::int32_t dimension) const;

 private:
  /// The smallest first.
  template <class Value>
  using Heap = std::priority_queue<Value, std::vector<Value>, std::greater<>>;
  struct Arrival {
    Ticks time;
    std::int32_t chunk = 0;
    std::int32_t operation = 0;
    auto operator<=>(const Arrival&) const = default;
  };
  /// The key, the chunk, and its operation.
  using Waiting = std::tuple<std::int64_t, std::int32_t, std::int32_t>;
  /// What waits for one dimension.
  struct Line {
    Ticks free;          ///< when it can send again
    Ticks waiting_time;  ///< of all that waits
    Ticks busy;
    Ticks left;  ///< to send of all chunks, now or later
    std::int64_t count = 0;
    /// By the dimension that comes next; then chunks that end in this dimension; then those of each collective with a plan.
    std::vector<Heap<Waiting>> waiting;
  };
  struct Chunk {
    const std::vector<ChunkOperation>* operations = nullptr;
    std::int32_t collective = 0;
    std::size_t apart = 0;                     ///< where it waits, if its collective has a plan
    std::vector<std::int32_t> positions = {};  ///< of its operations in that plan
    Ticks arrived = Ticks(0);                  ///< when its latest operation came to wait
  };

  void take_arrivals();
  void arrive(const Arrival& a);
  void end_chunk(std::int32_t collective);
  void send(std::size_t dimension);
  [[nodiscard]] std::optional<Ticks> next_event() const;
  [[nodiscard]] std::size_t chosen(const Line& line) const;
  [[nodiscard]] std::size_t next_dimension(const Arrival& a) const;
  [[nodiscard]] std::int64_t key_of(std::int32_t chunk, std::int32_t operation) const;
  [[nodiscard]] Ticks queued_work(std::size_t next) const;

  SendFirst first_;
  std::vector<Line> lines_;
  std::vector<Chunk> chunks_;
  std::vector<std::int64_t> left_;  ///< chunks of each collective that have not ended
  Heap<Arrival> arrivals_;
  Heap<std::int32_t> ended_;  ///< collectives, at this time, that were not told yet
  Ticks now_;
  std::vector<Begin> begins_;
};

}  // namespace muster
