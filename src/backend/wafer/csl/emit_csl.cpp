// The files of an emitted program. Their sizes do not depend on the number of processors, but for the digits of numbers
// and, in a tree, a few bytes per doubling.
#include <algorithm>

#include "backend/wafer/csl/lanes.h"
#include "backend/wafer/csl/module.h"
#include "backend/wafer/csl/text.h"
#include "backend/wafer/csl/uncertain.h"
#include "backend/wafer/wafer.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// It is written into a shell script as it stands.
bool is_architecture(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

constexpr const char* kBothSides =
    "Uncertain: switch positions change both sides; public texts contradict each other on whether they can. Without "
    "--param switch.changes=\"both sides\" none does, at the price of a color.";

std::vector<EmittedFile> program_files(const CslProgram& csl, const EmitOptions& options) {
  if (csl.lanes != nullptr) {
    return {{"layout.csl", lanes_layout(csl, options)},
            {"pe.csl", lanes_processor(csl, options)},
            {"run.py", lanes_host(csl, options)},
            {"build.sh", lanes_build(csl, options)}};
  }
  return {{"layout.csl", csl_layout(csl, options)},
          {"pe.csl", csl_processor(csl, options)},
          {"run.py", csl_host(csl, options)},
          {"build.sh", csl_build(csl, options)}};
}

/// The module, and an example that uses it.
std::vector<EmittedFile> module_files(const CslProgram& csl, const EmitOptions& options) {
  const std::string name = csl_function_name(csl);
  return {{name + "_params.csl", csl_module_layout(csl, options)},
          {name + ".csl", csl_module(csl, options)},
          {"layout.csl", csl_example_layout(csl, options)},
          {"pe.csl", csl_example(csl, options)},
          {"run.py", csl_host(csl, options)},
          {"build.sh", csl_build(csl, options)}};
}

}  // namespace

Outcome<std::vector<EmittedFile>> emit_csl(const WaferProgram& program, const EmitOptions& options) {
  const bool lanes = needs_lanes(program);
  if (lanes && options.form == kModuleForm) {
    return Refusal{
        fmt::format("csl: a program with {} has no module form; leave --form out", beyond_combining(program))};
  }
  const auto csl =
      lanes ? to_csl_lanes(program) : to_csl(program, options.form == kModuleForm ? CslForm::module : CslForm::program);
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
  std::vector<EmittedFile> files =
      csl.value().is_module() ? module_files(csl.value(), options) : program_files(csl.value(), options);
  if (changes_both_sides(csl.value())) files.front().remark = kBothSides;
  return files;
}

}  // namespace muster::wafer
