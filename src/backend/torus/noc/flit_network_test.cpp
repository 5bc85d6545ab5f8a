#include "backend/torus/noc/flit_network.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/torus/torus_test_support.h"

namespace muster::torus {
namespace {

/// Runs until nothing moves: the cycle of each delivery.
std::vector<Cycle> run(FlitNetwork& network, Cycle limit = 1'000'000) {
  std::vector<Cycle> delivered;
  for (Cycle now = 0; !network.is_idle() && now < limit; ++now) {
    network.advance(now);
    for (std::size_t i = 0; i < network.deliveries().size(); ++i) delivered.push_back(now);
    network.deliveries().clear();
    network.departures().clear();
  }
  return delivered;
}

TEST(FlitNetwork, TakesItsLatencyPlusACyclePerFlit) {
  FlitNetwork network(small_chip(10, 12), 0, 1);
  network.send({.source = 0, .destination = 3, .flits = 5}, 0);
  EXPECT_EQ(run(network), (std::vector<Cycle>{5 + 3 * 9 + 5 + 4}));
  EXPECT_EQ(network.flits_inside(), 0);
}

TEST(FlitNetwork, PacketsOnOneVirtualChannelFollowEachOther) {
  FlitNetwork network(small_chip(10, 12), 0, 1);
  network.send({.source = 0, .destination = 2, .flits = 100}, 0);
  network.send({.source = 1, .destination = 2, .flits = 100}, 0);
  const std::vector<Cycle> delivered = run(network);
  ASSERT_EQ(delivered.size(), 2U);
  EXPECT_GE(delivered[1] - delivered[0], 100) << "one waits for the other's last flit";
}

TEST(FlitNetwork, PacketsOnTwoVirtualChannelsAreInterleaved) {
  FlitNetwork network(small_chip(10, 12), 0, 1);
  network.send({.source = 0, .destination = 2, .flits = 100, .buddy = 0}, 0);
  network.send({.source = 1, .destination = 2, .flits = 100, .buddy = 1}, 0);
  const std::vector<Cycle> delivered = run(network);
  ASSERT_EQ(delivered.size(), 2U);
  EXPECT_LE(delivered[1] - delivered[0], 30) << "they share the link";
}

TEST(FlitNetwork, ARingOfPacketsThatFillItEnds) {
  // Without the dateline every packet would wait for the next one.
  FlitNetwork network(small_chip(4, 2), 0, 1);
  for (RouterId tile = 0; tile < 4; ++tile)
    network.send({.source = tile, .destination = (tile + 3) % 4, .flits = 257}, 0);
  EXPECT_EQ(run(network).size(), 4U);
}

TEST(FlitNetwork, APlainMulticastReservesItsPathFirst) {
  FlitNetwork network(small_chip(10, 12), 0, 1);
  const Rectangle area{.first = {.x = 1, .y = 0}, .last = {.x = 2, .y = 1}};
  network.send({.source = 0, .area = area, .flits = 3, .channel_class = ChannelClass::multicast}, 0);
  const std::vector<Cycle> delivered = run(network);
  ASSERT_EQ(delivered.size(), 4U);
  EXPECT_EQ(delivered.back(), 8 + 3 * 16 + 5 + 3 * 9 + 5 + 2);
}

RC_GTEST_PROP(FlitNetwork, DeliversEveryFlitOverTheLinksOfItsPath, ()) {
  const auto width = *rc::gen::inRange(2, 7);
  const auto height = *rc::gen::inRange(2, 7);
  const auto noc = *rc::gen::inRange(0, 2);
  FlitNetwork network(small_chip(width, height), noc, 1);
  const Topology& topology = network.topology();
  const auto packets = *rc::gen::inRange(1, 60);
  std::int64_t hops = 0;
  for (int i = 0; i < packets; ++i) {
    const auto source = *rc::gen::inRange(0, width * height);
    const auto destination = *rc::gen::inRange(0, width * height);
    const auto flits = *rc::gen::inRange(1, 80);
    const bool is_response = *rc::gen::arbitrary<bool>();
    network.send({.source = source,
                  .destination = destination,
                  .flits = flits,
                  .channel_class = is_response ? ChannelClass::response : ChannelClass::request,
                  .is_static = !is_response},
                 0);
    hops += std::int64_t{flits} * topology.hops(source, destination);
  }
  const std::vector<Cycle> delivered = run(network);
  RC_ASSERT(static_cast<int>(delivered.size()) == packets);  // no deadlock
  RC_ASSERT(network.flits_inside() == 0);
  std::int64_t sent = 0;
  for (RouterId router = 0; router < topology.routers(); ++router) {
    for (const Port port : {to_x, to_y}) {
      sent += network.flits_sent(router, port);
      RC_ASSERT(network.flits_sent(router, port) <= delivered.back());  // a flit per cycle
    }
  }
  RC_ASSERT(sent == hops);
}

RC_GTEST_PROP(FlitNetwork, MulticastsThatCrossEndInTheSameCyclesAgain, (std::uint64_t seed)) {
  const auto times = [&](const std::vector<Packet>& packets) {
    FlitNetwork network(small_chip(6, 5), 0, seed);
    for (const Packet& packet : packets) network.send(packet, 0);
    return run(network);
  };
  std::vector<Packet> packets;
  std::size_t copies = 0;
  const FlitNetwork counts(small_chip(6, 5), 0, seed);
  for (int i = 0; i < *rc::gen::inRange(1, 8); ++i) {
    const auto corner = [] { return Coordinates{.x = *rc::gen::inRange(0, 6), .y = *rc::gen::inRange(0, 5)}; };
    Packet packet{.source = *rc::gen::inRange(0, 30),
                  .flits = *rc::gen::inRange(1, 40),
                  .channel_class = ChannelClass::multicast};
    packet.area = Rectangle{.first = corner(), .last = corner()};
    packets.push_back(packet);
    copies += static_cast<std::size_t>(counts.copies(packet));
  }
  const std::vector<Cycle> first = times(packets);
  RC_ASSERT(first.size() == copies);
  RC_ASSERT(times(packets) == first);
}

}  // namespace
}  // namespace muster::torus
