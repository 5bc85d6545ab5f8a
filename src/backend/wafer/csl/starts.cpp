// For each place in the operation lists: the descriptors of its operands, and the instruction that its action is.
#include "backend/wafer/csl/starts.h"

#include <algorithm>
#include <array>
#include <set>

#include "backend/wafer/csl/operations.h"

namespace muster::wafer {

namespace {

constexpr int kLengthColumn = 8;
constexpr std::string_view kThenStep = ", .{ .async = true, .activate = step_id });\n";

/// What a place in the lists needs, over all lists.
struct Slot {
  bool in = false;
  bool out = false;
  bool advance_own = false;
  bool control = false;
  std::set<Buffer> own;
  std::set<Buffer> store;
  std::set<Buffer> sent;
  bool moves_own = false;
  bool moves_store = false;
  bool moves_sent = false;
};

Slot slot_of(const CslProgram& csl, std::size_t number) {
  Slot slot;
  const auto part =
      std::find_if(csl.parts.begin(), csl.parts.end(), [&](const CslPart& p) { return number < p.first + p.slots; });
  for (std::size_t list = 0; list < part->lists.size(); ++list) {
    const CslOperation& o = csl.at(*part, list, number - part->first);
    slot.moves_own |= o.own_step != 0;
    slot.moves_store |= o.store_step != 0;
    slot.moves_sent |= o.sent_step != 0;
    slot.in |= takes(o.action);
    slot.out |= sends(o.action);
    slot.control |= is_control(o.action);
    slot.advance_own |= o.advance_own;
    if (o.own != Buffer::none) slot.own.insert(o.own);
    if (o.store != Buffer::none) slot.store.insert(o.store);
    if (o.sent != Buffer::none) slot.sent.insert(o.sent);
  }
  return slot;
}

/// A memory descriptor: its name, and the columns of its buffer, its first element and its length.
struct MemoryColumns {
  std::string_view name;
  int buffer;
  int first;
  int length;
};
constexpr MemoryColumns kOwn{"own", 4, 6, kLengthColumn};
constexpr MemoryColumns kStore{"store", 5, 7, kLengthColumn};
MemoryColumns sent_columns(const CslProgram& csl) {
  return {"sent", csl_sent_column(csl), csl_sent_column(csl) + 1, csl_sent_column(csl) + 2};
}

/// In the buffer that the list names, chosen when the program is compiled.
std::string memory_descriptor(const CslProgram& csl, std::size_t number, const std::set<Buffer>& buffers,
                              const MemoryColumns& columns) {
  if (buffers.empty()) return "";
  std::string text;
  const std::string length = csl.whole ? "count" : fmt::format("field({}, {})", number, columns.length);
  const std::string place = csl.whole ? "i" : fmt::format("i + field({}, {})", number, columns.first);
  for (const Buffer buffer : buffers) {
    const std::string descriptor = fmt::format("@get_dsd(mem1d_dsd, .{{ .tensor_access = |i|{{{}}} -> {}[{}] }})",
                                               length, buffer_name(buffer), place);
    if (!text.empty()) text += "\n  else ";
    if (buffer != *buffers.rbegin()) {
      text += fmt::format("if (field({}, {}) == {}) ", number, columns.buffer, buffer_constant(buffer));
    }
    text += descriptor;
  }
  return fmt::format("const {}_{} = {};\n", columns.name, number, text);
}

/// How many wavelets' worth of elements a fabric descriptor moves. What an exchange sends has a length of its own.
std::string extent(const CslProgram& csl, std::string_view kind, std::size_t number) {
  if (kind == "control") return "1";
  if (csl.whole) return "count";
  const bool own_length = kind == "out" && csl.exchanges();
  return fmt::format("field({}, {})", number, own_length ? sent_columns(csl).length : kLengthColumn);
}

/// A fabric descriptor. Where queues are bound to colors by the program, it names its queue only.
std::string fabric_descriptor(const CslProgram& csl, std::string_view kind, std::size_t number,
                              const std::string& extra) {
  const bool in = kind == "in";
  const bool control = kind == "control";
  const std::string id = fmt::format("[field({}, {})]", number, in ? 1 : 2);
  std::string text = fmt::format("const {}_{} = @get_dsd({}_dsd, .{{ .extent = {}", kind, number,
                                 in ? "fabin" : "fabout", extent(csl, kind, number));
  if (!csl.wafer->mesh().queues_are_bound) text += ", .fabric_color = @get_color(color_ids" + id + ")";
  text += fmt::format(",\n  .{0}put_queue = @get_{0}put_queue({1}{2})", in ? "in" : "out", queue_table(csl, in), id);
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
  text += memory_descriptor(csl, number, slot.own, kOwn);
  text += memory_descriptor(csl, number, slot.store, kStore);
  return text + memory_descriptor(csl, number, slot.sent, sent_columns(csl));
}

/// How the descriptors of a place are called; those that move with the turns of a loop are made anew in every turn.
struct Names {
  std::string number, in, out, own, store, sent;
  Names(std::size_t place, const Slot& slot)
      : number(std::to_string(place)),
        in("in_" + number),
        out("out_" + number),
        own(slot.moves_own ? "own" : "own_" + number),
        store(slot.moves_store ? "store" : "store_" + number),
        sent(slot.moves_sent ? "sent" : "sent_" + number) {}
};

/// The instruction that combines, with its destination; it activates `step` when it is done. @map is not asynchronous.
std::string combine(const CslProgram& csl, const std::string& to, const Names& n) {
  if (!csl.callback.empty())
    return fmt::format("    @map(combine, {}, {}, {});\n    @activate(step_id);\n", n.own, n.in, to);
  return fmt::format("    {}({}, {}, {}{}", csl.combine, to, n.own, n.in, kThenStep);
}

/// `step` must wait for both instructions of an exchange: it is blocked, one of them unblocks it, the other activates it.
std::string exchange(const CslProgram& csl, const Names& n, const std::string& receive) {
  return fmt::format("    @block(step_id);\n    {}({}, {}, .{{ .async = true, .unblock = step_id }});\n{}", csl.move,
                     n.out, n.sent, receive);
}

/// The instructions of one action; the asynchronous one activates `step` when it is done.
std::string instructions(const CslProgram& csl, CslAction action, const Names& n) {
  const std::string then(kThenStep);
  const std::string move = "    " + csl.move;
  std::string receive = move + "(" + n.store + ", " + n.in + then;
  switch (action) {
    case CslAction::nothing:
      return "";
    case CslAction::send:
      return move + "(" + n.out + ", " + n.own + then;
    case CslAction::send_and_keep:
      return move + "(" + n.out + ", " + n.own + then + move + "(" + n.store + ", " + n.own + ");\n";
    case CslAction::copy:
      return move + "(" + n.store + ", " + n.own + ");\n    @activate(step_id);\n";
    case CslAction::receive:
      return receive;
    case CslAction::forward:
      return move + "(" + n.out + ", " + n.in + then;
    case CslAction::combine:
      return combine(csl, n.store, n);
    case CslAction::combine_and_send:
      return combine(csl, n.out, n);
    case CslAction::advance:
      return "    @mov32(control_" + n.number + ", advance_word" + then;
    case CslAction::reset:
      return "    @mov32(control_" + n.number + ", reset_word" + then;
    case CslAction::exchange:
      return exchange(csl, n, receive);
    case CslAction::exchange_combine:
      return exchange(csl, n, combine(csl, n.store, n));
  }
  return "";
}

/// The descriptors that move, where they are in this turn.
std::string moving(const CslProgram& csl, std::size_t number, const Slot& slot) {
  std::string text;
  const auto add = [&](bool moves, std::string_view name, int column) {
    if (!moves) return;
    if (text.empty()) text = "  const turn = @as(i16, run);\n";
    text += fmt::format("  const {0} = @increment_dsd_offset({0}_{1}, turn * moved({1}, {2}), {3});\n", name, number,
                        column, csl.type);
  };
  add(slot.moves_own, "own", 0);
  add(slot.moves_store, "store", 1);
  add(slot.moves_sent, "sent", 2);
  return text;
}

std::string start_function(const CslProgram& csl, std::size_t number, const Slot& slot) {
  const std::string plain = fmt::format("times[{}]", number);
  const std::string times = csl.own_numbers == 0 ? plain : "number(" + plain + ")";
  const std::string back = csl.loops() ? fmt::format(", field({}, {})", number, csl_back_column(csl)) : "";
  std::string text =
      fmt::format("fn start_{0}() void {{\n{1}  begin({0}, {2}{3});\n", number, moving(csl, number, slot), times, back);
  std::string branch = "  if";
  for (int a = 1; a < kCslActions; ++a) {
    const auto action = static_cast<CslAction>(a);
    if (!csl.uses(action, number)) continue;
    text += fmt::format("{} (action_{} == {}) {{\n{}", branch, number, action_name(action),
                        instructions(csl, action, Names(number, slot)));
    branch = "  } else if";
  }
  return text + (branch == "  if" ? "}\n\n" : "  }\n}\n\n");
}

}  // namespace

std::string action_name(CslAction action) {
  static constexpr std::array<std::string_view, kCslActions> kNames{
      "NOTHING", "SEND",    "SEND_AND_KEEP", "COPY",
      "RECEIVE", "FORWARD", "COMBINE",       "COMBINE_AND_SEND",
      "ADVANCE", "RESET",   "EXCHANGE",      "EXCHANGE_AND_COMBINE"};
  return std::string(kNames[static_cast<std::size_t>(action)]);
}

std::string queue_table(const CslProgram& csl, bool taken) {
  if (csl.queue_sets.empty() && csl.in_queues == csl.out_queues) return "queue_ids";
  return taken ? "in_queue_ids" : "out_queue_ids";
}

int csl_sent_column(const CslProgram& csl) { return csl.whole ? 6 : 9; }

int csl_back_column(const CslProgram& csl) { return csl_sent_column(csl) + (!csl.exchanges() ? 0 : csl.whole ? 1 : 3); }

std::string buffer_constant(Buffer buffer) {
  static constexpr std::array<std::string_view, 4> kNames{"NONE", "INPUT", "OUTPUT", "SCRATCH"};
  return std::string(kNames[static_cast<std::size_t>(buffer)]);
}

std::string csl_starts(const CslProgram& csl) {
  std::string text;
  for (std::size_t number = 0; number < csl.slots; ++number) {
    text += fmt::format("// Operation {0}\nconst action_{0} = field({0}, 0);\n", number);
    const Slot slot = slot_of(csl, number);
    text += descriptors(csl, number, slot) + "\n" + start_function(csl, number, slot);
  }
  return text;
}

}  // namespace muster::wafer
