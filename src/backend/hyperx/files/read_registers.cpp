// Node programs are read once and then repeated for their nodes. Files come from strangers: what they ask for is bounded before it
// is made.
#include "backend/hyperx/files/read_registers.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "backend/hyperx/check.h"
#include "backend/hyperx/files/names.h"
#include "backend/hyperx/files/node_programs.h"
#include "base/one_line.h"
#include "machine/family.h"
#include "machine/hyperx.h"
#include "schedule/text.h"
#include "schedule/text_json.h"
#include "schedule/text_reader.h"

namespace muster::hyperx {
namespace {

class Reader {
 public:
  explicit Reader(const Machine& machine) : machine_(machine), hyperx_(*as<HyperX>(machine)), ports_(hyperx_) {}

  HyperXProgram run(const JsonValue& value) && {
    head(value);
    program_.machine = machine_;
    arithmetic(value);
    segments(value);
    contracts(value);
    node_programs(value);
    expand(value);
    return std::move(program_);
  }

 private:
  void head(const JsonValue& value) const {
    if (const auto schema = value.member("schema"); schema.integer(0, INT32_MAX, "a version") != kRegistersVersion) {
      schema.refuse("version {} is not known; this program reads version {}", schema.text(), kRegistersVersion);
    }
    if (value.has("kind")) {
      value.member("kind").refuse(
          "{} is not a register file; verify takes a schedule without a flag, simulate with --schedule",
          value.member("kind").text());
    }
    if (const auto format = value.member("format"); format.string() != kRegistersFormat) {
      format.refuse("{} is not a register file; use '{}'", format.text(), kRegistersFormat);
    }
    value.require_keys({"schema", "format", "machine", "made_for", "command", "type", "op", "segments", "contracts",
                        "node_programs", "program_of_node"});
    (void)value.member("machine").string();
    if (value.has("command")) (void)value.member("command").string();
    if (const auto made_for = value.member("made_for"); made_for.string() != wiring_name(machine_)) {
      made_for.refuse("'{}' is not this machine, '{}'; give the machine and the nodes that the registers are for",
                      one_line(made_for.string()), wiring_name(machine_));
    }
  }

  /// A value that has one of the names that `from_name` knows.
  template <class FromName>
  static auto named(const JsonValue& value, std::string_view what, FromName from_name,
                    const std::vector<std::string>& known) {
    const std::string name = value.string();
    const auto found = from_name(name);
    if (!found) value.refuse("{} is not {}; {}", value.text(), what, suggest(name, known));
    return *found;
  }

  void arithmetic(const JsonValue& value) {
    const JsonValue type = value.member("type");
    const auto own = machine_.family().types();
    const std::vector<std::string> known(own.begin(), own.end());
    const auto of_family = [&](const std::string& name) {
      return std::find(known.begin(), known.end(), name) == known.end() ? std::nullopt : type_from_name(name);
    };
    program_.arithmetic.type = named(type, "a type", of_family, known);
    program_.arithmetic.op = operation(value.member("op"));
    program_.registers.type = program_.arithmetic.type;
    program_.registers.op = program_.arithmetic.op;
  }

  static Operator operation(const JsonValue& value) {
    return named(value, "an operation of a collective engine", operator_from_name, operator_names());
  }

  static Buffer buffer(const JsonValue& value) {
    return named(value, "a buffer",
                 [](std::string_view name) {
                   const auto found = buffer_from_name(name);
                   return found && *found != Buffer::none ? found : std::nullopt;
                 },
                 {"input", "output", "scratch"});
  }

  void segments(const JsonValue& value) {
    constexpr std::size_t kMostIds = std::size_t{1} << 15U;
    const JsonValue list = value.member("segments");
    if (list.size() > kMostIds) list.refuse("{} ids are too many; use at most {}", list.size(), kMostIds);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue item = list.item(i);
      item.require_keys({"id", "first", "count", "from", "to"});
      (void)item.member("id").integer(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i), "the next id");
      const auto elements = [&](const char* key) {
        return item.member(key).integer(0, kMostTextElements, "a number of words");
      };
      program_.registers.segments.push_back({.elements = {elements("first"), elements("count")},
                                             .from = buffer(item.member("from")),
                                             .to = buffer(item.member("to"))});
    }
  }

  void contracts(const JsonValue& value) {
    const JsonValue list = value.member("contracts");
    for (std::size_t i = 0; i < list.size(); ++i) program_.contracts.push_back(contract(list.item(i)));
  }

  Contract contract(const JsonValue& value) {
    value.require_keys({"collective", "root", "count", "from", "to", "ranks"});
    const JsonValue name = value.member("collective");
    Contract c{.collective = named(name, "a collective", collective_from_name, collective_names())};
    if (c.collective == Collective::neighbours || c.collective == Collective::stencil)
      name.refuse("{} is not a collective of switches; use e.g. 'allreduce'", name.text());
    c.count = value.member("count").integer(1, kMostTextElements, "a number of words");
    c.from = buffer(value.member("from"));
    c.to = buffer(value.member("to"));
    const JsonValue ranks = value.member("ranks");
    if (ranks.size() == 0) ranks.refuse("a contract needs at least one rank; list those of its group");
    for (std::size_t i = 0; i < ranks.size(); ++i) add_ranks(ranks.item(i), c.ranks);
    const JsonValue root = value.member("root");
    if (has_root(c.collective)) {
      c.root = root.index(c.ranks.size(), "an index into ranks");
    } else if (root.text() != "null") {
      root.refuse("{} has no root; use null", collective_name(c.collective));
    }
    return c;
  }

  /// "7" or "0-2047".
  void add_ranks(const JsonValue& value, std::vector<NodeId>& ranks) {
    const std::string text = value.string();
    NodeId first = 0;
    NodeId last = 0;
    const char* end = text.data() + text.size();
    auto [behind, error] = std::from_chars(text.data(), end, first);
    last = first;
    if (error == std::errc() && behind != end && *behind == '-') {
      const auto second = std::from_chars(behind + 1, end, last);
      behind = second.ptr;
      error = second.ec;
    }
    if (error != std::errc() || behind != end || first < 0 || last < first) {
      value.refuse("{} is not a list of ranks; use e.g. '7' or '0-2047'", value.text());
    }
    const NodeId count = rank_count(hyperx_);
    if (last >= count) value.refuse("{} is beyond the last rank; use 0 to {}", value.text(), count - 1);
    ranks_ += last - first + 1;
    if (ranks_ > kMostTextRanks) value.refuse("contracts with more than {} ranks in all; use fewer", kMostTextRanks);
    for (NodeId rank = first; rank <= last; ++rank) ranks.push_back(rank);
  }

  void node_programs(const JsonValue& value) {
    const JsonValue list = value.member("node_programs");
    for (std::size_t p = 0; p < list.size(); ++p) {
      const JsonValue rows = list.item(p);
      const Slice slice{static_cast<std::int32_t>(rows_.size()), static_cast<std::int32_t>(rows.size())};
      for (std::size_t i = 0; i < rows.size(); ++i) {
        rows_.push_back(row(rows.item(i)));
        if (i > 0) check_order(rows.item(i), rows_[rows_.size() - 2], rows_.back());
      }
      programs_.push_back(slice);
    }
  }

  /// A row of a node program: `at` is the switch of node 0 that has it, its ports are in ports_list_.
  Row row(const JsonValue& value) {
    value.require_keys({"socket", "core", "id", "channel", "inputs", "outputs", "operation"});
    const HyperXCoordinates coordinates{.socket = value.member("socket").index(hyperx_.sockets, "a socket"),
                                        .core = value.member("core").index(cores_per_socket(hyperx_), "a core")};
    const auto ids = program_.registers.segments.size();
    const JsonValue channel = value.member("channel");
    const Row row{.at = switch_at(hyperx_, coordinates),
                  .id = static_cast<std::int16_t>(value.member("id").index(ids, "an id that has a segment")),
                  .channel = named(channel, "a channel", channel_from_name, {"request", "response"}),
                  .inputs = ports(value.member("inputs")),
                  .outputs = ports(value.member("outputs"))};
    check_operation(value.member("operation"), row);
    return row;
  }

  void check_operation(const JsonValue& value, const Row& row) const {
    if (row.inputs.count == 1) {
      if (value.text() != "null") value.refuse("{} combines one input with nothing; use null", value.text());
      return;
    }
    const Operator op = program_.registers.op;
    if (value.text() == "null") {
      value.refuse("{} inputs are combined by no operation; use '{}'", row.inputs.count, operator_name(op));
    }
    if (operation(value) != op) value.refuse("{} is not the file's op; use '{}'", value.text(), operator_name(op));
  }

  Slice ports(const JsonValue& list) {
    if (list.size() == 0) list.refuse("a row needs at least one port; leave out rows that do nothing");
    const Slice slice{static_cast<std::int32_t>(ports_list_.size()), static_cast<std::int32_t>(list.size())};
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue item = list.item(i);
      const auto port = ports_.from_text(item.string());
      if (!port) {
        item.refuse("{} is not a port; use e.g. 'west', 'socket 0', 'node 0:1', 'memory' or 'loop', within {}",
                    item.text(), wiring_name(machine_));
      }
      if (i > 0 && ports_list_.back() >= *port) {
        item.refuse(
            "{} comes after '{}'; list ports in the order in which they are combined: west, east, north, south, "
            "sockets, nodes, loop, memory",
            item.text(), ports_.text(ports_list_.back()));
      }
      ports_list_.push_back(*port);
    }
    return slice;
  }

  [[nodiscard]] std::span<const Port> list_of(Slice slice) const {
    return std::span(ports_list_).subspan(at(slice.first), at(slice.count));
  }

  void check_order(const JsonValue& value, const Row& before, const Row& row) const {
    const auto key = [](const Row& r) { return std::tuple(r.at, r.id, r.channel); };
    if (key(before) < key(row)) return;
    if (key(before) > key(row)) value.refuse("is out of order; sort rows by socket, core, id and channel");
    const std::string shared = shared_port(before, row);
    value.refuse(
        "a second row for this socket, core, id and channel: two groups would share {}; give them different ids",
        shared.empty() ? "the engine of the switch" : shared);
  }

  /// The first port that two rows both take from, or both send to.
  [[nodiscard]] std::string shared_port(const Row& a, const Row& b) const {
    const auto find = [&](Slice x, Slice y, const char* kind) -> std::string {
      for (const Port port : list_of(x)) {
        if (std::ranges::binary_search(list_of(y), port)) return fmt::format("its {} '{}'", kind, ports_.text(port));
      }
      return {};
    };
    const std::string input = find(a.inputs, b.inputs, "input");
    return input.empty() ? find(a.outputs, b.outputs, "output") : input;
  }

  void expand(const JsonValue& value) {
    const JsonValue list = value.member("program_of_node");
    const auto nodes = at(hyperx_nodes(hyperx_));
    if (list.size() != nodes) list.refuse("a list of {}; use one entry for each of the {} nodes", list.size(), nodes);
    std::int64_t rows = 0;
    std::int64_t ports = 0;
    std::vector<std::int32_t> of_node;
    for (std::size_t node = 0; node < nodes; ++node) {
      const auto last = std::ssize(programs_) - 1;
      const JsonValue item = list.item(node);
      of_node.push_back(static_cast<std::int32_t>(item.integer(kNoProgram, last, "a node program, or -1")));
      if (of_node.back() == kNoProgram) continue;
      const Slice program = programs_[at(of_node.back())];
      rows += program.count;
      for (const Row& row : std::span(rows_).subspan(at(program.first), at(program.count))) {
        ports += row.inputs.count + row.outputs.count;
      }
      if (rows > kMostTextRows || ports > std::numeric_limits<std::int32_t>::max()) {
        item.refuse("more than {} rows or {} ports of all nodes together; use fewer", kMostTextRows,
                    std::numeric_limits<std::int32_t>::max());
      }
    }
    program_.registers.rows.reserve(at(rows));
    program_.registers.ports.reserve(at(ports));
    for (std::size_t node = 0; node < nodes; ++node) {
      if (of_node[node] != kNoProgram) copy_to(static_cast<std::int32_t>(node), programs_[at(of_node[node])]);
    }
  }

  void copy_to(std::int32_t node, Slice program) {
    Registers& registers = program_.registers;
    const auto copy = [&](Slice slice) {
      const auto list = list_of(slice);
      slice.first = static_cast<std::int32_t>(registers.ports.size());
      registers.ports.insert(registers.ports.end(), list.begin(), list.end());
      return slice;
    };
    for (Row row : std::span(rows_).subspan(at(program.first), at(program.count))) {
      row.at += node * switches_per_node(hyperx_);
      row.inputs = copy(row.inputs);
      row.outputs = copy(row.outputs);
      registers.rows.push_back(row);
    }
  }

  const Machine& machine_;
  const HyperX& hyperx_;
  Ports ports_;
  HyperXProgram program_;
  std::vector<Slice> programs_;  ///< into rows_
  std::vector<Row> rows_;
  std::vector<Port> ports_list_;
  std::int64_t ranks_ = 0;  ///< of all contracts so far
};

}  // namespace

HyperXProgram read_registers(std::string_view text, const std::string& file, const Machine& machine) {
  if (as<HyperX>(machine) == nullptr) {
    reject("{}: machine '{}' is a {}; registers are for a hyperx such as piuma", file, machine.name,
           family_name(machine));
  }
  const JsonNode document = parse_json(text, file);
  HyperXProgram program = Reader(machine).run(JsonValue(document, file));
  if (const auto fault = check_form(program)) reject("{}: {}: {}", file, fault->location, fault->message);
  return program;
}

}  // namespace muster::hyperx
