// What a wafer program says about itself.
#include "backend/wafer/program.h"

#include <algorithm>

#include "backend/wafer/directions.h"
#include "base/counted.h"
#include "base/index.h"
#include "base/text_table.h"

namespace muster::wafer {
namespace {

/// What all processors together do on one color.
struct ColorUse {
  Directions links = 0;        ///< that it leaves a router by
  std::int64_t messages = 0;   ///< streams that are sent
  std::int64_t controls = 0;   ///< control wavelets
  std::int64_t receivers = 0;  ///< processors that take it
  int positions = 0;           ///< at the router that has most
};

std::vector<std::int64_t> class_sizes(const WaferProgram& program) {
  std::vector<std::int64_t> sizes(program.classes.size(), 0);
  for (const std::int32_t c : program.class_of) ++sizes[at(c)];
  return sizes;
}

void add_operation(const WaferProgram& program, const Operation& operation, std::int64_t processors,
                   std::vector<ColorUse>& uses) {
  const SpanId sent = operation.sent == Buffer::none ? operation.elements : operation.sent_elements;
  const bool has_data = program.spans.count(sent) > 0;
  for (const Output& output : operation.outputs) {
    ColorUse& use = uses[at(output.color)];
    const std::int64_t times = processors * operation.times;
    if (has_data) use.messages += times;
    use.controls += times * static_cast<std::int64_t>(output.controls());
  }
}

std::vector<ColorUse> color_uses(const WaferProgram& program) {
  std::vector<ColorUse> uses(program.colors.size());
  const std::vector<std::int64_t> sizes = class_sizes(program);
  for (std::size_t i = 0; i < program.classes.size(); ++i) {
    for (const ColorRoute& route : program.classes[i].routes) {
      ColorUse& use = uses[at(route.color)];
      use.positions = std::max<int>(use.positions, route.count);
      Directions to = 0;
      for (std::size_t p = 0; p < route.count; ++p) to |= route.positions[p].to;
      use.links |= to;
      if (has(to, Direction::ramp)) use.receivers += sizes[i];
    }
    for (const Operation& o : program.classes[i].operations) add_operation(program, o, sizes[i], uses);
  }
  return uses;
}

std::string towards(Directions links) {
  std::string text;
  for (int d = 0; d < index_of(Direction::ramp); ++d) {
    if (has(links, direction_at(d))) text += (text.empty() ? "" : ", ") + std::string(direction_name(direction_at(d)));
  }
  return text;
}

std::string color_table(const WaferProgram& program) {
  constexpr auto kRight = TextTable::Align::right;
  TextTable table({{"color", kRight},
                   {"towards"},
                   {"messages", kRight},
                   {"control wavelets", kRight},
                   {"receivers", kRight},
                   {"switch positions", kRight}});
  const std::vector<ColorUse> uses = color_uses(program);
  for (std::size_t c = 0; c < uses.size(); ++c) {
    const ColorUse& use = uses[c];
    table.add({std::to_string(program.colors[c]), towards(use.links), std::to_string(use.messages),
               std::to_string(use.controls), std::to_string(use.receivers), std::to_string(use.positions)});
  }
  return table.empty() ? "" : "\n" + table.text();
}

}  // namespace

std::string WaferProgram::summary() const {
  std::size_t positions = 0;
  std::size_t operations = 0;
  for (const ProcessorClass& c : classes) {
    for (const ColorRoute& r : c.routes) positions = std::max<std::size_t>(positions, r.count);
    operations = std::max(operations, c.operations.size());
  }
  return fmt::format("{}x{} PEs in {} of equal routes and operations\n{}, at most {}, at most {} per PE\n{}",
                     mesh().width, mesh().height, counted(classes.size(), "class", "classes"),
                     counted(colors.size(), "color", "colors"),
                     counted(positions, "switch position", "switch positions"),
                     counted(operations, "operation", "operations"), color_table(*this));
}

std::string beyond_combining(const WaferProgram& program) {
  if (program.has_pages()) return "sources or receivers";
  if (program.steps != 1 || program.exchanges()) return "repetitions";
  for (const ProcessorClass& c : program.classes) {
    for (const ColorRoute& route : c.routes) {
      if (route.ring) return "rings of switch positions";
    }
    for (const Operation& o : c.operations) {
      if (!o.coefficients.empty()) return "operands with coefficients";
      if (!o.more_own.empty()) return "several operands in memory";
      for (const Output& output : o.outputs) {
        if (output.ending == Ending::commands) return "lists of commands in control wavelets";
      }
    }
  }
  return "";
}

std::string example_of(const WaferProgram& program, std::size_t class_index) {
  const auto found =
      std::find(program.class_of.begin(), program.class_of.end(), static_cast<std::int32_t>(class_index));
  if (found == program.class_of.end()) return "no PE";
  return pe_text(program.mesh(), static_cast<NodeId>(found - program.class_of.begin()));
}

std::vector<const Program*> WaferProgram::parts_of_schedule() const {
  std::vector<const Program*> programs(parts.size(), nullptr);
  for (const PhasePlaces& places : phases) programs[at(places.part)] = &parts[at(places.part)];
  return programs;
}

ProgramFacts WaferProgram::facts() const {
  ProgramFacts facts{.machine = machine, .arithmetic = arithmetic};
  facts.in_place = extent[static_cast<std::size_t>(Buffer::output) - 1] == 0;
  facts.classes = static_cast<std::int64_t>(classes.size());
  facts.channels = static_cast<std::int64_t>(colors.size());
  facts.words = extent[static_cast<std::size_t>(Buffer::input) - 1];
  for (std::size_t node = 0; node < class_of.size(); ++node) {
    if (!classes[static_cast<std::size_t>(class_of[node])].operations.empty()) {
      facts.ranks.push_back(static_cast<NodeId>(node));
    }
  }
  if (facts.ranks.empty()) {
    for (std::size_t node = 0; node < class_of.size(); ++node) facts.ranks.push_back(static_cast<NodeId>(node));
  }
  return facts;
}

}  // namespace muster::wafer
