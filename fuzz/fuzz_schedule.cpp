// Any text is a schedule, or is refused with an InputError. A schedule's text round-trips; a small one can be verified,
// and one that the verifier accepts can be run.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "machine/mesh.h"
#include "schedule/interpret.h"
#include "schedule/phase.h"
#include "schedule/text.h"
#include "schedule/verify.h"

using namespace muster;

namespace {

constexpr std::int64_t kSmall = 4096;

/// Entries of the flat schedule, or more than kSmall.
std::int64_t flat_entries(const Schedule& schedule) {
  if (schedule.repeat > kSmall) return kSmall + 1;
  if (schedule.is_flat()) {
    const std::size_t entries = schedule.steps.size() + schedule.operands.size() + schedule.outputs.size() +
                                schedule.waits.size() + schedule.sinks.size();
    return static_cast<std::int64_t>(std::min<std::size_t>(entries, kSmall + 1));
  }
  std::int64_t entries = 0;
  for (const Phase& phase : schedule.phases) {
    const std::int64_t part = flat_entries(schedule.parts[static_cast<std::size_t>(phase.part)]);
    entries += part * static_cast<std::int64_t>(groups_of(schedule, phase).size() + phase.after.size());
    if (entries > kSmall) return kSmall + 1;
  }
  const std::int64_t turns =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(schedule.phases.size())) * schedule.repeat;
  return turns > kSmall ? kSmall + 1 : std::max(turns, entries * schedule.repeat);
}

bool is_small(const Schedule& schedule) {
  const auto small = [](std::int64_t value) { return value <= kSmall; };
  const auto& spans = schedule.spans;
  for (SpanId id = 0; id < spans.size(); ++id) {
    if (!small(spans.count(id))) return false;
  }
  return schedule.node_count <= 64 && flat_entries(schedule) <= kSmall &&
         std::all_of(schedule.extent.begin(), schedule.extent.end(), small) &&
         std::all_of(schedule.parts.begin(), schedule.parts.end(), is_small);
}

Machine row(NodeId nodes) {
  Mesh mesh{.width = nodes, .height = 1, .max_width = nodes, .max_height = 1};
  mesh.clock = Hertz(850e6);
  mesh.wavelet = Bytes(4);
  mesh.hop_latency = Cycles(1);
  mesh.ramp_latency = Cycles(2);
  mesh.router_buffer = 2;
  mesh.ramp_queue = 2;
  return {.name = "row", .summary = "a row of processors", .network = mesh};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Schedule schedule = parse_schedule({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    const std::string text = to_text(schedule);
    if (to_text(parse_schedule(text, "again.json")) != text) std::abort();
    if (!is_small(schedule)) return 0;
    if (!verify(schedule, row(schedule.node_count)).verified()) return 0;
    const Arithmetic arithmetic;
    Outputs outputs;
    try {
      outputs = interpret(schedule, arithmetic, 1);
    } catch (const InputError&) {  // the verifier accepted what cannot run
      std::abort();
    }
    if (compare_outputs(schedule, outputs, outputs, arithmetic).difference) std::abort();
  } catch (const InputError&) {  // a refusal is an answer; anything else is a crash
  }
  return 0;
}
