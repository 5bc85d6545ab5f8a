// What the future of simulated processors depends on, without data and times that are over (repetition.h).
#include <algorithm>

#include "backend/wafer/simulate/processor.h"

namespace muster::wafer {
namespace {

constexpr Tick kNeverSoon = 1 << 30;

/// From now on; what is over is over, however long ago.
Tick after(Tick now, Tick cycle) { return cycle >= kNeverSoon ? kNeverSoon : std::max(0, cycle - now); }

}  // namespace

void Processors::append_state(Tick now, std::int32_t step, std::vector<std::int32_t>& words) const {
  for (NodeId node = strip_.nodes.first; node < strip_.nodes.end; ++node) {
    const ProcessorMemory& memory = this->memory(node);
    words.push_back(memory.call);
    if (done(node)) continue;
    const Processor& p = processor(node);
    words.insert(words.end(), {memory.step - step, p.simple.is_under_way ? 1 : 0, after(now, memory.datapath_free),
                               after(now, p.ramp_free), after(now, p.starting), after(now, p.receive_free)});
    for (const Tick finished : memory.finished) words.push_back(after(now, finished));
    for (std::size_t l = 0; l < code(node).lanes.size(); ++l) append_lane(node, l, now, words);
  }
}

void Processors::append_lane(NodeId node, std::size_t number, Tick now, std::vector<std::int32_t>& words) const {
  const LaneState lane = this->lane(node, number);
  const auto halves = [&](std::int64_t count) {
    words.push_back(static_cast<std::int32_t>(count));
    words.push_back(static_cast<std::int32_t>(count >> 32));
  };
  words.insert(words.end(),
               {lane.operation, lane.time, static_cast<std::int32_t>(lane.controls),
                static_cast<std::int32_t>(lane.lists), lane.begun ? 1 : 0, lane.begun ? after(now, lane.acts) : 0,
                lane.begun ? after(now, lane.takes) : 0, after(now, lane.took + receive_gap_)});
  halves(lane.taken);
  halves(lane.sent);
}

void Processors::skip_steps(std::int32_t steps) {
  for (ProcessorMemory& memory : memory_) memory.step += steps;
}

}  // namespace muster::wafer
