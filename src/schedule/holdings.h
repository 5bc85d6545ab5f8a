// What exists before a schedule runs: the elements that its contracts say are held, node by node; and which nodes need a result.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "schedule/arithmetic.h"
#include "schedule/schedule.h"

namespace muster {

/// The words that a node holds at the start: element first + k of a buffer into words[k]. Of a stencil's margins, which are zeros, nobody
/// asks. Pages of `series` follow each other.
using InitialData = std::function<void(NodeId node, Buffer buffer, std::int64_t first, std::span<Word> words)>;

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

/// What a rank of a stencil holds: its vectors with their margins, and all of `model` if it has arrays.
std::vector<Holdings::Held> held_for_stencil(const Contract& contract, std::int64_t model);
/// What a rank with sources holds beside that, of so many elements on all pages.
Holdings::Held held_series(std::int64_t elements);

/// The nodes that must hold a result after.
std::vector<bool> nodes_that_owe(const Schedule& schedule);

}  // namespace muster
