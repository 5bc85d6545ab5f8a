// registers.json: a line per row, so that files can be compared line by line.
#include "backend/hyperx/files/emit_registers.h"
#include "backend/hyperx/files/names.h"
#include "machine/hyperx.h"

namespace muster::hyperx {
namespace {

/// In quotes; whatever is no plain character becomes '?'.
std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c >= ' ' && c <= '~' ? c : '?';
  }
  return out + '"';
}

class JsonWriter {
 public:
  JsonWriter(const HyperXProgram& program, const NodePrograms& nodes)
      : program_(program), registers_(program.registers), nodes_(nodes) {
    const Ports ports(program.network());
    for (std::int32_t port = 0; port < ports.count(); ++port)
      port_names_.push_back(ports.text(static_cast<Port>(port)));
  }

  std::string run(const std::string& command) && {
    put("{{\n  \"schema\": {},\n  \"format\": \"{}\",\n", kRegistersVersion, kRegistersFormat);
    put("  \"machine\": {},\n  \"made_for\": \"{}\",\n", json_string(program_.machine.name),
        wiring_name(program_.machine));
    put("  \"command\": {},\n", json_string(command));
    put("  \"type\": \"{}\",\n  \"op\": \"{}\",\n", type_name(registers_.type), operator_name(registers_.op));
    list("segments", registers_.segments.size(), [&](std::size_t id) { segment(id); });
    list("contracts", program_.contracts.size(), [&](std::size_t i) { contract(program_.contracts[i]); });
    list("node_programs", nodes_.programs.size(), [&](std::size_t i) { node_program(nodes_.programs[i]); });
    program_of_node();
    put("\n}}\n");
    return std::move(out_);
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  template <class Item>
  void list(std::string_view key, std::size_t count, Item item) {
    put("  \"{}\": [", key);
    for (std::size_t i = 0; i < count; ++i) {
      put("{}\n    ", i == 0 ? "" : ",");
      item(i);
    }
    put("{}],\n", count == 0 ? "" : "\n  ");
  }

  void segment(std::size_t id) {
    const Segment& s = registers_.segments[id];
    put(R"({{"id": {}, "first": {}, "count": {}, "from": "{}", "to": "{}"}})", id, s.elements.first, s.elements.count,
        buffer_name(s.from), buffer_name(s.to));
  }

  void contract(const Contract& c) {
    MUSTER_ASSERT(c.collective != Collective::neighbours && c.collective != Collective::stencil,
                  "registers of a contract with neighbours");
    put(R"({{"collective": "{}", "root": )", collective_name(c.collective));
    put("{}", has_root(c.collective) ? fmt::format("{}", c.root) : "null");
    put(R"(, "count": {}, "from": "{}", "to": "{}", "ranks": [)", c.count, buffer_name(c.from), buffer_name(c.to));
    for (std::size_t first = 0, end = 0; first < c.ranks.size(); first = end) {
      for (end = first + 1; end < c.ranks.size() && c.ranks[end] == c.ranks[end - 1] + 1;) ++end;
      put("{}\"{}", first == 0 ? "" : ", ", c.ranks[first]);
      if (end - first > 1) put("-{}", c.ranks[end - 1]);
      put("\"");
    }
    put("]}}");
  }

  void node_program(Slice rows) {
    put("[");
    for (std::int32_t i = 0; i < rows.count; ++i) {
      put("{}\n      ", i == 0 ? "" : ",");
      row(registers_.rows[at(rows.first + i)]);
    }
    put("\n    ]");
  }

  void row(const Row& row) {
    const HyperXCoordinates coordinates = coordinates_of(program_.network(), row.at);
    put(R"({{"socket": {}, "core": {}, "id": {}, "channel": "{}", "inputs": [)", coordinates.socket, coordinates.core,
        row.id, channel_name(row.channel));
    ports(registers_.inputs_of(row));
    put(R"(], "outputs": [)");
    ports(registers_.outputs_of(row));
    put(R"(], "operation": )");
    if (row.inputs.count > 1) {
      put("\"{}\"}}", operator_name(registers_.op));
    } else {
      put("null}}");
    }
  }

  void ports(std::span<const Port> list) {
    for (std::size_t i = 0; i < list.size(); ++i) put("{}\"{}\"", i == 0 ? "" : ", ", port_names_[at(list[i])]);
  }

  void program_of_node() {
    constexpr std::size_t kPerLine = 32;
    put("  \"program_of_node\": [");
    for (std::size_t node = 0; node < nodes_.of_node.size(); ++node) {
      put("{}{}{}", node == 0 ? "" : ",", node % kPerLine == 0 ? "\n    " : " ", nodes_.of_node[node]);
    }
    put("\n  ]");
  }

  const HyperXProgram& program_;
  const Registers& registers_;
  const NodePrograms& nodes_;
  std::vector<std::string> port_names_;
  std::string out_;
};

}  // namespace

std::string registers_json(const HyperXProgram& program, const NodePrograms& nodes, const std::string& command) {
  return JsonWriter(program, nodes).run(command);
}

}  // namespace muster::hyperx
