// registers.h: tables for C and C++, with sets of ports as bit masks.
#include "backend/hyperx/files/emit_registers.h"
#include "backend/hyperx/files/names.h"
#include "base/one_line.h"
#include "machine/hyperx.h"

namespace muster::hyperx {
namespace {

constexpr std::size_t kLongestCommand = 2000;
constexpr std::int32_t kBitsPerWord = 64;

constexpr std::string_view kHowToUse =
    R"(// Nodes whose switches are configured alike share a node program, a list of rows. Of node n:
//   p = muster_program_of_node[n]; if p is negative, no switch of the node is configured. Otherwise its rows are
//   muster_rows[muster_first_row[p]] up to, but not including, muster_rows[muster_first_row[p + 1]].
// A row configures one switch (of core `core` in socket `socket`), one collective id and one channel. Bit b of a mask is bit
// b % 64 of word b / 64 and stands for port b. The switch takes one packet from every port in `inputs`, combines them by
// `operation` in ascending order of ports, and sends the result to every port in `outputs`.
// Port MUSTER_MEMORY: the core's memory reads or writes words [first, first + count) of muster_segments[id]. Port MUSTER_LOOP:
// from the request channel of the switch to its response channel, or back.
// A switch runs its ids one after another, in ascending order.
// Port numbers and the row format are Muster's own: those of the hardware are not published.
)";

constexpr std::string_view kTypes = R"(
struct muster_row {
  uint16_t socket;
  uint16_t core;
  uint16_t id;
  uint8_t channel;   /* MUSTER_REQUEST or MUSTER_RESPONSE */
  uint8_t operation; /* MUSTER_NONE if there is one input */
  uint64_t inputs[MUSTER_MASK_WORDS];
  uint64_t outputs[MUSTER_MASK_WORDS];
};

/* Words of 32 bits. */
struct muster_segment {
  uint64_t first;
  uint64_t count;
  uint8_t from;
  uint8_t to;
};
)";

class HeaderWriter {
 public:
  HeaderWriter(const HyperXProgram& program, const NodePrograms& nodes)
      : program_(program),
        registers_(program.registers),
        nodes_(nodes),
        ports_(program.network()),
        words_((ports_.count() + kBitsPerWord - 1) / kBitsPerWord) {}

  std::string run(const std::string& command) && {
    put("// Muster: registers of reducing switches, {} of {} on {}, {}.\n", operator_name(registers_.op),
        type_name(registers_.type), one_line(program_.machine.name), wiring_name(program_.machine));
    put("// Made by \"{}\".\n//\n{}", one_line(command, kLongestCommand), kHowToUse);
    put("#ifndef MUSTER_REGISTERS_H\n#define MUSTER_REGISTERS_H\n\n#include <stdint.h>\n\n");
    constants();
    put("{}", kTypes);
    tables();
    put("\n#endif\n");
    return std::move(out_);
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void constants() {
    put("enum muster_port {{\n  MUSTER_WEST = 0,\n  MUSTER_EAST = 1,\n  MUSTER_NORTH = 2,\n  MUSTER_SOUTH = 3,\n");
    put("  MUSTER_SOCKET = {}, /* + number of the socket */\n", ports_.socket(0));
    for (std::size_t d = 0; d < program_.network().shape.size(); ++d) {
      put("  MUSTER_NODE_{} = {}, /* + coordinate in dimension {} */\n", d, ports_.node(d, 0), d);
    }
    put("  MUSTER_LOOP = {},\n  MUSTER_MEMORY = {}\n}};\n\n", ports_.loop(), ports_.memory());
    put("enum muster_channel {{ MUSTER_REQUEST = 0, MUSTER_RESPONSE = 1 }};\n");
    put("enum muster_operation {{ MUSTER_NONE = 0, MUSTER_SUM = 1, MUSTER_MAX = 2, MUSTER_MIN = 3, MUSTER_PROD = 4 "
        "}};\n");
    put("enum muster_buffer {{ MUSTER_INPUT = 1, MUSTER_OUTPUT = 2, MUSTER_SCRATCH = 3 }};\n\n");
    put("#define MUSTER_PORTS {}\n#define MUSTER_MASK_WORDS {}\n", ports_.count(), words_);
    put("#define MUSTER_ROWS {}\n#define MUSTER_NODE_PROGRAMS {}\n", rows_in_programs(), nodes_.programs.size());
    put("#define MUSTER_NODES {}\n#define MUSTER_IDS {}\n", nodes_.of_node.size(), registers_.segments.size());
  }

  [[nodiscard]] std::int64_t rows_in_programs() const {
    std::int64_t rows = 0;
    for (const Slice& program : nodes_.programs) rows += program.count;
    return rows;
  }

  void tables() {
    put("\nstatic const struct muster_segment muster_segments[] = {{\n");
    for (const Segment& s : registers_.segments) {
      put("  {{{}, {}, {}, {}}},\n", s.elements.first, s.elements.count, number(s.from), number(s.to));
    }
    if (registers_.segments.empty()) put("  {{0, 0, 0, 0}} /* none */\n");
    put("}};\n\nstatic const struct muster_row muster_rows[] = {{\n");
    for (const Slice& rows : nodes_.programs) {
      for (std::int32_t i = 0; i < rows.count; ++i) row(registers_.rows[at(rows.first + i)]);
    }
    if (nodes_.programs.empty()) put("  {{0, 0, 0, 0, 0, {{0}}, {{0}}}} /* none */\n");
    put("}};\n\nstatic const uint32_t muster_first_row[] = {{\n");
    std::int64_t first = 0;
    for (std::size_t i = 0; i < nodes_.programs.size(); first += nodes_.programs[i++].count) entry(i, first);
    entry(nodes_.programs.size(), first);
    put("\n}};\n\nstatic const int32_t muster_program_of_node[] = {{\n");
    for (std::size_t node = 0; node < nodes_.of_node.size(); ++node) entry(node, nodes_.of_node[node]);
    put("\n}};\n");
  }

  static int number(Buffer buffer) { return static_cast<int>(buffer); }

  void row(const Row& row) {
    const HyperXCoordinates coordinates = coordinates_of(program_.network(), row.at);
    const int operation = row.inputs.count > 1 ? 1 + static_cast<int>(registers_.op) : 0;
    put("  {{{}, {}, {}, {}, {}, ", coordinates.socket, coordinates.core, row.id, static_cast<int>(row.channel),
        operation);
    mask(registers_.inputs_of(row));
    put(", ");
    mask(registers_.outputs_of(row));
    put("}},\n");
  }

  void mask(std::span<const Port> ports) {
    std::size_t next = 0;
    for (std::int32_t word = 0; word < words_; ++word) {
      std::uint64_t bits = 0;
      for (; next < ports.size() && ports[next] / kBitsPerWord == word; ++next) {
        bits |= std::uint64_t{1} << static_cast<std::uint32_t>(ports[next] % kBitsPerWord);
      }
      put("{}{:#x}u", word == 0 ? "{" : ", ", bits);
    }
    put("}}");
  }

  void entry(std::size_t index, std::int64_t value) {
    constexpr std::size_t kPerLine = 32;
    put("{}{}{}", index == 0 ? "" : ",", index % kPerLine == 0 ? (index == 0 ? "  " : "\n  ") : " ", value);
  }

  const HyperXProgram& program_;
  const Registers& registers_;
  const NodePrograms& nodes_;
  Ports ports_;
  std::int32_t words_;
  std::string out_;
};

}  // namespace

std::string registers_header(const HyperXProgram& program, const NodePrograms& nodes, const std::string& command) {
  return HeaderWriter(program, nodes).run(command);
}

}  // namespace muster::hyperx
