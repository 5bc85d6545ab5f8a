// For tests: what two ways to simulate a program measured, compared; and random parameters of the machine.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "backend/wafer/simulate/fabric.h"
#include "base/index.h"
#include "machine/mesh.h"
#include "result/result.h"

namespace muster::wafer::test {

inline std::string difference_of_traffic(const Traffic& a, const Traffic& b) {
  for (std::size_t d = 0; d < a.link.size(); ++d) {
    if (a.link[d] != b.link[d]) return fmt::format("link {}: {} instead of {}", d, a.link[d], b.link[d]);
  }
  for (const auto counter : {&Traffic::ramp_in, &Traffic::ramp_out, &Traffic::data_in, &Traffic::data_out,
                             &Traffic::control_hops, &Traffic::busy, &Traffic::waits}) {
    if (a.*counter != b.*counter) return fmt::format("a counter: {} instead of {}", a.*counter, b.*counter);
  }
  return "";
}

/// Of times; the first difference, or empty.
inline std::string difference_of_results(const Result& a, const Result& b) {
  if (a.fault.has_value() != b.fault.has_value()) return "a fault";
  if (a.call_cycles != b.call_cycles || a.cycles != b.cycles) return "the end";
  if (a.hops != b.hops) return fmt::format("{} hops instead of {}", a.hops, b.hops);
  if (a.max_port_load != b.max_port_load || a.utilization != b.utilization) return "loads";
  if (a.resources.size() != b.resources.size()) return "resources";
  for (std::size_t i = 0; i < a.resources.size(); ++i) {
    if (a.resources[i].bytes != b.resources[i].bytes || a.resources[i].busy != b.resources[i].busy) {
      return a.resources[i].name;
    }
  }
  for (std::size_t call = 0; call < b.node_times.size(); ++call) {
    for (std::size_t node = 0; node < b.node_times[call].size(); ++node) {
      if (a.node_times.at(call).at(node) == b.node_times[call][node]) continue;
      return fmt::format("call {} of node {} finished in {} instead of {}", call, node,
                         a.node_times[call][node].finished.value(), b.node_times[call][node].finished.value());
    }
  }
  return "";
}

inline std::string difference_of_runs(const Result& a, const std::vector<Traffic>& traffic_a, const Result& b,
                                      const std::vector<Traffic>& traffic_b) {
  if (auto found = difference_of_results(a, b); !found.empty()) return found;
  for (std::size_t node = 0; node < traffic_b.size(); ++node) {
    if (auto found = difference_of_traffic(traffic_a.at(node), traffic_b[node]); !found.empty()) {
      return fmt::format("node {}, {}", node, found);
    }
  }
  return "";
}

inline void draw_parameters(Mesh& mesh) {
  mesh.operation_start = Cycles(*rc::gen::element<std::int64_t>(0, 0, 1, 9));
  mesh.receive_gap = Cycles(*rc::gen::element<std::int64_t>(0, 0, 4));
  mesh.local_interval = Cycles(*rc::gen::element<std::int64_t>(1, 1, 2, 5));
  mesh.receive_interval = Cycles(*rc::gen::element<std::int64_t>(1, 1, 3));
  mesh.ramp_latency = Cycles(*rc::gen::element<std::int64_t>(0, 2, 7));
  mesh.router_buffer = *rc::gen::inRange(1, 4);
  mesh.ramp_queue = *rc::gen::inRange(1, 4);
  mesh.arbitration = *rc::gen::element(Arbitration::lowest_color, Arbitration::highest_color, Arbitration::round_robin);
}

}  // namespace muster::wafer::test
