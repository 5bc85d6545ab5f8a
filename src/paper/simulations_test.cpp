#include "paper/simulations.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "base/parallel.h"

namespace muster {
namespace {

TEST(Shared, AreMadeOnceHoweverManyAsk) {
  Shared<Result> simulations;
  std::atomic<int> made = 0;
  for_each_index(100,
                 [&](std::size_t i) {
                   const std::string key = std::to_string(i % 3);
                   const Result& result = simulations.of(key, [&] {
                     ++made;
                     return Result{.engine = key};
                   });
                   EXPECT_EQ(result.engine, key);
                 },
                 {.threads = 4});
  EXPECT_EQ(made, 3);
}

TEST(Shared, AreMadeAgainAfterAnError) {
  Shared<Result> simulations;
  EXPECT_THROW((void)simulations.of("a", []() -> Result { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(simulations.of("a", [] { return Result{.engine = "now"}; }).engine, "now");
}

}  // namespace
}  // namespace muster
