// A processor of a core that makes its calls, one after another, on a simulated chip.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "backend/torus/call_log.h"
#include "backend/torus/chip.h"
#include "backend/torus/memories.h"
#include "backend/torus/program.h"
#include "backend/torus/repetition.h"
#include "base/index.h"

namespace muster::torus {

class ProcessorActor;

/// What the processors of a core share: counters that others increase, and tokens.
struct CoreState {
  struct Waiter {
    std::int32_t counter = 0;
    std::int64_t value = 0;
    ProcessorActor* who = nullptr;
  };
  std::vector<std::int64_t> counters;
  std::vector<Waiter> waiters;
  std::array<std::array<std::int32_t, kProcessors>, kProcessors> tokens{};  ///< [from][to], posted and not expected
  std::array<std::array<ProcessorActor*, kProcessors>, kProcessors> expecting{};  ///< [from][to]
  int round = 0;
  int ended = 0;  ///< processors that have made all calls of the round
};

/// The cores of a program in operation, and the data under way between them.
class Cores : public Observer {
 public:
  /// `seed`: of the data; without it, no data is moved. `rounds`: calls of the collective that follow each other on every core.
  Cores(const TorusProgram& program, Chip& chip, std::optional<std::uint64_t> seed, int rounds = 1);
  ~Cores() override;

  void start();
  /// Before start(): writes down every call of the first round.
  void record();
  [[nodiscard]] const CallLog& log() const { return log_; }
  /// The call that gave the core its result.
  [[nodiscard]] CallNumber result_call(NodeId node) const;
  /// A processor that has not made all its calls, and what it waits for; nothing: all have.
  struct Stuck {
    NodeId node = 0;
    Processor processor = Processor::compute;
    std::string waits_for;
  };
  [[nodiscard]] std::vector<Stuck> stuck() const;
  /// When the core began a round, had its result, and had made all its calls.
  struct Times {
    Cycle started = 0;
    Cycle result = 0;
    Cycle finished = 0;
  };
  [[nodiscard]] const Times& times(int round, NodeId node) const { return times_[at(round)][at(node)]; }
  /// When the first core began a round, and the last one had its result.
  [[nodiscard]] Cycle end(int round) const;
  /// What the cores had at the end of a round.
  [[nodiscard]] Outputs& outputs(int round) { return outputs_[at(round)]; }
  [[nodiscard]] const ProcessorActor& processor(NodeId node, Processor processor) const;
  /// Words that the busiest core has sent or received.
  [[nodiscard]] std::int64_t most_words() const;

  void departed(Chip& chip, std::int64_t tag) override;
  void delivered(Chip& chip, std::int64_t tag, RouterId tile, Cycle visible) override;
  void returned(Chip& chip, std::int64_t tag) override;

 private:
  friend class ProcessorActor;
  /// A packet's worth of data, or of a change of a counter.
  struct Transfer {
    enum class Kind : std::uint8_t { write, read, increment, set } kind = Kind::write;
    ProcessorActor* issuer = nullptr;
    NodeId from = 0;  ///< whose memory it is read from
    NodeId to = 0;    ///< of one that is read: whose memory it is written to
    Address source = 0;
    Address target = 0;
    std::int64_t bytes = 0;
    std::int32_t counter = 0;
    std::int64_t value = 0;
    std::int32_t left = 1;  ///< tiles that have not received it
    CallNumber call = {};   ///< that issued it
    std::vector<Word> words = {};
  };
  std::int64_t add(Transfer transfer);
  /// A processor of the node has made all calls of its round: with the last one, the core has ended it.
  void end_round(Chip& chip, NodeId node, Cycle now);
  void change_counter(Chip& chip, const Transfer& transfer, NodeId node, Cycle visible);
  [[nodiscard]] NodeId node_of(RouterId tile) const { return node_of_[static_cast<std::size_t>(tile)]; }
  [[nodiscard]] RouterId tile_of(NodeId node) const { return tile_of_[static_cast<std::size_t>(node)]; }

  const TorusProgram& program_;
  const Repetition repetition_;
  const int rounds_;
  Chip& chip_;
  Memories memories_;
  std::vector<std::vector<Times>> times_;  ///< by round and core
  std::vector<Outputs> outputs_;           ///< by round
  std::vector<CoreState> states_;
  std::vector<std::unique_ptr<ProcessorActor>> processors_;  ///< by core and processor
  std::vector<NodeId> node_of_;                              ///< by tile
  std::vector<RouterId> tile_of_;                            ///< by node
  std::vector<std::int32_t> bank_of_;                        ///< by node; -1: it is none
  std::vector<Transfer> transfers_;
  std::vector<std::int64_t> free_;
  std::vector<std::int64_t> sent_words_, received_words_;
  CallLog log_;  ///< empty: nothing is written down
};

class ProcessorActor : public Actor {
 public:
  ProcessorActor(Cores& cores, NodeId node, Processor processor);
  void resume(Chip& chip, Cycle now) override;

  /// All calls of its round.
  [[nodiscard]] bool is_finished() const { return next_ == calls_.size(); }
  void begin_round(int round);
  [[nodiscard]] const Call& call() const { return calls_[next_]; }
  [[nodiscard]] Cycle finished_at() const { return finished_; }
  [[nodiscard]] Cycle result_at() const { return result_; }
  /// In the first round.
  [[nodiscard]] Cycle issuing() const { return issuing_; }
  [[nodiscard]] Cycle combining() const { return combining_; }
  [[nodiscard]] CallNumber number() const {
    return {.processor = node_ * kProcessors + static_cast<std::int32_t>(processor_),
            .call = static_cast<std::int32_t>(next_)};
  }
  /// In the first round.
  [[nodiscard]] CallNumber result_call() const { return result_call_; }
  [[nodiscard]] Cycle first_result_at() const { return first_result_; }
  /// The call that ends its wait.
  void caused_by(CallNumber cause) { record_.cause = cause; }
  void left() { --under_way_; }
  [[nodiscard]] bool waits_for_departure() const {
    return !is_finished() && std::holds_alternative<Flush>(call()) && under_way_ == 0;
  }

 private:
  /// Whether the call can go on now; otherwise it is resumed when it may.
  bool is_ready(Chip& chip);
  [[nodiscard]] Cycle cost(const Torus& torus) const;
  /// Does what the call does; false: it has more packets.
  bool act(Chip& chip, Cycle now);
  bool issue(Chip& chip, Cycle now);
  [[nodiscard]] bool is_combining() const;
  [[nodiscard]] bool gives_result() const;
  [[nodiscard]] CoreState& state() const;
  [[nodiscard]] int noc() const;

  Cores& cores_;
  const NodeId node_;
  const Processor processor_;
  std::vector<Call> calls_;
  int round_ = 0;
  bool has_ended_ = false;  ///< its round
  std::size_t next_ = 0;
  bool is_charged_ = false;     ///< the software of the call, or of its next packet
  std::int64_t offset_ = 0;     ///< bytes of the call that were issued
  NodeId last_target_ = -1;     ///< of the call before
  std::int32_t under_way_ = 0;  ///< packets that have not left
  CounterId writes_ = 0, reads_ = 0, atomics_ = 0;
  Cycle issuing_ = 0, combining_ = 0, first_result_ = 0, result_ = 0, finished_ = 0;
  CallNumber result_call_;
  CallRecord record_;       ///< of the call in progress
  bool has_begun_ = false;  ///< it
};

}  // namespace muster::torus
