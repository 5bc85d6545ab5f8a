// A collective as an MSCCL file has it: what the thread blocks of every GPU do, step by step, on chunks of three buffers.
//
// Semantics. A thread block runs its steps in order. It sends to one peer at most, receives from one at most, and uses one
// channel; a connection leads from one GPU to another on a channel, has one thread block at each end, and keeps its messages
// in order. A step works on `count` chunks in a row:
//
//   s     send src                           rrc   receive, combine with src, store at dst
//   r     receive, store at dst              rrs   receive, combine with src, send
//   rcs   receive, store at dst, send        rrcs  receive, combine with src, store at dst, send
//   cpy   src to dst                         re    combine src with dst, store at dst
//   nop   nothing
//
// A step begins when step `dependency.step` of thread block `dependency.block` of its GPU has ended, if it names one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/contract.h"

namespace muster::msccl {

// The format's limits.
inline constexpr std::int32_t kMostSteps = 256;         ///< of a thread block
inline constexpr std::int32_t kMostBlocks = 32;         ///< of a GPU and channel
inline constexpr std::int32_t kMostChunksPerStep = 72;  ///< `cnt`
// Ours: files from strangers shall not ask for more than this.
inline constexpr std::int32_t kMostGpus = 1 << 16;
inline constexpr std::int32_t kMostChannels = 1 << 10;
inline constexpr std::int32_t kMostChunks = 1 << 20;

enum class Type : std::uint8_t {
  nop,
  send,
  receive,
  receive_copy_send,
  receive_reduce_send,
  receive_reduce_copy,
  receive_reduce_copy_send,
  copy,
  reduce
};
inline constexpr std::array<std::string_view, 9> kTypeNames{"nop", "s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re"};

[[nodiscard]] bool sends(Type type);
[[nodiscard]] bool receives(Type type);
/// Whether the step reads `source`, or stores at `destination`.
[[nodiscard]] bool reads_source(Type type);
[[nodiscard]] bool stores(Type type);

inline constexpr std::int32_t kNone = -1;

struct Address {
  Buffer buffer = Buffer::input;
  std::int32_t chunk = 0;
  auto operator<=>(const Address&) const = default;
};

struct Dependency {
  std::int32_t block = kNone;
  std::int32_t step = kNone;
  auto operator<=>(const Dependency&) const = default;
};

/// Where something is in a file, for messages; 0: in none. Two algorithms are equal wherever they stand.
struct SourceLine {
  std::int32_t number = 0;
  bool operator==(const SourceLine&) const { return true; }
};

struct Step {
  Type type = Type::nop;
  Address source;
  Address destination;
  std::int32_t count = 0;
  Dependency dependency;
  bool has_dependents = false;
  SourceLine line = {};
  bool operator==(const Step&) const = default;
};

struct ThreadBlock {
  std::int32_t send = kNone;     ///< the GPU that it sends to
  std::int32_t receive = kNone;  ///< the GPU that it receives from
  std::int32_t channel = 0;
  std::vector<Step> steps;
  SourceLine line = {};
  bool operator==(const ThreadBlock&) const = default;
};

struct Gpu {
  std::int32_t input_chunks = 0;
  std::int32_t output_chunks = 0;
  std::int32_t scratch_chunks = 0;
  std::vector<ThreadBlock> blocks;
  SourceLine line = {};
  bool operator==(const Gpu&) const = default;
};

struct Algo {
  std::string name;
  std::string protocol = "Simple";
  Collective collective = Collective::allreduce;
  bool in_place = false;  ///< and not out of place
  std::int32_t channels = 1;
  std::int32_t chunks_per_loop = 0;  ///< of the whole vector
  std::int64_t least_bytes = 0;
  std::int64_t most_bytes = 0;  ///< 0: no limit
  std::vector<Gpu> gpus;
  bool operator==(const Algo&) const = default;
};

}  // namespace muster::msccl
