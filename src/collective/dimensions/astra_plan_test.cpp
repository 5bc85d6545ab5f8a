#include "collective/dimensions/astra_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <sstream>

#include "base/index.h"
#include "base/source_dir.h"
#include "machine/cluster.h"
#include "machine/loader.h"
#include "schedule/arithmetic.h"

namespace muster {
namespace {

struct Measured {
  std::string topology, scheduler, latency;
  std::int64_t bytes = 0, nanoseconds = 0;
};

std::vector<Measured> measured() {
  std::ifstream file(source_dir() + "/tests/data/astra_1gib.csv");
  std::string line;
  std::getline(file, line);
  std::vector<Measured> all;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::array<std::string, 5> f;
    for (std::string& field : f) std::getline(fields, field, ',');
    all.push_back({f[0], f[2], f[3], std::stoll(f[1]), std::stoll(f[4])});
  }
  return all;
}

/// "2D-SW_SW" is machines/themis-2d-sw-sw.toml.
Cluster cluster_of(const Measured& m) {
  std::string name = m.topology;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return c == '_' ? '-' : static_cast<char>(std::tolower(c)); });
  Cluster cluster = *as<Cluster>(load_machine(source_dir() + "/machines/themis-" + name + ".toml"));
  cluster.accounting = Cluster::Accounting::astra;
  for (Cluster::Dimension& d : cluster.dimensions) {
    if (m.latency == "zero") d.latency = Seconds(0);
  }
  return cluster;
}

std::int64_t nanoseconds(const Measured& m) {
  const Cluster cluster = cluster_of(m);
  OperationTimes times(cluster);
  constexpr std::int64_t kChunks = 64;
  const std::int64_t words = m.bytes / static_cast<std::int64_t>(sizeof(Word)) / kChunks;
  const ChunkedCollective c{
      .times = times, .collective = Collective::allreduce, .chunks = std::vector(at(kChunks), words)};
  const ChunkPlan plan = m.scheduler == "baseline"
                             ? plan_hierarchical(c)
                             : plan_themis(c, m.scheduler == "themis_scf" ? SendFirst::smallest : SendFirst::arrived);
  return plan.table.end.value() / 1000;
}

TEST(AstraPlan, TakesWhatAstraSimTookToTheNanosecond) {
  int exact = 0;
  const std::vector<Measured> all = measured();
  ASSERT_EQ(all.size(), 36U);
  for (const Measured& m : all) {
    const std::int64_t here = nanoseconds(m);
    exact += here == m.nanoseconds ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(here), static_cast<double>(m.nanoseconds),
                0.01 * static_cast<double>(m.nanoseconds))
        << m.topology << ' ' << m.scheduler << ' ' << m.latency;
  }
  EXPECT_GE(exact, 35) << "one differs by 0.03%: which of two chunks that end at once goes first";
}

TEST(AstraPlan, OfTheBaselineFusesTheLastDimension) {
  const Cluster cluster = cluster_of({.topology = "2D-SW_SW", .scheduler = "", .latency = "table2"});
  OperationTimes times(cluster);
  const ChunkedCollective c{.times = times, .collective = Collective::allreduce, .chunks = {1 << 20, 1 << 20}};
  const ChunkPlan plan = plan_hierarchical(c);
  std::vector<std::pair<std::int32_t, std::int32_t>> in_the_last;
  for (const Begin& b : plan.table.begins) {
    if (b.operation == 1 || b.operation == 2) in_the_last.emplace_back(b.chunk, b.operation);
  }
  EXPECT_EQ(in_the_last, (std::vector<std::pair<std::int32_t, std::int32_t>>{{0, 1}, {0, 2}, {1, 1}, {1, 2}}));
}

}  // namespace
}  // namespace muster
