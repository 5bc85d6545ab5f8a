// A position of a switch says only what it changes of the base route: on some machines it can hold no more.
#include "backend/wafer/csl/routes.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <set>

#include "backend/wafer/csl/lists.h"
#include "backend/wafer/directions.h"
#include "machine/mesh.h"

namespace muster::wafer {

namespace {

/// Why the machine's routers cannot hold these positions, or nothing. A position of a ring follows the one before it, others follow
/// position 0.
std::optional<std::string> route_problem(const ColorRoute& route, const Mesh& mesh) {
  for (std::size_t p = 0; p < route.count; ++p) {
    const Position& now = route.positions[p];
    if (now.from == 0 || now.to == 0) return fmt::format("position {} has no output", p);
    if (p > 0 && (now.from & (now.from - 1)) != 0) return fmt::format("position {} accepts from several sides", p);
    if (p == 0 && !route.ring) continue;
    const Position& before = route.positions[!route.ring ? 0 : p > 0 ? p - 1 : route.count - std::size_t{1}];
    if (!mesh.switch_both_sides && changed_sides(before, now).both()) {
      return fmt::format("position {} changes both sides, which this machine's switches cannot", p);
    }
  }
  return std::nullopt;
}

/// "WEST, RAMP".
std::string sides(Directions set) {
  std::string text;
  for (int d = 0; d < kDirections; ++d) {
    if (!has(set, direction_at(d))) continue;
    if (!text.empty()) text += ", ";
    for (const char letter : direction_name(direction_at(d))) text += static_cast<char>(std::toupper(letter));
  }
  return text;
}

/// ".pos1 = .{ .rx = EAST }": the side that changes; both, where the machine can and they do. A position that changes
/// nothing repeats the input.
std::string position(const Position& before, const Position& now, std::size_t p) {
  const ChangedSides changed = changed_sides(before, now);
  std::string fields;
  const std::string tx = (now.to & (now.to - 1)) == 0 ? sides(now.to) : ".{ " + sides(now.to) + " }";
  if (changed.input || !changed.output) fields += ".rx = " + sides(now.from);
  if (changed.output) fields += (fields.empty() ? ".tx = " : ", .tx = ") + tx;
  return fmt::format(".pos{} = .{{ {} }}", p, fields);
}

/// The routes that some router has for a color; not 0, which is none.
std::set<std::int32_t> routes_used(const CslSequence& sequence) {
  std::set<std::int32_t> used(sequence.of_class.begin(), sequence.of_class.end());
  used.erase(0);
  return used;
}

constexpr std::size_t kMostBranches = 48;  // that are written out, color by color

/// Many colors with many routes each share one function that sets any route.
bool shares_routes(const CslProgram& csl) {
  std::size_t branches = 0;
  for (const CslSequence& sequence : csl.route_of) branches += routes_used(sequence).size();
  return branches > kMostBranches && branches > 2 * csl.routes.size();
}

}  // namespace

namespace {

int sides_of(Directions set) { return std::popcount(static_cast<unsigned>(set)); }

/// How many positions of the text name several outputs, if it begins with this one.
std::size_t several_named(const ColorRoute& route, std::size_t base) {
  std::size_t named = 0;
  for (std::size_t p = 1; p < route.count; ++p) {
    const Position& before = route.positions[(base + p - 1) % route.count];
    const Position& now = route.positions[(base + p) % route.count];
    named += now.to != before.to && sides_of(now.to) > 1 ? 1 : 0;
  }
  return named;
}

/// Where the text of a ring begins: where no later position has to name several outputs, as far as that can be.
std::size_t ring_base(const ColorRoute& route) {
  std::size_t best = 0;
  for (std::size_t base = 1; base < route.count; ++base) {
    if (several_named(route, base) < several_named(route, best)) best = base;
  }
  return best;
}

/// A ring uses up a command of every control wavelet. Its positions follow each other: a side that one does not name is that of the one
/// before.
std::string ring_value(const ColorRoute& route) {
  const std::size_t base = ring_base(route);
  const auto at_place = [&](std::size_t p) -> const Position& { return route.positions[(base + p) % route.count]; };
  std::string switches;
  for (std::size_t p = 1; p < route.count; ++p) switches += position(at_place(p - 1), at_place(p), p) + ", ";
  if (route.count > 1) switches += ".ring_mode = true, ";
  if (base > 0) switches += fmt::format(".current_switch_pos = {}, ", route.count - base);
  return fmt::format(
      ".{{ .routes = .{{ .rx = .{{ {} }}, .tx = .{{ {} }} }}, .switches = .{{ {}.pop_mode = .{{ .always_pop = true }} "
      "}} }}",
      sides(at_place(0).from), sides(at_place(0).to), switches);
}

}  // namespace

bool names_several_outputs(const ColorRoute& ring) { return several_named(ring, ring_base(ring)) > 0; }

std::optional<std::string> add_routes(CslProgram& csl, const ProcessorClass& processor, const std::vector<bool>& pops) {
  for (CslSequence& sequence : csl.route_of) sequence.of_class.push_back(0);
  for (ColorRoute route : processor.routes) {
    const auto color = static_cast<std::size_t>(route.color);
    const bool pops_here = color < pops.size() && pops[color];
    std::optional<std::string> problem;
    if (route.count > 1 && route.ring != pops_here) {
      problem = "has a ring of positions where control wavelets carry no lists of commands, or lists without a ring";
    }
    route.ring = pops_here;
    if (!problem) problem = route_problem(route, csl.wafer->mesh());
    if (problem) return fmt::format("color {}: {}", csl.wafer->colors[color], *problem);
    route.color = 0;
    csl.route_of[color].of_class.back() = intern(csl.routes, route);
  }
  return std::nullopt;
}

std::string route_value(const ColorRoute& route) {
  if (route.ring) return ring_value(route);
  std::string text = fmt::format(".{{ .routes = .{{ .rx = .{{ {} }}, .tx = .{{ {} }} }}",
                                 sides(route.positions[0].from), sides(route.positions[0].to));
  if (route.count > 1) {
    std::string switches;
    for (std::size_t p = 1; p < route.count; ++p) {
      switches += (p == 1 ? "" : ", ") + position(route.positions[0], route.positions[p], p);
    }
    text += ", .switches = .{ " + switches + " }";
  }
  return text + " }";
}

std::string route_words(const ColorRoute& route) {
  std::string text;
  for (std::size_t p = 0; p < route.count; ++p) {
    const Position& now = route.positions[p];
    text += fmt::format("{}{} to {}", p == 0 ? "" : ", then ", directions_text(now.from), directions_text(now.to));
  }
  return text;
}

std::string route_values(const CslProgram& csl) {
  if (csl.routes.size() == 1) return "";
  std::string text =
      "// Routes of one color in one router. Position 0 is in .routes; a control wavelet advances to .pos1, .pos2, "
      ".pos3.\n";
  if (std::any_of(csl.routes.begin(), csl.routes.end(), [](const ColorRoute& route) { return route.ring; })) {
    text +=
        "// From the last one it goes on to position 0. A position says only in what it differs from the one before.\n";
  }
  for (std::size_t r = 1; r < csl.routes.size(); ++r) {
    text += fmt::format("// {1}\nconst route_{0} = {2};\n", r, route_words(csl.routes[r]), route_value(csl.routes[r]));
  }
  return text + "\n";
}

std::string route_function(const CslProgram& csl) {
  if (!shares_routes(csl)) return "";
  std::string text = "fn set_route(x: i16, y: i16, of_color: color, route: u16) void {\n";
  for (std::size_t r = 1; r < csl.routes.size(); ++r) {
    text += fmt::format("  {}if (route == {}) {{\n    @set_color_config(x, y, of_color, route_{});\n",
                        r == 1 ? "" : "} else ", r, r);
  }
  return text + "  }\n}\n\n";
}

std::string set_routes(const CslProgram& csl) {
  std::string text;
  const bool shared = shares_routes(csl);
  for (std::size_t color = 0; color < csl.route_of.size(); ++color) {
    if (shared) text += fmt::format("        set_route(x, y, color_{0}, route_of_{0}[pe]);\n", color);
    std::string branch = "        if";
    for (const std::int32_t route : routes_used(csl.route_of[color])) {
      if (shared) break;
      text +=
          fmt::format("{0} (route_of_{1}[pe] == {2}) {{\n          @set_color_config(x, y, color_{1}, route_{2});\n",
                      branch, color, route);
      branch = "        } else if";
    }
    if (branch != "        if") text += "        }\n";
  }
  return text;
}

}  // namespace muster::wafer
