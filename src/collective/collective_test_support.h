// For tests only: an ideal wafer of any shape, and requests on it.
#pragma once

#include "collective/algorithm.h"
#include "machine/mesh.h"
#include "machine/routing.h"

namespace muster {

/// T_R = 2, one cycle per hop, two wavelets per router buffer: the ideal wafer of the paper, cut to width x height.
inline Machine ideal_wafer(std::int32_t width, std::int32_t height) {
  Mesh mesh;
  mesh.width = mesh.max_width = mesh.fabric_width = width;
  mesh.height = mesh.max_height = mesh.fabric_height = height;
  mesh.clock = Hertz(850e6);
  mesh.wavelet = Bytes(4);
  mesh.hop_latency = Cycles(1);
  mesh.ramp_latency = Cycles(2);
  mesh.router_buffer = 2;
  mesh.ramp_queue = 2;
  mesh.memory = Bytes(48 * 1024);
  return {.name = "ideal", .summary = "an ideal wafer", .network = mesh};
}

inline Request reduce_request(std::int32_t width, std::int32_t height, std::int64_t count, NodeId root = 0) {
  return {.machine = ideal_wafer(width, height), .collective = Collective::reduce, .count = count, .root = root};
}

inline Request broadcast_request(std::int32_t width, std::int32_t height, std::int64_t count, NodeId root = 0) {
  return {.machine = ideal_wafer(width, height), .collective = Collective::broadcast, .count = count, .root = root};
}

/// The same request for another collective, with the nearest count that it can have.
inline Request sized_for(Request request, Collective collective) {
  request.collective = collective;
  const std::int64_t ranks = rank_count(request.machine);
  if (collective == Collective::barrier) request.count = 1;
  // A cluster cuts vectors into equal blocks.
  const bool sliced = family_name(request.machine) == "cluster" && collective != Collective::allreduce;
  if (collective == Collective::all_to_all || sliced) request.count = (request.count + ranks - 1) / ranks * ranks;
  return request;
}
inline Request sized_for(const Request& request) { return sized_for(request, request.collective); }

inline std::int64_t predicted(const std::string& name, const Request& request, const Parameters& given = {}) {
  const Algorithm& algorithm = find_algorithm(request.collective, "mesh", name);
  return algorithm.cost(request, complete_parameters(algorithm, request, given)).value();
}

}  // namespace muster
