// For each slot of the operation lists: the descriptors of its operands, and the instruction that its action is.
#include "backend/wafer/csl/starts.h"

#include <algorithm>
#include <array>
#include <set>

#include "backend/wafer/csl/columns.h"
#include "backend/wafer/csl/operations.h"

namespace muster::wafer {

namespace {

constexpr std::string_view kThenStep = ", .{ .async = true, .activate = step_id });\n";

/// What a slot of the lists needs of memory, over all lists.
struct SlotMemory {
  std::set<Buffer> buffers;
  std::int64_t longest_without = 0;  ///< elements that an operation without any works on
  void add(Buffer buffer, std::int64_t length) {
    if (buffer != Buffer::none) {
      buffers.insert(buffer);
    } else {
      longest_without = std::max(longest_without, length);
    }
  }
};

/// What a slot of the lists needs, over all lists.
struct Slot {
  bool in = false;
  bool out = false;
  bool advance_own = false;
  bool control = false;
  SlotMemory own;
  SlotMemory store;
  SlotMemory sent;
};

Slot slot_of(const CslProgram& csl, std::size_t number) {
  Slot slot;
  const auto part =
      std::find_if(csl.parts.begin(), csl.parts.end(), [&](const CslPart& p) { return number < p.first + p.slots; });
  for (std::size_t list = 0; list < part->lists.size(); ++list) {
    const CslOperation& o = csl.at(*part, list, number - part->first);
    slot.in |= takes(o.action);
    slot.out |= sends(o.action);
    slot.control |= is_control(o.action);
    slot.advance_own |= o.advance_own;
    slot.own.add(o.own, o.length);
    slot.store.add(o.store, o.length);
    slot.sent.add(o.sent, o.sent_length);
  }
  return slot;
}

/// "field(5, 8)": a column of the operation at a slot.
std::string field(const CslProgram& csl, std::size_t number, CslColumn column) {
  return fmt::format("field({}, {})", number, csl_column(csl, column));
}

/// A memory descriptor: its name, and the columns of its buffer, its first element and its length.
struct MemoryColumns {
  std::string_view name;
  CslColumn buffer;
  CslColumn first;
  std::string_view length;  ///< the constant
};
constexpr MemoryColumns kOwn{"own", CslColumn::own, CslColumn::own_first, "length"};
constexpr MemoryColumns kStore{"store", CslColumn::store, CslColumn::store_first, "length"};
constexpr MemoryColumns kSent{"sent", CslColumn::sent, CslColumn::sent_first, "sent_length"};

/// The elements of a buffer.
std::int64_t elements_of(const CslProgram& csl, Buffer buffer) {
  const auto found = std::find_if(csl.buffers.begin(), csl.buffers.end(),
                                  [&](const CslBuffer& csl_buffer) { return csl_buffer.buffer == buffer; });
  return found == csl.buffers.end() ? 0 : found->elements;
}

/// Small ones first.
std::vector<Buffer> by_size(const CslProgram& csl, const SlotMemory& memory) {
  std::vector<Buffer> buffers(memory.buffers.begin(), memory.buffers.end());
  std::stable_sort(buffers.begin(), buffers.end(),
                   [&](Buffer a, Buffer b) { return elements_of(csl, a) < elements_of(csl, b); });
  return buffers;
}

/// "own_first_0": the constant that an access names, since what it may call is not documented.
std::string first_name(std::size_t number, const MemoryColumns& columns) {
  return fmt::format("{}_first_{}", columns.name, number);
}

/// In the buffer that the list names, chosen when the program is compiled. Where a list names none, the descriptor is made
/// all the same, and must lie within some buffer: in the largest one, or where that may be too short for what the
/// operation works on, at its beginning.
std::string memory_descriptor(const CslProgram& csl, std::size_t number, const SlotMemory& memory,
                              const MemoryColumns& columns) {
  if (memory.buffers.empty()) return "";
  const std::vector<Buffer> buffers = by_size(csl, memory);
  const bool may_be_short = memory.longest_without > elements_of(csl, buffers.back());
  const std::string length = csl.whole ? "count" : fmt::format("{}_{}", columns.length, number);
  const std::string element_index = csl.whole ? "i" : "i + " + first_name(number, columns);
  const auto descriptor = [&](Buffer buffer, const std::string& extent, const std::string& element) {
    return fmt::format("@get_dsd(mem1d_dsd, .{{ .tensor_access = |i|{{{}}} -> {}[{}] }})", extent, buffer_name(buffer),
                       element);
  };
  std::string text;
  for (const Buffer buffer : buffers) {
    if (!text.empty()) text += "\n  else ";
    if (buffer != buffers.back() || may_be_short) {
      text += fmt::format("if ({} == {}) ", field(csl, number, columns.buffer), buffer_constant(buffer));
    }
    text += descriptor(buffer, length, element_index);
  }
  if (may_be_short) text += "\n  else " + descriptor(buffers.back(), csl.packs_two() ? "2" : "1", "i");
  return fmt::format("const {}_{} = {};\n", columns.name, number, text);
}

/// In a module: the same from the descriptors of whole vectors, which a call sets.
std::string called_descriptor(const CslProgram& csl, std::size_t number, const SlotMemory& memory,
                              const MemoryColumns& columns) {
  if (memory.buffers.empty()) return "";
  const std::vector<Buffer> buffers = by_size(csl, memory);
  const std::string name = fmt::format("{}_{}", columns.name, number);
  std::string text = fmt::format("  var {} = all_{};\n", name, buffer_name(buffers.back()));
  for (const Buffer buffer : buffers) {
    if (buffer == buffers.back()) continue;
    text += fmt::format("  if ({}_buffer_{} == {}) {{\n    {} = all_{};\n  }}\n", columns.name, number,
                        buffer_constant(buffer), name, buffer_name(buffer));
  }
  if (csl.whole) return text;
  return text + fmt::format("  {0} = @increment_dsd_offset(@set_dsd_length({0}, {1}_{2}), @as(i16, {3}), {4});\n", name,
                            columns.length, number, first_name(number, columns), csl.type);
}

/// "const own_first_0 = ...": of the list's operation, as the descriptors name them.
std::string memory_constants(const CslProgram& csl, std::size_t number, const SlotMemory& memory,
                             const MemoryColumns& columns) {
  if (memory.buffers.empty()) return "";
  std::string text;
  if (csl.is_module() && memory.buffers.size() > 1) {
    text += fmt::format("const {}_buffer_{} = {};\n", columns.name, number, field(csl, number, columns.buffer));
  }
  if (csl.whole) return text;
  return text + fmt::format("const {} = {};\n", first_name(number, columns), field(csl, number, columns.first));
}

std::string slot_constants(const CslProgram& csl, std::size_t number, const Slot& slot) {
  std::string text;
  if (!csl.whole) {
    text += fmt::format("const length_{} = {};\n", number, field(csl, number, CslColumn::length));
    if (csl.exchanges()) {
      text += fmt::format("const sent_length_{} = {};\n", number, field(csl, number, CslColumn::sent_length));
    }
  }
  return text + memory_constants(csl, number, slot.own, kOwn) + memory_constants(csl, number, slot.store, kStore) +
         memory_constants(csl, number, slot.sent, kSent);
}

/// How many wavelets' worth of elements a fabric descriptor moves. What an exchange sends has a length of its own. What a
/// call of a module says is set when the operation starts.
std::string extent(const CslProgram& csl, FabricUse use, std::size_t number) {
  if (use == FabricUse::control) return "1";
  if (csl.whole && csl.is_module()) return csl.packs_two() ? "2" : "1";
  if (csl.whole) return "count";
  const bool own_length = use == FabricUse::out && csl.exchanges();
  return fmt::format("{}_{}", own_length ? "sent_length" : "length", number);
}

std::string fabric_descriptor(const CslProgram& csl, FabricUse use, std::size_t number, const std::string& extra) {
  const std::string color = field(csl, number, use == FabricUse::in ? CslColumn::take : CslColumn::send);
  const std::string_view name = use == FabricUse::in ? "in" : use == FabricUse::out ? "out" : "control";
  return fmt::format("const {}_{} = {};\n", name, number,
                     csl_fabric_descriptor(csl, use, extent(csl, use, number), color, extra));
}

std::string descriptors(const CslProgram& csl, std::size_t number, const Slot& slot) {
  std::string text = slot_constants(csl, number, slot);
  if (slot.in) text += fabric_descriptor(csl, FabricUse::in, number, "");
  if (slot.out) {
    const std::string advance = ", .advance_switch = " + field(csl, number, CslColumn::advance) + " == 1";
    text += fabric_descriptor(csl, FabricUse::out, number, slot.advance_own ? advance : "");
  }
  if (slot.control) text += fabric_descriptor(csl, FabricUse::control, number, "");
  if (csl.is_module()) return text;
  text += memory_descriptor(csl, number, slot.own, kOwn);
  text += memory_descriptor(csl, number, slot.store, kStore);
  return text + memory_descriptor(csl, number, slot.sent, kSent);
}

DescriptorNames names_of(const CslProgram& csl, std::size_t slot) {
  const std::string number = "_" + std::to_string(slot);
  const bool called = csl.is_module() && csl.whole;
  return {.in = called ? fmt::format("@set_dsd_length(in{}, count)", number) : "in" + number,
          .out = called ? fmt::format("@set_dsd_length(out{}, count)", number) : "out" + number,
          .control = "control" + number,
          .own = "own" + number,
          .store = "store" + number,
          .sent = "sent" + number};
}

/// The instruction that combines, with its destination; it activates `step` when it is done. @map is not asynchronous.
std::string combine(const CslProgram& csl, const std::string& to, const DescriptorNames& n) {
  if (!csl.callback.empty())
    return fmt::format("    @map(combine, {}, {}, {});\n    @activate(step_id);\n", n.own, n.in, to);
  return fmt::format("    {}({}, {}, {}{}", csl.combine, to, n.own, n.in, kThenStep);
}

/// `step` must wait for both instructions of an exchange: it is blocked, one of them unblocks it, the other activates it.
std::string exchange(const CslProgram& csl, const DescriptorNames& n, const std::string& receive) {
  return fmt::format("    @block(step_id);\n    {}({}, {}, .{{ .async = true, .unblock = step_id }});\n{}", csl.move,
                     n.out, n.sent, receive);
}

std::string start_function(const CslProgram& csl, std::size_t number, const Slot& slot) {
  const std::string plain = fmt::format("times[{}]", number);
  const std::string times = csl.own_numbers == 0 ? plain : "number(" + plain + ")";
  std::string text = fmt::format("fn start_{0}() void {{\n  begin({0}, {1});\n", number, times);
  if (csl.is_module()) {
    text += called_descriptor(csl, number, slot.own, kOwn) + called_descriptor(csl, number, slot.store, kStore) +
            called_descriptor(csl, number, slot.sent, kSent);
  }
  std::string branch = "  if";
  for (int a = 1; a < kCslActions; ++a) {
    const auto action = static_cast<CslAction>(a);
    if (!csl.uses(action, number)) continue;
    text += fmt::format("{} (action_{} == {}) {{\n{}", branch, number, action_name(action),
                        csl_instructions(csl, action, names_of(csl, number)));
    branch = "  } else if";
  }
  return text + (branch == "  if" ? "}\n\n" : "  }\n}\n\n");
}

}  // namespace

std::string action_name(CslAction action) {
  static constexpr std::array<std::string_view, kCslActions> kNames{"NOTHING",
                                                                    "SEND",
                                                                    "COPY",
                                                                    "RECEIVE",
                                                                    "FORWARD",
                                                                    "COMBINE",
                                                                    "COMBINE_AND_SEND",
                                                                    "ADVANCE",
                                                                    "RESET",
                                                                    "EXCHANGE",
                                                                    "EXCHANGE_AND_COMBINE"};
  return std::string(kNames[static_cast<std::size_t>(action)]);
}

std::string queue_table(const CslProgram& csl, bool taken) {
  if (csl.queue_sets.empty() && csl.in_queues == csl.out_queues) return "queue_ids";
  return taken ? "in_queue_ids" : "out_queue_ids";
}

std::string buffer_constant(Buffer buffer) {
  static constexpr std::array<std::string_view, 4> kNames{"NONE", "INPUT", "OUTPUT", "SCRATCH"};
  return std::string(kNames[static_cast<std::size_t>(buffer)]);
}

std::string csl_instructions(const CslProgram& csl, CslAction action, const DescriptorNames& n) {
  const std::string then(kThenStep);
  const std::string move = "    " + csl.move;
  std::string receive = move + "(" + n.store + ", " + n.in + then;
  switch (action) {
    case CslAction::nothing:
      return "";
    case CslAction::send:
      return move + "(" + n.out + ", " + n.own + then;
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
      return "    @mov32(" + n.control + ", advance_word" + then;
    case CslAction::reset:
      return "    @mov32(" + n.control + ", reset_word" + then;
    case CslAction::exchange:
      return exchange(csl, n, receive);
    case CslAction::exchange_combine:
      return exchange(csl, n, combine(csl, n.store, n));
  }
  return "";
}

/// Where queues are bound to colors by the program, a descriptor names its queue only.
std::string csl_fabric_descriptor(const CslProgram& csl, FabricUse use, const std::string& extent,
                                  const std::string& color, const std::string& extra) {
  const bool in = use == FabricUse::in;
  std::string text = fmt::format("@get_dsd({}_dsd, .{{ .extent = {}", in ? "fabin" : "fabout", extent);
  if (!csl.wafer->mesh().queues_are_bound) text += fmt::format(", .fabric_color = @get_color(color_ids[{}])", color);
  text +=
      fmt::format(",\n  .{0}put_queue = @get_{0}put_queue({1}[{2}])", in ? "in" : "out", queue_table(csl, in), color);
  if (use == FabricUse::control) {
    text += ", .control = true";
  } else if (csl.packs_two()) {
    text += ", .simd_mode = .{ .simd_32 = true }";
  }
  return text + extra + " })";
}

std::string csl_starts(const CslProgram& csl) {
  std::string text;
  for (std::size_t number = 0; number < csl.slots; ++number) {
    text += fmt::format("// Operation {0}\nconst action_{0} = {1};\n", number, field(csl, number, CslColumn::action));
    const Slot slot = slot_of(csl, number);
    text += descriptors(csl, number, slot) + "\n" + start_function(csl, number, slot);
  }
  return text;
}

}  // namespace muster::wafer
