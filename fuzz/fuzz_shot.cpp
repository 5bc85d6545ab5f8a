// Any text is a shot, or is refused with an InputError; so is any value of a key that is given besides it.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "app/seismic/checkpoint.h"
#include "app/seismic/shot.h"
#include "base/error.h"

using namespace muster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // The line of the text after a NUL is an override, KEY=VALUE.
  const std::size_t end = text.find('\0');
  std::map<std::string, std::string> overrides;
  if (end != std::string_view::npos) {
    const std::string_view pair = text.substr(end + 1);
    const std::size_t sign = pair.find('=');
    if (sign != std::string_view::npos) overrides.emplace(pair.substr(0, sign), pair.substr(sign + 1));
  }
  try {
    const seismic::Shot shot = seismic::read_shot(text.substr(0, end), "fuzz.toml", overrides);
    (void)seismic::fingerprint(shot, seismic::whole_of(shot.grid));
  } catch (const InputError& error) {  // a refusal is an answer; anything else is a crash
    MUSTER_ASSERT(std::string_view(error.what()).find('\n') == std::string_view::npos, "a message of several lines");
  }
  return 0;
}
