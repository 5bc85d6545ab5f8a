// Any text is a list of transactions on the machine, or is refused with an InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "backend/torus/torus_test_support.h"
#include "backend/torus/traffic_reader.h"
#include "base/error.h"

using namespace muster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Torus kTorus = torus::chip_with_dram(6, 5);
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const std::vector<torus::TrafficRow> rows = torus::read_traffic(kTorus, "input", text);
    std::int64_t bytes = 0;
    for (const torus::TrafficRow& row : rows) {
      constexpr std::int64_t kMost = 10'000;  // of a run that is worth its time here
      if (row.count > kMost || row.start > kMost || row.bytes > kMost) return 0;
      bytes += row.count * row.bytes * static_cast<std::int64_t>(std::max<std::size_t>(row.destinations.size(), 8));
      if (bytes > 100'000) return 0;
    }
    for (const torus::TrafficRun::Times& times : torus::run_traffic(kTorus, rows, 1).rows) {
      if (!times.end) __builtin_trap();
    }
  } catch (const InputError&) {  // a refusal is an answer; anything else is a crash
  }
  return 0;
}
