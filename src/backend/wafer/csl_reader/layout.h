// Runs the layout block: which code, with which parameters, and which routes every processor has.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backend/wafer/csl_reader/evaluator.h"
#include "backend/wafer/program.h"
#include "machine/mesh.h"

namespace muster::wafer::csl {

/// A file with parameters that some processors run.
struct TileCode {
  std::string file;
  Value parameters;
  Location location;
};

/// A name that the layout promises the host: some processors have a symbol of that name and type.
struct ExportedName {
  TypePtr type;
  bool is_mutable = false;  ///< a variable that the host may change
  Location location;
};

struct TileLayout {
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::vector<TileCode> codes;                        ///< distinct ones
  std::vector<std::int32_t> code_of;                  ///< of each processor, row by row
  std::vector<ColorRoute> routes;                     ///< distinct ones, of any color, as read_route() gives them
  std::vector<Location> route_locations;              ///< where each of them was first set
  std::map<int, std::vector<std::int16_t>> route_of;  ///< by hardware color: of each processor; -1: none
  std::map<int, Location> color_locations;            ///< where each color was first given a route
  std::map<std::string, ExportedName> exports;        ///< names that the host knows
};

/// The layout that `file` describes with these parameters. Throws InputError.
TileLayout run_layout(Files& files, const std::string& file, const std::map<std::string, std::string>& parameters,
                      const Mesh& mesh);

/// A route as @set_color_config takes it. The color is left 0; `ring` says whether the router uses up a command of every control wavelet,
/// also of a route with one position.
ColorRoute read_route(const Value& config, const Location& location);

}  // namespace muster::wafer::csl
