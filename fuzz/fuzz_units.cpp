// Any text is a size, time, rate or frequency, or is refused with a reason; none of it throws.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/units.h"

using namespace muster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto bytes = parse_bytes(text)) (void)to_text(bytes.value());
  if (const auto hertz = parse_hertz(text)) (void)to_text(hertz.value());
  if (const auto rate = parse_rate(text)) (void)rate.value();
  if (const auto time = parse_time(text)) {
    const Hertz clock(850e6);
    (void)to_text(to_cycles(time.value(), clock));
    (void)to_text(to_seconds(time.value(), clock));
  }
  return 0;
}
