#include "machine/loader.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "base/source_dir.h"
#include "machine/cluster.h"
#include "machine/hyperx.h"
#include "machine/mesh.h"
#include "machine/routing.h"
#include "machine/torus.h"

namespace muster {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = source_dir();

Machine shipped(const std::string& name, const Overrides& overrides = {}) {
  return load_machine(kSource / "machines" / (name + ".toml"), overrides);
}

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ShippedMachine, Wse2IsTheIdealWafer) {
  const Machine machine = shipped("wse2");
  EXPECT_EQ(machine.name, "wse2");
  EXPECT_EQ(family_name(machine), "mesh");
  EXPECT_EQ(shape_text(machine), "750x994");
  const Mesh& mesh = *as<Mesh>(machine);
  EXPECT_EQ(mesh.clock, Hertz(850e6));
  EXPECT_EQ(mesh.ramp_latency, Cycles(2));
  EXPECT_EQ(mesh.hop_latency, Cycles(1));
  EXPECT_EQ(mesh.wavelet, Bytes(4));
  EXPECT_GE(mesh.router_buffer, 2);
  EXPECT_EQ(mesh.operation_start, Cycles(0));
  EXPECT_EQ(mesh.receive_gap, Cycles(0));
  EXPECT_EQ(mesh.receive_interval, Cycles(1));
  EXPECT_EQ(mesh.local_interval, Cycles(1));
  EXPECT_EQ(mesh.arbitration, Arbitration::lowest_color);
  EXPECT_EQ(mesh.colors, 24);
  EXPECT_EQ(mesh.reserved_colors, (std::vector<std::int32_t>{21, 22, 23}));
  EXPECT_EQ(mesh.switch_colors.size(), 24U);
  EXPECT_EQ(mesh.switch_positions, 4);
  EXPECT_FALSE(mesh.switch_both_sides);
  EXPECT_FALSE(mesh.queues_are_bound);
  EXPECT_EQ(mesh.fabric_width, 757);
  EXPECT_EQ(mesh.fabric_height, 996);
  EXPECT_EQ(mesh.memory, Bytes(49152));
  EXPECT_EQ(mesh.architecture, "wse2");
}

TEST(ShippedMachine, Wse3DiffersInColorsWithSwitchesAndInQueues) {
  const Machine machine = shipped("wse3");
  const Mesh& mesh = *as<Mesh>(machine);
  EXPECT_EQ(shape_text(machine), "755x1170");
  EXPECT_FALSE(mesh.switch_both_sides);  // what it can is uncertain; this it can
  EXPECT_TRUE(mesh.queues_are_bound);
  EXPECT_EQ(mesh.switch_colors.size(), 15U);
  EXPECT_EQ(mesh.reserved_queues, (std::vector<std::int32_t>{0, 1}));
}

TEST(ShippedMachine, WormholeHas72WorkingTiles) {
  const Machine machine = shipped("wormhole-n150");
  EXPECT_EQ(family_name(machine), "torus");
  EXPECT_EQ(rank_count(machine), 72);
  EXPECT_EQ(node_count(machine), 120);
  EXPECT_EQ(as<Torus>(machine)->packet, Bytes(8192));
  EXPECT_EQ(as<Torus>(machine)->hop_latency, Cycles(9));
}

TEST(ShippedMachine, PiumaHasThePapersTable) {
  const Machine machine = shipped("piuma");
  const HyperX& hyperx = *as<HyperX>(machine);
  EXPECT_EQ(shape_text(machine), "4x4 nodes");
  EXPECT_EQ(rank_count(machine), 16 * 128);
  EXPECT_DOUBLE_EQ(hyperx.node_latency.value(), 50e-9);
  EXPECT_DOUBLE_EQ(hyperx.link_bandwidth.value(), 8e9);
  EXPECT_DOUBLE_EQ(hyperx.memory_bandwidth.value(), 6.4e9);
  // Eq. 1 of the paper for D = 2 and d_max = 4.
  const double d_max = hyperx.core_columns - 1 + hyperx.core_rows - 1;
  const double bound = 2 * (2 * hyperx.node_latency.value() + 3 * hyperx.socket_latency.value() +
                            5 * d_max * hyperx.core_latency.value());
  EXPECT_NEAR(bound, 550e-9, 1e-12);
  EXPECT_EQ(as<HyperX>(with_nodes(machine, 16384))->shape, (std::vector<std::int32_t>{32, 32, 16}));
  EXPECT_DOUBLE_EQ(hyperx.host->round_overhead.value(), 1.2e-6);
  EXPECT_DOUBLE_EQ(as<HyperX>(shipped("piuma-a100"))->memory_bandwidth.value() * 128, 1.56e12);
}

TEST(ShippedMachine, ThemisSystemsHaveTable2sBandwidths) {
  const std::map<std::string, std::vector<double>> aggregate{
      {"themis-2d-sw-sw", {1200, 800}},
      {"themis-3d-sw-sw-sw-homo", {800, 800, 800}},
      {"themis-3d-sw-sw-sw-hetero", {1600, 800, 400}},
      {"themis-3d-fc-ring-sw", {1400, 800, 400}},
      {"themis-4d-ring-sw-sw-sw", {2000, 1600, 800, 400}},
      {"themis-4d-ring-fc-ring-sw", {3000, 1400, 1200, 800}},
  };
  for (const auto& [name, gigabits] : aggregate) {
    const Machine machine = shipped(name);
    EXPECT_EQ(rank_count(machine), 1024) << name;
    const std::vector<Cluster::Dimension>& dimensions = as<Cluster>(machine)->dimensions;
    ASSERT_EQ(dimensions.size(), gigabits.size()) << name;
    for (std::size_t d = 0; d < gigabits.size(); ++d) {
      EXPECT_DOUBLE_EQ(dimensions[d].bandwidth().value() * 8e-9, gigabits[d]) << name << " dimension " << d;
    }
  }
}

TEST(ShippedMachine, NamesASourceForEveryValue) {
  int files = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(kSource / "machines")) {
    ++files;
    const std::string text = read_file(file.path());
    EXPECT_NO_THROW((void)parse_machine(text, file.path().filename().string()));
    for (const MachineEntry& entry : machine_entries(text, file.path().filename().string())) {
      EXPECT_GE(entry.source.size(), 5U) << file.path() << ": " << entry.key << " has no source";
    }
  }
  EXPECT_GE(files, 10);
}

TEST(MachineEntries, ShowValuesAsTheyStand) {
  const std::vector<MachineEntry> entries = machine_entries(
      "a = \"x # y\"  # one\n[t]\nb = [1,\n  2]  # two\n[[d]]\nc = 1 # three\n[[d]]\nc = 2\n", "f.toml");
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].value, "\"x # y\"");
  EXPECT_EQ(entries[0].source, "one");
  EXPECT_EQ(entries[1].key, "t.b");
  EXPECT_EQ(entries[1].value, "[1, 2]");
  EXPECT_EQ(entries[1].source, "two");
  EXPECT_EQ(entries[2].key, "d.1.c");
  EXPECT_EQ(entries[3].key, "d.2.c");
  EXPECT_EQ(entries[3].source, "");
}

TEST(Overrides, ChangeOneValueForOneCall) {
  EXPECT_EQ(as<Mesh>(shipped("wse2", {{"ramp.latency", "7 cycles"}}))->ramp_latency, Cycles(7));
  EXPECT_EQ(as<Mesh>(shipped("wse2", {{"router.buffer", "1"}}))->router_buffer, 1);
  const auto timing = [](const std::string& key, const std::string& value) {
    return *as<Mesh>(shipped("wse2", {{key, value}}));
  };
  EXPECT_EQ(timing("processor.operation_start", "3 cycles").operation_start, Cycles(3));
  EXPECT_EQ(timing("processor.receive_gap", "10 ns").receive_gap, Cycles(9));  // 8.5 cycles of 850 MHz
  EXPECT_EQ(timing("processor.receive_interval", "13 cycles").receive_interval, Cycles(13));
  EXPECT_EQ(timing("processor.local_interval", "2 cycles").local_interval, Cycles(2));
  EXPECT_EQ(timing("link.arbitration", "highest color").arbitration, Arbitration::highest_color);
  EXPECT_EQ(timing("link.arbitration", "round robin").arbitration, Arbitration::round_robin);
  EXPECT_EQ(as<HyperX>(shipped("piuma", {{"nodes.shape", "[2, 2]"}}))->shape, (std::vector<std::int32_t>{2, 2}));
  EXPECT_EQ(as<Cluster>(shipped("themis-2d-sw-sw", {{"dimension.2.size", "32"}}))->dimensions[1].size, 32);
}

TEST(Overrides, AreCheckedLikeTheFile) {
  const auto refusal = [](const Overrides& overrides) { return message_of([&] { (void)shipped("wse2", overrides); }); };
  EXPECT_EQ(refusal({{"ramp.latency", "2 GB"}}),
            "--param ramp.latency=2 GB: '2 GB' is not a time; use e.g. '2 cycles' or '2.4 ns'");
  EXPECT_EQ(refusal({{"ramp.latncy", "2 cycles"}}),
            "--param ramp.latncy=2 cycles: unknown key; allowed here: latency, queue");
  EXPECT_EQ(
      refusal({{"link.bandwidth", "2 wavelets/cycle"}}),
      "--param link.bandwidth=2 wavelets/cycle: '2 wavelets/cycle' is not modelled on a mesh; use '1 wavelet/cycle'");
  EXPECT_EQ(refusal({{"colors.routable", "65"}}), "--param colors.routable=65: 65 is out of range; use 1 to 64");
}

TEST(Overrides, WithAConsequenceForTheFileAreNamed) {
  const auto refusal = [](const std::string& text, const Overrides& overrides) {
    return message_of([&] { (void)parse_machine(text, "w.toml", overrides); });
  };
  std::string wse2 = read_file(kSource / "machines" / "wse2.toml");
  EXPECT_EQ(refusal(wse2, {{"colors.routable", "1"}}),
            "w.toml:30: colors.reserved: 21 is out of range; use 0 to 0 (with --param colors.routable=1)");
  EXPECT_EQ(refusal(wse2, {{"clock", "1 GHz"}, {"fabric.compiler_width", "7"}}),
            "w.toml:10: fabric.max_width: 750 is more than compiler_width, 7 (with --param clock=1 GHz --param "
            "fabric.compiler_width=7)");
  wse2.replace(wse2.find("queue = 2"), 9, "queue = 0");
  EXPECT_EQ(refusal(wse2, {{"colors.routable", "1"}}), "w.toml:23: ramp.queue: 0 is out of range; use 1 to 1048576")
      << "broken by itself";
}

TEST(Latencies, AreAtMostAMillionCycles) {
  const auto with = [](const std::string& value) {
    return message_of([&] { (void)shipped("wse2", {{"ramp.latency", value}}); });
  };
  EXPECT_EQ(with("1000000 cycles"), "accepted");
  EXPECT_EQ(with("1000001 cycles"),
            "--param ramp.latency=1000001 cycles: '1000001 cycles' is too long; use at most 1000000 cycles");
  EXPECT_EQ(message_of([] {
              (void)shipped("piuma", {{"nodes.latency", "1.5 s"}});
            }),
            "--param nodes.latency=1.5 s: '1.5 s' is too long; use at most 1 s");
}

TEST(Latencies, InSecondsAreRoundedToTheNearestCycle) {
  EXPECT_EQ(as<Mesh>(shipped("wse2", {{"ramp.latency", "2.4 ns"}}))->ramp_latency, Cycles(2));
  EXPECT_EQ(as<Mesh>(shipped("wse2", {{"ramp.latency", "3 ns"}}))->ramp_latency, Cycles(3)) << "2.55 cycles";
}

class MachineFolders : public ::testing::Test {
 protected:
  MachineFolders() {
    fs::create_directories(root_ / "mine");
    fs::create_directories(root_ / "data" / "machines");
    write("mine/wse2.toml");
    write("data/machines/wse2.toml");
    write("data/machines/piuma.toml");
  }
  ~MachineFolders() override { fs::remove_all(root_); }
  void write(const std::string& file) { std::ofstream(root_ / file) << "x = 1\n"; }

  fs::path root_ = fs::path(::testing::TempDir()) / ("muster_machine_folders_" + std::to_string(::getpid()));
  MachinePath path_{{root_ / "mine", root_ / "data"}};
};

TEST_F(MachineFolders, AreSearchedInOrder) {
  const FoundMachine found = find_machine(path_, "wse2");
  EXPECT_EQ(found.file, root_ / "mine" / "wse2.toml");
  EXPECT_EQ(found.shadowed, std::vector<fs::path>{root_ / "data" / "machines" / "wse2.toml"});
  EXPECT_EQ(find_machine(path_, "piuma").file, root_ / "data" / "machines" / "piuma.toml");
  EXPECT_EQ(machine_names(path_), (std::vector<std::string>{"piuma", "wse2"}));
  const std::string file = (root_ / "mine" / "wse2.toml").string();
  EXPECT_EQ(find_machine({}, file).file, file);
}

TEST_F(MachineFolders, RefuseUnknownNames) {
  EXPECT_EQ(message_of([&] { (void)find_machine(path_, "wse3"); }), "unknown machine 'wse3'; did you mean 'wse2'?");
  EXPECT_EQ(message_of([&] { (void)find_machine(path_, "nothing-like-it"); }),
            "unknown machine 'nothing-like-it'; known: piuma, wse2");
  EXPECT_EQ(message_of([&] { (void)find_machine(path_, "no/where.toml"); }),
            "machine file 'no/where.toml' does not exist");
  EXPECT_EQ(message_of([&] { (void)find_machine(path_, "../data/machines/piuma"); }),
            "'../data/machines/piuma' is not a machine; give a name, or a file that ends in .toml");
  EXPECT_EQ(message_of([&] { (void)find_machine(path_, ""); }),
            "'' is not a machine; give a name, or a file that ends in .toml");
}

TEST_F(MachineFolders, ComeFromTheEnvironmentAndThenTheData) {
  ::setenv("MUSTER_PATH", "/first::/second", 1);
  const MachinePath path = machine_path("/data");
  ::unsetenv("MUSTER_PATH");
  EXPECT_EQ(path.folders, (std::vector<fs::path>{"/first", "/second", "/data"}));
  EXPECT_EQ(machine_path("/data").folders, std::vector<fs::path>{"/data"});
}

TEST_F(MachineFolders, ThatAreNoneAreListed) {
  const fs::path file = root_ / "mine" / "wse2.toml";
  ::setenv("MUSTER_PATH", fmt::format("{}:{}:/no/where", (root_ / "mine").string(), file.string()).c_str(), 1);
  const MachinePath path = machine_path("/no/data");
  ::unsetenv("MUSTER_PATH");
  EXPECT_EQ(path.missing, (std::vector<fs::path>{file, "/no/where"}));
  EXPECT_EQ(machine_names(path), std::vector<std::string>{"wse2"}) << "by name, broken as it is";
}

TEST_F(MachineFolders, ThatCannotBeReadAreReported) {
  EXPECT_EQ(message_of([&] { (void)load_machine("no/such.toml"); }),
            "no/such.toml: cannot be read; is it a file that you may read?");
  EXPECT_EQ(message_of([&] { (void)load_machine(root_ / "mine"); }),
            (root_ / "mine").string() + ": cannot be read; is it a file that you may read?");
}

TEST(RejectedMachine, GetsTheExpectedMessage) {
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(kSource / "tests" / "reject" / "machines")) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    const std::string name = entry.path().filename().string();
    std::string expected = read_file(fs::path(entry.path()).replace_extension(".expected"));
    EXPECT_TRUE(expected.ends_with('\n')) << name << ": a message is one line";
    if (!expected.empty()) expected.pop_back();
    EXPECT_EQ(message_of([&] { (void)parse_machine(read_file(entry.path()), name); }), expected) << name;
  }
  EXPECT_GE(files, 25);
}

RC_GTEST_PROP(Machine, FilesNeverCrashTheLoaderWhenDamaged, ()) {
  const auto name =
      *rc::gen::elementOf(std::vector<std::string>{"wse2", "wormhole-n150", "piuma", "themis-3d-fc-ring-sw"});
  std::string text = read_file(kSource / "machines" / (name + ".toml"));
  const int changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 20);
    const auto insert =
        *rc::gen::elementOf(std::vector<std::string>{"", "0", "-", "\"", "[", "\n", "999999999", "#", "."});
    text.replace(at, std::min(length, text.size() - at), insert);
  }
  const std::string shown = message_of([&] { (void)parse_machine(text, "damaged.toml"); });
  RC_ASSERT(shown == "accepted" || shown.starts_with("damaged.toml"));
  RC_ASSERT(shown.find('\n') == std::string::npos);
}

}  // namespace
}  // namespace muster
