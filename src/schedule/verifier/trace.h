// Where one element comes from, exactly: the counterexample's view. Walks a schedule backwards from the element and
// counts how often each rank's contribution went into it.
#pragma once

#include <map>
#include <unordered_map>

#include "schedule/verifier/contributions.h"
#include "schedule/verifier/verify_stages.h"

namespace muster::verifier {

/// An element of a buffer before the schedule ran.
struct Origin {
  NodeId node = 0;
  Buffer buffer = Buffer::input;
  std::int64_t element = 0;
  auto operator<=>(const Origin&) const = default;
};
/// How often each contribution occurs; saturates.
using Origins = std::map<Origin, std::uint64_t>;

/// Demand for elements of buffers, each with the number of times that it is wanted.
class MemoryDemand {
 public:
  using Elements = std::map<std::int64_t, std::uint64_t>;
  void add(NodeId node, Buffer buffer, std::int64_t element, std::uint64_t times);
  /// The demand for a buffer; nullptr if there is none.
  Elements* find(NodeId node, Buffer buffer);
  /// What remains when the beginning is reached.
  [[nodiscard]] Origins origins() const;

 private:
  std::unordered_map<std::int64_t, Elements> demand_;  ///< by node and buffer
};

class Tracer {
 public:
  Tracer(const Subject& subject, const ScheduleIndex& index, const Dependencies& dependencies,
         const std::vector<Vertex>& order)
      : schedule_(subject.schedule), index_(index), dependencies_(dependencies), order_(order) {}

  /// What the element consists of after all steps.
  Origins of_memory(NodeId node, Buffer buffer, std::int64_t element);
  /// What operand number `operand` of the step order[moment] consists of at position `position` of its span.
  Origins of_operand(std::size_t moment, std::size_t operand, std::int64_t position);

 private:
  using Positions = std::map<std::int64_t, std::uint64_t>;
  void want_operand(StepId id, StreamId operand, std::int64_t position, std::uint64_t times);
  void undo(Vertex vertex);
  void undo_sender(StepId id);
  Positions wanted_results(StepId id);
  Origins walk_back(std::size_t moment);

  const Schedule& schedule_;
  const ScheduleIndex& index_;
  const Dependencies& dependencies_;
  const std::vector<Vertex>& order_;
  MemoryDemand memory_;
  std::unordered_map<StreamId, Positions> streams_;
};

}  // namespace muster::verifier
