// What the benchmarks of the wafer measure: one algorithm at one size on the shipped WSE-2, from schedule to result.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "backend/capabilities.h"
#include "base/error.h"
#include "base/source_dir.h"
#include "collective/algorithm.h"
#include "machine/loader.h"
#include "machine/mesh.h"
#include "schedule/interpret.h"

namespace muster {

inline constexpr std::uint64_t kBenchSeed = 7;

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline Machine shipped_wafer() { return load_machine(source_dir() + "/machines/wse2.toml"); }

struct WaferSize {
  std::int32_t width = 1;
  std::int32_t height = 1;
  std::int64_t count = 1;  ///< words
};

/// A schedule on its way to a result.
struct WaferCase {
  Machine machine;
  Schedule schedule;
  Cycles predicted;  ///< by the algorithm's own formula
};

inline WaferCase make_case(const Machine& wafer, Collective collective, const std::string& name,
                           const WaferSize& size) {
  const Request request{
      .machine = with_grid(wafer, size.width, size.height), .collective = collective, .count = size.count};
  const Algorithm& algorithm = find_algorithm(collective, "mesh", name);
  const Parameters parameters = complete_parameters(algorithm, request, {});
  return {.machine = request.machine,
          .schedule = algorithm.make(request, parameters),
          .predicted = algorithm.cost(request, parameters)};
}

inline std::unique_ptr<Program> lowered(const WaferCase& wafer_case) {
  auto program = lowering_for(wafer_case.machine).lower(wafer_case.schedule, wafer_case.machine, {});
  MUSTER_ASSERT(program.ok(), "a benchmark's schedule was not lowered: {}", program.reason());
  return std::move(program).value();
}

/// What is wrong with the data of a simulation, compared with the reference interpreter; nothing if it is right.
inline std::optional<std::string> wrong_data(const WaferCase& wafer_case, const Result& result) {
  if (result.fault) return result.fault->kind + ": " + result.fault->message;
  const Comparison comparison =
      compare_outputs(wafer_case.schedule, interpret(wafer_case.schedule, {}, kBenchSeed), result.outputs.front(), {});
  return comparison.compared == 0 ? "nothing was compared" : comparison.difference;
}

}  // namespace muster
