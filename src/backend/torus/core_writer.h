// Writes the calls of one core's processors, and makes a processor wait for what another one has done.
//
// What a processor must know before a call is a Fact: that another processor of its core has made its first calls, or that messages of
// another core have arrived. know() appends the waits that are missing, and nothing if the processor knows already.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backend/torus/program.h"

namespace muster::torus {

/// Messages of one sender's processor to a core: they arrive in order and are counted together.
using GroupId = std::int32_t;

struct Fact {
  enum class Kind : std::uint8_t { nothing, calls, arrival } kind = Kind::nothing;
  Processor processor = Processor::compute;  ///< calls: of this one
  std::int32_t calls = 0;                    ///< so many
  GroupId group = 0;                         ///< arrival: of this group's first `value` messages
  std::int64_t value = 0;
  Processor listener = Processor::dataflow_0;  ///< who looks for them if the compute processor needs them
};

class CoreWriter {
 public:
  void call(Processor processor, const Call& what) { calls_of(processor).push_back(what); }
  /// That all calls of the processor so far have been made.
  [[nodiscard]] Fact done(Processor processor) const {
    return {.kind = Fact::Kind::calls, .processor = processor, .calls = count(processor)};
  }
  [[nodiscard]] std::int32_t count(Processor processor) const {
    return static_cast<std::int32_t>(calls_[static_cast<std::size_t>(processor)].size());
  }
  void know(Processor processor, const Fact& fact);

  /// The dataflow processor with fewer calls.
  [[nodiscard]] Processor idler() const {
    return count(Processor::dataflow_1) < count(Processor::dataflow_0) ? Processor::dataflow_1 : Processor::dataflow_0;
  }
  /// The most messages of a group that some processor waited for.
  [[nodiscard]] std::int64_t awaited(GroupId group) const;

  /// The calls with the posts between them. Counters are still numbers of groups.
  [[nodiscard]] Core finish() const;

 private:
  struct PostAfter {
    std::int32_t calls = 0;  ///< of the one that posts
    Processor to = Processor::compute;
  };
  [[nodiscard]] std::vector<Call>& calls_of(Processor processor) { return calls_[static_cast<std::size_t>(processor)]; }
  void know_calls(Processor processor, const Fact& fact);
  /// The number of calls of a dataflow processor after which it knows of the arrival.
  std::int32_t look_for(Processor processor, const Fact& fact);

  std::array<std::vector<Call>, kProcessors> calls_;
  std::array<std::vector<PostAfter>, kProcessors> posts_;
  std::array<std::array<std::int32_t, kProcessors>, kProcessors> known_{};  ///< [who][of]: calls
  struct Awaited {
    std::int64_t value = 0;
    std::int32_t calls = 0;  ///< of the processor, with this wait
  };
  std::array<std::vector<std::vector<Awaited>>, 2> awaited_;  ///< by dataflow processor and group, growing
};

}  // namespace muster::torus
