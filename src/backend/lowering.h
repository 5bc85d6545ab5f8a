// The capability to lower: schedule → program.
#pragma once

#include <memory>

#include "backend/program.h"
#include "base/units.h"
#include "schedule/schedule.h"

namespace muster {

struct LowerOptions {
  Arithmetic arithmetic;  ///< what the processors compute
  Options options = {};   ///< the family's own
};

class Lowering {
 public:
  virtual ~Lowering() = default;
  /// A program; or which budget was exceeded, what was needed and what would fit. The schedule is verified.
  [[nodiscard]] virtual Outcome<std::unique_ptr<Program>> lower(const Schedule& schedule, const Machine& machine,
                                                                const LowerOptions& options) const = 0;
  /// The program of the larger grid of `machine`, made from that of a smaller one whose columns and rows repeat. What a processor runs must follow
  /// from the programs of those up to `reach` columns and rows away. A refusal if that is not possible.
  [[nodiscard]] virtual Outcome<std::unique_ptr<Program>> widened(const Program& /*program*/, const Machine& machine,
                                                                  std::int32_t /*reach*/) const {
    return Refusal{fmt::format("{} has no grid on which programs repeat", machine.name)};
  }
  /// Whether it lowers schedules of phases without expanding them; otherwise it is given flat schedules.
  [[nodiscard]] virtual bool takes_phases() const { return false; }
  /// Whether phases share the network with each other, so that what they ask of it does not add up.
  [[nodiscard]] virtual bool overlaps_phases() const { return false; }
  /// How many more vectors a program keeps beside input and output, at least: for data that arrives.
  [[nodiscard]] virtual int vectors_beside() const { return 0; }
  /// An estimate of the processor memory that a typical program takes besides its vectors. Large programs may need more.
  [[nodiscard]] virtual Bytes program_memory() const { return Bytes(0); }
};

}  // namespace muster
