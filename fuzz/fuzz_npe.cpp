// Any text is a workload of tt-npe on the machine, or is refused with an InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "backend/torus/metalium/npe_workload.h"
#include "backend/torus/torus_test_support.h"
#include "base/error.h"
#include "traffic_rows.h"

using namespace muster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Torus kTorus = torus::chip_with_dram(6, 5);
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    torus::run_to_the_end(kTorus, torus::read_npe_workload(kTorus, "input", text));
  } catch (const InputError&) {  // a refusal is an answer; anything else is a crash
  }
  return 0;
}
