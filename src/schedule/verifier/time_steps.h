// What a stencil owes: its contract, executed symbolically, time step by time step.
#pragma once

#include <map>
#include <vector>

#include "schedule/verifier/segments.h"
#include "schedule/verifier/trace.h"

namespace muster::verifier {

/// Time steps that are executed so at most: the terms of one element grow with every step.
inline constexpr std::int64_t kMostTimeSteps = 4;

class TimeSteps {
 public:
  /// Of a contract that was checked. `contributions` are linear.
  TimeSteps(const Schedule& schedule, const Contract& contract, Contributions& contributions);

  /// What a rank owes in elements [0, vector_end) of `to`: the newest vector; and in `from`: the one before.
  Segments newest(std::int32_t rank) { return advanced(rank); }
  Segments previous(std::int32_t rank) { return before_last(rank, true); }

  /// What a receiver owes in its elements of `record`.
  Segments recorded(const StencilPoints& receiver);

  /// The contributions of one element of the newest vector, or of the one before, one by one.
  [[nodiscard]] Products products(std::int32_t rank, bool is_newest, std::int64_t element) const;

 private:
  [[nodiscard]] std::int32_t number_of(const std::string& name) const;
  [[nodiscard]] NodeId node(std::int32_t rank) const { return contract_.ranks[at(rank)]; }
  [[nodiscard]] bool is_inside(std::int64_t element) const {
    return element >= contract_.margin && element < contract_.margin + contract_.count;
  }
  Segments before_last(std::int32_t rank, bool is_newest);
  Segments advanced(std::int32_t rank);
  Segments scaled(std::int32_t rank, std::size_t term);
  Segments added(const StencilPoints& source);

  const Contract& contract_;
  Contributions& contributions_;
  std::vector<std::int32_t> coefficient_;  ///< of each term: its number, or kOne
  std::vector<std::int32_t> array_;
  const Schedule& schedule_;
  std::multimap<std::int32_t, StencilPoints> sources_;  ///< by rank; with them there is one step
  std::vector<Segments> newest_;    ///< of each rank before the last step; empty: as held in the beginning
  std::vector<Segments> previous_;  ///< the same of the vector before it
};

}  // namespace muster::verifier
