// Messages between tiles in rounds, and the steps that they become.
//
// In a round, a rank sends at most one message and gets at most one. One that does both does so in one exchange step, so
// that no two ranks wait for each other.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "collective/algorithm.h"
#include "machine/torus.h"
#include "schedule/builder.h"

namespace muster {

inline constexpr int kNearerNoc = -1;

/// The NoC on which a message takes fewer hops; if both take as many, fewer among the workers in use; or else NoC 0 to a higher rank and
/// NoC 1 to a lower one.
int nearer_noc(const Torus& torus, NodeId from, NodeId to);

struct TileMessage {
  NodeId from = 0;
  NodeId to = 0;
  SpanId what = 0;
  bool combine = false;        ///< with what the receiver has there; else it is stored
  Buffer sent = Buffer::none;  ///< where it lies; none: where the sender keeps what it has so far
  Buffer own = Buffer::none;   ///< what it is combined with; none: the same of the receiver
  int noc = kNearerNoc;
};
using TileRound = std::vector<TileMessage>;

/// Streams between tiles, each on its NoC: the default route is that of NoC 0, and others are given the route of NoC 1.
class TileStreams {
 public:
  TileStreams(ScheduleBuilder& builder, const Request& request) : b_(builder), torus_(*as<Torus>(request.machine)) {}
  StreamId send(NodeId from, NodeId to, SpanId what, int noc = kNearerNoc);
  /// By multicast, if there are several sinks.
  StreamId multicast(NodeId from, const std::vector<NodeId>& sinks, SpanId what, int noc);
  /// To all other ranks by multicast: one stream for the rows that are whole, and one for the last if it is short.
  std::vector<StreamId> send_to_all(NodeId from, SpanId what, int noc);

 private:
  const std::vector<Hop>& way(NodeId from, NodeId to, int noc);
  ScheduleBuilder& b_;
  const Torus& torus_;
  std::unordered_map<std::int64_t, std::vector<Hop>> ways_;
};

enum class ChunkSteps : std::uint8_t { pipelined, together };

/// Writes rounds of several chunks, each in its own lane. Vectors are in `input` at first, and results in `output`.
class RoundWriter {
 public:
  RoundWriter(ScheduleBuilder& builder, const Request& request, ChunkSteps steps = ChunkSteps::pipelined);

  /// rounds[c]: those of chunk c, which is lane c. Messages without elements are left out.
  void write(const std::vector<std::vector<TileRound>>& rounds);
  /// More rounds of one lane.
  void write(std::int32_t lane, const TileRound& round);

  /// A rank that has `what` in its input begins with a copy of it in its output.
  void copy_input(std::int32_t lane, NodeId rank, SpanId what);

  /// The rank's newest step in a lane; -1: none yet.
  [[nodiscard]] StepId newest(std::int32_t lane, NodeId rank);
  [[nodiscard]] TileStreams& streams() { return streams_; }

 private:
  struct LaneState {
    std::vector<Buffer> held_in;  ///< where each rank keeps what it has: in `input` until it has received something
    std::vector<StepId> newest;
  };
  /// What a rank does in a round.
  struct Turn {
    const TileMessage* sends = nullptr;
    const TileMessage* gets = nullptr;
    StreamId out = 0;
    StreamId in = 0;
    Buffer sent = Buffer::none;
  };
  LaneState& state_of(std::int32_t lane);
  void write_turn(std::int32_t lane, NodeId rank, const Turn& turn);
  void after_others(ScheduleBuilder::StepWriter& step, std::int32_t lane, NodeId rank);

  ScheduleBuilder& b_;
  TileStreams streams_;
  NodeId ranks_;
  ChunkSteps steps_;
  std::vector<LaneState> lanes_;
  std::vector<std::vector<StepId>>
      awaited_;  ///< for steps that are taken together: of each rank, those of the round before, by lane
};

/// "steps": whether chunks take their steps together.
ParameterSpec chunk_steps_parameter();
ChunkSteps chunk_steps(const Parameters& parameters);

}  // namespace muster
