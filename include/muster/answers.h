// Questions and answers: plain values, each of which prints itself.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "muster/machine.h"

namespace muster::library {

/// Parameters of an algorithm as --set takes them: {{"group", "16"}}, {{"order", "scf"}}.
using Parameters = std::map<std::string, std::string>;

/// A collective on a machine, and by which algorithm.
struct Question {
  Machine machine;             ///< in the shape in use
  std::string collective;      ///< "reduce", "allreduce", "broadcast", ...
  std::int64_t count = 0;      ///< elements of the vector; a barrier has none
  std::string type = "f32";    ///< "f32", "f16", "bf16" or "i32", as the machine computes
  std::string op = "sum";      ///< "sum", "max", "min" or "prod"
  std::int64_t root = 0;       ///< a rank, of collectives with a root
  std::string algorithm = {};  ///< empty: the best one; must be empty for plan()
  Parameters parameters = {};  ///< of that algorithm; missing ones have their default
  int reserved_colors = 0;     ///< on a mesh: colors to keep free for your own program
  std::uint64_t seed = 1;      ///< random seed for test data and fingerprints
};

/// A time; machines without a clock have no cycles.
struct Time {
  std::optional<std::int64_t> cycles;
  double seconds = 0;
};

/// A lower bound on the time of every schedule of a stated class.
struct Bound {
  std::string name;
  std::string proves;
  Time time;
  bool for_pipeline = true;  ///< proven for the simulated machine; otherwise it holds only in a paper's model
};

struct Candidate {
  std::string algorithm;
  Parameters parameters;
  Time predicted;
  std::optional<Time> simulated;
  std::string note;  ///< why it was not simulated, what went wrong, why it cannot be emitted
};

struct Skipped {
  std::string algorithm;
  std::string reason;
};

struct Plan {
  std::vector<Bound> bounds;          ///< those proven for the simulated machine first, then by size, largest first
  std::vector<Candidate> candidates;  ///< best first
  std::vector<Skipped> skipped;
  bool verified = false;        ///< the schedule of the best candidate was proven
  bool result_correct = false;  ///< the simulated data of the best candidate equals the reference
  std::string why;              ///< one sentence: why it wins
  std::string crossover;        ///< one sentence: at which sizes another algorithm wins

  /// The first candidate. Throws Error if there is none.
  [[nodiscard]] const Candidate& best() const;
};

struct Simulation {
  std::string algorithm;
  Parameters parameters;
  std::optional<Time> predicted;
  std::optional<Time> simulated;  ///< nothing after a fault
  std::optional<Bound> bound;     ///< the largest one that is proven for the simulated machine
  bool verified = false;
  bool result_correct = false;
  std::string problem;  ///< empty, or what went wrong: the counterexample, the fault, the first wrong element
};

struct Verdict {
  bool verified = false;
  std::string counterexample;    ///< where it is wrong, if it is
  double error_probability = 0;  ///< of the proof; 0 if it is exact
  std::int64_t nodes = 0;
  std::int64_t streams = 0;
  std::int64_t steps = 0;
};

struct File {
  std::string name;
  std::string text;
};

struct Emission {
  std::string algorithm;
  Parameters parameters;
  std::vector<File> files;
  std::string summary;
  std::vector<std::string> notes;  ///< why the emitted program takes longer than the simulation
};

/// Human-readable text: one line for a Time, a Bound and a Candidate; the others may have several, without a final newline.
std::string to_text(const Time& time);
std::string to_text(const Bound& bound);
std::string to_text(const Candidate& candidate);
std::string to_text(const Plan& plan);
std::string to_text(const Simulation& simulation);
std::string to_text(const Verdict& verdict);
std::string to_text(const Emission& emission);

std::ostream& operator<<(std::ostream& out, const Time& time);
std::ostream& operator<<(std::ostream& out, const Bound& bound);
std::ostream& operator<<(std::ostream& out, const Candidate& candidate);
std::ostream& operator<<(std::ostream& out, const Plan& plan);
std::ostream& operator<<(std::ostream& out, const Simulation& simulation);
std::ostream& operator<<(std::ostream& out, const Verdict& verdict);
std::ostream& operator<<(std::ostream& out, const Emission& emission);

}  // namespace muster::library
