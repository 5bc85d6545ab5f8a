// Descriptors are made once per color and per buffer; a row's places and length are set when its instruction starts.
#include "backend/wafer/csl/lanes_starts.h"

#include <algorithm>
#include <set>

#include "backend/wafer/control_payload.h"
#include "backend/wafer/csl/text.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

using Kind = VectorInstruction::Kind;

constexpr std::string_view kLaneTask = R"(task lane_<<lane>>() void {
  var yields = false;
  if (busy[<<lane>>] == 1) {
    busy[<<lane>>] = 0;
    yields = move_on(<<lane>>);
  }
  const kind: u16 = cell(<<lane>>, 0);
  if (yields) {
    @activate(lane_<<lane>>_id);
  } else if (kind == 0) {
    end_lane();
  } else if (use(cell(<<lane>>, 12))) {
    busy[<<lane>>] = 1;
    start_<<lane>>(kind);
  } else {
    parked[<<lane>>] = 1;
  }
}

)";

/// A place that a row has: its name, and the columns of its buffer, first element and step.
struct PlaceColumns {
  std::string_view name;
  LanePlace LaneRow::*place;
  int buffer, first, step;
};
constexpr std::array kPlaces{PlaceColumns{"to", &LaneRow::to, 1, 2, 3}, PlaceColumns{"left", &LaneRow::left, 4, 5, 6},
                             PlaceColumns{"right", &LaneRow::right, 7, 8, 9}};

std::set<Buffer> buffers_at(const CslProgram& csl, const PlaceColumns& columns) {
  std::set<Buffer> buffers;
  for (const LaneRow& row : csl.lanes->rows) buffers.insert((row.*columns.place).buffer);
  buffers.erase(Buffer::none);
  // What is in one of the two may be in the other when it is exchanged.
  if (csl.lanes->repeats && (buffers.contains(Buffer::input) || buffers.contains(Buffer::output))) {
    buffers.insert({Buffer::input, Buffer::output});
  }
  return buffers;
}

std::string upper(Buffer buffer) {
  std::string text(buffer_name(buffer));
  for (char& letter : text) letter = static_cast<char>(letter - 'a' + 'A');
  return text;
}

/// Sets the place from the row that the lane is at.
std::string place_text(const CslProgram& csl, const PlaceColumns& columns) {
  std::string text;
  const std::string buffer = fmt::format("cell(lane, {})", columns.buffer);
  const std::set<Buffer> buffers = buffers_at(csl, columns);
  if (buffers.empty()) return "";
  text += fmt::format("  const {}_buffer: u16 = {};\n", columns.name,
                      csl.lanes->repeats ? "physical(" + buffer + ")" : buffer);
  std::string branch = "  if";
  for (const Buffer b : buffers) {
    text += fmt::format(
        "{0} ({1}_buffer == {2}) {{\n    {1} = @increment_dsd_offset(@set_dsd_length(all_{3}, length),\n"
        "      @as(i16, cell(lane, {4})) + @as(i16, turn[lane]) * @as(i16, cell(lane, {5})), f32);\n",
        branch, columns.name, upper(b), buffer_name(b), columns.first, columns.step);
    branch = "  } else if";
  }
  return text + "  }\n";
}

/// ", .fabric_color = ...": where queues are not bound to colors by the program.
std::string color_setting(const CslProgram& csl, int color) {
  return csl.wafer->mesh().queues_are_bound ? "" : fmt::format(", .fabric_color = @get_color(color_ids[{}])", color);
}

std::string descriptors(const CslProgram& csl) {
  const CslLanes& lanes = *csl.lanes;
  std::set<std::string> made;
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (made.insert(name).second) text += fmt::format("const {} = {};\n", name, value);
  };
  for (std::size_t k = 1; k < lanes.kinds.size(); ++k) {
    const LaneKind& kind = lanes.kinds[k];
    if (kind.take >= 0) {
      add(fmt::format("in_{}", kind.take),
          fmt::format("@get_dsd(fabin_dsd, .{{ .extent = 1{},\n  .input_queue = @get_input_queue({}) }})",
                      color_setting(csl, kind.take), csl.in_queues[at(kind.take)]));
    }
    if (kind.send < 0) continue;
    const bool control = kind.kind == Kind::control;
    add(fmt::format("{}_{}{}", control ? "control" : "out", kind.send, kind.advances ? "_advancing" : ""),
        fmt::format("@get_dsd(fabout_dsd, .{{ .extent = 1{},\n  .output_queue = @get_output_queue({}){}{} }})",
                    color_setting(csl, kind.send), csl.out_queues[at(kind.send)], control ? ", .control = true" : "",
                    kind.advances ? ", .advance_switch = true" : ""));
  }
  return text;
}

std::string word_name(const LaneKind& kind) {
  if (kind.control == Ending::advance) return "advance";
  if (kind.control == Ending::reset) return "reset";
  std::string name = "commands";
  for (CommandList list = kind.commands; list != 0; list = after_first(list)) {
    name += first_command(list) == Command::advance ? "_a" : "_n";
  }
  return name;
}

/// The payloads of control wavelets, which end at the routers.
std::string control_words(const CslLanes& lanes) {
  std::set<std::string> made;
  std::string text;
  for (const LaneKind& kind : lanes.kinds) {
    if (kind.kind != Kind::control || !made.insert(word_name(kind)).second) continue;
    const std::string payload = kind.control == Ending::commands
                                    ? fmt::format("0x{:08x}", control_payload(kind.commands))
                                    : fmt::format("control.encode_single_payload(control.opcode.{}, true, {{}}, 0)",
                                                  kind.control == Ending::advance ? "SWITCH_ADV" : "SWITCH_RST");
    text += fmt::format(
        "{3}const {0}_payload = [1]u32 {{ {1} }};\n"
        "const {0}_word = @get_dsd(mem1d_dsd, .{{ .tensor_access = |i|{{1}} -> {0}_payload[i] }});\n",
        word_name(kind), payload, "",
        kind.control == Ending::commands ? "// " + commands_text(kind.commands) + "\n" : "");
  }
  return text.empty() ? "" : "// Control wavelets; a router uses up one command of each.\n" + text + "\n";
}

/// ", .{ .async = true, .activate = lane_2_id }": nothing for what works on memory alone.
std::string settings(const CslProgram& csl, const LaneKind& kind, std::size_t lane) {
  if (kind.take < 0 && kind.send < 0) return "";
  std::string thread;
  if (csl.wafer->mesh().queues_are_bound) {
    const int number = kind.send >= 0 ? csl.lanes->out_threads[at(kind.send)] : csl.lanes->in_threads[at(kind.take)];
    thread = fmt::format(", .ut_id = @get_ut_id({})", number);
  }
  return fmt::format(", .{{ .async = true, .activate = lane_{}_id{} }}", lane, thread);
}

std::string instruction(const CslProgram& csl, const LaneKind& kind, std::size_t lane) {
  const std::string in = fmt::format("@set_dsd_length(in_{}, length)", kind.take);
  const std::string to =
      kind.send < 0 ? "to"
                    : fmt::format("@set_dsd_length(out_{}{}, length)", kind.send, kind.advances ? "_advancing" : "");
  const std::string left = kind.take >= 0 && !kind.takes_right ? in : "left";
  const std::string right = kind.take >= 0 && kind.takes_right ? in : "right";
  const std::string number = fmt::format("coefficients[cell({}, 11)]", lane);
  const std::string with = settings(csl, kind, lane);
  switch (kind.kind) {
    case Kind::move:
      return fmt::format("@fmovs({}, {}{});", to, left, with);
    case Kind::multiply:
      return fmt::format("@fmuls({}, {}, {}{});", to, left, number, with);
    case Kind::times_array:
      return fmt::format("@fmuls({}, {}, {}{});", to, left, right, with);
    case Kind::add:
      return fmt::format("@fadds({}, {}, {}{});", to, left, right, with);
    case Kind::multiply_add:
      if (kind.subtracts) return fmt::format("@fsubs({}, {}, {}{});", to, left, right, with);
      return fmt::format("@fmacs({}, {}, {}, {}{});", to, left, right, number, with);
    case Kind::control:
      return fmt::format("@mov32(control_{}, {}_word{});", kind.send, word_name(kind), with);
  }
  return "";
}

std::string start_function(const CslProgram& csl, std::size_t lane) {
  const CslLanes& lanes = *csl.lanes;
  std::string text = fmt::format("// Lane {0}\nfn start_{0}(kind: u16) void {{\n  set_places({0});\n", lane);
  std::vector<std::int32_t> kinds = lanes.lanes[lane].kinds;
  std::sort(kinds.begin(), kinds.end());
  const bool moves_data = std::any_of(kinds.begin(), kinds.end(), [&](std::int32_t k) {
    const LaneKind& kind = lanes.kinds[at(k)];
    return kind.kind != Kind::control && (kind.take >= 0 || kind.send >= 0);
  });
  if (moves_data) text += fmt::format("  const length: u16 = cell({}, 10);\n", lane);
  for (const std::int32_t k : kinds) {
    const LaneKind& kind = lanes.kinds[at(k)];
    text +=
        fmt::format("  if (has[{0}] == 1) {{\n    if (kind == {0}) {{\n      {1}\n", k, instruction(csl, kind, lane));
    if (kind.take < 0 && kind.send < 0) text += fmt::format("      @activate(lane_{}_id);\n", lane);
    text += "    }\n  }\n";
  }
  return text + "}\n\n";
}

}  // namespace

std::string lane_tasks(const CslProgram& csl) {
  const CslLanes& lanes = *csl.lanes;
  std::string text = "// Ends of the fabric; the length is set for each instruction.\n" + descriptors(csl) + "\n" +
                     control_words(lanes) + "// The places of the instruction that starts.\n";
  std::string places;
  for (const PlaceColumns& columns : kPlaces) {
    const std::set<Buffer> buffers = buffers_at(csl, columns);
    if (buffers.empty()) continue;
    text += fmt::format("var {} = all_{};\n", columns.name, buffer_name(*buffers.begin()));
    places += place_text(csl, columns);
  }
  text += "\nfn set_places(lane: u16) void {\n" +
          (places.empty() ? "" : "  const length: u16 = cell(lane, 10);\n" + places) + "}\n\n";
  for (std::size_t lane = 0; lane < lanes.lanes.size(); ++lane) {
    text += start_function(csl, lane) + fill(kLaneTask, {{"lane", std::to_string(lane)}});
  }
  return text;
}

namespace {

/// "has[1] == 1 or has[3] == 1": whether the PE takes the color, or sends on it.
std::string uses(const CslLanes& lanes, std::size_t color, bool taken) {
  std::string text;
  for (std::size_t k = 1; k < lanes.kinds.size(); ++k) {
    if ((taken ? lanes.kinds[k].take : lanes.kinds[k].send) != static_cast<int>(color)) continue;
    text += fmt::format("{}has[{}] == 1", text.empty() ? "" : " or ", k);
  }
  return text;
}

}  // namespace

std::string lane_fabric_ends(const CslProgram& csl) {
  std::string text;
  const bool bound = csl.wafer->mesh().queues_are_bound;
  for (const bool taken : {true, false}) {
    for (std::size_t c = 0; c < csl.wafer->colors.size(); ++c) {
      const int queue = taken ? csl.in_queues[c] : csl.out_queues[c];
      if (queue < 0) continue;
      const std::string color = fmt::format("@get_color(color_ids[{}])", c);
      if (bound) {
        text += fmt::format("  if ({}) {{\n    @initialize_queue(@get_{}put_queue({}), .{{ .color = {} }});\n  }}\n",
                            uses(*csl.lanes, c, taken), taken ? "in" : "out", queue, color);
      } else if (taken) {
        text += fmt::format("  @block({});\n", color);
      }
    }
  }
  if (text.empty()) return "";
  return std::string(bound ? "  // Every queue is bound to its color; otherwise the program deadlocks.\n"
                           : "  // Colors that are read through descriptors must not start tasks.\n") +
         text + "\n";
}

}  // namespace muster::wafer
