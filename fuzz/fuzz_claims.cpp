// Any text is a file of claims, or is refused with an InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "paper/claims.h"

using namespace muster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)parse_claims({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
  } catch (const InputError&) {  // a refusal is an answer; anything else is a crash
  }
  return 0;
}
