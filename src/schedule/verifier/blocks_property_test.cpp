// Contracts that name their blocks or have their root in place, right and wrong, flat and as phases: the verdict on the
// phases is that on the flat schedule, and what is accepted computes what is owed.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <numeric>

#include "base/error.h"
#include "schedule/interpret.h"
#include "schedule/phase.h"
#include "schedule/verifier/blocks_test_support.h"
#include "schedule/verifier/mutations_test_support.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster::examples {
namespace {

constexpr Arithmetic kIntegers{.type = ElementType::i32, .op = Operator::sum};

template <class T>
void shuffle(std::vector<T>& values) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[any_index(i)]);
}

std::vector<NodeId> any_ranks(NodeId nodes) {
  std::vector<NodeId> ranks(static_cast<std::size_t>(nodes));
  std::iota(ranks.begin(), ranks.end(), 0);
  shuffle(ranks);
  return ranks;
}

/// Disjoint, in any order, some empty; all elements are in one if `covering`.
std::vector<Range> any_blocks(std::size_t ranks, std::int64_t count, bool covering) {
  std::vector<std::int64_t> cuts = {0};
  for (std::size_t i = 1; i < ranks; ++i) cuts.push_back(*rc::gen::inRange<std::int64_t>(0, count + 1));
  cuts.push_back(count);
  std::sort(cuts.begin(), cuts.end());
  std::vector<Range> blocks;
  for (std::size_t i = 0; i < ranks; ++i) blocks.push_back({cuts[i], cuts[i + 1] - cuts[i]});
  if (!covering) {
    Range& smaller = blocks[any_index(ranks)];
    smaller.count = *rc::gen::inRange<std::int64_t>(0, smaller.count + 1);
  }
  shuffle(blocks);
  return blocks;
}

Collective any_collective_in_blocks() {
  return *rc::gen::element(Collective::reduce_scatter, Collective::allgather, Collective::scatter, Collective::gather);
}

/// What a rank owes in an element, computed from what the ranks held.
Word owed_word(const Contract& contract, std::int32_t rank, const Owed& owed, std::int64_t element) {
  Word sum = 0;
  for (const NodeId node : sources_of(contract, rank, owed)) sum += kIntegers.input(node, element, 1);
  return sum;
}

void expect_what_is_owed(const Schedule& schedule) {
  const Outputs outputs = interpret(schedule, kIntegers, 1);
  for (const Contract& contract : schedule.contracts) {
    for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(contract.ranks.size()); ++rank) {
      const std::vector<Word>& output =
          outputs[static_cast<std::size_t>(contract.ranks[static_cast<std::size_t>(rank)])];
      for (const Owed& owed : owed_after(contract, rank)) {
        for (std::int64_t e = owed.range.first; e < owed.range.end(); ++e)
          RC_ASSERT(output.at(static_cast<std::size_t>(e)) == owed_word(contract, rank, owed, e));
      }
    }
  }
}

void expect_verified(const Schedule& schedule, const Machine& machine) {
  const Verdict verdict = verify(schedule, machine);
  if (!verdict.verified()) RC_FAIL(verdict.counterexample->message);
  RC_ASSERT(verify(schedule, machine, kFingerprints).verified());
  const Schedule flat = expand(schedule);
  if (const Verdict of_flat = verify(flat, machine); !of_flat.verified()) RC_FAIL(of_flat.counterexample->message);
  expect_what_is_owed(schedule);
}

/// Form apart, phases are refused if and only if their flat schedule is.
void expect_same_verdict(const Schedule& schedule, const Machine& machine) {
  const Verdict verdict = verify(schedule, machine);
  RC_TAG(verdict.verified() ? "verified" : kind_name(verdict.counterexample->kind).data());
  RC_ASSERT(verify(schedule, machine, kFingerprints).verified() == verdict.verified());
  if (verdict.verified()) {
    const Verdict of_flat = verify(expand(schedule), machine);
    if (!of_flat.verified()) RC_FAIL(of_flat.counterexample->message);
    return expect_what_is_owed(schedule);
  }
  RC_ASSERT(!verdict.counterexample->message.empty());
  if (verdict.counterexample->kind == Kind::malformed) return;
  // A phase that lacks what its part needs is refused, even if nobody asks for what comes of it.
  if (verdict.counterexample->kind == Kind::too_early) return;
  try {
    RC_ASSERT(!verify(expand(schedule), machine).verified());
  } catch (const InputError&) {
  }
}

// Flat.

Contract any_contract_in_blocks() {
  const auto ranks = *rc::gen::inRange<NodeId>(1, 6);
  const auto count = *rc::gen::inRange<std::int64_t>(1, 20);
  Contract contract{.collective = any_collective_in_blocks(), .ranks = any_ranks(ranks), .count = count};
  if (has_root(contract.collective)) contract.root = *rc::gen::inRange<std::int32_t>(0, ranks);
  contract.blocks = any_blocks(contract.ranks.size(), count, *rc::gen::arbitrary<bool>());
  if (*rc::gen::arbitrary<bool>()) contract.to = contract.from;
  return contract;
}

RC_GTEST_PROP(BlocksProperty, FlatSchedulesWithGivenBlocksAreVerified, ()) {
  const Contract contract = any_contract_in_blocks();
  const auto nodes = static_cast<NodeId>(contract.ranks.size());
  expect_verified(direct_part(nodes, contract), mesh(nodes, 1));
}

RC_GTEST_PROP(BlocksProperty, AWrongBlockIsRefusedUnlessTheRightOnesAreThereToo, ()) {
  const Contract contract = any_contract_in_blocks();
  const auto nodes = static_cast<NodeId>(contract.ranks.size());
  Schedule wrong = direct_part(nodes, contract);
  wrong.contracts[0].blocks = any_blocks(contract.ranks.size(), contract.count, *rc::gen::arbitrary<bool>());
  const Verdict verdict = verify(wrong, mesh(nodes, 1));
  if (verdict.verified()) {
    expect_what_is_owed(wrong);
  } else {
    RC_ASSERT(!verdict.counterexample->message.empty());
  }
}

// Phases: a vector in chunks, each by a part that has the chunk's share of the blocks.

struct Chunks {
  Schedule schedule;
  Machine machine;
};

std::vector<Range> clipped(const std::vector<Range>& blocks, const Range& chunk) {
  std::vector<Range> result;
  for (const Range& block : blocks) {
    const std::int64_t first = std::clamp(block.first, chunk.first, chunk.end());
    const std::int64_t end = std::clamp(block.end(), chunk.first, chunk.end());
    result.push_back({first - chunk.first, end - first});
  }
  return result;
}

Chunks any_chunks_in_blocks() {
  const auto nodes = *rc::gen::inRange<NodeId>(1, 5);
  const auto chunks = *rc::gen::inRange<std::int64_t>(1, 6), chunk = *rc::gen::inRange<std::int64_t>(1, 5);
  Contract whole{.collective = any_collective_in_blocks(), .ranks = any_ranks(nodes), .count = chunks * chunk};
  if (has_root(whole.collective)) whole.root = *rc::gen::inRange<std::int32_t>(0, nodes);
  if (*rc::gen::arbitrary<bool>()) whole.to = whole.from;
  if (*rc::gen::inRange(0, 4) > 0)
    whole.blocks = any_blocks(whole.ranks.size(), whole.count, *rc::gen::arbitrary<bool>());
  std::vector<Range> blocks;
  for (std::int32_t i = 0; i < nodes; ++i) blocks.push_back(block_of(whole, i));
  ScheduleBuilder b({.nodes = nodes, .count = whole.count});
  const std::vector<NodeId> members = any_ranks(nodes);  // node i of the part is members[i]
  Contract of_part = whole;
  of_part.count = chunk;
  for (NodeId& rank : of_part.ranks)
    rank = static_cast<NodeId>(std::find(members.begin(), members.end(), rank) - members.begin());
  std::map<std::vector<Range>, std::int32_t> parts;
  for (std::int64_t c = 0; c < chunks; ++c) {
    of_part.blocks = clipped(blocks, {c * chunk, chunk});
    const auto [part, is_new] = parts.try_emplace(of_part.blocks);
    if (is_new) part->second = b.part(direct_part(nodes, of_part));
    b.phase({.part = part->second,
             .groups = b.groups({{.members = members, .on = b.span({0, chunk})}}),
             .offset = c * chunk,
             .input = whole.from,
             .output = whole.to,
             .after = {}});
  }
  b.contract(whole);
  return {std::move(b).finish(), mesh(nodes, 1)};
}

void make_wrong(Schedule& s) {
  Phase& phase = s.phases[any_index(s.phases.size())];
  const Phase& other = s.phases[any_index(s.phases.size())];
  std::vector<Range>& blocks = s.contracts[0].blocks;
  std::vector<NodeId>& members = s.group_sets[0][0].members;
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      phase.part = other.part;
      return;
    case 1:
      phase.offset = other.offset;
      return;
    case 2:
      phase.offset += *rc::gen::inRange(-1, 2);
      return;
    case 3:
      blocks = any_blocks(s.contracts[0].ranks.size(), s.contracts[0].count, *rc::gen::arbitrary<bool>());
      return;
    case 4:
      std::swap(members[any_index(members.size())], members[any_index(members.size())]);
      return;
    default:
      if (!blocks.empty()) std::swap(blocks[any_index(blocks.size())], blocks[any_index(blocks.size())]);
  }
}

RC_GTEST_PROP(BlocksProperty, ChunksOfGivenBlocksAreVerified, ()) {
  const Chunks chunks = any_chunks_in_blocks();
  expect_verified(chunks.schedule, chunks.machine);
}

RC_GTEST_PROP(BlocksProperty, TheVerdictOnWrongChunksOfBlocksIsThatOnTheFlatSchedule, ()) {
  Chunks chunks = any_chunks_in_blocks();
  for (int i = *rc::gen::inRange(1, 3); i > 0; --i) make_wrong(chunks.schedule);
  expect_same_verdict(chunks.schedule, chunks.machine);
}

// Phases: a grid whose root gathers partial sums, or adds groups to what it has.

class AnyGrid {
 public:
  AnyGrid()
      : width_(*rc::gen::inRange<NodeId>(1, 4)),
        height_(*rc::gen::inRange<NodeId>(1, 4)),
        chunk_(*rc::gen::inRange<std::int64_t>(1, 7)),
        root_(*rc::gen::inRange<NodeId>(0, width_ * height_)),
        b_({.nodes = width_ * height_, .count = chunk_ * kChunks}) {}

  Chunks build() {
    Contract contract{
        .collective = Collective::reduce, .ranks = any_ranks(width_ * height_), .count = chunk_ * kChunks};
    contract.root = static_cast<std::int32_t>(std::find(contract.ranks.begin(), contract.ranks.end(), root_) -
                                              contract.ranks.begin());
    contract.root_in_place = *rc::gen::arbitrary<bool>();
    const bool in_blocks = !contract.root_in_place && *rc::gen::arbitrary<bool>();
    const bool in_line = *rc::gen::arbitrary<bool>();
    for (int c = 0; c < kChunks; ++c) {
      if (!in_line) last_ = -1;
      offset_ = c * chunk_;
      if (in_blocks) {
        by_blocks();
      } else {
        by_groups(contract.root_in_place);
      }
    }
    b_.contract(contract);
    return {std::move(b_).finish(), mesh(width_, height_)};
  }

 private:
  static constexpr int kChunks = 2;

  /// The root adds one group after another to what it has.
  void by_groups(bool root_in_place) {
    std::vector<NodeId> others = any_ranks(width_ * height_);
    std::erase(others, root_);
    bool has_sum = root_in_place;
    for (std::size_t first = 0; first < others.size() || !has_sum;) {
      const std::size_t left = others.size() - first;
      const std::size_t end = first + (left == 0 ? 0 : 1 + any_index(left));
      Contract part{.collective = Collective::reduce, .ranks = {root_}, .count = chunk_};
      part.ranks.insert(part.ranks.end(), others.begin() + static_cast<std::ptrdiff_t>(first),
                        others.begin() + static_cast<std::ptrdiff_t>(end));
      std::swap(part.ranks[0], part.ranks[any_index(part.ranks.size())]);
      part.root =
          static_cast<std::int32_t>(std::find(part.ranks.begin(), part.ranks.end(), root_) - part.ranks.begin());
      part.root_in_place = has_sum;
      has_sum = true;
      add(part, {.members = line(0, 1, width_ * height_), .on = b_.span({0, chunk_})}, Buffer::input, Buffer::output);
      first = end;
    }
  }

  /// Rows cut partial sums into blocks, columns reduce theirs, the root's row gathers them; or the root itself adds the others' blocks.
  void by_blocks() {
    const NodeId row = root_ / width_;
    const std::vector<Range> blocks = any_blocks(static_cast<std::size_t>(width_), chunk_, true);
    Contract part{
        .collective = Collective::reduce_scatter, .ranks = line(0, 1, width_), .count = chunk_, .blocks = blocks};
    std::vector<Group> rows;
    for (NodeId y = 0; y < height_; ++y) rows.push_back({line(y * width_, 1, width_), b_.span({0, chunk_})});
    add(part, rows, Buffer::input, Buffer::scratch);
    for (NodeId x = 0; x < width_; ++x) {
      const Range block = blocks[static_cast<std::size_t>(x)];
      if (block.count == 0) continue;
      Contract column{
          .collective = Collective::reduce, .ranks = line(0, 1, height_), .root = row, .count = block.count};
      column.to = column.from;
      add(column, Group{line(x, width_, height_), b_.span(block)}, Buffer::scratch, Buffer::scratch);
    }
    part.collective = Collective::gather;
    part.root = root_ % width_;
    add(part, rows[static_cast<std::size_t>(row)], Buffer::scratch, Buffer::output);
  }

  void add(const Contract& contract, std::vector<Group> groups, Buffer input, Buffer output) {
    const auto nodes = static_cast<NodeId>(groups.front().members.size());
    Phase phase{.part = b_.part(direct_part(nodes, contract)),
                .groups = b_.groups(std::move(groups)),
                .offset = offset_,
                .input = input,
                .output = output,
                .after = {}};
    if (last_ >= 0) phase.after = {last_};
    last_ = b_.phase(std::move(phase));
  }
  void add(const Contract& contract, Group group, Buffer input, Buffer output) {
    add(contract, std::vector<Group>{std::move(group)}, input, output);
  }

  static std::vector<NodeId> line(NodeId first, NodeId stride, NodeId length) {
    std::vector<NodeId> nodes;
    for (NodeId i = 0; i < length; ++i) nodes.push_back(first + i * stride);
    return nodes;
  }

  NodeId width_;
  NodeId height_;
  std::int64_t chunk_;
  NodeId root_;
  ScheduleBuilder b_;
  std::int64_t offset_ = 0;
  std::int32_t last_ = -1;
};

Chunks any_grid() {
  Chunks grid = AnyGrid().build();
  grid.schedule.extent[2] = grid.schedule.extent[0];
  return grid;
}

/// Of a part, to one that is right by itself: rebuilt from a changed contract.
void rebuild_part(Schedule& part) {
  Contract contract = part.contracts[0];
  switch (*rc::gen::inRange(0, 4)) {
    case 0:  // the root ignores what it has, and counts its own vector again
      if (contract.from != contract.to && contract.collective == Collective::reduce)
        contract.root_in_place = !contract.root_in_place;
      break;
    case 1:
      if (!contract.blocks.empty()) contract.blocks = any_blocks(contract.ranks.size(), contract.count, false);
      break;
    case 2:
      contract.root = static_cast<std::int32_t>(any_index(contract.ranks.size()));
      break;
    default:
      if (contract.ranks.size() > 1 && contract.blocks.empty()) {
        contract.ranks.pop_back();
        contract.root = std::min(contract.root, static_cast<std::int32_t>(contract.ranks.size()) - 1);
      }
  }
  part = direct_part(part.node_count, contract);
}

void make_grid_wrong(Schedule& s) {
  Phase& phase = s.phases[any_index(s.phases.size())];
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      phase.after.clear();
      return;
    case 1:
      phase.offset += *rc::gen::inRange(-1, 2);
      return;
    case 2:
      s.contracts[0].root_in_place = !s.contracts[0].root_in_place;
      return;
    default:
      rebuild_part(s.parts[any_index(s.parts.size())]);
  }
}

RC_GTEST_PROP(BlocksProperty, GridsThatAddPartialSumsAreVerified, ()) {
  const Chunks grid = any_grid();
  expect_verified(grid.schedule, grid.machine);
}

RC_GTEST_PROP(BlocksProperty, TheVerdictOnWrongGridsIsThatOnTheFlatSchedule, ()) {
  Chunks grid = any_grid();
  for (int i = *rc::gen::inRange(1, 3); i > 0; --i) make_grid_wrong(grid.schedule);
  expect_same_verdict(grid.schedule, grid.machine);
}

}  // namespace
}  // namespace muster::examples
