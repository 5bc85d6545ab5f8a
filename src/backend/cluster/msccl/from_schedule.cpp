// Steps in an order in which they can run, one after another; so whatever a thread block does in that order can end.
#include "backend/cluster/msccl/from_schedule.h"

#include <algorithm>
#include <map>
#include <optional>

#include "backend/cluster/msccl/chunks.h"
#include "backend/cluster/msccl/gpu_writer.h"
#include "backend/cluster/msccl/text.h"
#include "base/index.h"
#include "schedule/run_order.h"

namespace muster::msccl {
namespace {

using std::int32_t;

/// A stream to one of its sinks.
struct Message {
  StreamId stream = 0;
  NodeId sink = 0;
};

/// Messages between two GPUs whose receiver takes them in another order than they are sent go on different channels.
class Channels {
 public:
  Channels(const Schedule& flat, const std::vector<RunEvent>& order, const std::vector<NodeId>& nodes)
      : flat_(flat), taken_(flat.sinks.size(), 0), channel_(flat.sinks.size(), 0) {
    std::int64_t time = 0;
    for (const RunEvent& event : order) {
      if (event.sends_old) continue;
      for (const StreamId s : flat.operands_of(flat.steps[at(event.step)])) {
        if (s != kOwn) taken_[index_of({s, nodes[at(event.step)]})] = ++time;
      }
    }
    for (const RunEvent& event : order) {
      const muster::Step& step = flat.steps[at(event.step)];
      if (step.is_exchange() != event.sends_old) continue;
      for (const StreamId s : flat.outputs_of(step)) {
        for (const NodeId sink : flat.sinks_of(flat.streams[at(s)])) choose({s, sink});
      }
    }
  }

  [[nodiscard]] int32_t of(const Message& message) const { return channel_[index_of(message)]; }
  [[nodiscard]] int32_t count() const { return count_; }

 private:
  /// In the schedule's list of sinks.
  [[nodiscard]] std::size_t index_of(const Message& message) const {
    const Stream& stream = flat_.streams[at(message.stream)];
    const auto sinks = flat_.sinks_of(stream);
    return at(stream.sinks.first) + at(std::find(sinks.begin(), sinks.end(), message.sink) - sinks.begin());
  }
  void choose(const Message& message) {
    // On each channel between the two: when its newest message is taken.
    auto& last = last_taken_[{flat_.streams[at(message.stream)].source, message.sink}];
    const std::int64_t taken = taken_[index_of(message)];
    std::size_t channel = 0;
    while (channel < last.size() && last[channel] > taken) ++channel;
    if (channel == last.size()) last.emplace_back();
    last[channel] = taken;
    channel_[index_of(message)] = static_cast<int32_t>(channel);
    count_ = std::max(count_, static_cast<int32_t>(channel) + 1);
  }

  const Schedule& flat_;
  std::vector<std::int64_t> taken_;  ///< of each message: when
  std::vector<int32_t> channel_;
  std::map<std::pair<NodeId, NodeId>, std::vector<std::int64_t>> last_taken_;
  int32_t count_ = 1;
};

class Writer {
 public:
  Writer(const Schedule& flat, const ChunkGrid& grid, std::vector<RunEvent> order)
      : flat_(flat),
        contract_(flat.contracts.front()),
        grid_(grid),
        order_(std::move(order)),
        nodes_(step_nodes(flat)),
        channels_(flat, order_, nodes_),
        gpus_(at(flat.node_count)) {
    for (std::size_t i = 0; i < contract_.ranks.size(); ++i) rank_of_[contract_.ranks[i]] = static_cast<int32_t>(i);
    const std::int64_t scratch = grid.chunks(flat.extent_of(Buffer::scratch) + grid.words() - 1);
    for (GpuWriter& gpu : gpus_) gpu.scratch(static_cast<int32_t>(scratch));
  }

  Algo write(const std::string& name) && {
    for (const RunEvent& event : order_) {
      const muster::Step& step = flat_.steps[at(event.step)];
      const NodeId node = nodes_[at(event.step)];
      if (event.sends_old) {
        for (const Message& m : messages(step)) send(node, m, {.span = step.sent_elements, .buffer = step.sent});
      } else {
        run(node, step);
      }
    }
    const auto chunks = static_cast<int32_t>(grid_.chunks(contract_.count));
    Algo algo{.name = name,
              .collective = contract_.collective,
              .in_place = contract_.from == contract_.to,
              .channels = channels_.count(),
              .chunks_per_loop = chunks,
              .gpus = {}};
    const int32_t share = chunks / flat_.node_count;
    const int32_t input = contract_.collective == Collective::allgather ? share : chunks;
    const int32_t output = contract_.collective == Collective::reduce_scatter ? share : chunks;
    const bool one_buffer = algo.in_place && contract_.collective == Collective::allreduce;
    for (GpuWriter& gpu : gpus_) algo.gpus.push_back(std::move(gpu).finish(input, one_buffer ? 0 : output));
    return algo;
  }

 private:
  /// Where a value lies: a span of a buffer, or scratch of our own.
  struct Value {
    SpanId span = 0;
    Buffer buffer = Buffer::none;
    std::optional<Address> own_scratch;
  };

  [[nodiscard]] std::vector<Message> messages(const muster::Step& step) const {
    std::vector<Message> all;
    for (const StreamId s : flat_.outputs_of(step)) {
      for (const NodeId sink : flat_.sinks_of(flat_.streams[at(s)])) all.push_back({s, sink});
    }
    return all;
  }
  /// The address of the chunk at `position` of a value.
  [[nodiscard]] Address address_of(NodeId node, const Value& value, std::int64_t position) const {
    if (value.own_scratch) return {Buffer::scratch, value.own_scratch->chunk + static_cast<int32_t>(position)};
    const int32_t chunk = grid_.chunk(value.span, position);
    if (value.buffer == Buffer::scratch) return {Buffer::scratch, chunk};
    const bool in_place = contract_.from == contract_.to;
    Buffer buffer = value.buffer;
    if (in_place) buffer = contract_.collective == Collective::allgather ? Buffer::output : Buffer::input;
    const bool is_share =
        !in_place && ((contract_.collective == Collective::allgather && buffer == Buffer::input) ||
                      (contract_.collective == Collective::reduce_scatter && buffer == Buffer::output));
    const auto share = static_cast<int32_t>(grid_.chunks(contract_.count) / flat_.node_count);
    return {buffer, is_share ? chunk - share * rank_of_.at(node) : chunk};
  }

  void send(NodeId node, const Message& m, const Value& from) {
    for (const Piece& piece : grid_.pieces(flat_.streams[at(m.stream)].elements)) {
      gpus_[at(node)].send(address_of(node, from, piece.first), piece.count, {m.sink, channels_.of(m)});
    }
  }

  /// The first stream is combined with the node's own elements, if it has any, the others with what is there by then.
  void run(NodeId node, const muster::Step& step) {
    const Value own{.span = step.own_elements, .buffer = step.own};
    Value result{.span = step.store_elements, .buffer = step.store};
    bool is_first = true;
    for (const StreamId s : flat_.operands_of(step)) {
      if (s == kOwn) continue;
      if (is_first && step.store == Buffer::none) {
        const std::int64_t chunks = grid_.chunks(flat_.spans.count(step.elements));
        result.own_scratch = gpus_[at(node)].scratch(static_cast<int32_t>(chunks));
      }
      const bool combines = !is_first || step.own != Buffer::none;
      for (const Piece& piece : grid_.pieces(step.elements)) {
        const Address before = combines ? address_of(node, is_first ? own : result, piece.first) : Address{};
        gpus_[at(node)].receive(address_of(node, result, piece.first), piece.count,
                                {flat_.streams[at(s)].source, channels_.of({s, node})},
                                combines ? std::optional(before) : std::nullopt);
      }
      is_first = false;
    }
    if (is_first && step.store != Buffer::none) copy(node, step.elements, own, result);
    if (step.is_exchange()) return;
    for (const Message& m : messages(step)) send(node, m, is_first ? own : result);
  }

  void copy(NodeId node, SpanId elements, const Value& from, const Value& to) {
    for (const Piece& piece : grid_.pieces(elements)) {
      const Address source = address_of(node, from, piece.first), destination = address_of(node, to, piece.first);
      if (source != destination) gpus_[at(node)].copy(source, destination, piece.count);
    }
  }

  const Schedule& flat_;
  const Contract& contract_;
  const ChunkGrid& grid_;
  std::vector<RunEvent> order_;
  std::vector<NodeId> nodes_;  ///< of each step
  Channels channels_;
  std::vector<GpuWriter> gpus_;
  std::map<NodeId, int32_t> rank_of_;
};

/// What the format cannot say.
std::optional<std::string> beyond_format(const Schedule& flat) {
  if (flat.contracts.size() != 1) return fmt::format("it has {} contracts; MSCCL takes one", flat.contracts.size());
  const Contract& contract = flat.contracts.front();
  if (coll_name(contract.collective).empty()) {
    return fmt::format("target: msccl supports allreduce, reduce-scatter and allgather, not {}; use --target schedule",
                       collective_name(contract.collective));
  }
  if (contract.ranks.size() != static_cast<std::size_t>(flat.node_count)) {
    return "MSCCL has no switches that reduce; plan for a machine without 'reduces'";
  }
  for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
    if (contract.ranks[i] != static_cast<NodeId>(i)) return "its ranks are not its nodes, one by one";
  }
  if (!contract.blocks.empty()) return "MSCCL cuts vectors evenly, but the contract names blocks";
  if (contract.from != Buffer::input || contract.to == Buffer::scratch) return "its vectors are in other buffers";
  return std::nullopt;
}

std::optional<std::string> beyond_limits(const Algo& algo) {
  for (std::size_t g = 0; g < algo.gpus.size(); ++g) {
    std::map<int32_t, int32_t> of_channel;
    for (const ThreadBlock& block : algo.gpus[g].blocks) {
      if (block.steps.size() > std::size_t{kMostSteps}) {
        // Every chunk goes through the same connections: steps grow with their number.
        return fmt::format("a thread block of GPU {} would have {} steps; MSCCL allows {}; use fewer chunks", g,
                           block.steps.size(), kMostSteps);
      }
      if (++of_channel[block.channel] > kMostBlocks) {
        return fmt::format("GPU {} would have more than {} thread blocks on a channel: it has too many peers", g,
                           kMostBlocks);
      }
    }
    if (algo.gpus[g].scratch_chunks > kMostChunks)
      return fmt::format("GPU {} would need too much scratch; use fewer chunks", g);
  }
  return std::nullopt;
}

}  // namespace

Outcome<Algo> from_schedule(const Schedule& flat, const std::string& name, std::int64_t per_word) {
  MUSTER_ASSERT(flat.is_flat(), "MSCCL is written from flat schedules");
  if (const auto why = beyond_format(flat)) return Refusal{*why};
  Outcome<ChunkGrid> grid = ChunkGrid::of(flat, per_word);
  if (!grid) return Refusal{grid.reason()};
  const ChunkGrid cut = std::move(grid).value();
  Algo algo = Writer(flat, cut, run_order(flat, RunOrder::by_lane)).write(name);
  if (const auto why = beyond_limits(algo)) return Refusal{*why};
  return algo;
}

}  // namespace muster::msccl
