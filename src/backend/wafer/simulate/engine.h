// The cycle engine with what other ways to simulate need of it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "backend/wafer/simulate/repetition.h"
#include "backend/wafer/simulate/strip.h"

namespace muster::wafer {

struct EngineOptions {
  Spread spread;
  bool skips_repetitions =
      false;  ///< see repetition.h; only for one call, of which no data and no timeline are asked for
  bool keeps_histories = false;
  bool wraps = false;  ///< see Fabric
  /// Asked now and then with the histories until then; the run ends, without a result, once it says no.
  std::function<bool(const std::vector<std::uint64_t>&)> goes_on = {};
};

struct EngineRun {
  Result result;
  std::vector<Traffic> traffic;          ///< of each router
  Skipped skipped;                       ///< its traffic is left out
  std::vector<std::uint64_t> histories;  ///< of each router: what moved, and when (history.h)
};

EngineRun run_cycles(const WaferProgram& program, const SimulateOptions& options, const EngineOptions& engine);

/// How a simulation of so many processors is spread over as many threads as are allowed and worth while.
Spread usual_spread(const SimulateOptions& options, std::size_t processors);

/// Whether repetitions may be left out, if there are any worth it.
bool may_skip(const WaferProgram& program, const SimulateOptions& options);

/// "the state of the simulation returns from repetition 4 on every 1, so 995 repetitions of 50,120 cycles each were left out"; empty:
/// none were.
std::string note_of(const Skipped& skipped);

}  // namespace muster::wafer
