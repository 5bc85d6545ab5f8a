#include "backend/hyperx/files/emit_registers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/hyperx/files/difference.h"
#include "backend/hyperx/files/read_registers.h"
#include "backend/hyperx/files/test_programs.h"
#include "machine/hyperx.h"

namespace muster::hyperx {
namespace {

std::string json_of(const HyperXProgram& program) {
  return emit_registers(program, {.target = "registers", .command = "muster \"emit\" \\ \x01\xff"}).front().text;
}

RC_GTEST_PROP(EmitRegisters, WritesWhatReadsBackAsTheSame, ()) {
  const HyperXProgram program = any_program();
  const HyperXProgram read = read_registers(json_of(program), "registers.json", program.machine);
  RC_ASSERT(difference(program, read).value_or("") == "");
  RC_ASSERT(read.arithmetic.op == program.arithmetic.op);
  RC_ASSERT(read.arithmetic.type == program.arithmetic.type);
  RC_ASSERT(json_of(read) == json_of(program));
}

RC_GTEST_PROP(EmitRegisters, FindsNodesThatAreAlike, ()) {
  const HyperXProgram program = any_program();
  const NodePrograms found = find_node_programs(program);
  const auto text_of = [&](std::int32_t node) {
    std::string text;
    for (const Row& row : program.registers.rows) {
      const HyperXCoordinates coordinates = coordinates_of(program.network(), row.at);
      if (coordinates.node != node) continue;
      text += fmt::format("{} {} {} {} {} {};", coordinates.socket, coordinates.core, row.id,
                          static_cast<int>(row.channel), fmt::join(program.registers.inputs_of(row), ","),
                          fmt::join(program.registers.outputs_of(row), ","));
    }
    return text;
  };
  std::vector<std::string> texts;
  for (std::int32_t node = 0; node < hyperx_nodes(program.network()); ++node) {
    const std::string text = text_of(node);
    const auto known = static_cast<std::int32_t>(std::ranges::find(texts, text) - texts.begin());
    if (!text.empty() && at(known) == texts.size()) texts.push_back(text);
    RC_ASSERT(found.of_node[at(node)] == (text.empty() ? kNoProgram : known));
  }
  RC_ASSERT(found.programs.size() == texts.size());
}

TEST(EmitRegisters, ShowsARowPerLine) {
  const HyperX network = piuma({2}, 1, 2, 1);
  HyperXProgram program = program_of(network, {whole_tree(network, 4)}, {{.elements = {0, 16}}});
  program.contracts.push_back({.collective = Collective::reduce, .ranks = {3, 1, 2}, .root = 1, .count = 16});
  EXPECT_EQ(registers_json(program, find_node_programs(program), "muster emit"), R"({
  "schema": 1,
  "format": "muster registers",
  "machine": "switches",
  "made_for": "hyperx 2 nodes, 1 socket of 2x1 cores",
  "command": "muster emit",
  "type": "f32",
  "op": "sum",
  "segments": [
    {"id": 0, "first": 0, "count": 16, "from": "input", "to": "output"}
  ],
  "contracts": [
    {"collective": "allreduce", "root": null, "count": 16, "from": "input", "to": "output", "ranks": ["0-3"]},
    {"collective": "reduce", "root": 1, "count": 16, "from": "input", "to": "output", "ranks": ["3", "1-2"]}
  ],
  "node_programs": [
    [
      {"socket": 0, "core": 0, "id": 0, "channel": "request", "inputs": ["east", "node 0:1", "memory"], "outputs": ["loop"], "operation": "sum"},
      {"socket": 0, "core": 0, "id": 0, "channel": "response", "inputs": ["loop"], "outputs": ["east", "node 0:1", "memory"], "operation": null},
      {"socket": 0, "core": 1, "id": 0, "channel": "request", "inputs": ["memory"], "outputs": ["west"], "operation": null},
      {"socket": 0, "core": 1, "id": 0, "channel": "response", "inputs": ["west"], "outputs": ["memory"], "operation": null}
    ],
    [
      {"socket": 0, "core": 0, "id": 0, "channel": "request", "inputs": ["east", "memory"], "outputs": ["node 0:0"], "operation": "sum"},
      {"socket": 0, "core": 0, "id": 0, "channel": "response", "inputs": ["node 0:0"], "outputs": ["east", "memory"], "operation": null},
      {"socket": 0, "core": 1, "id": 0, "channel": "request", "inputs": ["memory"], "outputs": ["west"], "operation": null},
      {"socket": 0, "core": 1, "id": 0, "channel": "response", "inputs": ["west"], "outputs": ["memory"], "operation": null}
    ]
  ],
  "program_of_node": [
    0, 1
  ]
}
)");
}

}  // namespace
}  // namespace muster::hyperx
