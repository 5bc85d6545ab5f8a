// Any text is a program that can be simulated for a while, or is refused with an InputError. An input is a layout and, each
// behind a line "//@@ NAME", more files: a processor's program, modules. A color that the layout leaves open is color 5.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "backend/wafer/csl_reader/compare.h"
#include "backend/wafer/csl_reader/read_csl.h"
#include "base/error.h"
#include "machine/mesh.h"

using namespace muster;

namespace {

constexpr std::string_view kSeparator = "//@@ ";

std::map<std::string, std::string> files_of(const std::string& text) {
  std::map<std::string, std::string> files;
  std::size_t cut = text.find(kSeparator);
  files["layout.csl"] = text.substr(0, cut);
  while (cut != std::string::npos) {
    const std::size_t name = cut + kSeparator.size();
    const std::size_t line = std::min(text.find('\n', name), text.size() - 1);
    cut = text.find(kSeparator, line);
    files[text.substr(name, line - name)] = text.substr(line + 1, cut == std::string::npos ? cut : cut - line - 1);
  }
  return files;
}

Machine machine_of(bool bound) {
  Mesh mesh{.width = 1, .height = 1, .max_width = 64, .max_height = 64};
  mesh.colors = 24;
  mesh.reserved_colors = {21, 22, 23};
  for (std::int32_t c = 0; c < mesh.colors; ++c) mesh.switch_colors.push_back(c);
  mesh.switch_positions = 4;
  mesh.switch_both_sides = bound;
  mesh.input_queues = 8;
  mesh.output_queues = 8;
  mesh.reserved_queues = {0, 1};
  mesh.queues_are_bound = bound;
  mesh.architecture = bound ? "wse3" : "wse2";
  return {.name = "grid", .summary = "a grid of processors", .network = mesh};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  wafer::CslSource source;
  source.files = files_of(text);
  if (text.find("param c0: color;") != std::string::npos) source.parameters["c0"] = "5";
  source.limits.steps = 200'000;
  source.limits.most_steps = 400'000;
  source.limits.cells = 200'000;
  source.limits.tiles = 4096;
  source.limits.instructions = 300;
  for (const bool bound : {false, true}) {
    try {
      const auto program = wafer::read_csl(source, machine_of(bound));
      if (wafer::difference(*program, *program)) __builtin_trap();
    } catch (const InputError&) {  // a refusal is an answer; anything else is a crash
    }
  }
  return 0;
}
