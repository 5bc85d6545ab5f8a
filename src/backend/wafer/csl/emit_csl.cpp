// The files of an emitted program. Their sizes do not depend on the number of processors, but for the digits of numbers
// and, in a tree, a few bytes per doubling.
#include <algorithm>

#include "backend/wafer/csl/text.h"
#include "backend/wafer/wafer.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// It is written into a shell script as it stands.
bool is_architecture(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

}  // namespace

Outcome<std::vector<EmittedFile>> emit_csl(const WaferProgram& program, const EmitOptions& options) {
  const auto csl = to_csl(program);
  if (!csl) return Refusal{csl.reason()};
  if (options.options.of<MeshOptions>().offset_x < 0 || options.options.of<MeshOptions>().offset_y < 0) {
    return Refusal{fmt::format("csl: the offset {},{} is negative; use 0 or more",
                               options.options.of<MeshOptions>().offset_x, options.options.of<MeshOptions>().offset_y)};
  }
  const Mesh& mesh = program.mesh();
  if (!is_architecture(mesh.architecture)) {
    return Refusal{
        fmt::format("csl: the machine's architecture '{}' is not a name that cslc --arch accepts; use e.g. 'wse2'",
                    mesh.architecture)};
  }
  if (options.options.of<MeshOptions>().offset_x + mesh.width > mesh.max_width ||
      options.options.of<MeshOptions>().offset_y + mesh.height > mesh.max_height) {
    return Refusal{fmt::format("csl: {} x {} PEs at {},{} do not fit into {} x {}", mesh.width, mesh.height,
                               options.options.of<MeshOptions>().offset_x, options.options.of<MeshOptions>().offset_y,
                               mesh.max_width, mesh.max_height)};
  }
  return std::vector<EmittedFile>{{"layout.csl", csl_layout(csl.value(), options)},
                                  {"pe.csl", csl_processor(csl.value(), options)},
                                  {"run.py", csl_host(csl.value(), options)},
                                  {"build.sh", csl_build(csl.value(), options)}};
}

}  // namespace muster::wafer
