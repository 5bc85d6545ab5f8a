// The wafer behind the interface of all backends.
#include "backend/wafer/csl/instructions.h"
#include "backend/wafer/csl_reader/compare.h"
#include "backend/wafer/csl_reader/read_csl.h"
#include "backend/wafer/lower/lower.h"
#include "backend/wafer/stream/trace.h"
#include "backend/wafer/wafer.h"

namespace muster::wafer {
namespace {

const WaferProgram& own(const Program& program) {
  const auto* mine = dynamic_cast<const WaferProgram*>(&program);
  MUSTER_ASSERT(mine != nullptr, "the wafer backend was given another family's program");
  return *mine;
}

class WaferBackend : public Backend {
 public:
  [[nodiscard]] Outcome<std::unique_ptr<Program>> lower(const Schedule& schedule, const Machine& machine,
                                                        const LowerOptions& options) const override {
    auto program = wafer::lower(schedule, machine, options);
    if (!program) return Refusal{program.reason()};
    return std::unique_ptr<Program>(std::move(program).value());
  }

  [[nodiscard]] Result simulate(const Program& program, const SimulateOptions& options) const override {
    return options.engine == Engine::cycle ? wafer::simulate(own(program), options)
                                           : simulate_streams(own(program), options);
  }

  [[nodiscard]] Bytes program_memory() const override { return usual_program_memory(); }

  [[nodiscard]] std::vector<Target> targets() const override {
    return {
        {.name = "csl", .summary = "CSL for the Cerebras SDK: layout, processor program, host script, build commands"}};
  }

  [[nodiscard]] Outcome<std::vector<EmittedFile>> emit(const Program& program,
                                                       const EmitOptions& options) const override {
    if (options.target != "csl") {
      const std::vector<std::string> known{"csl"};
      reject("unknown target '{}'; {}", options.target, suggest(options.target, known));
    }
    return emit_csl(own(program), options);
  }

  [[nodiscard]] std::vector<std::string> emit_remarks(const Program& program,
                                                      const EmitOptions& /*options*/) const override {
    return csl_remarks(own(program));
  }

  [[nodiscard]] ProgramCheck check(const Program& program) const override {
    ProgramCheck check;
    if (auto reason = over_budget(own(program), 0)) {
      check.fault = Fault{.kind = "budget", .place = "", .cycle = {}, .message = *reason, .before_running = true};
    } else {
      check = check_messages(own(program));
    }
    check.checks = {"budgets: colors, switch positions, sides that a position changes, queues, memory",
                    "routes: every message has a path to a processor that takes it, from one side at a time",
                    check.checks.empty() ? "order: not looked at" : check.checks.front(),
                    "switches: no ADVANCE comes too early or goes too far, no RESET overtakes, all end in position 0"};
    return check;
  }

  [[nodiscard]] Outcome<std::unique_ptr<Program>> read(const std::vector<EmittedFile>& files, const Machine& machine,
                                                       const ReadOptions& options) const override {
    CslSource source;
    for (const EmittedFile& file : files) source.files[file.name] = file.text;
    source.parameters = options.parameters;
    return std::unique_ptr<Program>(read_csl(source, machine));
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

}  // namespace

std::shared_ptr<const Backend> make_backend() { return std::make_shared<WaferBackend>(); }

}  // namespace muster::wafer
