// The time of one training iteration under several schedulers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace muster {

/// The parts add up to `total`.
struct IterationAnswer {
  std::string scheduler;  ///< "hierarchical", "themis", "balanced" or "ideal"; with reducing switches an algorithm
  std::string order;      ///< of themis: "fifo" or "scf"; of an algorithm: its trees, "overlapped"; else empty
  Seconds forward;        ///< computation, including recomputation for the backward pass
  Seconds input_gradient;
  Seconds weight_gradient;
  Seconds update;
  Seconds exposed_model;  ///< waiting for activations and their gradients
  Seconds exposed_data;   ///< waiting for weights and their gradients
  Seconds total;
  double speedup = 1;  ///< over the first scheduler
  /// Bytes sent / (bandwidth of all dimensions x time in which something was in flight); with reducing switches, bytes read and
  /// written / (bandwidth of a core's memory, or of a node's where a node has one vector, x that time).
  double utilization = 0;

  [[nodiscard]] std::string name() const { return order.empty() ? scheduler : scheduler + " " + order; }
};

struct TrainingAnswer {
  std::string machine;
  std::vector<std::int64_t> shape;
  std::string workload;
  std::string summary;  ///< of the workload; may be empty
  std::int64_t layers = 0;
  std::int64_t model_npus = 1;
  std::int64_t chunks = 64;
  double faster = 1;                        ///< speed-up of all computation
  std::int64_t batch = 0;                   ///< samples per NPU; 0: the workload does not say
  bool has_chunks = true;                   ///< whether communications are cut into chunks
  std::string vectors = {};                 ///< on a hyperx: one vector per "core" or per "node"
  std::vector<IterationAnswer> iterations;  ///< the baseline first, the ideal last
};

}  // namespace muster
