// Any text is a program that can be simulated for a while, or is refused with an InputError. An input is a layout and,
// behind a line "//@@ pe.csl", a processor's program.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "backend/wafer/csl_reader/compare.h"
#include "backend/wafer/csl_reader/read_csl.h"
#include "base/error.h"
#include "machine/mesh.h"

using namespace muster;

namespace {

constexpr std::string_view kSeparator = "//@@ pe.csl\n";

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
  const std::size_t cut = text.find(kSeparator);
  wafer::CslSource source;
  source.files["layout.csl"] = text.substr(0, cut);
  if (cut != std::string::npos) source.files["pe.csl"] = text.substr(cut + kSeparator.size());
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
