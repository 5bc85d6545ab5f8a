// The verifier's verdict on waits against the truth: random small schedules are run element by element with finite
// buffers. Such networks are confluent, so one greedy run shows whether any run can stop early.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/index.h"
#include "schedule/verifier/examples_test_support.h"
#include "schedule/verify.h"

namespace muster {
namespace {

using examples::first_nodes;
using examples::mesh;

/// Runs a schedule whose streams are all over spans of the same length.
class ElementRun {
 public:
  ElementRun(const Schedule& schedule, std::int64_t depth)
      : s_(schedule),
        depth_(depth),
        sent_(s_.steps.size()),
        done_(s_.steps.size()),
        pushed_(s_.streams.size()),
        taken_(s_.sinks.size()),
        node_of_(step_nodes(schedule)) {}

  bool completes() {
    for (bool moved = true; moved;) {
      moved = false;
      for (const Lane& lane : s_.lanes) {
        for (StepId id = lane.first; id < lane.first + lane.count; ++id) {
          if (id > lane.first && !finished(id - 1)) break;
          moved |= move(id);
        }
      }
    }
    for (StepId id = 0; id < static_cast<StepId>(s_.steps.size()); ++id) {
      if (!finished(id)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] const Step& step(StepId id) const { return s_.steps[at(id)]; }
  [[nodiscard]] bool finished(StepId id) const {
    return done_[at(id)] == s_.spans.count(step(id).elements) &&
           (!step(id).is_exchange() || sent_[at(id)] == s_.spans.count(step(id).sent_elements));
  }

  bool move(StepId id) {
    for (const StepId awaited : s_.waits_of(step(id))) {
      if (!finished(awaited)) return false;
    }
    return step(id).is_exchange() ? send(id) | take(id) : take(id);
  }

  bool send(StepId id) {
    if (sent_[at(id)] == s_.spans.count(step(id).sent_elements) || !has_room(id)) return false;
    push(id);
    ++sent_[at(id)];
    return true;
  }

  bool take(StepId id) {
    if (done_[at(id)] == s_.spans.count(step(id).elements)) return false;
    for (const StreamId operand : s_.operands_of(step(id))) {
      if (operand != kOwn && pushed_[at(operand)] == taken_[slot(operand, id)]) return false;
    }
    const bool keeps_old = step(id).is_exchange() && step(id).store == step(id).sent;
    if (keeps_old && sent_[at(id)] <= done_[at(id)]) return false;
    if (!step(id).is_exchange() && !has_room(id)) return false;
    for (const StreamId operand : s_.operands_of(step(id))) {
      if (operand != kOwn) ++taken_[slot(operand, id)];
    }
    if (!step(id).is_exchange()) push(id);
    ++done_[at(id)];
    return true;
  }

  [[nodiscard]] std::size_t slot(StreamId stream, StepId taker) const {
    const Slice sinks = s_.streams[at(stream)].sinks;
    for (std::int32_t i = sinks.first;; ++i) {
      if (s_.sinks[at(i)] == node_of_[at(taker)]) return at(i);
    }
  }

  [[nodiscard]] bool has_room(StepId id) const {
    for (const StreamId output : s_.outputs_of(step(id))) {
      const Slice sinks = s_.streams[at(output)].sinks;
      for (std::int32_t i = sinks.first; i < sinks.first + sinks.count; ++i) {
        if (pushed_[at(output)] - taken_[at(i)] >= depth_) return false;
      }
    }
    return true;
  }

  void push(StepId id) {
    for (const StreamId output : s_.outputs_of(step(id))) ++pushed_[at(output)];
  }

  const Schedule& s_;
  std::int64_t depth_;
  std::vector<std::int64_t> sent_;    ///< elements sent by exchanges
  std::vector<std::int64_t> done_;    ///< elements finished
  std::vector<std::int64_t> pushed_;  ///< by stream
  std::vector<std::int64_t> taken_;   ///< by slot of sinks
  std::vector<NodeId> node_of_;
};

struct Work {
  std::vector<StreamId> takes;
  std::vector<StreamId> pushes;
};

/// Streams between random nodes, gathered into random steps, exchanges, lanes and waits. What it computes is nonsense.
Schedule any_network(std::int64_t count) {
  const auto nodes = *rc::gen::inRange<NodeId>(2, 5);
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<std::vector<Work>> work(static_cast<std::size_t>(nodes));
  const auto work_of = [&](NodeId node) -> Work& {
    auto& mine = work[static_cast<std::size_t>(node)];
    const auto i = *rc::gen::inRange<std::size_t>(0, mine.size() + 1);
    if (i == mine.size() || *rc::gen::inRange(0, 3) == 0) {
      return *mine.insert(mine.begin() + static_cast<std::ptrdiff_t>(i), Work{});
    }
    return mine[i];
  };
  for (int streams = *rc::gen::inRange(1, 9); streams > 0; --streams) {
    const auto source = *rc::gen::inRange<NodeId>(0, nodes);
    std::vector<NodeId> sinks;
    for (NodeId node = 0; node < nodes; ++node) {
      if (node != source && *rc::gen::inRange(0, 3) == 0) sinks.push_back(node);
    }
    if (sinks.empty()) sinks.push_back((source + 1) % nodes);
    const StreamId stream = b.multicast(source, sinks, all);
    work_of(source).pushes.push_back(stream);
    for (const NodeId sink : sinks) work_of(sink).takes.push_back(stream);
  }
  for (NodeId node = 0; node < nodes; ++node) {
    std::vector<StepId> earlier;
    for (const Work& item : work[static_cast<std::size_t>(node)]) {
      auto step = b.step(node, all, *rc::gen::inRange(0, 2));
      for (const StreamId stream : item.takes) step.take(stream);
      for (const StreamId stream : item.pushes) step.push(stream);
      const bool exchange = !item.takes.empty() && !item.pushes.empty() && *rc::gen::arbitrary<bool>();
      if (exchange) step.send_old(Buffer::input, all);
      if (exchange && *rc::gen::arbitrary<bool>()) step.store(Buffer::input);
      if (item.takes.empty()) step.own(Buffer::input);
      if (!earlier.empty() && *rc::gen::inRange(0, 4) == 0) step.after(*rc::gen::elementOf(earlier));
      earlier.push_back(step.id());
    }
  }
  b.contract({.collective = Collective::allreduce, .ranks = first_nodes(nodes), .count = count});
  return std::move(b).finish();
}

RC_GTEST_PROP(CheckWaits, NeverAcceptsADeadlock, ()) {
  const auto count = *rc::gen::inRange<std::int64_t>(1, 6);
  const auto depth = *rc::gen::inRange<std::int32_t>(1, 5);
  const Schedule schedule = any_network(count);
  const Verdict verdict = verify(schedule, mesh(schedule.node_count, 1, depth));
  const bool refused = !verdict.verified() && verdict.counterexample->kind == Counterexample::Kind::wait_cycle;
  const bool completes = ElementRun(schedule, depth).completes();
  RC_CLASSIFY(refused && completes, "too careful");
  RC_CLASSIFY(refused && !completes, "a deadlock");
  if (!refused) {
    RC_ASSERT(verdict.verified() || verdict.counterexample->kind != Counterexample::Kind::malformed);
    RC_ASSERT(verdict.verified() || verdict.counterexample->kind != Counterexample::Kind::mismatch);
    RC_ASSERT(completes);
  }
}

TEST(CheckWaits, PassesALongChainWithoutRecursion) {
  const NodeId nodes = 100'000;
  const Schedule chain = examples::reduce_by_tree(examples::chain_tree(nodes), 0, std::int64_t{1} << 40);
  EXPECT_TRUE(verify(chain, mesh(nodes, 1)).verified());
}

}  // namespace
}  // namespace muster
