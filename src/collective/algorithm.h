// An algorithm: a function that makes a schedule for a collective on a machine, and the formula that predicts its time.
// One file each, declared in algorithms.h, with one line in registry.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "machine/hyperx.h"
#include "machine/machine.h"
#include "schedule/schedule.h"

namespace muster {

/// A vector as the user counts it, for messages.
struct UserCount {
  std::int64_t count = 0;
  std::int64_t block_unit = 1;  ///< blocks are multiples of it, as two f16 are a word
  std::string_view unit = "words";
};

/// The input of an algorithm. The machine has the shape in use; `count` is in words (schedule/arithmetic.h).
struct Request {
  Machine machine;
  Collective collective = Collective::reduce;
  std::int64_t count = 0;
  NodeId root = 0;
  Options options = {};                      ///< the family's own
  std::optional<UserCount> user_count = {};  ///< `count` if it is left out
};

/// Parameters by name, complete: every parameter of the algorithm has a value.
using Parameters = std::map<std::string, std::int64_t>;

struct ParameterSpec {
  std::string name;
  std::string summary;  ///< "PEs per group; default: the square root of P"
  std::function<std::int64_t(const Request&)> by_default;
  std::function<std::int64_t(const Request&)> least;
  std::function<std::int64_t(const Request&)> most;
  /// Values that may be better than the default for some sizes: the planner compares the predictions. May be empty.
  using Values = std::function<std::vector<std::int64_t>(const Request&)>;
  Values worth_trying = {};
  /// Along those values, in their order, times fall and then rise, but for small differences: the planner stops where they rise.
  bool has_one_valley = false;
  std::vector<std::string> names = {};  ///< of the values 0, 1, ..., where they have names; no others exist then
};

/// How far a prediction may be from the simulation of the ideal machine: |predicted - simulated| <= cycles + fraction x
/// simulated, for every size and root, with default parameters. The tests of src/plan check every algorithm.
struct CostTolerance {
  double fraction = 0;
  Ticks cycles;
};

struct Algorithm {
  Collective collective = Collective::reduce;
  std::string name;
  std::string family;   ///< whose machines it is for
  std::string summary;  ///< one line
  std::string source;   ///< paper and section
  std::vector<ParameterSpec> parameters;
  /// Nothing if the request is supported, else the reason, as one clause ("needs a row or a column, got 4x4").
  std::function<std::optional<std::string>(const Request&)> unsupported;
  std::function<Schedule(const Request&, const Parameters&)> make;
  /// The predicted time, by the source's own formula if that is what the program takes.
  std::function<Ticks(const Request&, const Parameters&)> cost;
  CostTolerance cost_tolerance;
  /// The source's formula if it differs; figures and claims of the paper use it. May be empty.
  std::function<Ticks(const Request&, const Parameters&)> paper_cost = {};
  /// Whether `cost` goes through the steps of a schedule: it takes milliseconds, and its last digits mean nothing.
  bool cost_by_steps = false;
  /// Whether `cost` is our own and also covers what a machine has beyond the papers' models.
  bool knows_machine = false;
  /// Where `cost` takes long: a time that it is not below with any parameters that the planner chooses. May be empty.
  std::function<Ticks(const Request&)> least_cost = {};
  /// The predicted time for every root, where all of them together cost about as much as one. May be empty.
  std::function<std::vector<Ticks>(const Request&)> cost_by_root = {};
};

/// The time by the source's formula, which does not cover what the machine has beyond it (beyond_formulas.h) unless it is ours.
Ticks paper_cycles(const Algorithm& algorithm, const Request& request, const Parameters& parameters);

/// Why no algorithm can support such a request, or nothing: invalid groups, for example.
std::optional<std::string> unfit_request(const Request& request);

/// Why predictions for this machine do not use formulas; empty if they do.
std::string remark_on_predictions(const Machine& machine);

/// Every algorithm, in the order of the registry.
const std::vector<Algorithm>& algorithms();

/// Those for one family.
std::vector<Algorithm> algorithms_of(const std::string& family);

/// The names of the collectives for which a family has algorithms.
std::vector<std::string> collectives_of(const std::string& family);

/// The algorithm of that name for a collective on a family. Throws InputError with the nearest names.
const Algorithm& find_algorithm(Collective collective, const std::string& family, const std::string& name);

/// The number of a value that has a name, in any algorithm with such a parameter ("order", "scf": 1); nothing where none has.
std::optional<std::int64_t> named_value(const std::string& parameter, const std::string& name);

/// The names that values of such a parameter have in any algorithm; empty: they are numbers.
std::vector<std::string> value_names(const std::string& parameter);

/// Throws InputError: the algorithm has no parameter of that name.
[[noreturn]] void reject_parameter(const Algorithm& algorithm, const std::string& name);

/// Defaults, with `given` in their place. Throws InputError on unknown names and values out of range.
Parameters complete_parameters(const Algorithm& algorithm, const Request& request, const Parameters& given);

/// The same with those of `given` that the algorithm has; or why a value is out of range: "chunks: 9 is ...".
Outcome<Parameters> parameters_it_has(const Algorithm& algorithm, const Request& request, const Parameters& given);

}  // namespace muster
