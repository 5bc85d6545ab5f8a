// One strip of the wafer while it is simulated: its routers, then its processors, cycle by cycle.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backend/simulator.h"
#include "backend/wafer/simulate/processor.h"
#include "backend/wafer/simulate/router.h"
#include "backend/wafer/simulate/strip_state.h"

namespace muster::wafer {

class Strip {
 public:
  struct Options {
    Processors::Options processors;
    bool is_recorded = false;
    bool has_history = false;
  };
  Strip(Fabric& fabric, const PreparedProgram& prepared, NodeRange nodes, const Options& options);

  /// One cycle. The strips beside it, if there are any, may run the same cycle meanwhile, on other threads.
  void run(Tick now, const Strip* before, const Strip* after);
  /// Whether anything moved or worked in the last cycle.
  [[nodiscard]] bool was_busy() const { return was_busy_; }

  StripState state;
  Routers routers;
  Processors processors;

 private:
  bool was_busy_ = false;
};

using Strips = std::vector<std::unique_ptr<Strip>>;

/// `count` strips of whole rows, or of columns where there is one row; fewer if there are not so many.
std::vector<NodeRange> cut(const Mesh& mesh, NodeId nodes, std::size_t count);

/// How a simulation is spread over threads, a strip each. Its answer does not depend on that.
struct Spread {
  std::size_t strips = 1;
  std::int64_t least_in_flight = 0;  ///< wavelets per strip from which on strips are run at the same time
};

/// `simulate` (wafer.h), spread as told.
Result simulate(const WaferProgram& program, const SimulateOptions& options, const Spread& spread);

}  // namespace muster::wafer
