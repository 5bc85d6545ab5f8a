// A mesh is tried with values that processors of its kind could have.
#include <algorithm>

#include "machine/mesh.h"
#include "machine/timing_key_list.h"

namespace muster {
namespace {

constexpr Arbitration kArbitrations[] = {Arbitration::lowest_color, Arbitration::highest_color,
                                         Arbitration::round_robin};

std::optional<Arbitration> arbitration_from(const std::string& text) {
  return *std::find_if(std::begin(kArbitrations), std::end(kArbitrations),
                       [&](Arbitration arbitration) { return arbitration_name(arbitration) == text; });
}

}  // namespace

std::vector<TimingKey> mesh_timing_keys(const Machine& machine) {
  TimingKeyList<Mesh> keys(machine);
  const auto in_cycles = [&](const char* key, Cycles Mesh::*member, const std::vector<std::string>& values) {
    keys.add<Cycles>(key, [member](Mesh& mesh) -> Cycles& { return mesh.*member; }, values, {text_of, cycles_from});
  };
  const auto in_places = [&](const char* key, std::int32_t Mesh::*member) {
    keys.add<std::int32_t>(key, [member](Mesh& mesh) -> std::int32_t& { return mesh.*member; }, {"1", "2", "4", "8"},
                           {text_of, number_from});
  };
  in_cycles("ramp.latency", &Mesh::ramp_latency, {"1 cycle", "2 cycles", "4 cycles", "7 cycles"});
  in_places("ramp.queue", &Mesh::ramp_queue);
  in_places("router.buffer", &Mesh::router_buffer);
  const std::vector<std::string> costs{"0 cycles", "4 cycles", "16 cycles", "64 cycles"};
  in_cycles("processor.operation_start", &Mesh::operation_start, costs);
  in_cycles("processor.receive_gap", &Mesh::receive_gap, costs);
  in_cycles("processor.receive_interval", &Mesh::receive_interval, {"1 cycle", "2 cycles", "4 cycles", "16 cycles"});
  std::vector<std::string> names;
  for (const Arbitration arbitration : kArbitrations) names.push_back(arbitration_name(arbitration));
  keys.add<Arbitration>(
      "link.arbitration", [](Mesh& mesh) -> Arbitration& { return mesh.arbitration; }, names,
      {[](const Arbitration& arbitration) { return arbitration_name(arbitration); }, arbitration_from});
  return std::move(keys).take();
}

}  // namespace muster
