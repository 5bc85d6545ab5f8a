// The capability to simulate: program → result. A family may have several simulators.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "backend/program.h"
#include "result/result.h"
#include "schedule/holdings.h"

namespace muster {

/// Which simulator is asked for: the plain one that moves every word in every cycle (or every packet), or the fast one that gives
/// the same times. `automatic` is the fast one wherever it is exact, but for programs that the plain one simulates sooner.
enum class Engine : std::uint8_t { automatic, cycle, stream };

struct SimulateOptions {
  int calls = 1;           ///< back to back
  std::uint64_t seed = 1;  ///< call k = 0, 1, ... generates its inputs from seed + k, so that stale data shows
  Ticks give_up{std::int64_t{1} << 40};
  std::function<void(Ticks)> progress;  ///< called now and then, if set
  Engine engine = Engine::automatic;
  InitialData initial =
      {};  ///< what nodes hold at the start of every call; empty: made from the seed. Of a wafer's cycle engine
  bool timeline = false;                                                ///< record what happens when
  Options options = {};                                                 ///< the family's own
  std::int64_t most_effort = std::numeric_limits<std::int64_t>::max();  ///< the fast simulator gives up beyond it
  bool times_only = false;  ///< no data is asked for: a simulator that can do without it leaves out the outputs
  bool data_only = false;   ///< the same, of times
  bool ends_only = false;   ///< only ends of calls are asked for; times of nodes where the report shows them
  int threads = 1;          ///< at most, of a wafer's cycle engine: the answer does not depend on it
  /// As if the grid had no borders: for programs whose columns and rows repeat, the times of one processor of each kind, without data.
  bool borderless = false;
  bool streams_only = false;  ///< do not fall back to the plain simulator: the result then has no engine, but a note
};

/// What the cost of a simulation grows with, for budgets.
enum class SimulationCost : std::uint8_t {
  hops,      ///< words times hops
  transits,  ///< messages times routers
};

class Simulator {
 public:
  virtual ~Simulator() = default;
  /// Why this simulator does not take such a request, as a message to the user; nothing if it does. By default it is the family's
  /// only one, so that no engine can be chosen.
  [[nodiscard]] virtual std::optional<std::string> refuses(const Machine& machine,
                                                           const SimulateOptions& options) const {
    if (options.engine == Engine::automatic) return std::nullopt;
    return fmt::format("engine: {} has only one simulation engine; leave it out", machine.name);
  }
  [[nodiscard]] virtual SimulationCost cost() const = 0;
  /// Whether its times are only nearly right, and it is much faster than the others of its family: `plan` compares many candidates
  /// with it before the best of them are simulated.
  [[nodiscard]] virtual bool is_approximate() const { return false; }
  /// Whether it hands programs that it cannot time exactly to a simulator whose cost grows with hops.
  [[nodiscard]] virtual bool may_fall_back() const { return false; }
  /// Whether a run that ends well has also passed the family's static checks (checker.h).
  [[nodiscard]] virtual bool includes_checks() const { return false; }
  [[nodiscard]] virtual Result simulate(const Program& program, const SimulateOptions& options) const = 0;
};

}  // namespace muster
