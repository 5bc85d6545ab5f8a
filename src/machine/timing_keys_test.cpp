#include "machine/timing_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/source_dir.h"
#include "machine/hyperx.h"
#include "machine/loader.h"
#include "machine/mesh.h"
#include "machine/torus.h"

namespace muster {
namespace {

std::filesystem::path file_of(const std::string& name) {
  return std::filesystem::path(source_dir()) / "machines" / (name + ".toml");
}

std::vector<std::string> names_of(const std::vector<TimingKey>& keys) {
  std::vector<std::string> names;
  for (const TimingKey& key : keys) names.push_back(key.key);
  return names;
}

const TimingKey& key_of(const std::vector<TimingKey>& keys, const std::string& name) {
  return *std::find_if(keys.begin(), keys.end(), [&](const TimingKey& timing_key) { return timing_key.key == name; });
}

TEST(TimingKeys, OfATorusAreTriedWithHalfAndTwice) {
  const auto keys = timing_keys(load_machine(file_of("wormhole-n150")));
  const TimingKey& hop = key_of(keys, "link.hop_latency");
  EXPECT_EQ(hop.current, "9 cycles");
  ASSERT_EQ(hop.values.size(), 2U);
  EXPECT_EQ(hop.values[0].text, "4 cycles");
  EXPECT_EQ(as<Torus>(hop.values[1].machine)->hop_latency, Cycles(18));
}

TEST(TimingKeys, OfAMeshAreThoseOfItsProcessorsAndRouters) {
  const auto keys = timing_keys(load_machine(file_of("wse2")));
  EXPECT_EQ(names_of(keys),
            (std::vector<std::string>{"ramp.latency", "ramp.queue", "router.buffer", "processor.operation_start",
                                      "processor.receive_gap", "processor.receive_interval", "link.arbitration"}));
  EXPECT_EQ(keys[0].current, "2 cycles");
  ASSERT_EQ(keys[0].values.size(), 3U) << "1, 4 and 7; 2 is what it has";
  EXPECT_EQ(keys[0].values[0].text, "1 cycle");
  EXPECT_EQ(as<Mesh>(keys[0].values[0].machine)->ramp_latency, Cycles(1));
}

TEST(TimingKeys, OfReducingSwitchesAreHalvedAndDoubled) {
  const Machine machine = load_machine(file_of("piuma"));
  const auto keys = timing_keys(machine);
  EXPECT_EQ(names_of(keys),
            (std::vector<std::string>{"nodes.latency", "sockets.latency", "cores.latency", "link.bandwidth",
                                      "memory.bandwidth", "switch.buffer_packets", "host.round_overhead"}));
  const TimingKey& memory = key_of(keys, "memory.bandwidth");
  EXPECT_EQ(memory.current, "51.2 Gb/s");
  ASSERT_EQ(memory.values.size(), 2U);
  EXPECT_EQ(memory.values[0].text, "25.6 Gb/s");
  EXPECT_EQ(memory.values[1].text, "102.4 Gb/s") << "with all its digits";
  EXPECT_DOUBLE_EQ(as<HyperX>(memory.values[0].machine)->memory_bandwidth.value(), 3.2e9);
  EXPECT_DOUBLE_EQ(as<HyperX>(memory.values[0].machine)->link_bandwidth.value(), 8e9) << "all else stays";
  EXPECT_EQ(as<HyperX>(key_of(keys, "switch.buffer_packets").values[1].machine)->buffer_packets, 256);
}

TEST(TimingKeys, OfAClusterAreThoseOfEveryDimension) {
  const auto keys = timing_keys(load_machine(file_of("themis-2d-sw-sw")));
  EXPECT_EQ(names_of(keys), (std::vector<std::string>{"dimension.1.bandwidth", "dimension.1.latency",
                                                      "dimension.2.bandwidth", "dimension.2.latency"}));
}

TEST(TimingKeys, AreWhatTheFileCallsThem) {
  for (const char* name : {"wse2", "wse3", "piuma", "piuma-a100", "themis-2d-sw-sw", "themis-4d-ring-fc-ring-sw"}) {
    for (const TimingKey& key : timing_keys(load_machine(file_of(name)))) {
      for (const TimingKey::Value& value : key.values) {
        const auto again = timing_keys(load_machine(file_of(name), {{key.key, value.text}}));
        EXPECT_EQ(key_of(again, key.key).current, value.text) << name << ": " << key.key;
      }
    }
  }
}

}  // namespace
}  // namespace muster
