// Descriptors are made once per color and per buffer. When an operation starts, those of its elements get their offset and
// all get their length; which color an instruction takes or sends is known when the program is compiled.
#include "backend/wafer/csl/tabled.h"

#include <set>

#include "backend/wafer/csl/columns.h"
#include "backend/wafer/csl/lists.h"
#include "backend/wafer/csl/operations.h"
#include "backend/wafer/csl/starts.h"
#include "backend/wafer/csl/text.h"
#include "base/index.h"

namespace muster::wafer {

namespace {

constexpr std::string_view kRows =
    R"(// The operations of this PE, row by row, for lookup at run time; a row of zeros marks the end.
fn own_rows() [<<numbers>>]u16 {
  var result = @zeros([<<numbers>>]u16);
  for (@range(u16, <<slots>>)) |slot| {
    for (@range(u16, fields)) |column| {
      result[slot * fields + column] = field(slot, column);
    }
  }
  return result;
}
const rows = own_rows();

// Whether this PE has operations of each kind; instructions of other kinds are left out.
fn own_kinds() [<<kinds>>]u16 {
  var result = @zeros([<<kinds>>]u16);
  for (@range(u16, <<slots>>)) |slot| {
    result[rows[slot * fields]] = 1;
  }
  return result;
}
const has = own_kinds();

<<steps>>)";

CslSteps steps_in(const CslOperation& o) { return {o.own_step, o.store_step, o.sent_step}; }

std::string rows_text(const CslProgram& csl) {
  std::string steps;
  if (csl.moves()) {
    std::vector<std::string> lines;
    for (const CslSteps& loop_steps : tabled_steps_of_loops(csl))
      lines.push_back(fmt::format("  {}", fmt::join(loop_steps, ", ")));
    steps = fmt::format(
        "// How far own, store and sent advance in every iteration of a loop.\nconst steps = [{}]i16 {{\n{}\n}};\n\n",
        lines.size() * std::size_t{kCslSteps}, fmt::join(lines, ",\n"));
  }
  return fill(kRows, {{"numbers", std::to_string((csl.slots + 1) * csl_columns(csl).size())},
                      {"slots", std::to_string(csl.slots)},
                      {"kinds", std::to_string(csl.kinds.size())},
                      {"steps", steps}});
}

/// "out_2_advancing": a descriptor of what a kind sends.
std::string out_name(const CslOperation& kind) {
  return fmt::format("out_{}{}", kind.send, kind.advance_own ? "_advancing" : "");
}

/// Where an operation's elements lie: a column for the buffer, one for the offset, and how far that moves.
struct Elements {
  std::string_view name;
  Buffer CslOperation::*buffer;
  CslColumn column;
  CslColumn first;
  CslStep step;
};
constexpr std::array kElements{
    Elements{"own", &CslOperation::own, CslColumn::own, CslColumn::own_first, CslStep::own},
    Elements{"store", &CslOperation::store, CslColumn::store, CslColumn::store_first, CslStep::store},
    Elements{"sent", &CslOperation::sent, CslColumn::sent, CslColumn::sent_first, CslStep::sent}};

/// The buffers that some operation has there.
std::set<Buffer> buffers_of(const CslProgram& csl, const Elements& elements) {
  std::set<Buffer> buffers;
  for (const CslOperation& o : csl.operations) buffers.insert(o.*elements.buffer);
  buffers.erase(Buffer::none);
  return buffers;
}

/// What the elements of an operation are before the first one.
std::string first_value(const CslProgram& csl, Buffer buffer) {
  return csl.is_module() ? "unset" : fmt::format("all_{}", buffer_name(buffer));
}

/// Their lengths are not used.
std::string descriptors(const CslProgram& csl) {
  const std::string length = csl.packs_two() ? "2" : "1";
  std::set<std::string> made;
  std::string text = "// Descriptors of each color and each buffer; the length is set for each operation.\n";
  const auto add = [&](const std::string& name, const std::string& value) {
    if (made.insert(name).second) text += fmt::format("const {} = {};\n", name, value);
  };
  for (const CslOperation& kind : csl.kinds) {
    const std::string send = std::to_string(kind.send);
    if (takes(kind.action)) {
      const std::string take = std::to_string(kind.take);
      add("in_" + take, csl_fabric_descriptor(csl, FabricUse::in, length, take, ""));
    }
    if (sends(kind.action)) {
      add(out_name(kind),
          csl_fabric_descriptor(csl, FabricUse::out, length, send, kind.advance_own ? ", .advance_switch = true" : ""));
    }
    if (is_control(kind.action)) add("control_" + send, csl_fabric_descriptor(csl, FabricUse::control, "1", send, ""));
  }
  for (const CslBuffer& b : csl.buffers) {
    if (csl.is_module()) continue;
    add(fmt::format("all_{}", buffer_name(b.buffer)),
        fmt::format("@get_dsd(mem1d_dsd, .{{ .tensor_access = |i|{{{}}} -> {}[i] }})", length, buffer_name(b.buffer)));
  }
  text += "\n// The elements of the operation that starts.\n";
  for (const Elements& elements : kElements) {
    const std::set<Buffer> buffers = buffers_of(csl, elements);
    if (!buffers.empty()) text += fmt::format("var {} = {};\n", elements.name, first_value(csl, *buffers.begin()));
  }
  return text + "\n";
}

std::string cell(const CslProgram& csl, CslColumn column) {
  return fmt::format("rows[row + {}]", csl_column(csl, column));
}

bool has_sent_length(const CslProgram& csl) { return csl.exchanges() && !csl.whole; }

/// Finds the elements of the row's operation.
std::string descriptor_text(const CslProgram& csl, const Elements& elements) {
  std::string text;
  std::string branch = "  if";
  for (const Buffer buffer : buffers_of(csl, elements)) {
    const bool own_length = elements.step == CslStep::sent && has_sent_length(csl);
    const std::string sized =
        fmt::format("@set_dsd_length(all_{}, {})", buffer_name(buffer), own_length ? "sent_length" : "length");
    const std::string moves = csl.moves() ? fmt::format(" + turn * steps[{} * {} + {}]", cell(csl, CslColumn::steps),
                                                        kCslSteps, static_cast<int>(elements.step))
                                          : "";
    const std::string value = csl.whole ? sized
                                        : fmt::format("@increment_dsd_offset({}, @as(i16, {}){}, {})", sized,
                                                      cell(csl, elements.first), moves, csl.type);
    text += fmt::format("{} ({} == {}) {{\n    {} = {};\n", branch, cell(csl, elements.column), buffer_constant(buffer),
                        elements.name, value);
    branch = "  } else if";
  }
  return text.empty() ? "" : text + "  }\n";
}

/// Every line two spaces further in.
std::string indented(std::string_view lines) {
  std::string text;
  bool first = true;
  for (const char letter : lines) {
    if (first) text += "  ";
    text += letter;
    first = letter == '\n';
  }
  return text;
}

/// The instruction of a kind, if the row is of that kind.
std::string instruction(const CslProgram& csl, std::size_t number) {
  const CslOperation& kind = csl.kinds[number];
  const std::string sent_length = has_sent_length(csl) ? "sent_length" : "length";
  const DescriptorNames names{.in = fmt::format("@set_dsd_length(in_{}, length)", kind.take),
                              .out = fmt::format("@set_dsd_length({}, {})", out_name(kind), sent_length),
                              .control = fmt::format("control_{}", kind.send),
                              .own = "own",
                              .store = "store",
                              .sent = "sent"};
  return fmt::format("  if (has[{0}] == 1) {{\n    if (kind == {0}) {{\n{1}    }}\n  }}\n", number,
                     indented(csl_instructions(csl, kind.action, names)));
}

}  // namespace

std::vector<CslSteps> tabled_steps_of_loops(const CslProgram& csl) {
  std::vector<CslSteps> steps{CslSteps{}};
  for (const CslOperation& o : csl.operations) (void)intern(steps, steps_in(o));
  return steps;
}

std::size_t steps_of(const CslProgram& csl, const CslOperation& operation) {
  std::vector<CslSteps> steps = tabled_steps_of_loops(csl);
  return at(intern(steps, steps_in(operation)));
}

std::string tabled_starts(const CslProgram& csl) { return rows_text(csl) + descriptors(csl); }

std::string tabled_steps(const CslProgram& csl) {
  std::string text = "  const row: u16 = at * fields;\n  const kind: u16 = rows[row];\n";
  if (csl.moves()) text += "  const turn = @as(i16, run);\n";
  text += fmt::format("  const length: u16 = {};\n", csl.whole ? "count" : cell(csl, CslColumn::length));
  if (has_sent_length(csl)) text += fmt::format("  const sent_length: u16 = {};\n", cell(csl, CslColumn::sent_length));
  for (const Elements& elements : kElements) text += descriptor_text(csl, elements);
  for (std::size_t kind = 1; kind < csl.kinds.size(); ++kind) text += instruction(csl, kind);
  const std::string back = csl.loops() ? ", " + cell(csl, CslColumn::back) : "";
  return text +
         fmt::format("  if (kind != 0) {{\n    begin(at, {}{});\n  }} else {{\n", cell(csl, CslColumn::times), back);
}

std::int64_t tabled_bytes(const CslProgram& csl) {
  if (!csl.tabled) return 0;
  return static_cast<std::int64_t>((csl.slots + 1) * csl_columns(csl).size() * sizeof(std::uint16_t));
}

}  // namespace muster::wafer
