// For each place in the operation lists: the descriptors of its operands, and the instruction that its action is.
#include "backend/wafer/csl/starts.h"

#include <array>
#include <set>

#include "backend/wafer/csl/operations.h"

namespace muster::wafer {

namespace {

/// What a place in the lists needs, over all lists.
struct Slot {
  bool in = false;
  bool out = false;
  bool advance_own = false;
  bool control = false;
  std::set<Buffer> own;
  std::set<Buffer> store;
};

Slot slot_of(const CslProgram& csl, std::size_t number) {
  Slot slot;
  for (std::size_t list = 0; list < csl.lists.size(); ++list) {
    const CslOperation& o = csl.at(list, number);
    slot.in |= takes(o.action);
    slot.out |= sends(o.action);
    slot.control |= is_control(o.action);
    slot.advance_own |= o.advance_own;
    if (o.own != Buffer::none) slot.own.insert(o.own);
    if (o.store != Buffer::none) slot.store.insert(o.store);
  }
  return slot;
}

/// A memory descriptor in the buffer that the list names, chosen when the program is compiled.
std::string memory_descriptor(const CslProgram& csl, std::size_t number, const std::set<Buffer>& buffers, bool own) {
  std::string text;
  const std::string length = csl.whole ? "count" : fmt::format("field({}, 8)", number);
  const std::string place = csl.whole ? "i" : fmt::format("i + field({}, {})", number, own ? 6 : 7);
  for (const Buffer buffer : buffers) {
    const std::string descriptor = fmt::format("@get_dsd(mem1d_dsd, .{{ .tensor_access = |i|{{{}}} -> {}[{}] }})",
                                               length, buffer_name(buffer), place);
    if (!text.empty()) text += "\n  else ";
    if (buffer != *buffers.rbegin()) {
      text += fmt::format("if (field({}, {}) == {}) ", number, own ? 4 : 5, buffer_constant(buffer));
    }
    text += descriptor;
  }
  return fmt::format("const {}_{} = {};\n", own ? "own" : "store", number, text);
}

/// A fabric descriptor. Where queues are bound to colors by the program, it names its queue only.
std::string fabric_descriptor(const CslProgram& csl, std::string_view kind, std::size_t number,
                              const std::string& extra) {
  const bool in = kind == "in";
  const bool control = kind == "control";
  const std::string extent = control ? "1" : csl.whole ? "count" : fmt::format("field({}, 8)", number);
  const std::string id = fmt::format("[field({}, {})]", number, in ? 1 : 2);
  std::string text =
      fmt::format("const {}_{} = @get_dsd({}_dsd, .{{ .extent = {}", kind, number, in ? "fabin" : "fabout", extent);
  if (!csl.wafer->mesh().queues_are_bound) text += ", .fabric_color = @get_color(color_ids" + id + ")";
  text += fmt::format(",\n  .{0}put_queue = @get_{0}put_queue(queue_ids{1})", in ? "in" : "out", id);
  if (csl.packs_two() && !control) text += ", .simd_mode = .{ .simd_32 = true }";
  return text + extra + " });\n";
}

std::string descriptors(const CslProgram& csl, std::size_t number, const Slot& slot) {
  std::string text;
  if (slot.in) text += fabric_descriptor(csl, "in", number, "");
  if (slot.out) {
    const std::string advance = fmt::format(", .advance_switch = field({}, 3) == 1", number);
    text += fabric_descriptor(csl, "out", number, slot.advance_own ? advance : "");
  }
  if (slot.control) text += fabric_descriptor(csl, "control", number, ", .control = true");
  if (!slot.own.empty()) text += memory_descriptor(csl, number, slot.own, true);
  if (!slot.store.empty()) text += memory_descriptor(csl, number, slot.store, false);
  return text;
}

/// The instructions of one action; the asynchronous one activates `step` when it is done.
std::string instructions(const CslProgram& csl, CslAction action, std::size_t number) {
  const std::string then = ", .{ .async = true, .activate = step_id });\n";
  const std::string n = std::to_string(number);
  const std::string move = "    " + csl.move;
  switch (action) {
    case CslAction::nothing:
      return "";
    case CslAction::send:
      return move + "(out_" + n + ", own_" + n + then;
    case CslAction::send_and_keep:
      return move + "(out_" + n + ", own_" + n + then + move + "(store_" + n + ", own_" + n + ");\n";
    case CslAction::copy:
      return move + "(store_" + n + ", own_" + n + ");\n    @activate(step_id);\n";
    case CslAction::receive:
      return move + "(store_" + n + ", in_" + n + then;
    case CslAction::forward:
      return move + "(out_" + n + ", in_" + n + then;
    case CslAction::combine:
      return "    " + csl.combine + "(store_" + n + ", own_" + n + ", in_" + n + then;
    case CslAction::combine_and_send:
      return "    " + csl.combine + "(out_" + n + ", own_" + n + ", in_" + n + then;
    case CslAction::advance:
      return "    @mov32(control_" + n + ", advance_word" + then;
    case CslAction::reset:
      return "    @mov32(control_" + n + ", reset_word" + then;
  }
  return "";
}

std::string start_function(const CslProgram& csl, std::size_t number) {
  std::string text = fmt::format("fn start_{0}() void {{\n  begin({0}, times[{0}]);\n", number);
  std::string branch = "  if";
  for (int a = 1; a < kCslActions; ++a) {
    const auto action = static_cast<CslAction>(a);
    if (!csl.uses(action, number)) continue;
    text += fmt::format("{} (action_{} == {}) {{\n{}", branch, number, action_name(action),
                        instructions(csl, action, number));
    branch = "  } else if";
  }
  return text + (branch == "  if" ? "}\n\n" : "  }\n}\n\n");
}

}  // namespace

std::string action_name(CslAction action) {
  static constexpr std::array<std::string_view, kCslActions> kNames{
      "NOTHING", "SEND",    "SEND_AND_KEEP",    "COPY",    "RECEIVE",
      "FORWARD", "COMBINE", "COMBINE_AND_SEND", "ADVANCE", "RESET"};
  return std::string(kNames[static_cast<std::size_t>(action)]);
}

std::string buffer_constant(Buffer buffer) {
  static constexpr std::array<std::string_view, 4> kNames{"NONE", "INPUT", "OUTPUT", "SCRATCH"};
  return std::string(kNames[static_cast<std::size_t>(buffer)]);
}

std::string csl_starts(const CslProgram& csl) {
  std::string text;
  for (std::size_t number = 0; number < csl.slots; ++number) {
    text += fmt::format("// Operation {0}\nconst action_{0} = field({0}, 0);\n", number);
    text += descriptors(csl, number, slot_of(csl, number)) + "\n" + start_function(csl, number);
  }
  return text;
}

}  // namespace muster::wafer
