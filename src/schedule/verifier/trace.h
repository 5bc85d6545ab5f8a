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

/// What a contribution is multiplied with on its way: coefficients by number, sorted, and elements of arrays.
struct Product {
  struct ArrayElement {
    std::int32_t coefficient = 0;
    NodeId node = 0;
    std::int64_t element = 0;
    auto operator<=>(const ArrayElement&) const = default;
  };
  std::vector<std::int32_t> coefficients;
  std::vector<ArrayElement> arrays;
  auto operator<=>(const Product&) const = default;
};
/// How often a contribution occurs with each product; saturates.
using Weights = std::map<Product, std::uint64_t>;
void add_weights(Weights& sum, const Weights& more);
/// The weights of a contribution that is multiplied once more, the step's element being `element`.
Weights multiplied(const Weights& weights, std::int32_t coefficient, bool is_array, NodeId node, std::int64_t element);
using Products = std::map<Origin, Weights>;

/// Demand for elements of buffers, each with the times and the products with which it is wanted.
class MemoryDemand {
 public:
  using Elements = std::map<std::int64_t, Weights>;
  void add(NodeId node, Buffer buffer, std::int64_t element, std::uint64_t times) {
    add(node, buffer, element, Weights{{Product{}, times}});
  }
  void add(NodeId node, Buffer buffer, std::int64_t element, const Weights& weights);
  /// The demand for a buffer; nullptr if there is none.
  Elements* find(NodeId node, Buffer buffer);
  /// What remains when the beginning is reached.
  [[nodiscard]] Products products() const;
  /// The same without products.
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
  Products products_of_memory(NodeId node, Buffer buffer, std::int64_t element);
  /// What operand number `operand` of the step order[moment] consists of at position `position` of its span.
  Origins of_operand(std::size_t moment, std::size_t operand, std::int64_t position);

 private:
  using Positions = std::map<std::int64_t, Weights>;
  void want_operand(StepId id, std::size_t operand, std::int64_t position, const Weights& weights);
  void want_term(StepId id, std::size_t operand, std::int64_t position, const Weights& weights);
  void undo(Vertex vertex);
  void undo_sender(StepId id);
  Positions wanted_results(StepId id);
  void walk_back(std::size_t moment);

  const Schedule& schedule_;
  const ScheduleIndex& index_;
  const Dependencies& dependencies_;
  const std::vector<Vertex>& order_;
  MemoryDemand memory_;
  std::unordered_map<StreamId, Positions> streams_;
};

}  // namespace muster::verifier
