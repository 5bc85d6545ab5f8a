// The state of a lowering (lower.h): events of the schedule come in one order, and each adds calls.
//
//   lower_memory.cpp  where everything lies, and where what arrives lands
//   lower_sends.cpp   a step sends its streams
//   lower_takes.cpp   a step takes its streams, combines and stores
//   lower.cpp         all of it, and the end of every core's calls
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "backend/lowering.h"
#include "backend/torus/core_writer.h"
#include "backend/torus/dependences.h"
#include "backend/torus/groups.h"
#include "backend/torus/program.h"

namespace muster::torus {

inline std::size_t number(Processor processor) { return static_cast<std::size_t>(processor); }
inline Processor other(Processor processor) {
  return processor == Processor::dataflow_0 ? Processor::dataflow_1 : Processor::dataflow_0;
}

/// Where the current value of a piece lies, and from when on.
struct Value {
  Address address = -1;
  Fact ready;
};

/// What arrives at one node as one stream.
struct Landing {
  std::vector<Address> addresses;  ///< by piece of the stream
  bool is_direct = false;          ///< where the taker stores it
  Fact arrival;
};

struct Run {
  Address left = 0;
  Address right = 0;
  Address target = 0;
  std::int64_t bytes = 0;
};

class Lowerer {
 public:
  Lowerer(const Schedule& flat, const Machine& machine, const LowerOptions& options, bool lands_apart)
      : flat_(flat),
        torus_(*as<Torus>(machine)),
        index_(flat),
        options_(options.options.of<TorusOptions>()),
        ranks_(rank_count(torus_)),
        lands_apart_(lands_apart),
        keeps_lanes_(std::any_of(index_.node_of.begin(), index_.node_of.end(), [&](NodeId n) { return n >= ranks_; })),
        pieces_(flat),
        events_(sequence_of(flat, index_, !lands_apart)),
        dependences_(flat, index_, pieces_, events_),
        writers_(at(ranks_)),
        groups_(ranks_),
        values_(at(ranks_)),
        results_(flat.steps.size()),
        done_(flat.steps.size()),
        sent_(flat.steps.size()),
        arrivals_(flat.streams.size()),
        landing_end_(at(ranks_)),
        consumed_(at(ranks_)),
        unsettled_(at(ranks_)) {
    program_ = std::make_unique<TorusProgram>();
    program_->machine = machine;
    program_->arithmetic = options.arithmetic;
    program_->contracts = flat.contracts;
    program_->extent = flat.extent;
    if (options_.swapped) program_->noc_of = {1, 0};
    program_->lands_apart = lands_apart;
    program_->grants_all = options_.handshake;
    program_->ends_after_all_began = dependences_.end_after_all_began(ranks_);
    program_->tile_bytes = torus_.compute.tile_elements * size_of(options.arithmetic.type).value();
  }

  Outcome<std::unique_ptr<TorusProgram>> run();

 private:
  [[nodiscard]] bool is_core(NodeId node) const { return node < ranks_; }
  [[nodiscard]] CoreWriter& writer(NodeId node) { return writers_[at(node)]; }
  [[nodiscard]] Value& value(NodeId node, Buffer buffer, std::int32_t piece) {
    return values_[at(node)][static_cast<std::size_t>(buffer)][at(piece)];
  }
  [[nodiscard]] std::vector<std::int32_t> labels(SpanId span) const { return pieces_.in(flat_, Buffer::none, span); }
  [[nodiscard]] const Piece& label(std::int32_t piece) const { return pieces_.of(Buffer::none)[at(piece)]; }

  void map_memory();
  void map_buffers(MemoryMap& map, bool cores);
  [[nodiscard]] Processor processor_of(StreamId stream) const;
  [[nodiscard]] Processor listener_of(StepId step);
  [[nodiscard]] std::optional<Processor> next_sender(StepId step) const;

  void send(StepId step);
  std::vector<Value> sources_of(StepId step);
  void send_stream(StepId step, StreamId stream, const std::vector<Value>& sources);
  void note_sent(StreamId stream, const std::vector<Value>& sources);
  void write_to_core(StreamId stream, NodeId sink, const std::vector<Value>& sources);
  void multicast(StreamId stream, const std::vector<Value>& sources);
  void write_to_bank(StreamId stream, NodeId bank, const std::vector<Value>& sources);
  [[nodiscard]] StepId taker_at(StreamId stream, NodeId sink) const;
  Landing& land(StreamId stream, NodeId sink, bool directly, Address free);
  void ask(StreamId stream, NodeId sink);
  void settle_banks(NodeId node, Processor processor);
  void settle(NodeId node, Processor processor);
  void settle_sends(NodeId node, Address first, Address end, Processor processor);

  void take(StepId step);
  void read_from_bank(StepId step, StreamId stream);
  struct Operand {
    std::vector<Address> addresses;  ///< by piece
    std::vector<Fact> ready;
    bool has_arrived = false;
  };
  std::vector<Operand> operands_of(StepId step);
  [[nodiscard]] std::vector<Address> targets_of(StepId step, const std::vector<std::int32_t>& stores,
                                                const std::vector<Address>* landed, const Operand& first) const;
  void call_combine(CoreWriter& core, Processor by, const std::vector<std::int32_t>& all,
                    const std::vector<Operand>& operands, const std::vector<Address>* landed,
                    const std::vector<Address>& target) const;
  void combine(StepId step, const std::vector<std::int32_t>& stores);
  void know_before(NodeId node, Processor processor, StepId step);
  std::vector<Run> runs_of(const std::vector<std::int32_t>& labels, const std::vector<Address>& left,
                           const std::vector<Address>& right, const std::vector<Address>& target, bool pads) const;

  std::optional<std::string> exceeded() const;
  void finish_cores();

  const Schedule& flat_;
  const Torus& torus_;
  const ScheduleIndex index_;
  const TorusOptions options_;
  const NodeId ranks_;
  const bool lands_apart_;
  /// Whether a step waits for the one before it in its lane even if it needs no data of it: DRAM does not say who has written to it,
  /// so the lanes of the cores do.
  const bool keeps_lanes_;
  const Pieces pieces_;
  const std::vector<Event> events_;
  const Dependences dependences_;
  std::unique_ptr<TorusProgram> program_;
  std::vector<CoreWriter> writers_;
  Groups groups_;
  std::vector<std::array<std::vector<Value>, 4>> values_;  ///< by rank, buffer and piece
  std::vector<std::vector<Value>> results_;                ///< by step: what it pushes
  std::vector<Fact> done_;                                 ///< by step: it has taken, combined and stored
  std::vector<Fact> sent_;                                 ///< by step
  std::vector<std::map<NodeId, Landing>> arrivals_;        ///< by stream and sink
  std::vector<Address> landing_end_;                       ///< by rank
  std::vector<std::vector<Fact>> consumed_;                ///< by rank and label: what arrived there last was used
  /// Writes whose data may not have left the memory, and writes to DRAM that may not be there.
  struct Unsettled {
    struct Sent {
      Address first = 0;
      Address end = 0;
      std::int32_t settled = -1;  ///< after so many calls of the processor it has left; -1: not yet
    };
    std::array<std::vector<Sent>, 2> sends;  ///< by processor
    std::array<bool, 2> to_banks{};
  };
  std::vector<Unsettled> unsettled_;  ///< by rank
  std::map<std::tuple<NodeId, Processor, NodeId>, std::int32_t>
      granted_;  ///< by granter and sender: the granter's calls then
};

/// Where values lie.
std::vector<Address> addresses_of(const std::vector<Value>& values);

}  // namespace muster::torus
