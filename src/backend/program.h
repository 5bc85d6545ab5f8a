// The program of a family: what a schedule is lowered to, what files are read into, and what simulators, checkers and emitters
// work on. What we time is what we ship, because it is the same object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "machine/machine.h"
#include "schedule/arithmetic.h"

namespace muster {

/// What a program says about itself, wherever it comes from.
struct ProgramFacts {
  Machine machine;  ///< in the shape in use
  Arithmetic arithmetic;
  std::vector<NodeId> ranks;  ///< the nodes that do something, or all of them if none does
  std::int64_t words = 0;     ///< of the input vector of a node
  bool in_place = false;      ///< the result overwrites the input
  std::int64_t classes = 0;   ///< of nodes with the same code
  std::int64_t channels = 0;  ///< colors in use
};

class Program {
 public:
  virtual ~Program() = default;
  /// A few lines for people: colors, positions, classes of processors.
  [[nodiscard]] virtual std::string summary() const = 0;
  /// The channels (colors) on which a node sends its streams, in the order of its lanes and steps; empty where a family
  /// has none.
  [[nodiscard]] virtual std::vector<int> channels_sent(NodeId node) const = 0;
  [[nodiscard]] virtual ProgramFacts facts() const = 0;
  /// Of a schedule of phases that was lowered part by part: the program of each part, or null for one that no phase uses.
  [[nodiscard]] virtual std::vector<const Program*> parts_of_schedule() const { return {}; }
};

/// The program as its family's own type. Any other program is a bug of the caller.
template <class Own>
const Own& own_program(const Program& program) {
  const auto* const own = dynamic_cast<const Own*>(&program);
  MUSTER_ASSERT(own != nullptr, "a program was given to another family");
  return *own;
}

}  // namespace muster
