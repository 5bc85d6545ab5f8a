// What exists before a schedule runs: the elements that its contracts say are held, node by node; and which nodes need a result.
#pragma once

#include <span>
#include <vector>

#include "schedule/schedule.h"

namespace muster {

class Holdings {
 public:
  /// Throws InputError if a contract names a node that does not exist, or holds more than its buffer.
  explicit Holdings(const Schedule& schedule);

  struct Held {
    Buffer buffer = Buffer::none;
    Range range;
    bool is_zero = false;  ///< a stencil's margin; otherwise inputs
    std::uint64_t salt =
        0;  ///< of the inputs: 0 for the vector of a contract, others for what a stencil holds beside it
    /// For Arithmetic::fill_inputs(): what the node holds.
    [[nodiscard]] std::uint64_t input_key(NodeId node, std::uint64_t seed) const;
  };
  [[nodiscard]] std::span<const Held> of(NodeId node) const;
  [[nodiscard]] bool holds(NodeId node, Buffer buffer, std::int64_t element) const;

 private:
  std::vector<std::size_t> first_;  ///< node n's are [first_[n], first_[n + 1]) of held_
  std::vector<Held> held_;
};

/// What a rank of a stencil holds: its vectors with their margins, and its arrays.
std::vector<Holdings::Held> held_for_stencil(const Contract& contract);

/// The nodes that must hold a result after.
std::vector<bool> nodes_that_owe(const Schedule& schedule);

}  // namespace muster
