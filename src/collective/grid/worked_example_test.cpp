// The worked example of docs/adding-an-algorithm.md, compiled and proven, so that the page stays true.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/source_dir.h"
#include "collective/collective_test_support.h"
#include "schedule/interpret.h"
#include "schedule/verify.h"
#define reduce_radix_tree compiled_radix_tree  // a program with the example linked in has one of its own
// [worked example]
// Radix tree: like `tree`, but with radix r instead of 2: in every round, r - 1 of r active PEs send to the first of them.
//
// Steps: PE x sends to x without its lowest non-zero digit in base r; so it receives from x + 1, ..., x + (r - 1), x + r, ...
// Busiest link: the root's, B (r - 1) log_r P wavelets, and the same for its port. Depth log_r P: fewer rounds than `tree`
// but more words per round, so it can only win for very short vectors, where the latency of a round dominates.
#include "collective/algorithms.h"

namespace muster {

namespace {

TreeFor radix_trees(const Parameters& parameters) {
  const std::int64_t radix = parameters.at("radix");
  return [radix](std::int32_t pes) {
    return ReductionTree::from(pes, [radix](std::int32_t x) {
      std::int64_t digit = 1;  // the weight of the lowest non-zero digit
      while (x % (digit * radix) == 0) digit *= radix;
      return static_cast<std::int32_t>(x - x % (digit * radix));
    });
  };
}

LineTrees trees(const Request& request, const Parameters& parameters) {
  return shorter_side_first(line_of(request).value(), radix_trees(parameters));
}

Cycles cost(const Request& request, const Parameters& parameters) {
  return reduce_cycles(request, radix_trees(parameters));
}

}  // namespace

LineReduce reduce_radix_tree() {
  return {.name = "radix-tree",
          .summary = "in every round, r - 1 of r active PEs send to the first of them",
          .source = "worked example of docs/adding-an-algorithm.md",
          .parameters = {{.name = "radix",
                          .summary = "PEs per round and receiver; default: 4",
                          .by_default = [](const Request&) { return std::int64_t{4}; },
                          .least = [](const Request&) { return std::int64_t{2}; },
                          .most = [](const Request&) { return std::int64_t{1024}; }}},
          .cost_tolerance = {.fraction = 0.3},
          .trees = trees,
          .cost = cost};
}

}  // namespace muster
// [worked example]

namespace muster {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(source_dir() + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What stands between the first two occurrences of `mark`.
std::string between(const std::string& text, const std::string& mark) {
  const std::size_t first = text.find(mark) + mark.size();
  return text.substr(first, text.find(mark, first) - first);
}

TEST(WorkedExample, StandsInThePageAsItIsCompiled) {
  const std::string code = between(text_of("src/collective/grid/worked_example_test.cpp"), "// [worked example]\n");
  ASSERT_GT(code.size(), 1000U);
  EXPECT_NE(text_of("docs/adding-an-algorithm.md").find("```cpp\n" + code + "```"), std::string::npos);
}

TEST(WorkedExample, IsRightForEverySizeRootAndRadix) {
  const Algorithm algorithm = reduce_algorithm(reduce_on_line(reduce_radix_tree()));
  for (const std::int32_t length : {1, 2, 3, 5, 16, 17, 64, 100}) {
    for (const std::int64_t radix : {2, 3, 4, 7}) {
      const Request request = reduce_request(length, 1, 5, length / 3);
      const Schedule schedule = algorithm.make(request, {{"radix", radix}});
      const Verdict verdict = verify(schedule, request.machine);
      EXPECT_TRUE(verdict.verified()) << verdict.counterexample->message;
    }
  }
}

TEST(WorkedExample, IsTheTreeWhenTheRadixIsTwo) {
  const Request request = reduce_request(37, 1, 8);
  const Algorithm& tree = find_algorithm(Collective::reduce, "mesh", "tree");
  const Algorithm radix = reduce_algorithm(reduce_on_line(reduce_radix_tree()));
  EXPECT_EQ(radix.cost(request, {{"radix", 2}}), tree.cost(request, {}));
  EXPECT_EQ(order_of_additions(radix.make(request, {{"radix", 2}}), 0, 0),
            order_of_additions(tree.make(request, {}), 0, 0));
}

}  // namespace
}  // namespace muster
