// Every algorithm of a torus, with no further code: shapes x sizes x roots x parameters → verify → reference.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "collective/algorithms.h"
#include "collective/collective_test_support.h"
#include "collective/fault_test_support.h"
#include "collective/torus/tile_blocks.h"
#include "collective/torus/torus_test_machines.h"

namespace muster {
namespace {

Parameters any_parameters(const Algorithm& algorithm, const Request& request) {
  Parameters given;
  for (const ParameterSpec& spec : algorithm.parameters) {
    given[spec.name] = *rc::gen::inRange(spec.least(request), spec.most(request) + 1);
  }
  return given;
}

std::string parameters_text(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += fmt::format(" {}={}", name, value);
  return text;
}

/// Without the reference, which takes long for long vectors.
std::string verified(const Algorithm& algorithm, const Request& request, const Parameters& given) {
  const Schedule schedule = algorithm.make(request, complete_parameters(algorithm, request, given));
  const Verdict verdict = verify(schedule, request.machine);
  return verdict.verified() ? "" : verdict.counterexample->message;
}

TEST(TorusAlgorithms, AreRightForManyNumbersOfRanksAndWords) {
  for (const Algorithm& algorithm : torus_algorithms()) {
    for (const std::int64_t ranks : {1, 2, 3, 5, 7, 8, 13, 16, 27, 49, 50, 64, 72}) {
      for (const std::int64_t count : {1, 5, 1030, 5001, 66'000}) {
        const Machine machine = test_wormhole(ranks);
        const NodeId root = static_cast<NodeId>((count * 7) % ranks);
        const Request request =
            sized_for({.machine = machine, .collective = algorithm.collective, .count = count, .root = root});
        if (algorithm.unsupported(request)) continue;
        EXPECT_EQ(verified(algorithm, request, {}), "")
            << collective_name(algorithm.collective) << " " << algorithm.name << ", " << ranks << " ranks, " << count;
      }
    }
  }
}

Request any_request() {
  const bool grid = *rc::gen::arbitrary<bool>();
  const Machine machine =
      grid ? test_wormhole(*rc::gen::inRange(1, 9), *rc::gen::inRange(1, 10)) : test_wormhole(*rc::gen::inRange(1, 73));
  Request asked{.machine = machine, .count = *rc::gen::inRange<std::int64_t>(1, 6000)};
  asked.root = *rc::gen::inRange<NodeId>(0, rank_count(machine));
  if (*rc::gen::arbitrary<bool>()) asked.user_count = {.count = 2 * asked.count, .block_unit = 2, .unit = "elements"};
  return asked;
}

RC_GTEST_PROP(TorusAlgorithms, AreRightForRandomShapesRootsSizesAndParameters, ()) {
  const std::vector<Algorithm> all = torus_algorithms();
  const Request asked = any_request();
  for (int i = 0; i < 4; ++i) {
    const Algorithm& algorithm = all[*rc::gen::inRange<std::size_t>(0, all.size())];
    const Request request = sized_for(asked, algorithm.collective);
    if (algorithm.unsupported(request)) continue;
    const Parameters given = any_parameters(algorithm, request);
    const std::string fault = fault_of(algorithm, request, given);
    RC_LOG() << collective_name(algorithm.collective) << " " << algorithm.name << parameters_text(given) << " on "
             << shape_text(request.machine) << ": " << fault;
    RC_ASSERT(fault.empty());
  }
}

TEST(TorusAlgorithms, HaveNamesOfTheirOwn) {
  const std::vector<Algorithm> all = torus_algorithms();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].family, "torus");
    EXPECT_FALSE(all[i].summary.empty());
    EXPECT_FALSE(all[i].source.empty());
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(all[i].collective == all[j].collective && all[i].name == all[j].name);
  }
}

}  // namespace
}  // namespace muster
