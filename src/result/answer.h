// The answers to a user's questions, ready for report/: one struct per subcommand, with text where people read text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "result/fact.h"
#include "result/result.h"

namespace muster {

/// A root that was tried for --root any, and the best algorithm there.
struct RootAnswer {
  std::int64_t root = 0;  ///< a rank
  std::string text;       ///< the same as people write it
  std::string algorithm;
  Ticks cycles;
  bool simulated = false;  ///< else predicted
};

/// The shape of the machine in a question, as its family counts it.
struct ShapeAnswer {
  std::vector<std::int64_t> sizes;  ///< grid [W, H], [nodes] or dimensions
  std::string text;                 ///< "512x1"
  std::string with_unit;            ///< "512x1 PEs"
  std::string key;                  ///< in JSON: "grid", "nodes" or "dimensions"
  std::string title;                ///< of a column
  bool is_number = false;           ///< in JSON; else a list
};

/// The question: the common head of every answer. What does not apply to the collective is empty.
struct Question {
  std::string machine;
  std::string collective;
  ShapeAnswer shape;
  std::int64_t count = 0;                           ///< elements as the user counts them; unused without a type
  std::string type;                                 ///< empty: nothing is carried (barrier)
  std::string op;                                   ///< empty: nothing is combined
  std::optional<std::int64_t> root = std::nullopt;  ///< a rank; none: the collective has no root
  std::string root_text = {};                       ///< the same as people write it: "(16,0)"
  std::vector<RootAnswer> roots_tried = {};         ///< best first; empty: the root was given
  bool in_place = false;     ///< input and output share one buffer: both would not fit into a processor's memory
  bool has_clock = true;     ///< times are shown in cycles, else in the unit that fits
  std::string channel = {};  ///< the virtual channels of a link: "color"
  FamilyFacts of_family = {};
};

/// The value of an algorithm's parameter: a number, which may have a name that is shown instead ("scf").
struct ParameterValue {
  std::int64_t number = 0;
  std::string name;
  // NOLINTNEXTLINE(google-explicit-constructor): a number is a value
  ParameterValue(std::int64_t value = 0, std::string called = "") : number(value), name(std::move(called)) {}
  bool operator==(const ParameterValue&) const = default;
  [[nodiscard]] std::string text() const { return name.empty() ? std::to_string(number) : name; }
};
using ParameterValues = std::map<std::string, ParameterValue>;

struct BoundAnswer {
  std::string name;
  std::string proves;
  std::optional<Cycles> cycles;
  Seconds seconds;
  bool for_pipeline = true;  ///< proven for the simulated machine; otherwise it holds only in a paper's model
};

/// The bound that times are compared with: the largest one that is proven for the pipeline, if there is any.
inline std::optional<BoundAnswer> best_bound(const std::vector<BoundAnswer>& bounds) {
  std::optional<BoundAnswer> best;
  for (const BoundAnswer& bound : bounds) {
    if (bound.for_pipeline && (!best || bound.seconds > best->seconds)) best = bound;
  }
  return best;
}

struct CandidateAnswer {
  std::string algorithm;
  ParameterValues parameters;
  std::optional<Cycles> predicted_cycles;
  Seconds predicted_seconds;
  std::optional<Cycles> simulated_cycles;
  std::optional<Seconds> simulated_seconds;
  std::string note;     ///< why it was not simulated, what went wrong, what its prediction is, why it cannot be emitted
  bool failed = false;  ///< it deadlocked or computed a wrong result
  std::optional<double> utilization = {};  ///< of the total bandwidth, if it was simulated
};

struct SkippedAnswer {
  std::string algorithm;
  std::string reason;
};

/// The gain of several concurrent trees of reducing switches, each with a part of the vector.
struct TreesAnswer {
  BytesPerSecond memory;  ///< of a core, per direction while it reads and writes
  BytesPerSecond link;    ///< per direction
  bool per_node = false;  ///< one vector per node, otherwise one per core
  struct Row {
    std::int64_t trees = 1;
    Seconds predicted;  ///< for the question's vector; with a vector per core, as if a switch ran all trees at once
    /// With a vector per node: from how many elements on it is faster than with fewer trees.
    std::optional<std::int64_t> pays_from = std::nullopt;
    /// With a vector per core: the memory bandwidth per core above which it would be faster than with fewer trees, if a switch
    /// ran all of them at once.
    std::optional<BytesPerSecond> beyond_memory = std::nullopt;
  };
  std::vector<Row> rows;  ///< 1, 2, ... trees
};

/// Why the first candidate of a plan is first: by prediction if it could not be simulated.
enum class StarredBy : std::uint8_t { simulation, prediction };

struct PlanAnswer {
  Question question;
  std::vector<BoundAnswer> bounds;          ///< proven for the pipeline first, then by size, largest first
  std::vector<CandidateAnswer> candidates;  ///< best first
  std::vector<SkippedAnswer> skipped;
  StarredBy starred_by = StarredBy::simulation;
  bool predicted_only = false;                      ///< the winner was neither made nor proven (--quick)
  bool verified = false;                            ///< the winner's schedule was proven
  bool result_correct = false;                      ///< the winner's simulated data equals the reference
  bool result_computed = true;                      ///< otherwise its data is unknown
  double error_probability = 0;                     ///< of that proof
  std::string why;                                  ///< one sentence: why the winner wins
  std::string crossover;                            ///< one sentence: where the next crossover is
  bool failed = false;                              ///< a candidate deadlocked or computed a wrong result
  std::optional<TreesAnswer> trees = std::nullopt;  ///< of an allreduce on a hyperx with more than one
  bool emittable = true;                            ///< the winner can be emitted for its machine
  std::vector<std::string> next = {};               ///< command lines that simulate and emit the winner
  std::string proof = {};  ///< what is proven instead of the winner's schedule, a sentence; empty: nothing else is
};

struct SimulationAnswer {
  Question question;
  std::string algorithm;
  ParameterValues parameters;
  std::optional<Cycles> predicted_cycles;
  std::optional<Seconds> predicted_seconds;
  std::optional<BoundAnswer> bound;
  bool verified = false;
  std::string refusal;  ///< the verifier's counterexample, if any
  bool result_correct = false;
  bool result_computed = true;  ///< otherwise the data is unknown
  std::int64_t checked_elements = 0;
  bool checked_by_parts = false;  ///< what was compared are the parts of the schedule, each by itself
  std::string difference;         ///< the first wrong element, if any
  int calls = 1;
  std::vector<Seconds> call_ends = {};  ///< when several calls run back to back: the end of each
  Result result;
  double error_probability = 0;  ///< of the proof
  bool from_files = false;       ///< a program that was read: no schedule, so nothing is proven
  bool checked = false;          ///< the static checks of the program found nothing that stops it
  std::string finding;           ///< what they found that does not prevent the run
};

struct CounterexampleAnswer {
  std::string kind;
  std::optional<std::int64_t> node;
  std::optional<std::int64_t> element;
  std::optional<std::int64_t> step;
  std::optional<std::int64_t> stream;
  std::string message;
};

/// In which order the contributions to one element of a rank's result are combined.
struct AdditionsAnswer {
  std::int64_t rank = 0;
  std::int64_t element = 0;
  std::string formula;
};

struct VerifyAnswer {
  bool verified = false;
  std::optional<CounterexampleAnswer> counterexample;
  double error_probability = 0;
  std::int64_t nodes = 0;
  std::int64_t streams = 0;
  std::int64_t steps = 0;
  std::optional<AdditionsAnswer> additions = std::nullopt;  ///< if it was asked for
  std::vector<std::string> facts = {};                      ///< further facts about the files that it comes from
};

/// The static checks of a program that was read from its files.
struct ProgramCheckAnswer {
  std::string machine;
  ShapeAnswer shape;
  bool verified = false;
  struct Counterexample {
    std::string kind;
    std::string location;  ///< empty: the message names it
    std::string message;
  };
  std::optional<Counterexample> counterexample;
  std::string not_checked;  ///< why the messages of the program could not be followed, if so
  std::vector<std::string> checks;
  std::int64_t processors = 0;
  std::int64_t classes = 0;
  std::int64_t colors = 0;
  std::int64_t messages = 0;
};

/// One line of `muster algorithms`.
struct AlgorithmAnswer {
  std::string collective;
  std::string algorithm;
  std::string family;
  std::string summary;
  std::string source;
  std::vector<std::string> parameters;  ///< "group: PEs per group; default: the square root of P"
};

/// One line of `muster machines`.
struct MachineAnswer {
  std::string name;
  std::string family;
  std::string shape;
  std::string summary;
  std::string remarks;  ///< the lines above its first value: what the sources stand for
  std::string error;    ///< not empty: the file is invalid, and only its name is known
};

/// One line of `muster machines NAME`.
struct MachineValueAnswer {
  std::string key;
  std::string value;
  std::string source;
};

/// `muster machines --template FAMILY`: a complete file, and what its keys are.
struct MachineTemplateAnswer {
  struct Key {
    std::string name;  ///< dotted; N stands for the number of a table of a list
    std::string type;
    std::string allowed;
    std::string example;
    std::string meaning;
    bool required = true;  ///< where its table is there
  };
  std::string family;
  std::string text;
  std::vector<Key> keys;
};

/// What `muster emit` wrote.
struct EmitAnswer {
  Question question;
  std::string algorithm;
  ParameterValues parameters;
  std::string target;
  std::string folder;
  struct File {
    std::string name;
    Bytes size;
  };
  std::vector<File> files;
  std::string summary;             ///< of the program, a few lines
  std::vector<std::string> notes;  ///< why the program takes longer than the simulation, one sentence each
};

/// What `muster figures` wrote.
struct FigureFilesAnswer {
  std::string machine;  ///< empty: several
  std::string folder;
  struct Figure {
    std::string title;
    std::vector<EmitAnswer::File> files;
  };
  std::vector<Figure> figures;
};

struct ClaimAnswer {
  std::string id;
  std::string paper;
  std::string section;
  std::string statement;
  std::string expected;  ///< the expected value
  std::string measured;  ///< ours
  bool holds = false;
  bool known_difference = false;  ///< it does not hold, and the file explains why
  std::string explanation;
  std::string source;  ///< of the expected value: "paper", "lemma" (computed from it by hand) or "ours"
};

}  // namespace muster
