#include "backend/hyperx/ports.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "backend/hyperx/test_machines.h"
#include "base/error.h"
#include "machine/hyperx.h"
#include "machine/routing.h"

namespace muster::hyperx {
namespace {

RC_GTEST_PROP(Ports, LeadToAllSwitchesThatAreLinkedAndBack, ()) {
  HyperX network = any_shape();
  while (rank_count(network) > 300) network.shape.pop_back();
  const Ports ports(network);
  const NodeId ranks = rank_count(network);
  for (NodeId from = ranks; from < 2 * ranks; ++from) {
    std::set<NodeId> reached;
    for (Port port = 0; port <= ports.memory(); ++port) {
      const auto end = ports.end(from, port);
      if (!end) continue;
      RC_ASSERT(ports.is_link(port));
      RC_ASSERT(reached.insert(end->at).second);
      RC_ASSERT(ports.end(end->at, end->port) == (PortEnd{.at = from, .port = port}));
      RC_ASSERT(ports.level(end->port) == ports.level(port));
      RC_ASSERT(ports.towards(from, end->at) == port);
    }
    for (NodeId to = ranks; to < 2 * ranks; ++to) RC_ASSERT(linked(network, from, to) == reached.contains(to));
    RC_ASSERT(ports.towards(from, from - ranks) == ports.memory());
  }
}

RC_GTEST_PROP(Ports, HaveNamesThatCanBeReadBack, ()) {
  const HyperX network = any_shape();
  const Ports ports(network);
  std::set<std::string> names;
  for (Port port = 0; port <= ports.memory(); ++port) {
    RC_ASSERT(names.insert(ports.text(port)).second);
    RC_ASSERT(ports.from_text(ports.text(port)) == port);
  }
  for (const char* wrong : {"", "up", "socket", "socket ", "socket 99", "socket -1", "socket 1x", "node 0", "node 9:0",
                            "node 0:99", "node :", "node -1:0"}) {
    RC_ASSERT(!ports.from_text(wrong));
  }
}

TEST(Ports, AreOrderedAsEnginesCombineThem) {
  const HyperX network = piuma({4, 3}, 16, 4, 2);
  const Ports ports(network);
  EXPECT_EQ(ports.text(2), "north");
  EXPECT_EQ(ports.socket(15), 19);
  EXPECT_EQ(ports.node(0, 0), 20);
  EXPECT_EQ(ports.text(ports.node(1, 2)), "node 1:2");
  EXPECT_EQ(ports.memory(), 28);
  EXPECT_EQ(ports.loop(), 27);
  EXPECT_EQ(ports.count(), 29);
}

TEST(Ports, AreRefusedWhereRegistersCannotNumberThem) {
  const HyperX network = piuma({40000}, 1, 1, 1);
  EXPECT_THROW(Ports{network}, InputError);
}

}  // namespace
}  // namespace muster::hyperx
