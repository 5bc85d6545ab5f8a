#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "backend/hyperx/files/emit_registers.h"
#include "backend/hyperx/files/test_programs.h"
#include "base/file.h"
#include "machine/hyperx.h"

namespace muster::hyperx {
namespace {

/// Prints every row of every node: node, socket, core, id, channel, operation, inputs, outputs.
constexpr std::string_view kPrintRows = R"(
#include <stdio.h>

static void print_ports(const uint64_t* mask) {
  int port;
  for (port = 0; port < MUSTER_PORTS; ++port) {
    if ((mask[port / 64] >> (port % 64)) & 1u) printf(" %d", port);
  }
}

int main(void) {
  int node, id;
  for (id = 0; id < MUSTER_IDS; ++id) {
    const struct muster_segment* s = &muster_segments[id];
    printf("%lu %lu %d %d\n", (unsigned long)s->first, (unsigned long)s->count, s->from, s->to);
  }
  for (node = 0; node < MUSTER_NODES; ++node) {
    const int32_t program = muster_program_of_node[node];
    uint32_t i;
    if (program < 0) continue;
    for (i = muster_first_row[program]; i < muster_first_row[program + 1]; ++i) {
      const struct muster_row* row = &muster_rows[i];
      printf("%d %d %d %d %d %d:", node, row->socket, row->core, row->id, row->channel, row->operation);
      print_ports(row->inputs);
      printf(" >");
      print_ports(row->outputs);
      printf("\n");
    }
  }
  return MUSTER_LOOP + 1 == MUSTER_MEMORY && MUSTER_MEMORY + 1 == MUSTER_PORTS ? 0 : 1;
}
)";

std::string expected_rows(const HyperXProgram& program) {
  const Registers& registers = program.registers;
  std::string text;
  for (const Segment& s : registers.segments) {
    text += fmt::format("{} {} {} {}\n", s.elements.first, s.elements.count, static_cast<int>(s.from),
                        static_cast<int>(s.to));
  }
  for (const Row& row : registers.rows) {
    const HyperXCoordinates coordinates = coordinates_of(program.network(), row.at);
    text += fmt::format("{} {} {} {} {} {}: {} > {}\n", coordinates.node, coordinates.socket, coordinates.core, row.id,
                        static_cast<int>(row.channel), row.inputs.count > 1 ? 1 + static_cast<int>(registers.op) : 0,
                        fmt::join(registers.inputs_of(row), " "), fmt::join(registers.outputs_of(row), " "));
  }
  return text;
}

/// What the program that includes the header of `program` prints, built as `language` ("c -std=c11").
std::string printed_rows(const HyperXProgram& program, const std::string& language) {
  std::string pattern = (std::filesystem::temp_directory_path() / "muster-registers-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return "no folder";
  const std::filesystem::path folder = pattern;
  const auto write = [&](const char* name, std::string_view text) { std::ofstream(folder / name) << text; };
  write("registers.h", registers_header(program, find_node_programs(program), "muster emit \\ */ --out \"a b\" \\"));
  write("print.txt", fmt::format("#include \"registers.h\"{}", kPrintRows));
  const std::string command = fmt::format(
      "cd '{0}' && '{1}' -x {2} -pedantic -Wall -Wextra -Werror print.txt -o print > errors 2>&1 && ./print > rows",
      folder.string(), MUSTER_COMPILER, language);
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): our own text
  const std::string printed = read_file(folder / (status == 0 ? "rows" : "errors"));
  std::filesystem::remove_all(folder);
  return printed;
}

void expect_rows(const HyperXProgram& program) {
  EXPECT_EQ(printed_rows(program, "c -std=c11"), expected_rows(program));
  EXPECT_EQ(printed_rows(program, "c++ -std=c++11"), expected_rows(program));
}

TEST(RegistersHeader, HoldsTheRowsForCAndCpp) {
  const HyperX network = piuma({3, 2}, 3, 2, 2);
  HyperXProgram program = program_of(network, {whole_tree(network, rank_count(network) + 5)}, {{.elements = {3, 16}}});
  program.registers.op = Operator::min;
  expect_rows(program);
}

TEST(RegistersHeader, HasMasksOfSeveralWordsWherePortsAreMany) {
  const HyperX network = piuma({70, 2}, 70, 1, 1);
  const Ports ports(network);
  ASSERT_GT(ports.count(), 2 * 64);
  TestTree tree{.id = 1, .root = switch_at(network, {.node = 1, .socket = 68, .core = 0})};
  for (const NodeId neighbour : neighbours(ports, tree.root)) {
    tree.parent[neighbour] = tree.root;
    tree.gives.insert(neighbour);
    tree.takes.insert(neighbour);
  }
  expect_rows(program_of(network, {tree}, {{.elements = {0, 1}}, {.elements = {1, 2}, .to = Buffer::input}}));
}

TEST(RegistersHeader, MayBeWithoutRows) { expect_rows(program_of(piuma({}, 1, 1, 1), Registers{})); }

}  // namespace
}  // namespace muster::hyperx
