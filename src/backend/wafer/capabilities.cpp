#include "backend/wafer/capabilities.h"

#include "backend/wafer/csl/instructions.h"
#include "backend/wafer/csl_reader/compare.h"
#include "backend/wafer/csl_reader/read_csl.h"
#include "backend/wafer/lower/lower.h"
#include "backend/wafer/simulate/resized.h"
#include "backend/wafer/stream/trace.h"
#include "backend/wafer/wafer.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

const WaferProgram& own(const Program& program) { return own_program<WaferProgram>(program); }

class WaferLowering : public Lowering {
 public:
  [[nodiscard]] Outcome<std::unique_ptr<Program>> lower(const Schedule& schedule, const Machine& machine,
                                                        const LowerOptions& options) const override {
    auto program = wafer::lower(schedule, machine, options);
    if (!program) return Refusal{program.reason()};
    return std::unique_ptr<Program>(std::move(program).value());
  }
  [[nodiscard]] Outcome<std::unique_ptr<Program>> widened(const Program& program, const Machine& machine,
                                                          std::int32_t reach) const override {
    auto wide = wafer::widened(own(program), machine, reach);
    if (!wide) return Refusal{wide.reason()};
    return std::unique_ptr<Program>(std::make_unique<WaferProgram>(std::move(wide).value()));
  }
  [[nodiscard]] bool takes_phases() const override { return true; }
  [[nodiscard]] Bytes program_memory() const override { return usual_program_memory(); }
};

class StreamSimulator : public Simulator {
 public:
  [[nodiscard]] std::optional<std::string> refuses(const Machine& machine,
                                                   const SimulateOptions& options) const override {
    if (options.engine == Engine::cycle) return "engine: the stream engine was not asked for";
    if (options.timeline) return "engine: the stream engine records no timeline";
    if (options.initial) return "engine: the stream engine takes no data";
    if (options.engine == Engine::automatic) return std::nullopt;
    const std::string why = beyond_streams(*as<Mesh>(machine), options);
    return why.empty() ? std::nullopt : std::optional(why);
  }
  [[nodiscard]] SimulationCost cost() const override { return SimulationCost::transits; }
  [[nodiscard]] bool may_fall_back() const override { return true; }
  [[nodiscard]] bool includes_checks() const override { return true; }
  [[nodiscard]] Result simulate(const Program& program, const SimulateOptions& options) const override {
    return simulate_streams(own(program), options);
  }
};

class CycleSimulator : public Simulator {
 public:
  /// Takes what is left, but not in place of the stream engine where that was asked for by name.
  [[nodiscard]] std::optional<std::string> refuses(const Machine& machine,
                                                   const SimulateOptions& options) const override {
    if (options.engine != Engine::stream) return std::nullopt;
    return fmt::format("engine: the stream engine cannot simulate this: {}; use auto or cycle",
                       beyond_streams(*as<Mesh>(machine), options));
  }
  [[nodiscard]] SimulationCost cost() const override { return SimulationCost::hops; }
  [[nodiscard]] Result simulate(const Program& program, const SimulateOptions& options) const override {
    return wafer::simulate(own(program), options);
  }
};

class WaferChecker : public Checker {
 public:
  [[nodiscard]] ProgramCheck check(const Program& program) const override {
    ProgramCheck check;
    if (auto reason = over_budget(own(program), 0)) {
      check.fault = Fault{.kind = "budget", .location = "", .cycle = {}, .message = *reason, .before_running = true};
    } else {
      check = check_messages(own(program));
    }
    check.checks = {"budgets: colors, switch positions, inputs and outputs changed per position, queues, memory",
                    "routes: every message reaches a processor that receives it, over one input at a time",
                    check.checks.empty() ? "order: not checked" : check.checks.front(),
                    "switches: no ADVANCE acts too early or too far, no RESET overtakes data, all end in position 0",
                    "data: not checked; 'muster simulate --csl' compares it with what the collective requires"};
    return check;
  }
};

class CslEmitter : public Emitter {
 public:
  [[nodiscard]] Target target() const override {
    return {.name = "csl",
            .summary = "CSL for the Cerebras SDK: layout, processor program, host script, build commands"};
  }
  [[nodiscard]] std::vector<Target> forms() const override {
    return {{.name = kProgramForm, .summary = "a whole program with host transfers"},
            {.name = kModuleForm, .summary = "a module that your program imports, and an example that does"}};
  }
  [[nodiscard]] Outcome<std::vector<EmittedFile>> emit(const Program& program,
                                                       const EmitOptions& options) const override {
    return emit_csl(own(program), options);
  }
  [[nodiscard]] std::vector<std::string> remarks(const Program& program,
                                                 const EmitOptions& /*options*/) const override {
    return csl_remarks(own(program));
  }
};

class CslReader : public Reader {
 public:
  [[nodiscard]] FileFormat format() const override {
    return {.name = "csl", .extension = ".csl", .main_file = "layout.csl", .says_shape = true, .has_parameters = true};
  }
  [[nodiscard]] FileContents read(const std::vector<EmittedFile>& files, const Machine* machine,
                                  const ReadOptions& options) const override {
    CslSource source;
    for (const EmittedFile& file : files) source.files[file.name] = file.text;
    source.parameters = options.parameters;
    return {.program = read_csl(source, *machine)};
  }
  [[nodiscard]] Outcome<std::unique_ptr<Program>> with_contract(const Program& program, const Contract& contract,
                                                                const Arithmetic& arithmetic) const override {
    auto held = std::make_unique<WaferProgram>(own(program));
    if (auto reason = over_budget(*held, 0)) return Refusal{*reason};
    held->contracts = {contract};
    held->arithmetic = arithmetic;
    return std::unique_ptr<Program>(std::move(held));
  }
  [[nodiscard]] std::optional<std::string> difference(const Program& program, const Program& read) const override {
    return wafer::difference(own(program), own(read));
  }
};

const WaferLowering kLowering;
const StreamSimulator kStreamSimulator;
const CycleSimulator kCycleSimulator;
const WaferChecker kChecker;
const CslEmitter kCslEmitter;
const CslReader kCslReader;

}  // namespace

const Lowering& lowering() { return kLowering; }
const Simulator& stream_simulator() { return kStreamSimulator; }
const Simulator& cycle_simulator() { return kCycleSimulator; }
const Checker& checker() { return kChecker; }
const Emitter& csl_emitter() { return kCslEmitter; }
const Reader& csl_reader() { return kCslReader; }

}  // namespace muster::wafer
