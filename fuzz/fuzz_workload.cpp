// Any text is a workload of our own, or is refused with an InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/training/workload.h"
#include "base/error.h"

using namespace muster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)training::read_toml({reinterpret_cast<const char*>(data), size}, "input");
  } catch (const InputError&) {  // a refusal is an answer; anything else is a crash
  }
  return 0;
}
