// What operations are called in timelines and messages.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "backend/cluster/program.h"
#include "result/timeline.h"

namespace muster::cluster {

/// Operations of phases with the same offset belong to one chunk; chunks are numbered by their offsets, from 1.
class OperationNames {
 public:
  explicit OperationNames(const ClusterProgram& program);

  /// `span` with the words and the kind of the operation.
  [[nodiscard]] TimelineSpan span(const Operation& operation, TimelineSpan span) const;
  /// "reduce-scatter of chunk 3"
  [[nodiscard]] std::string name(const Operation& operation) const;
  /// The collectives that occur: what TimelineSpan::kind counts.
  [[nodiscard]] std::vector<std::string> kinds() const;

 private:
  [[nodiscard]] const Contract& contract_of(const Operation& operation) const;

  [[nodiscard]] std::int64_t chunk_of(const Operation& operation) const;

  const ClusterProgram& program_;
  std::map<std::int64_t, std::int64_t> chunk_at_;  ///< by offset
  std::vector<Collective> collectives_;
};

}  // namespace muster::cluster
