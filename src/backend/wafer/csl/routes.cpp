// A position of a switch says only what it changes of the base route: on some machines it can hold no more.
#include "backend/wafer/csl/routes.h"

#include <cctype>
#include <set>

#include "backend/wafer/directions.h"

namespace muster::wafer {

namespace {

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
std::string position(const ColorRoute& route, std::size_t p) {
  const Position& now = route.positions[p];
  const ChangedSides changed = changed_sides(route.positions[0], now);
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

std::string route_value(const ColorRoute& route) {
  std::string text = fmt::format(".{{ .routes = .{{ .rx = .{{ {} }}, .tx = .{{ {} }} }}",
                                 sides(route.positions[0].from), sides(route.positions[0].to));
  if (route.count > 1) {
    std::string switches;
    for (std::size_t p = 1; p < route.count; ++p) switches += (p == 1 ? "" : ", ") + position(route, p);
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
