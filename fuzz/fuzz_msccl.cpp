// Any text is an algorithm that can be written again and judged, or is refused with an InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "backend/cluster/msccl/files.h"
#include "backend/cluster/msccl/text.h"
#include "base/error.h"
#include "schedule/verify.h"

using namespace muster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const msccl::Algo algo = msccl::read_xml(text, "input");
    if (!(msccl::read_xml(msccl::write_xml(algo, "again"), "again") == algo)) __builtin_trap();
    const LiftedFiles lifted = msccl::lift_file({.name = "input", .text = std::string(text)});
    const Verdict verdict = verify(lifted.schedule, lifted.machine);
    if (verdict.verified() && !lifted.stuck.empty()) __builtin_trap();
  } catch (const InputError&) {  // a refusal is an answer; anything else is a crash
  }
  return 0;
}
