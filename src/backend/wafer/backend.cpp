// The wafer behind the interface of all backends.
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

  [[nodiscard]] Bytes program_memory() const override {
    return Bytes(5 * 1024);
  }  // lower/budgets.cpp: 4 KiB and tables

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
};

}  // namespace

std::shared_ptr<const Backend> make_backend() { return std::make_shared<WaferBackend>(); }

}  // namespace muster::wafer
