#include "backend/hyperx/files/read_registers.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "backend/hyperx/files/emit_registers.h"
#include "backend/hyperx/files/lift.h"
#include "backend/hyperx/files/test_programs.h"
#include "base/file.h"
#include "base/source_dir.h"
#include "machine/hyperx.h"
#include "machine/mesh.h"

namespace muster::hyperx {
namespace {

/// What reading and lifting say of a text.
std::string message_of(const std::string& text, const std::string& file, const Machine& machine) {
  try {
    (void)lift_registers(read_registers(text, file, machine), file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// tests/reject/registers: NAME.json and the message that it gets on two nodes of two cores, NAME.expected.
TEST(ReadRegisters, RefusesBadFilesWithTheExpectedMessage) {
  const Machine machine = machine_of(piuma({2}, 1, 2, 1));
  const auto folder = std::filesystem::path(source_dir()) / "tests" / "reject" / "registers";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    std::filesystem::path expected = entry.path();
    expected.replace_extension(".expected");
    EXPECT_EQ(message_of(read_file(entry.path()), entry.path().filename().string(), machine) + "\n",
              read_file(expected))
        << entry.path();
  }
  EXPECT_GE(files, 30);
}

TEST(ReadRegisters, AreForAHyperX) {
  const Machine wafer{.name = "wafer", .summary = "", .network = Mesh{.width = 2, .height = 1}};
  EXPECT_EQ(message_of("{}", "r.json", wafer),
            "r.json: machine 'wafer' is a mesh; registers are for a hyperx such as piuma");
}

TEST(ReadRegisters, RefuseMoreRowsThanMemoryHolds) {
  const HyperX network = piuma({32, 32, 16}, 1, 1, 1);
  std::string segments, rows;
  for (int id = 0; id < 3000; ++id) {
    const std::string comma = id == 0 ? "" : ",\n";
    segments += comma + fmt::format(R"({{"id": {}, "first": 0, "count": 1, "from": "input", "to": "input"}})", id);
    rows += comma + fmt::format(R"({{"socket": 0, "core": 0, "id": {}, "channel": "request", "inputs": ["memory"],
                                    "outputs": ["memory"], "operation": null}})",
                                id);
  }
  std::string of_node = "0";
  for (int node = 1; node < 16384; ++node) of_node += ", 0";
  const std::string text = fmt::format(
      R"({{"schema": 1, "format": "muster registers", "machine": "x", "made_for": "hyperx 32x32x16 nodes, 1 socket of 1x1 cores",
      "type": "f32", "op": "sum", "segments": [{}], "contracts": [], "node_programs": [[{}]], "program_of_node": [{}]}})",
      segments, rows, of_node);
  EXPECT_EQ(
      message_of(text, "r.json", machine_of(network)),
      "r.json: program_of_node[11184]: more than 33554432 rows or 2147483647 ports of all nodes together; use fewer");
}

}  // namespace
}  // namespace muster::hyperx
