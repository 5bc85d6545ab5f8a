// Chunks over several dimensions, in any orders, right and wrong: the verdict on the phases is that on the flat schedule.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "base/index.h"
#include "schedule/phase.h"
#include "schedule/verifier/mutations_test_support.h"
#include "schedule/verifier/phases_test_support.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster::examples {
namespace {

using Order = std::vector<std::size_t>;

/// Equal chunks of any length. Each is reduced and scattered along the dimensions in one order and gathered in another.
class Chunks {
 public:
  Chunks(std::vector<NodeId> sizes, std::int64_t chunk, std::int64_t chunks)
      : sizes_(std::move(sizes)),
        nodes_(std::accumulate(sizes_.begin(), sizes_.end(), 1, std::multiplies<>())),
        chunk_(chunk),
        b_({.nodes = nodes_, .count = chunk * chunks + kSpare}) {}

  static constexpr std::int64_t kSpare = 3;  ///< elements that no chunk has

  /// Blocks of different lengths can only be gathered as they were scattered.
  [[nodiscard]] bool needs_reversed_order() const { return chunk_ % nodes_ != 0; }

  void add(const Order& scatter, const Order& gather) {
    Held held(at(nodes_), {{0, chunk_}});
    std::vector<std::int32_t> after;
    std::vector<Held> path = {held};
    for (const std::size_t d : scatter) {
      after = add_stage(Collective::reduce_scatter, d, held, after);
      for (NodeId v = 0; v < nodes_; ++v) {
        const Range mine = held[at(v)].front();
        const Range part = block(mine.count, sizes_[d], coordinate(v, d));
        held[at(v)] = {{mine.first + part.first, part.count}};
      }
      path.push_back(held);
    }
    for (std::size_t i = 0; i < gather.size(); ++i) {
      held = needs_reversed_order() ? path[path.size() - 2 - i] : gathered(held, gather[i]);
      after = add_stage(Collective::allgather, gather[i], held, after);
    }
    ++chunks_;
  }

  Schedule finish(Collective collective, NodeId root) && {
    b_.contract({.collective = collective, .ranks = first_nodes(nodes_), .root = root, .count = chunk_ * chunks_});
    return std::move(b_).finish();
  }

  [[nodiscard]] NodeId nodes() const { return nodes_; }

 private:
  using Held = std::vector<std::vector<Range>>;  ///< by node

  [[nodiscard]] Held gathered(const Held& held, std::size_t d) const {
    Held result(held.size());
    for (NodeId v = 0; v < nodes_; ++v) {
      const NodeId first = v - coordinate(v, d) * stride(d);
      for (NodeId i = 0; i < sizes_[d]; ++i) {
        const std::vector<Range>& theirs = held[at(first + i * stride(d))];
        result[at(v)].insert(result[at(v)].end(), theirs.begin(), theirs.end());
      }
    }
    return result;
  }

  /// All groups along a dimension: a phase for each length of their vectors.
  std::vector<std::int32_t> add_stage(Collective collective, std::size_t d, const Held& held,
                                      const std::vector<std::int32_t>& after) {
    std::map<std::int64_t, std::vector<Group>> by_count;
    for (NodeId v = 0; v < nodes_; ++v) {
      if (coordinate(v, d) != 0) continue;
      Group group{.members = {}, .on = b_.span(held[at(v)])};
      for (NodeId i = 0; i < sizes_[d]; ++i) group.members.push_back(v + i * stride(d));
      std::int64_t count = 0;
      for (const Range& range : held[at(v)]) count += range.count;
      if (count > 0) by_count[count].push_back(std::move(group));
    }
    std::vector<std::int32_t> phases;
    const Buffer from = after.empty() ? Buffer::input : Buffer::output;
    for (auto& [count, groups] : by_count) {
      const auto [part, is_new] = parts_.try_emplace({collective, sizes_[d], count, from});
      if (is_new) part->second = b_.part(ring_part(collective, sizes_[d], count, from));
      phases.push_back(b_.phase({.part = part->second,
                                 .groups = b_.groups(std::move(groups)),
                                 .offset = chunk_ * chunks_,
                                 .input = from,
                                 .output = Buffer::output,
                                 .after = after}));
    }
    return phases;
  }

  [[nodiscard]] NodeId stride(std::size_t d) const {
    return std::accumulate(sizes_.begin(), sizes_.begin() + static_cast<std::ptrdiff_t>(d), 1, std::multiplies<>());
  }
  [[nodiscard]] NodeId coordinate(NodeId v, std::size_t d) const { return v / stride(d) % sizes_[d]; }

  std::vector<NodeId> sizes_;
  NodeId nodes_;
  std::int64_t chunk_;
  std::int64_t chunks_ = 0;
  ScheduleBuilder b_;
  std::map<std::tuple<Collective, NodeId, std::int64_t, Buffer>, std::int32_t> parts_;
};

struct ChunkedCase {
  Schedule schedule;
  Machine machine;
};

Order any_order(std::size_t dimensions) {
  Order order(dimensions);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = dimensions; i > 1; --i) std::swap(order[i - 1], order[any_index(i)]);
  return order;
}

ChunkedCase any_chunks() {
  std::vector<NodeId> sizes(1 + any_index(3));
  for (NodeId& size : sizes) size = *rc::gen::inRange<NodeId>(2, 4);
  const auto chunks = *rc::gen::inRange<std::int64_t>(1, 6);
  const NodeId nodes = std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>());
  const bool even = *rc::gen::arbitrary<bool>();
  Chunks builder(sizes, even ? nodes * *rc::gen::inRange(1, 3) : *rc::gen::inRange(1, 3 * nodes), chunks);
  std::vector<std::pair<Order, Order>> kinds;
  for (std::size_t i = 0; i < 2; ++i) {
    const Order scatter = any_order(sizes.size());
    const Order reversed(scatter.rbegin(), scatter.rend());
    kinds.emplace_back(scatter, builder.needs_reversed_order() ? reversed : any_order(sizes.size()));
  }
  for (std::int64_t i = 0; i < chunks; ++i) {
    const auto& [scatter, gather] = kinds[any_index(kinds.size())];
    builder.add(scatter, gather);
  }
  const bool reduce = *rc::gen::inRange(0, 5) == 0;
  const NodeId root = *rc::gen::inRange<NodeId>(0, builder.nodes());
  return {std::move(builder).finish(reduce ? Collective::reduce : Collective::allreduce, root), cluster(sizes)};
}

void leave_out_phase(Schedule& s) {
  const auto gone = static_cast<std::int32_t>(any_index(s.phases.size()));
  const std::vector<std::int32_t> before = s.phases[at(gone)].after;
  s.phases.erase(s.phases.begin() + gone);
  for (Phase& phase : s.phases) {
    if (std::erase(phase.after, gone) > 0) phase.after.insert(phase.after.end(), before.begin(), before.end());
    for (std::int32_t& earlier : phase.after) earlier -= earlier > gone ? 1 : 0;
  }
}

void make_wrong(Schedule& s) {
  Phase& phase = s.phases[any_index(s.phases.size())];
  const Phase& other = s.phases[any_index(s.phases.size())];
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      return leave_out_phase(s);
    case 1:
      phase.part = static_cast<std::int32_t>(any_index(s.parts.size()));
      return;
    case 2:
      phase.offset += *rc::gen::inRange(-3, 4);
      return;
    case 3:  // two chunks overlap, or one is done twice
      phase.offset = other.offset;
      return;
    case 4:
      phase.after.clear();
      return;
    case 5:
      phase.groups = other.groups;
      return;
    case 6: {
      auto& groups = s.group_sets[any_index(s.group_sets.size())];
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(any_index(groups.size())));
      return;
    }
    default:
      s.contracts[0].count += *rc::gen::inRange<std::int64_t>(-2, Chunks::kSpare + 1);
      return;
  }
}

bool flat_is_verified(const ChunkedCase& c) {
  try {
    return verify(expand(c.schedule), c.machine).verified();
  } catch (const InputError&) {
    return false;
  }
}

RC_GTEST_PROP(PhasesProperty, ChunksInAnyOrdersAreVerified, ()) {
  const ChunkedCase c = any_chunks();
  const Verdict verdict = verify(c.schedule, c.machine);
  if (!verdict.verified()) RC_FAIL(verdict.counterexample->message);
  RC_ASSERT(verify(c.schedule, c.machine, kFingerprints).verified());
  RC_ASSERT(flat_is_verified(c));
}

RC_GTEST_PROP(PhasesProperty, TheVerdictOnWrongChunksIsThatOnTheFlatSchedule, ()) {
  ChunkedCase c = any_chunks();
  for (int i = *rc::gen::inRange(1, 3); i > 0; --i) make_wrong(c.schedule);
  const Verdict verdict = verify(c.schedule, c.machine);
  RC_TAG(verdict.verified() ? "verified" : kind_name(verdict.counterexample->kind).data());
  // The form of phases is stricter: a part that goes from one buffer to another is not bound to one.
  if (!verdict.verified() && verdict.counterexample->kind == Kind::malformed) return;
  // A phase that lacks what its part needs is refused, even if no root asks for what comes of it.
  const bool is_reduce = c.schedule.contracts[0].collective == Collective::reduce;
  if (!verdict.verified() && verdict.counterexample->kind == Kind::too_early && is_reduce) return;
  RC_ASSERT(verdict.verified() == flat_is_verified(c));
  RC_ASSERT(verify(c.schedule, c.machine, kFingerprints).verified() == verdict.verified());
}

/// Six equal chunks of twelve elements; the order of the dimensions is the same in all.
Schedule six_chunks() {
  Chunks chunks({2, 3, 2}, 12, 6);
  for (int i = 0; i < 6; ++i) chunks.add({0, 1, 2}, {1, 0, 2});
  return std::move(chunks).finish(Collective::allreduce, 0);
}

TEST(PhasesOfChunks, ShareTheirGroupSets) {
  const Schedule schedule = six_chunks();
  EXPECT_EQ(schedule.phases.size(), 36U);
  EXPECT_EQ(schedule.group_sets.size(), 6U);
  EXPECT_TRUE(is_verified(schedule, cluster({2, 3, 2})));
}

TEST(PhasesOfChunks, ACounterexampleNamesTheElementOfTheWrongChunk) {
  const Machine machine = cluster({2, 3, 2});
  for (const std::size_t chunk : {0U, 3U, 5U}) {
    const auto first = static_cast<std::int64_t>(12 * chunk);
    Schedule unordered = six_chunks();
    unordered.phases[6 * chunk + 4].after.clear();
    const Counterexample race = refusal(unordered, machine);
    EXPECT_EQ(race.kind, Kind::race);
    EXPECT_GE(race.element.value(), first);
    EXPECT_LT(race.element.value(), first + 12);
    EXPECT_TRUE(says(race, fmt::format("of phase {} ", 6 * chunk + 4)));

    Schedule incomplete = six_chunks();
    incomplete.phases[6 * chunk + 5].groups = static_cast<std::int32_t>(incomplete.group_sets.size());
    incomplete.group_sets.emplace_back();
    const Counterexample missing = refusal(incomplete, machine);
    const Counterexample flat = refusal(expand(incomplete), machine);
    EXPECT_EQ(missing.kind, Kind::missing);
    EXPECT_EQ(missing.element, flat.element);
    EXPECT_EQ(missing.node, flat.node);
  }
}

TEST(PhasesOfChunks, ElementsThatNoChunkHasAreMissed) {
  Schedule schedule = six_chunks();
  schedule.contracts[0].count += Chunks::kSpare;
  const Counterexample missing = refusal(schedule, cluster({2, 3, 2}));
  EXPECT_EQ(missing.kind, Kind::missing);
  EXPECT_EQ(missing.element, 72);
}

}  // namespace
}  // namespace muster::examples
