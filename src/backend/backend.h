// The small interface behind which each family of machines lives. Nothing above it knows which family it talks to.
// The simulator runs the program, the same object that the emitter prints: what we time is what we ship.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "machine/machine.h"
#include "result/result.h"
#include "schedule/arithmetic.h"
#include "schedule/schedule.h"
#include "schedule/verify.h"

namespace muster {

/// What a program says of itself, wherever it comes from.
struct ProgramFacts {
  Machine machine;  ///< in the shape in use
  Arithmetic arithmetic;
  std::vector<NodeId> ranks;  ///< the nodes that do something, or all of them if none does
  std::int64_t words = 0;     ///< of the vector that nodes hold at first
  bool in_place = false;      ///< the result lies where the input was
  std::int64_t classes = 0;   ///< nodes that do different things
  std::int64_t channels = 0;  ///< colors in use
};

/// A schedule lowered to one machine family.
class Program {
 public:
  virtual ~Program() = default;
  /// A few lines for people: colors, positions, classes of processors.
  [[nodiscard]] virtual std::string summary() const = 0;
  /// The channels (colors) on which a node sends its streams, in the order of its lanes and steps; empty where a family
  /// has none.
  [[nodiscard]] virtual std::vector<int> channels_sent(NodeId node) const = 0;
  [[nodiscard]] virtual ProgramFacts facts() const = 0;
};

struct LowerOptions {
  Arithmetic arithmetic;  ///< what the processors compute
  Options options = {};   ///< the family's own
};

/// Which simulator: the plain one that moves everything in every cycle, or one that follows streams as intervals in time
/// and gives the same times. `automatic` is the fast one wherever it is exact.
enum class Engine : std::uint8_t { automatic, cycle, stream };

struct SimulateOptions {
  int calls = 1;           ///< back to back
  std::uint64_t seed = 1;  ///< call k = 0, 1, ... makes its inputs from seed + k, so that leftovers of a call show
  Cycles give_up{std::int64_t{1} << 40};
  std::function<void(Cycles)> progress;  ///< called now and then, if set
  Engine engine = Engine::automatic;
  bool timeline = false;                                                ///< whether to write down what happened when
  Options options = {};                                                 ///< the family's own
  std::int64_t most_effort = std::numeric_limits<std::int64_t>::max();  ///< beyond it, streams are followed no further
  bool streams_only = false;  ///< not by the cycle engine: where that is needed, the result has no engine, but a note
};

/// A name and what it stands for, for --target.
struct Target {
  std::string name;
  std::string summary;
};

struct EmitOptions {
  std::string target;
  std::string command;        ///< the command line that asked, for the header comment
  std::int64_t elements = 0;  ///< of the vector, as the user counts them
  Options options = {};       ///< the family's own
};

struct EmittedFile {
  std::string name;
  std::string text;
  std::string remark = {};  ///< what to know of it before it is used: a sentence
};

struct ReadOptions {
  std::map<std::string, std::string> parameters;  ///< that the files leave open, as the build command gives them
};

/// What the static checks of a program found.
struct ProgramCheck {
  std::optional<Fault> fault = {};       ///< it does not run as it should, with a counterexample
  std::optional<Fault> finding = {};     ///< something is not as a right program has it, though it may run
  std::string unsupported = {};          ///< not empty: why the program could not be checked; then nothing else is set
  std::int64_t messages = 0;             ///< that were followed
  std::vector<std::string> checks = {};  ///< what was checked, a line each
  /// What to show: a finding comes first and explains the fault.
  [[nodiscard]] std::optional<Fault> counterexample() const { return finding ? finding : fault; }
};

/// What files describe, as a schedule.
struct LiftedFiles {
  Schedule schedule;                    ///< with its contract
  Machine machine;                      ///< one on which it could run
  std::string stuck;                    ///< not empty: it cannot end, because of this
  StepName step_name = {};              ///< where a step of the schedule stands in the files
  std::vector<std::string> facts = {};  ///< what else is known of the files, a line each
};

class Backend {
 public:
  virtual ~Backend() = default;
  /// Whether it lowers schedules of phases as they are; others are given flat ones.
  [[nodiscard]] virtual bool takes_phases() const { return false; }
  /// A program, or which budget was exceeded, what was needed and what would fit. The schedule is verified.
  [[nodiscard]] virtual Outcome<std::unique_ptr<Program>> lower(const Schedule& schedule, const Machine& machine,
                                                                const LowerOptions& options) const = 0;
  /// Whether the fast engine runs every program and writes timelines, too: then nothing needs the plain one.
  [[nodiscard]] virtual bool fast_engine_is_complete() const { return false; }
  [[nodiscard]] virtual Result simulate(const Program& program, const SimulateOptions& options) const = 0;
  /// Why this family cannot simulate with such options, or nothing.
  [[nodiscard]] virtual std::optional<std::string> cannot_simulate(const Machine& /*machine*/,
                                                                   const SimulateOptions& /*options*/) const {
    return std::nullopt;
  }
  /// What a usual program takes of a processor's memory besides vectors: an estimate. Large ones may need more.
  [[nodiscard]] virtual Bytes program_memory() const = 0;
  [[nodiscard]] virtual std::vector<Target> targets() const = 0;
  /// Files, or why this program cannot be written for that target.
  [[nodiscard]] virtual Outcome<std::vector<EmittedFile>> emit(const Program& program,
                                                               const EmitOptions& options) const = 0;
  /// What to know of the files that emit() makes: where they take longer than what is simulated, a sentence each.
  [[nodiscard]] virtual std::vector<std::string> emit_remarks(const Program& /*program*/,
                                                              const EmitOptions& /*options*/) const {
    return {};
  }
  /// Checks a program without simulating it: what would go wrong when it runs, with a counterexample and without times; or
  /// nothing. A family without such checks finds nothing.
  [[nodiscard]] virtual ProgramCheck check(const Program& /*program*/) const { return {}; }
  /// The program that emitted files describe, without contracts, or why this family has no reader. Throws InputError, with
  /// file and line, where the text is wrong or says something that no program can.
  [[nodiscard]] virtual Outcome<std::unique_ptr<Program>> read(const std::vector<EmittedFile>& /*files*/,
                                                               const Machine& machine,
                                                               const ReadOptions& /*options*/) const {
    return Refusal{fmt::format("programs for {} cannot be read back yet", machine.name)};
  }
  /// The schedule that emitted files describe, or why this family's files describe none. Throws InputError, with file and
  /// place, where the text is wrong. Some families' files say themselves what machine they are for.
  [[nodiscard]] virtual Outcome<LiftedFiles> lift(const std::vector<EmittedFile>& /*files*/,
                                                  const Machine& /*machine*/) const {
    return Refusal{"files of this family describe no schedule"};
  }
  /// The same program with a contract to keep and other numbers to compute with, or which budget of its machine it
  /// exceeds: how a program that was read is simulated.
  [[nodiscard]] virtual Outcome<std::unique_ptr<Program>> with_contract(const Program& /*program*/,
                                                                        const Contract& /*contract*/,
                                                                        const Arithmetic& /*arithmetic*/) const {
    return Refusal{"programs of this family cannot be read back yet"};
  }
  /// What of `program` is not in `read`, the program that read() made of its files, up to numbering; nothing if all is.
  [[nodiscard]] virtual std::optional<std::string> difference(const Program& /*program*/,
                                                              const Program& /*read*/) const {
    return "programs of this family cannot be read back yet";
  }
};

/// The backend of a machine's family, or why there is none.
Outcome<std::shared_ptr<const Backend>> backend_for(const Machine& machine);

}  // namespace muster
