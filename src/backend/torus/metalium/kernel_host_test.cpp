#include "backend/torus/metalium/kernel_host.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "backend/torus/metalium/run_test_support.h"
#include "backend/torus/metalium/test_programs.h"
#include "backend/torus/run_program.h"
#include "base/error.h"

namespace muster::torus {
namespace {

Cycle simulated(const TorusProgram& program) {
  const Result result = run_program(program, {});
  EXPECT_FALSE(result.fault) << result.fault->message;
  Ticks last(0);
  for (const auto& times : result.node_times.at(0)) last = std::max(last, times.finished);
  return last.value();
}

void expect_right(const TorusProgram& program) {
  const KernelsRun run = EmittedFolder(program).run();
  EXPECT_EQ(run.output, "all words are right\n");
  EXPECT_EQ(run.status, 0);
  for (const Finding& finding : run.findings) ADD_FAILURE() << finding.kind << ": " << finding.message;
  EXPECT_FALSE(run.stuck) << run.stuck->message;
  EXPECT_EQ(run.cycles, simulated(program));
}

TEST(Kernels, EmittedProgramsComputeTheRightNumbersInTheSimulatedTime) {
  expect_right(exchange_of_two(sum_of("f32"), 1500));
  expect_right(exchange_of_two(sum_of("bf16"), 512));
  expect_right(exchange_of_two({.type = ElementType::i32, .op = Operator::max}, 100));
}

}  // namespace
}  // namespace muster::torus
