#include "study/mesh/traffic.h"

#include <gtest/gtest.h>

#include "plan/load.h"
#include "plan/plan_test_support.h"
#include "schedule/phase.h"

namespace muster {
namespace {

Traffic traffic_by(const Job& job, const std::string& algorithm) {
  const Choice choice = choose_with_defaults(job, algorithm, {});
  return traffic_of(expand(choice.algorithm->make(request_of(job), choice.parameters)), job.machine);
}

TEST(Traffic, OfAStarIsHeaviestAtTheRoot) {
  const Traffic traffic = traffic_by(wafer_job(Collective::reduce, 5, 1, 10), "star");
  EXPECT_EQ(traffic.busiest_port.node, 0);
  EXPECT_TRUE(traffic.busiest_port.into);
  EXPECT_EQ(traffic.busiest_port.words, 40);
  EXPECT_EQ(traffic.busiest_link.link, (Hop{1, 0}));
  EXPECT_EQ(traffic.busiest_link.words, 40);
  EXPECT_EQ(traffic.links, 4);
}

TEST(Traffic, OfAChainIsTheSameEverywhere) {
  const Traffic traffic = traffic_by(wafer_job(Collective::reduce, 6, 1, 7, 2), "chain");
  EXPECT_EQ(traffic.busiest_port.node, 2);  // the root takes both sides
  EXPECT_EQ(traffic.busiest_port.words, 14);
  EXPECT_EQ(traffic.busiest_link.words, 7);
  EXPECT_EQ(traffic.busiest_link.link, (Hop{0, 1}));
}

TEST(Traffic, CountsAMulticastOncePerLink) {
  const Traffic traffic = traffic_by(wafer_job(Collective::broadcast, 4, 3, 9), "flood");
  EXPECT_EQ(traffic.busiest_link.words, 9);
  EXPECT_EQ(traffic.links, 11);
}

TEST(Traffic, OfASingleProcessorIsNothing) {
  const Traffic traffic = traffic_by(wafer_job(Collective::reduce, 1, 1, 9), "chain");
  EXPECT_EQ(traffic.links, 0);
  EXPECT_EQ(traffic.busiest_port.words, 0);
}

}  // namespace
}  // namespace muster
