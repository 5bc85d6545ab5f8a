// Any text is a machine, or is refused with an InputError; its values can be listed unless it is not TOML.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "machine/loader.h"
#include "machine/routing.h"

using namespace muster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Machine machine = parse_machine(text, "fuzz.toml");
    (void)shape_text(machine);
    (void)rank_count(machine);
    (void)node_count(machine);
    (void)stream_buffer(machine);
  } catch (const InputError&) {  // a refusal is an answer; anything else is a crash
  }
  try {
    (void)machine_entries(text, "fuzz.toml");
  } catch (const InputError&) {
  }
  return 0;
}
