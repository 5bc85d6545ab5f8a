// Sources and receivers of time steps: proven, page by page, and refused as soon as one of them is not where the contract says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>

#include "schedule/interpret.h"
#include "schedule/phase.h"
#include "schedule/text.h"
#include "schedule/verifier/stencil_test_support.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster {
namespace {

using namespace muster::examples;

/// u(n+1) = c x u(n) - u(n-1) at every node by itself, and what sources add and receivers take.
struct Line {
  NodeId nodes = 3;
  std::int64_t margin = 1;
  std::int64_t count = 6;
  std::vector<StencilPoints> sources = {{.rank = 1, .elements = {2, 2}, .first = 1},
                                        {.rank = 1, .elements = {3, 1}, .first = 0}};
  std::vector<StencilPoints> receivers = {{.rank = 0, .elements = {1, 1}, .first = 2},
                                          {.rank = 1, .elements = {2, 3}, .first = 0}};
  std::int64_t array_first = -1;  ///< where the array c begins
  [[nodiscard]] std::int64_t end() const { return count + 2 * margin; }
};

Contract contract_of(const Line& line) {
  Contract contract{.collective = Collective::stencil,
                    .ranks = first_nodes(line.nodes),
                    .count = line.count,
                    .columns = line.nodes,
                    .margin = line.margin};
  contract.terms = {{.buffer = Buffer::input, .array = "c"}, {.buffer = Buffer::output, .coefficient = "minus"}};
  contract.sources = line.sources;
  contract.receivers = line.receivers;
  return contract;
}

/// With the steps of other points than the contract's.
Schedule step_of(const Line& line, const std::vector<StencilPoints>& sources,
                 const std::vector<StencilPoints>& receivers) {
  ScheduleBuilder b({.nodes = line.nodes, .count = line.end(), .model = line.count + 2, .series = 4, .record = 5});
  const std::int32_t c = b.coefficient({.name = "c", .array = Buffer::model, .first = line.array_first});
  const std::int32_t minus = b.coefficient({.name = "minus", .value = -1});
  const SpanId all = b.span({line.margin, line.count});
  for (NodeId node = 0; node < line.nodes; ++node) {
    b.step(node, all).term(Buffer::input, all).times(c).term(Buffer::output, all).times(minus).store(Buffer::output);
  }
  for (const StencilPoints& p : sources) {
    b.step(p.rank, b.span(p.elements))
        .own(Buffer::output)
        .term(Buffer::series, b.span({p.first, p.elements.count}))
        .store(Buffer::output);
  }
  for (const StencilPoints& p : receivers) {
    b.step(p.rank, b.span(p.elements)).own(Buffer::output).store(Buffer::record, b.span({p.first, p.elements.count}));
  }
  b.contract(contract_of(line));
  return std::move(b).finish();
}
Schedule step_of(const Line& line) { return step_of(line, line.sources, line.receivers); }

Schedule steps_of(const Line& line, std::int64_t repeat, std::int64_t record_every) {
  Schedule one = step_of(line);
  ScheduleBuilder b({.nodes = line.nodes, .count = line.end(), .model = line.count + 2, .series = 4, .record = 5});
  const std::int32_t groups = b.groups({{.members = first_nodes(line.nodes), .on = b.span({0, line.end()})}});
  const std::int32_t part = b.part(std::move(one));
  b.phase({.part = part, .groups = groups, .input = Buffer::output, .output = Buffer::input});
  b.phase({.part = part, .groups = groups, .after = {0}});
  Contract contract = contract_of(line);
  contract.steps = 2 * repeat;
  b.contract(std::move(contract));
  Schedule schedule = std::move(b).finish();
  schedule.repeat = repeat;
  schedule.record_every = record_every;
  return schedule;
}

Machine row_of(const Line& line) { return mesh(line.nodes, 1); }

TEST(Pages, OfSourcesAndReceiversAreProven) {
  const Line line;
  EXPECT_TRUE(is_verified(step_of(line), row_of(line)));
  EXPECT_TRUE(is_verified(steps_of(line, 1'000'000, 7), row_of(line)));
  EXPECT_TRUE(is_verified(steps_of({.array_first = 1}, 1, 1), row_of(line)));
}

TEST(Pages, AreTheSameAfterWritingAndReadingTheirText) {
  const std::string text = to_text(steps_of({}, 3, 2));
  EXPECT_EQ(to_text(parse_schedule(text, "again.json")), text);
  const Schedule again = parse_schedule(text, "again.json");
  EXPECT_EQ(again.record_every, 2);
  EXPECT_EQ(again.extent, steps_of({}, 3, 2).extent);
  EXPECT_EQ(again.contracts, steps_of({}, 3, 2).contracts);
  EXPECT_EQ(again.parts[0].coefficients, step_of({}).coefficients);
}

/// The series of a page are 1, 2, ... times the number of the page; all else is zero, and c is 1.
void fill(NodeId /*node*/, Buffer buffer, std::int64_t first, std::span<Word> words) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::int64_t e = first + static_cast<std::int64_t>(k);
    const float value = buffer == Buffer::model    ? 1.0F
                        : buffer == Buffer::series ? static_cast<float>((e / 4 + 1) * (e % 4 + 1))
                                                   : 0.0F;
    words[k] = std::bit_cast<Word>(value);
  }
}

TEST(Pages, FollowEachOtherStepByStep) {
  const Line line;
  constexpr std::int64_t kSteps = 8;
  const Outputs outputs = interpret(steps_of(line, kSteps / 2, 1), Arithmetic{}, 1, fill);
  float now = 0;
  float before = 0;
  for (std::int64_t step = 0; step < kSteps; ++step) {
    // Element 3 of node 1 takes element 2 of the page from the first source, and element 0 from the second.
    before = std::exchange(now, now - before + static_cast<float>(step + 1) * (3 + 1));
    const std::size_t recorded = at(line.end() + 5 * step + 1);
    ASSERT_EQ(outputs[1].size(), at(line.end() + 5 * kSteps));
    EXPECT_EQ(outputs[1][recorded], std::bit_cast<Word>(now)) << step;
  }
  EXPECT_EQ(outputs[1][3], std::bit_cast<Word>(now));
  EXPECT_EQ(outputs[2].size(), at(line.end())) << "without receivers there is no record";
}

RC_GTEST_PROP(Pages, OfRecordsKeepTheLastOfTheStepsThatShareThem, ()) {
  const Line line;
  const auto repeat = *rc::gen::inRange<std::int64_t>(1, 6), every = *rc::gen::inRange<std::int64_t>(1, 8);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Outputs all = interpret(steps_of(line, repeat, 1), Arithmetic{}, seed);
  const Outputs some = interpret(steps_of(line, repeat, every), Arithmetic{}, seed);
  for (std::int64_t page = 0; page * every < 2 * repeat; ++page) {
    const std::int64_t last = std::min((page + 1) * every, 2 * repeat) - 1;
    for (std::int64_t e = 0; e < 3; ++e) {
      RC_ASSERT(some[1][at(line.end() + 5 * page + e)] == all[1][at(line.end() + 5 * last + e)]);
    }
  }
}

TEST(Pages, WithoutASourceLackItsSeries) {
  const Line line;
  const Counterexample found = refusal(step_of(line, {line.sources[0]}, line.receivers), row_of(line));
  EXPECT_EQ(found.kind, Kind::missing);
  EXPECT_TRUE(says(found, "in element 3 of output, owes element 0 of series of node 1") ||
              says(found, "owes element 0 of series of PE (1,0)"));
}

TEST(Pages, WithASourceOfAnotherElementHaveAForeignOne) {
  const Line line;
  StencilPoints wrong = line.sources[1];
  wrong.first = 3;
  const Counterexample found = refusal(step_of(line, {line.sources[0], wrong}, line.receivers), row_of(line));
  EXPECT_EQ(found.kind, Kind::foreign);
  EXPECT_TRUE(says(found, "owes element 0 of series of PE (1,0), but has element 3 of series of PE (1,0) instead"));
}

TEST(Pages, WithAReceiverOfAnotherElementHaveAForeignOne) {
  const Line line;
  StencilPoints wrong = line.receivers[0];
  wrong.elements.first = 2;
  const Counterexample found = refusal(step_of(line, line.sources, {wrong, line.receivers[1]}), row_of(line));
  EXPECT_EQ(found.kind, Kind::foreign);
  EXPECT_TRUE(says(found, "PE (0,0), in element 2 of record, owes"));
}

TEST(Pages, WithoutAReceiverLackARecord) {
  const Line line;
  const Counterexample found = refusal(step_of(line, line.sources, {line.receivers[0]}), row_of(line));
  EXPECT_EQ(found.kind, Kind::missing);
  EXPECT_TRUE(says(found, "owes a value in element 0 of record, where nothing was ever stored"));
}

TEST(Pages, ThatAreRecordedBeforeTheSourceLackIt) {
  Schedule schedule = step_of({});
  const Lane& lane = schedule.lanes_of(1).front();
  std::swap(schedule.steps[at(lane.first + 1)], schedule.steps[at(lane.first + 3)]);
  const Counterexample found = refusal(schedule, row_of({}));
  EXPECT_TRUE(says(found, "of record"));
}

TEST(Pages, HoldWhatTheScheduleSays) {
  const Line line;
  Schedule other = steps_of(line, 2, 1);
  other.contracts[0].sources.pop_back();
  EXPECT_TRUE(says(refusal(other, row_of(line)), "other sources or receivers"));
  Schedule small = steps_of(line, 2, 1);
  small.extent[static_cast<std::size_t>(Buffer::record) - 1] = 3;
  EXPECT_TRUE(says(refusal(small, row_of(line)), "part 0 has 5 elements of record, the schedule 3"));
  Schedule shared = steps_of(line, 2, 0);
  EXPECT_TRUE(says(refusal(shared, row_of(line)), "0 phases share a page of record; use at least 1"));
  Schedule flat = expand(steps_of(line, 2, 1));
  EXPECT_TRUE(says(refusal(flat, row_of(line)), "write a time step as a phase"));
  EXPECT_TRUE(says(refusal(step_of({.array_first = 2}), row_of(line)), "element 8 of model, which has 8"));
  EXPECT_TRUE(says(refusal(step_of({.array_first = -2}), row_of(line)), "element -1 of model, which has 8"));
  Schedule stored = step_of(line);
  stored.steps[0].store = Buffer::series;
  EXPECT_TRUE(says(refusal(stored, row_of(line)), "stores in series, which is for constants"));
}

TEST(Pages, AreForPointsOfTheGrid) {
  const auto refused = [](const Line& line) {
    Schedule schedule = step_of({});
    schedule.contracts[0] = contract_of(line);
    return refusal(schedule, row_of(line)).message;
  };
  EXPECT_EQ(refused({.sources = {{.rank = 3, .elements = {1, 1}}}}), "contract 0 has source 0 at rank 3 of 3");
  EXPECT_EQ(refused({.sources = {{.rank = 1, .elements = {6, 2}}}}),
            "contract 0 has source 0 at elements [6, 8), outside [1, 7)");
  EXPECT_EQ(refused({.sources = {{.rank = 1, .elements = {1, 2}, .first = 3}}}),
            "contract 0 needs 5 elements in series, which has 4");
  EXPECT_EQ(refused({.receivers = {{.rank = 1, .elements = {1, 2}}, {.rank = 1, .elements = {4, 1}, .first = 1}}}),
            "contract 0 records twice in element 1 of rank 1");
}

}  // namespace
}  // namespace muster
