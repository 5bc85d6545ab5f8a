// Host-based scan: in round k, every core sends its prefix to the core 2^k after it, which combines it on the left of its own. log2 P rounds
// of whole vectors (Hillis and Steele, 1986). What the in-network scan is compared with. Cost (host_based.h) by rounds.
#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/switches/host_based.h"

namespace muster {
namespace {

/// Rank 0 owes what it has.
void write(ScheduleBuilder& b, std::span<const NodeId> cores, std::int64_t count) {
  const SpanId all = b.span({0, count});
  std::vector<Buffer> held_in(cores.size(), Buffer::input);
  for (std::size_t far = 1; far < cores.size(); far *= 2) {
    std::vector<StreamId> from(cores.size());
    for (std::size_t i = far; i < cores.size(); ++i) from[i] = b.stream(cores[i - far], cores[i], all);
    for (std::size_t i = 0; i < cores.size(); ++i) {
      const bool sends = i + far < cores.size();
      if (i >= far) {
        auto step = b.step(cores[i], all).take(from[i]).own(held_in[i]).store(Buffer::output);
        if (sends) step.send_old(held_in[i], all).push(from[i + far]);
        held_in[i] = Buffer::output;
      } else if (sends) {
        b.step(cores[i], all).own(held_in[i]).push(from[i + far]);
      }
    }
  }
  b.step(cores[0], all).own(Buffer::input).store(Buffer::output);
}

std::vector<HostRound> rounds(std::int64_t cores, std::int64_t count) {
  std::vector<HostRound> all;
  for (std::int64_t far = 1; far < cores; far *= 2) {
    all.push_back({.pair =
                       [far](std::int64_t i) {
                         return std::pair{i, i + far};
                       },
                   .pairs = cores - far,
                   .sent = count,
                   .combined = count});
  }
  return all;
}

}  // namespace

Algorithm scan_recursive_doubling() {
  return host_based({.collective = Collective::scan,
                     .name = "recursive-doubling",
                     .summary = "cores send whole vectors to cores at doubling distances",
                     .source = "Data parallel algorithms (Hillis and Steele, 1986)",
                     .cost_tolerance = {.fraction = 0.15}},
                    write, rounds);
}

}  // namespace muster
