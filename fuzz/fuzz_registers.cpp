// Any text is registers that can be written again, or is refused with an InputError. Registers without a fault are a schedule
// that can be judged; if the verifier accepts it, the switches compute the right result.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "backend/hyperx/check.h"
#include "backend/hyperx/data.h"
#include "backend/hyperx/files/difference.h"
#include "backend/hyperx/files/emit_registers.h"
#include "backend/hyperx/files/lift.h"
#include "backend/hyperx/files/read_registers.h"
#include "machine/test_hyperx.h"
#include "schedule/interpret.h"
#include "schedule/verify.h"

using namespace muster;
using namespace muster::hyperx;

namespace {

/// Two nodes of two cores, which the corpus is for.
Machine two_nodes() { return test_hyperx({2}, 1, 2, 1); }

bool is_small(const Schedule& schedule) {
  return std::all_of(schedule.extent.begin(), schedule.extent.end(), [](std::int64_t words) { return words <= 4096; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const HyperXProgram program =
        read_registers({reinterpret_cast<const char*>(data), size}, "registers.json", two_nodes());
    const auto files = emit_registers(program, {.target = "registers", .command = "again"});
    if (difference(program, read_registers(files.front().text, "again.json", program.machine))) std::abort();
    const bool has_fault = check(program).has_value();
    const LiftedFiles lifted = lift_registers(program, "registers.json");
    if (has_fault) std::abort();
    if (!verify(lifted.schedule, lifted.machine).verified() || !is_small(lifted.schedule)) return 0;
    const Wiring wiring(program);
    Outputs computed = compute_data(wiring, order_of(wiring), 1);
    computed.resize(static_cast<std::size_t>(lifted.schedule.node_count));
    const Outputs expected = interpret(lifted.schedule, program.arithmetic, 1);
    if (compare_outputs(lifted.schedule, expected, computed, program.arithmetic).difference) std::abort();
  } catch (const InputError&) {  // a refusal is an answer; anything else is a crash
  }
  return 0;
}
