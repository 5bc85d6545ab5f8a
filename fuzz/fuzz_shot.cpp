// Shots: any text is read or refused in one line, and what is read can be told apart from others.
#include <cstdint>
#include <string_view>

#include "app/seismic/checkpoint.h"
#include "app/seismic/resources.h"
#include "app/seismic/shot.h"
#include "base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const muster::seismic::Shot shot =
        muster::seismic::read_shot({reinterpret_cast<const char*>(data), size}, "shot.toml");
    (void)muster::seismic::needs_of(shot);
    (void)muster::seismic::fingerprint(shot);
  } catch (const muster::InputError& error) {
    MUSTER_ASSERT(std::string_view(error.what()).find('\n') == std::string_view::npos, "a message of several lines");
  }
  return 0;
}
