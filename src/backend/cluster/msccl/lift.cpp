// Lanes from thread blocks, streams from the messages of connections, waits from dependencies.
#include "backend/cluster/msccl/lift.h"

#include <map>
#include <tuple>

#include "base/index.h"
#include "schedule/builder.h"

namespace muster::msccl {
namespace {

using std::int32_t;
using Connection = std::tuple<int32_t, int32_t, int32_t>;  ///< from, to, channel

class Lifter {
 public:
  Lifter(const Algo& algo, std::string_view file)
      : algo_(algo),
        file_(file),
        block_words_(algo.chunks_per_loop / static_cast<int32_t>(algo.gpus.size())),
        b_({.nodes = static_cast<NodeId>(algo.gpus.size()),
            .count = algo.chunks_per_loop,
            .scratch = most_scratch(algo),
            .output = algo.in_place ? 0 : algo.chunks_per_loop}) {}

  Schedule lift() && {
    check_sizes();
    number_steps();
    match_messages();
    for (int32_t g = 0; g < gpu_count(); ++g) {
      const auto blocks = static_cast<int32_t>(gpu(g).blocks.size());
      for (int32_t b = 0; b < blocks; ++b) write_lane(g, b);
    }
    std::vector<NodeId> all(algo_.gpus.size());
    for (int32_t g = 0; g < gpu_count(); ++g) all[at(g)] = g;
    b_.contract({.collective = algo_.collective,
                 .ranks = std::move(all),
                 .count = algo_.chunks_per_loop,
                 .to = algo_.in_place ? Buffer::input : Buffer::output});
    return std::move(b_).finish();
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(SourceLine line, fmt::format_string<Args...> format, Args&&... args) const {
    const std::string where = line.number > 0 ? fmt::format("{}:{}", file_, line.number) : std::string(file_);
    reject("{}: {}", where, fmt::format(format, std::forward<Args>(args)...));
  }

  static std::int64_t most_scratch(const Algo& algo) {
    std::int64_t most = 0;
    for (const Gpu& gpu : algo.gpus) most = std::max<std::int64_t>(most, gpu.scratch_chunks);
    return most;
  }
  [[nodiscard]] int32_t gpu_count() const { return static_cast<int32_t>(algo_.gpus.size()); }
  [[nodiscard]] const Gpu& gpu(int32_t g) const { return algo_.gpus[at(g)]; }
  [[nodiscard]] bool is_whole(Buffer buffer) const {
    return buffer == Buffer::input ? algo_.collective != Collective::allgather
                                   : algo_.collective != Collective::reduce_scatter;
  }

  /// A buffer that holds one block per GPU has a GPU's share of the chunks. In place, one of the two may be left out.
  void check_sizes() const {
    if (algo_.collective != Collective::allreduce && algo_.chunks_per_loop % gpu_count() != 0) {
      refuse({}, "nchunksperloop=\"{}\" is not a multiple of the {} GPUs", algo_.chunks_per_loop, gpu_count());
    }
    for (int32_t g = 0; g < gpu_count(); ++g) {
      check_size(g, Buffer::input, gpu(g).input_chunks);
      check_size(g, Buffer::output, gpu(g).output_chunks);
    }
  }
  void check_size(int32_t g, Buffer buffer, int32_t chunks) const {
    const int32_t expected = is_whole(buffer) ? algo_.chunks_per_loop : block_words_;
    if (chunks == expected || (algo_.in_place && chunks == 0)) return;
    refuse(gpu(g).line, "GPU {} has {} chunks of {}; a collective of {} chunks needs {}", g, chunks,
           buffer == Buffer::input ? "input" : "output", algo_.chunks_per_loop, expected);
  }

  /// Steps get their numbers in the order in which they are written, nops none.
  void number_steps() {
    StepId next = 0;
    for (const Gpu& gpu : algo_.gpus) {
      numbers_.emplace_back();
      for (const ThreadBlock& block : gpu.blocks) {
        numbers_.back().emplace_back();
        for (const Step& step : block.steps) {
          if (step.type == Type::reduce) {
            refuse(step.line,
                   "GPU {}, thread block {}, step {}: 're' combines two chunks of one GPU, which is not supported here",
                   numbers_.size() - 1, numbers_.back().size() - 1, numbers_.back().back().size());
          }
          numbers_.back().back().push_back(step.type == Type::nop ? -1 : next++);
        }
      }
    }
  }

  void match_messages() {
    std::map<Connection, std::vector<StreamId>> sent;
    for (int32_t g = 0; g < gpu_count(); ++g) {
      for (const ThreadBlock& block : gpu(g).blocks) {
        if (block.send == kNone) continue;
        auto& streams = sent[{g, block.send, block.channel}];
        for (const Step& step : block.steps) {
          if (sends(step.type)) streams.push_back(b_.stream(g, block.send, b_.span({0, step.count})));
          if (sends(step.type)) counts_.push_back(step.count);
        }
      }
    }
    for (int32_t g = 0; g < gpu_count(); ++g) {
      for (const ThreadBlock& block : gpu(g).blocks) {
        if (block.receive == kNone) continue;
        check_messages(g, block, sent[{block.receive, g, block.channel}]);
      }
    }
    streams_ = std::move(sent);
  }
  void check_messages(int32_t g, const ThreadBlock& block, const std::vector<StreamId>& streams) const {
    std::size_t next = 0;
    for (const Step& step : block.steps) {
      if (!receives(step.type)) continue;
      if (next == streams.size()) break;
      const int32_t count = counts_[at(streams[next])];
      if (count != step.count) {
        refuse(step.line, "message {} from GPU {} to GPU {} on channel {} has {} chunks, but {} are received", next,
               block.receive, g, block.channel, count, step.count);
      }
      ++next;
    }
    std::size_t received = 0;
    for (const Step& step : block.steps) received += receives(step.type) ? 1 : 0;
    if (received == streams.size()) return;
    refuse(block.line, "GPU {} sends {} messages to GPU {} on channel {}, which receives {}", block.receive,
           streams.size(), g, block.channel, received);
  }

  void write_lane(int32_t g, int32_t b) {
    const ThreadBlock& block = gpu(g).blocks[at(b)];
    const std::vector<StreamId>* in =
        block.receive == kNone ? nullptr : &streams_.at({block.receive, g, block.channel});
    const std::vector<StreamId>* out = block.send == kNone ? nullptr : &streams_.at({g, block.send, block.channel});
    std::size_t taken = 0, pushed = 0;
    std::vector<StepId> waits;  // of the nops before, and the step's own
    for (const Step& step : block.steps) {
      add_waits(g, b, step.dependency, waits);
      if (step.type == Type::nop) continue;
      auto writer = b_.step(g, b_.span({0, step.count}), b);
      if (receives(step.type)) writer.take((*in)[taken++]);
      if (reads_source(step.type)) {
        const auto [buffer, range] = address_of(g, step.source, step.count);
        writer.own(buffer, b_.span(range));
      }
      if (stores(step.type)) {
        const auto [buffer, range] = address_of(g, step.destination, step.count);
        writer.store(buffer, b_.span(range));
      }
      if (sends(step.type)) writer.push((*out)[pushed++]);
      for (const StepId wait : waits) writer.after(wait);
      waits.clear();
    }
  }

  /// What a dependency waits for: the step, or what a nop stands behind. Steps of the own lane are in order anyway.
  void add_waits(int32_t g, int32_t b, const Dependency& dependency, std::vector<StepId>& waits) const {
    if (dependency.block == kNone) return;
    const ThreadBlock& block = gpu(g).blocks[at(dependency.block)];
    for (int32_t s = dependency.step; s >= 0; --s) {
      const StepId number = numbers_[at(g)][at(dependency.block)][at(s)];
      if (number >= 0) {
        if (dependency.block != b) waits.push_back(number);
        return;
      }
      const Dependency& behind = block.steps[at(s)].dependency;
      MUSTER_ASSERT(behind.block != dependency.block || behind.step < s, "a nop waits for a later step of its block");
      if (behind.block == kNone) continue;
      if (waits.size() > kMostWaits)
        refuse({}, "GPU {}, thread block {}: nops wait for each other", g, dependency.block);
      const StepId direct = numbers_[at(g)][at(behind.block)][at(behind.step)];
      if (direct >= 0 && behind.block != b) waits.push_back(direct);
      if (direct < 0) refuse({}, "GPU {}, thread block {}, step {}: a nop waits for a nop", g, dependency.block, s);
    }
  }

  /// Where chunks of a GPU lie in the vector that all GPUs number alike.
  [[nodiscard]] std::pair<Buffer, Range> address_of(int32_t g, const Address& address, int32_t count) const {
    if (address.buffer == Buffer::scratch) return {Buffer::scratch, {address.chunk, count}};
    const std::int64_t first = is_whole(address.buffer) ? 0 : std::int64_t{block_words_} * g;
    return {algo_.in_place ? Buffer::input : address.buffer, {first + address.chunk, count}};
  }

  static constexpr std::size_t kMostWaits = 1 << 12;

  const Algo& algo_;
  std::string_view file_;
  int32_t block_words_;
  ScheduleBuilder b_;
  std::vector<std::vector<std::vector<StepId>>> numbers_;  ///< by GPU, thread block, step; -1: a nop
  std::map<Connection, std::vector<StreamId>> streams_;
  std::vector<int32_t> counts_;  ///< of each stream
};

}  // namespace

Schedule lift(const Algo& algo, std::string_view file) { return Lifter(algo, file).lift(); }

std::string step_text(const Algo& algo, std::string_view file, StepId id) {
  StepId next = 0;
  for (std::size_t g = 0; g < algo.gpus.size(); ++g) {
    for (std::size_t b = 0; b < algo.gpus[g].blocks.size(); ++b) {
      const std::vector<Step>& steps = algo.gpus[g].blocks[b].steps;
      for (std::size_t s = 0; s < steps.size(); ++s) {
        if (steps[s].type == Type::nop || next++ != id) continue;
        return fmt::format("{}:{} (GPU {}, thread block {}, step {})", file, steps[s].line.number, g, b, s);
      }
    }
  }
  MUSTER_ASSERT(false, "{} has no step {}", file, id);
  return {};
}

}  // namespace muster::msccl
