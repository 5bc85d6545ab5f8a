#include "schedule/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/source_dir.h"
#include "schedule/builder.h"

namespace muster {
namespace {

std::string error_of(std::string_view text) {
  try {
    (void)parse_schedule(text, "f.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

Schedule chain(NodeId nodes, std::int64_t count) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<NodeId> ranks{0};
  for (NodeId n = 1; n < nodes; ++n) {
    ranks.push_back(n);
    b.stream(n, n - 1, all);
  }
  for (NodeId n = 0; n < nodes; ++n) {
    auto step = b.step(n, all).own(Buffer::input);
    if (n + 1 < nodes) step.take(n);
    if (n > 0) {
      step.push(n - 1);
    } else {
      step.store(Buffer::output);
    }
  }
  b.contract({.collective = Collective::reduce, .ranks = std::move(ranks), .count = count});
  return std::move(b).finish();
}

template <class Left, class Right>
bool same(const Left& left, const Right& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end());
}

bool same_factors(const Schedule& a, const Step& x, const Schedule& b, const Step& y) {
  for (std::size_t i = 0; i < a.operands_of(x).size(); ++i) {
    if (a.factor_of(x, i) != b.factor_of(y, i)) return false;
  }
  return true;
}

bool same_steps(const Schedule& a, const Schedule& b) {
  if (a.steps.size() != b.steps.size()) return false;
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    const Step &x = a.steps[i], &y = b.steps[i];
    if (x.elements != y.elements || x.own != y.own || x.store != y.store || x.sent != y.sent ||
        x.own_elements != y.own_elements || x.store_elements != y.store_elements ||
        x.sent_elements != y.sent_elements || !same(a.operands_of(x), b.operands_of(y)) || !same_factors(a, x, b, y) ||
        !same(a.outputs_of(x), b.outputs_of(y)) || !same(a.waits_of(x), b.waits_of(y))) {
      return false;
    }
  }
  return true;
}

bool same_streams(const Schedule& a, const Schedule& b) {
  if (a.streams.size() != b.streams.size()) return false;
  for (std::size_t i = 0; i < a.streams.size(); ++i) {
    const Stream &x = a.streams[i], &y = b.streams[i];
    if (x.source != y.source || x.elements != y.elements || !same(a.sinks_of(x), b.sinks_of(y))) return false;
    if ((x.route == kDefaultRoute) != (y.route == kDefaultRoute)) return false;
    if (x.route != kDefaultRoute &&
        a.routes[static_cast<std::size_t>(x.route)] != b.routes[static_cast<std::size_t>(y.route)]) {
      return false;
    }
  }
  return true;
}

/// Whether two schedules say the same; where their lists keep it may differ.
bool same_schedule(const Schedule& a, const Schedule& b) {
  const auto same_lane = [](const Lane& x, const Lane& y) {
    return x.node == y.node && x.first == y.first && x.count == y.count;
  };
  const auto same_phase = [&](const Phase& x, const Phase& y) {
    return x.part == y.part && x.groups == y.groups && x.offset == y.offset && x.input == y.input &&
           x.output == y.output && x.after == y.after;
  };
  if (a.spans.size() != b.spans.size()) return false;
  for (SpanId id = 0; id < a.spans.size(); ++id) {
    if (!same(a.spans.ranges(id), b.spans.ranges(id))) return false;
  }
  return a.node_count == b.node_count && a.extent == b.extent && a.terms == b.terms && a.repeat == b.repeat &&
         a.coefficients == b.coefficients && a.contracts == b.contracts && same_streams(a, b) && same_steps(a, b) &&
         a.first_lane == b.first_lane &&
         std::equal(a.lanes.begin(), a.lanes.end(), b.lanes.begin(), b.lanes.end(), same_lane) &&
         a.group_sets == b.group_sets &&
         std::equal(a.phases.begin(), a.phases.end(), b.phases.begin(), b.phases.end(), same_phase) &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), same_schedule);
}

/// Any flat schedule with indexes in range, sensible or not.
Schedule random_schedule() {
  const auto below = [](std::int64_t end) { return *rc::gen::inRange<std::int64_t>(0, end); };
  const auto nodes = static_cast<NodeId>(1 + below(5));
  const auto node = [&] { return static_cast<NodeId>(below(nodes)); };
  ScheduleBuilder b({.nodes = nodes,
                     .count = below(100),
                     .scratch = below(100),
                     .output = below(100),
                     .model = below(3),
                     .series = below(3),
                     .record = below(3)});
  for (std::int64_t i = 0; i <= below(4); ++i) {
    const std::int64_t first = below(std::int64_t{1} << 40);
    const Range ranges[] = {{first + 20, below(10)}, {first, 1 + below(10)}};
    b.span(ranges);
  }
  Schedule spans_only = ScheduleBuilder(b).finish();
  const auto span = [&] { return static_cast<SpanId>(below(spans_only.spans.size())); };
  const auto streams = 1 + below(5);
  for (std::int64_t i = 0; i < streams; ++i) {
    std::vector<NodeId> sinks;
    for (std::int64_t k = 0; k <= below(3); ++k) sinks.push_back(node());
    const StreamId id = b.multicast(node(), sinks, span());
    if (below(2) == 0) continue;
    std::vector<Hop> hops;
    for (std::int64_t k = 0; k < below(3); ++k) hops.push_back({node(), node()});
    b.route(id, std::move(hops));
  }
  const auto stream = [&] { return static_cast<StreamId>(below(streams)); };
  const auto buffer = [&] { return static_cast<Buffer>(below(1 + kBuffers)); };
  const auto value = [&] { return static_cast<float>(below(2000) - 1000) / static_cast<float>(1 + below(50)); };
  const std::int32_t coefficients[] = {b.coefficient({.name = "c0", .value = value()}),
                                       b.coefficient({.name = "c_1", .value = value() * 1e-30F}),
                                       b.coefficient({.name = "v", .array = Buffer::model, .first = below(5) - 2})};
  const auto steps = below(8);
  for (std::int64_t i = 0; i < steps; ++i) {
    auto step = b.step(node(), span(), static_cast<std::int32_t>(below(3)));
    for (std::int64_t k = 0; k < below(3); ++k) step.take(stream());
    if (below(2) == 0) step.own(buffer(), span());
    for (std::int64_t k = 0; k < below(3); ++k) {
      step.term(static_cast<Buffer>(1 + below(kBuffers)), span());
      if (below(2) == 0) step.times(coefficients[below(3)]);
    }
    for (std::int64_t k = 0; k < below(2); ++k) step.take(stream());
    if (below(2) == 0) step.store(buffer(), span());
    if (below(3) == 0) step.send_old(buffer(), span());
    for (std::int64_t k = 0; k < below(3); ++k) step.push(stream());
    for (std::int64_t k = 0; k < below(3); ++k) step.after(static_cast<StepId>(below(steps)));
  }
  for (std::int64_t i = 0; i < below(3); ++i) {
    Contract c{.collective = static_cast<Collective>(below(kCollectives)), .ranks = {node(), node()}};
    if (has_root(c.collective)) c.root = static_cast<std::int32_t>(below(2));
    c.count = 1 + below(1000);
    c.from = static_cast<Buffer>(1 + below(3));
    c.to = static_cast<Buffer>(1 + below(3));
    if (c.collective == Collective::neighbours) {
      c.neighbours = {{-1, 0}, {static_cast<std::int32_t>(below(5)), 2}};
      c.columns = static_cast<std::int32_t>(1 + below(2));
    }
    if (c.collective == Collective::stencil) {
      c.columns = static_cast<std::int32_t>(1 + below(2));
      c.margin = below(3);
      c.steps = 1 + below(3);
      const auto point = [&](std::int64_t first) {
        return StencilPoints{
            .rank = static_cast<std::int32_t>(below(2)), .elements = {c.margin + below(c.count), 1}, .first = first};
      };
      if (below(2) == 0) c.sources = {point(below(9)), point(below(9))};
      if (below(2) == 0) c.receivers = {point(0), point(1)};
      for (std::int64_t k = 0; k <= below(3); ++k) {
        c.terms.push_back({below(2) == 0 ? c.from : c.to, static_cast<std::int32_t>(below(9)) - 4,
                           static_cast<std::int32_t>(below(9)) - 4, below(2 * c.margin + 1) - c.margin,
                           below(2) == 0 ? "c0" : "", below(3) == 0 ? "v" : ""});
      }
    }
    if (takes_blocks(c.collective) && below(2) == 0) c.blocks = {{below(2), below(c.count)}, {0, below(2)}};
    if (c.blocks.size() == 2 && c.blocks[0].first == 0) c.blocks[1] = {c.count, 0};
    c.root_in_place = c.collective == Collective::reduce && c.from != c.to && below(2) == 0;
    if (!shape_problem(c)) b.contract(std::move(c));
  }
  return std::move(b).finish();
}

RC_GTEST_PROP(ScheduleText, RoundTripsAnyFlatSchedule, ()) {
  const Schedule schedule = random_schedule();
  const std::string text = to_text(schedule);
  const Schedule parsed = parse_schedule(text, "f.json");
  RC_ASSERT(same_schedule(schedule, parsed));
  RC_ASSERT(to_text(parsed) == text);
}

RC_GTEST_PROP(ScheduleText, RoundTripsAnyPhases, ()) {
  const auto below = [](std::int64_t end) { return *rc::gen::inRange<std::int64_t>(0, end); };
  ScheduleBuilder b({.nodes = 6, .count = 8});
  b.span({0, 8});
  b.span({2, 3});
  const auto parts = 1 + below(3);
  for (std::int64_t i = 0; i < parts; ++i) b.part(random_schedule());
  const auto phases = 1 + below(4);
  for (std::int64_t i = 0; i < phases; ++i) {
    Phase phase{.part = static_cast<std::int32_t>(below(parts))};
    phase.input = static_cast<Buffer>(1 + below(3));
    phase.output = static_cast<Buffer>(1 + below(3));
    for (std::int64_t k = 0; k < i; ++k) phase.after.push_back(static_cast<std::int32_t>(k));
    std::vector<Group> groups;
    for (std::int64_t k = 0; k < below(3); ++k) {
      groups.push_back({{static_cast<NodeId>(below(6)), static_cast<NodeId>(below(6))}, static_cast<SpanId>(below(2))});
    }
    phase.groups = b.groups(std::move(groups));
    phase.offset = below(5);
    b.phase(std::move(phase));
  }
  Schedule inner = std::move(b).finish();
  ScheduleBuilder outer({.nodes = 7, .count = 8});
  outer.span({0, 8});
  outer.phase({.part = outer.part(std::move(inner)), .groups = outer.groups({{{0, 1, 2, 3, 4, 5}, 0}})});
  const Schedule schedule = std::move(outer).finish();
  const std::string text = to_text(schedule);
  const Schedule parsed = parse_schedule(text, "f.json");
  RC_ASSERT(same_schedule(schedule, parsed));
  RC_ASSERT(to_text(parsed) == text);
}

TEST(ScheduleText, GroupsMayBeListedInThePhase) {
  ScheduleBuilder b({.nodes = 4, .count = 8});
  const std::int32_t pairs = b.groups({{{0, 1}, b.span({0, 4})}, {{2, 3}, b.span({0, 4})}});
  const auto part = b.part(chain(2, 4));
  b.phase({.part = part, .groups = pairs});
  b.phase({.part = part, .groups = pairs, .offset = 4});
  b.contract({.collective = Collective::reduce, .ranks = {0, 1, 2, 3}, .count = 8});
  const std::string text = to_text(std::move(b).finish());
  const std::string numbered = R"("groups": 0, "offset": 0)";
  ASSERT_NE(text.find(numbered), std::string::npos) << text;
  ASSERT_NE(text.find(R"("groups": 0, "offset": 4)"), std::string::npos) << text;
  std::string listed = text;
  listed.replace(listed.find(numbered), numbered.size(), R"("groups": [{"members": [3, 2], "on": 0}])");
  const Schedule parsed = parse_schedule(listed, "f.json");
  ASSERT_EQ(parsed.group_sets.size(), 2U);
  EXPECT_EQ(parsed.phases[0].groups, 1);
  EXPECT_EQ(parsed.phases[0].offset, 0);
  EXPECT_EQ(parsed.phases[1].offset, 4);
  EXPECT_EQ(parsed.group_sets[1], (std::vector<Group>{{{3, 2}, 0}}));
  std::string unknown = text;
  unknown.replace(unknown.find(numbered), numbered.size(), R"("groups": 1)");
  EXPECT_EQ(error_of(unknown), "f.json: phases[0].groups: 1 is not a group set; use 0");
}

TEST(ScheduleText, ReadsAsAPersonWouldWriteIt) {
  ScheduleBuilder b({.nodes = 2, .count = 4, .scratch = 2});
  const SpanId all = b.span({0, 4});
  const Range ends[] = {{3, 1}, {0, 1}};
  const SpanId some = b.span(ends);
  const StreamId there = b.stream(1, 0, all), back = b.stream(0, 1, some);
  b.route(back, {{0, 1}});
  const auto first = b.step(0, all).own(Buffer::input).take(there).store(Buffer::output).id();
  b.step(0, some, 1).own(Buffer::output).push(back).after(first);
  b.step(1, all).own(Buffer::input).push(there);
  b.step(1, some).take(back).store(Buffer::scratch, b.span({0, 2})).send_old(Buffer::input, all);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .count = 4});
  EXPECT_EQ(to_text(std::move(b).finish()), R"({
  "schema": 1,
  "kind": "muster-schedule",
  "nodes": 2,
  "extent": {"input": 4, "output": 4, "scratch": 2},
  "contracts": [
    {"collective": "reduce", "ranks": [0, 1], "root": 0, "count": 4, "from": "input", "to": "output"}
  ],
  "spans": [
    [[0, 4]],
    [[3, 1], [0, 1]],
    [[0, 2]]
  ],
  "streams": [
    {"from": 1, "to": [0], "span": 0},
    {"from": 0, "to": [1], "span": 1, "route": [[0, 1]]}
  ],
  "lanes": [
    {"node": 0, "steps": [
      {"span": 0, "operands": ["own", 0], "own": "input", "store": "output"}
    ]},
    {"node": 0, "steps": [
      {"span": 1, "operands": ["own"], "own": "output", "push": [1], "after": [[0, 0]]}
    ]},
    {"node": 1, "steps": [
      {"span": 0, "operands": ["own"], "own": "input", "push": [0]},
      {"span": 1, "operands": [1], "store": ["scratch", 2], "send_old": ["input", 0]}
    ]}
  ]
}
)");
}

TEST(ScheduleText, OnlyCollectivesWithARootHaveOne) {
  for (int i = 0; i < kCollectives; ++i) {
    ScheduleBuilder b({.nodes = 2, .count = 4});
    Contract contract{.collective = static_cast<Collective>(i), .ranks = {0, 1}, .root = 1, .count = 4};
    if (contract.collective == Collective::neighbours) contract.columns = 2;
    if (contract.collective == Collective::stencil) {
      contract.columns = 2;
      contract.terms = {{.buffer = Buffer::input}};
    }
    const bool rooted = has_root(contract.collective);
    b.contract(std::move(contract));
    const std::string text = to_text(std::move(b).finish());
    EXPECT_EQ(text.find("\"root\"") != std::string::npos, rooted) << text;
    EXPECT_EQ(parse_schedule(text, "f.json").contracts[0].root, rooted ? 1 : 0);
  }
}

TEST(ScheduleText, KeysMayComeInAnyOrder) {
  const Schedule schedule = parse_schedule(
      R"({"lanes": [{"steps": [{"operands": ["own"], "own": "input", "span": 0}], "node": 1}], "streams": [],
          "spans": [[[0, 2]]], "contracts": [], "extent": {"scratch": 0, "input": 2, "output": 2}, "nodes": 2,
          "kind": "muster-schedule", "schema": 1})",
      "f.json");
  EXPECT_EQ(schedule.steps.size(), 1U);
  EXPECT_EQ(schedule.lanes_of(0).size(), 0U);
  EXPECT_EQ(schedule.lanes_of(1).size(), 1U);
}

TEST(ScheduleText, WritesAndReadsALongChainInSeconds) {
  const Schedule schedule = chain(100'000, 256);
  const std::clock_t start = std::clock();
  const std::string text = to_text(schedule);
  const Schedule parsed = parse_schedule(text, "f.json");
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_TRUE(same_schedule(schedule, parsed));
  EXPECT_LT(seconds, 30) << "about one; ten in a sanitizer build";
}

TEST(ScheduleText, RefusesDeepNestingWithoutRecursion) {
  const std::string text(100'000, '[');
  EXPECT_TRUE(error_of(text).starts_with("f.json: [0][0][0]")) << error_of(text);
  EXPECT_TRUE(error_of(text).ends_with("nested deeper than 32 levels")) << error_of(text);
}

TEST(ScheduleText, NamesLineAndColumnOfWhatIsNotJson) {
  EXPECT_EQ(error_of("").substr(0, 21), "f.json:1:1: not JSON:");
  EXPECT_EQ(error_of("{\n  \"schema\": 1,\n  \"kind\" 2\n}").substr(0, 22), "f.json:3:10: not JSON:");
  EXPECT_EQ(error_of("{\"a\n").find('\n'), std::string::npos);
  EXPECT_EQ(error_of(std::string("[\"\xff\x01\"]", 7)).find_first_of("\xff\x01"), std::string::npos);
}

/// Every prefix of a text is refused in one line, and none crashes.
TEST(ScheduleText, RefusesEveryCutText) {
  const std::string text = to_text(chain(3, 2));
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    const std::string error = error_of(std::string_view(text).substr(0, length));
    EXPECT_TRUE(error.starts_with("f.json:")) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

/// tests/reject/schedules: NAME.json and the message that it gets, NAME.expected.
TEST(ScheduleText, RefusesBadFilesWithTheExpectedMessage) {
  const auto folder = std::filesystem::path(source_dir()) / "tests" / "reject" / "schedules";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    std::filesystem::path expected = entry.path();
    expected.replace_extension(".expected");
    std::string message = "accepted";
    try {
      (void)parse_schedule(read_file(entry.path()), entry.path().filename().string());
    } catch (const InputError& error) {
      message = error.what();
    }
    EXPECT_EQ(message + "\n", read_file(expected)) << entry.path();
  }
  EXPECT_GE(files, 20);
}

}  // namespace
}  // namespace muster
