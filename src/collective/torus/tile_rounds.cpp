#include "collective/torus/tile_rounds.h"

#include <algorithm>
#include <set>

#include "base/index.h"

namespace muster {

namespace {

/// Hops to the east and south if only the workers in use were there.
std::int64_t logical_hops(const Torus& torus, NodeId from, NodeId to) {
  const std::int32_t columns = used_columns(torus), rows = used_rows(torus);
  return (to % columns - from % columns + columns) % columns + (to / columns - from / columns + rows) % rows;
}

bool is_nearer_to_southeast(const Torus& torus, NodeId from, NodeId to) {
  const std::int64_t southeast = hops_on(torus, 0, from, to);
  const std::int64_t northwest = hops_on(torus, 1, from, to);
  if (southeast != northwest) return southeast < northwest;
  const bool are_ranks = std::max(from, to) < rank_count(torus);
  const std::int64_t there = are_ranks ? logical_hops(torus, from, to) : 0;
  const std::int64_t back = are_ranks ? logical_hops(torus, to, from) : 0;
  return there == back ? from < to : there < back;
}

}  // namespace

int nearer_noc(const Torus& torus, NodeId from, NodeId to) { return is_nearer_to_southeast(torus, from, to) ? 0 : 1; }

const std::vector<Hop>& TileStreams::way(NodeId from, NodeId to, int noc) {
  const std::int64_t key = (std::int64_t{from} * node_count(torus_) + to) * 2 + noc;
  std::vector<Hop>& hops = ways_[key];
  if (!hops.empty()) return hops;
  const std::vector<NodeId> nodes = route_on(torus_, noc, from, to);
  for (std::size_t i = 1; i < nodes.size(); ++i) hops.push_back({.from = nodes[i - 1], .to = nodes[i]});
  return hops;
}

StreamId TileStreams::send(NodeId from, NodeId to, SpanId what, int noc) {
  const StreamId stream = b_.stream(from, to, what);
  if ((noc == kNearerNoc ? nearer_noc(torus_, from, to) : noc) == 1)
    b_.route(stream, way(from, to, 1));  // the default is NoC 0
  return stream;
}

StreamId TileStreams::multicast(NodeId from, const std::vector<NodeId>& sinks, SpanId what, int noc) {
  if (sinks.size() == 1) return send(from, sinks[0], what, noc);
  const StreamId stream = b_.multicast(from, sinks, what);
  if (noc == 0) return stream;
  std::set<Hop> hops;
  for (const NodeId sink : sinks) {
    const std::vector<Hop>& to_sink = way(from, sink, 1);
    hops.insert(to_sink.begin(), to_sink.end());
  }
  b_.route(stream, {hops.begin(), hops.end()});
  return stream;
}

std::vector<StreamId> TileStreams::send_to_all(NodeId from, SpanId what, int noc) {
  const std::int32_t columns = used_columns(torus_);
  const NodeId whole_rows = rank_count(torus_) / columns * columns;
  std::vector<StreamId> streams;
  for (const auto& [first, end] : {std::pair{NodeId{0}, whole_rows}, std::pair{whole_rows, rank_count(torus_)}}) {
    std::vector<NodeId> sinks;
    for (NodeId rank = first; rank < end; ++rank) {
      if (rank != from) sinks.push_back(rank);
    }
    if (!sinks.empty()) streams.push_back(multicast(from, sinks, what, noc));
  }
  return streams;
}

RoundWriter::RoundWriter(ScheduleBuilder& builder, const Request& request, ChunkSteps steps)
    : b_(builder),
      streams_(builder, request),
      ranks_(rank_count(*as<Torus>(request.machine))),
      steps_(steps),
      awaited_(at(ranks_)) {}

RoundWriter::LaneState& RoundWriter::state_of(std::int32_t lane) {
  while (lanes_.size() <= at(lane)) {
    lanes_.push_back(
        {.held_in = std::vector<Buffer>(at(ranks_), Buffer::input), .newest = std::vector<StepId>(at(ranks_), -1)});
  }
  return lanes_[at(lane)];
}

StepId RoundWriter::newest(std::int32_t lane, NodeId rank) { return state_of(lane).newest[at(rank)]; }

void RoundWriter::copy_input(std::int32_t lane, NodeId rank, SpanId what) {
  LaneState& state = state_of(lane);
  state.held_in[at(rank)] = Buffer::output;
  if (b_.spans().count(what) == 0) return;
  state.newest[at(rank)] = b_.step(rank, what, lane).own(Buffer::input).store(Buffer::output).id();
}

void RoundWriter::write(const std::vector<std::vector<TileRound>>& rounds) {
  std::size_t most = 0;
  for (const std::vector<TileRound>& of_chunk : rounds) most = std::max(most, of_chunk.size());
  for (std::size_t k = 0; k < most; ++k) {
    for (std::size_t c = 0; c < rounds.size(); ++c) {
      if (k < rounds[c].size()) write(static_cast<std::int32_t>(c), rounds[c][k]);
    }
    for (NodeId rank = 0; rank < ranks_; ++rank) {
      awaited_[at(rank)].clear();
      for (const LaneState& state : lanes_) awaited_[at(rank)].push_back(state.newest[at(rank)]);
    }
  }
}

void RoundWriter::write(std::int32_t lane, const TileRound& round) {
  LaneState& state = state_of(lane);
  std::vector<Turn> turns(at(ranks_));
  for (const TileMessage& message : round) {
    if (b_.spans().count(message.what) == 0) continue;
    const StreamId stream = streams_.send(message.from, message.to, message.what, message.noc);
    Turn& sender = turns[at(message.from)];
    Turn& receiver = turns[at(message.to)];
    MUSTER_ASSERT(sender.sends == nullptr && receiver.gets == nullptr, "a rank has two messages in a round");
    sender.sends = &message;
    sender.out = stream;
    sender.sent = message.sent == Buffer::none ? state.held_in[at(message.from)] : message.sent;
    receiver.gets = &message;
    receiver.in = stream;
  }
  for (NodeId rank = 0; rank < ranks_; ++rank) {
    const Turn& turn = turns[at(rank)];
    if (turn.sends != nullptr || turn.gets != nullptr) write_turn(lane, rank, turn);
  }
}

void RoundWriter::write_turn(std::int32_t lane, NodeId rank, const Turn& turn) {
  LaneState& state = state_of(lane);
  const auto written = [&](ScheduleBuilder::StepWriter step) {
    after_others(step, lane, rank);
    state.newest[at(rank)] = step.id();
  };
  if (turn.gets == nullptr) {
    written(b_.step(rank, turn.sends->what, lane).own(turn.sent).push(turn.out));
    return;
  }
  auto step = b_.step(rank, turn.gets->what, lane);
  const Buffer own = turn.gets->own == Buffer::none ? state.held_in[at(rank)] : turn.gets->own;
  // Both partners combine in the same order, so that both have the same result to the last bit.
  const bool own_first = rank < turn.gets->from;
  if (turn.gets->combine && own_first) step.own(own);
  step.take(turn.in);
  if (turn.gets->combine && !own_first) step.own(own);
  step.store(Buffer::output);
  if (turn.sends != nullptr) step.send_old(turn.sent, turn.sends->what).push(turn.out);
  written(step);
  state.held_in[at(rank)] = Buffer::output;
}

void RoundWriter::after_others(ScheduleBuilder::StepWriter& step, std::int32_t lane, NodeId rank) {
  if (steps_ == ChunkSteps::pipelined) return;
  const std::vector<StepId>& others = awaited_[at(rank)];
  for (std::size_t c = 0; c < others.size(); ++c) {
    if (c != at(lane) && others[c] >= 0) step.after(others[c]);
  }
}

ParameterSpec chunk_steps_parameter() {
  return {.name = "steps",
          .summary =
              "whether a chunk takes its next step as soon as it can (pipelined), or all take each step "
              "together; default: pipelined",
          .by_default = [](const Request&) { return std::int64_t{0}; },
          .least = [](const Request&) { return std::int64_t{0}; },
          .most = [](const Request&) { return std::int64_t{1}; },
          .names = {"pipelined", "together"}};
}

ChunkSteps chunk_steps(const Parameters& parameters) {
  return parameters.at("steps") == 0 ? ChunkSteps::pipelined : ChunkSteps::together;
}

}  // namespace muster
