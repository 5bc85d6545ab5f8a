// Reducing switches behind the interface of all backends.
#include "backend/hyperx/check.h"
#include "backend/hyperx/files/difference.h"
#include "backend/hyperx/files/emit_registers.h"
#include "backend/hyperx/files/lift.h"
#include "backend/hyperx/files/read_registers.h"
#include "backend/hyperx/host_program.h"
#include "backend/hyperx/hyperx.h"
#include "backend/hyperx/lower.h"

namespace muster::hyperx {
namespace {

const HyperXProgram& own(const Program& program) {
  const auto* mine = dynamic_cast<const HyperXProgram*>(&program);
  MUSTER_ASSERT(mine != nullptr, "the hyperx backend was given another family's program");
  return *mine;
}

/// Null if switches take part.
const HostProgram* of_hosts(const Program& program) { return dynamic_cast<const HostProgram*>(&program); }

template <class Made>
Outcome<std::unique_ptr<Program>> as_program(Outcome<std::unique_ptr<Made>> program) {
  if (!program) return Refusal{program.reason()};
  return std::unique_ptr<Program>(std::move(program).value());
}

class HyperXBackend : public Backend {
 public:
  [[nodiscard]] Outcome<std::unique_ptr<Program>> lower(const Schedule& schedule, const Machine& machine,
                                                        const LowerOptions& options) const override {
    if (is_for_hosts(schedule, machine)) return as_program(lower_for_hosts(schedule, machine, options));
    return as_program(hyperx::lower(schedule, machine, options));
  }

  [[nodiscard]] Result simulate(const Program& program, const SimulateOptions& options) const override {
    if (const HostProgram* host = of_hosts(program)) return hyperx::simulate(*host, options);
    return hyperx::simulate(own(program), options);
  }

  [[nodiscard]] bool fast_engine_is_complete() const override { return true; }
  [[nodiscard]] Bytes program_memory() const override { return Bytes(0); }
  [[nodiscard]] std::vector<Target> targets() const override {
    return {{"registers", "configuration registers of the switches, as JSON and as tables in a C header"}};
  }
  [[nodiscard]] Outcome<std::vector<EmittedFile>> emit(const Program& program,
                                                       const EmitOptions& options) const override {
    if (of_hosts(program) != nullptr) {
      return Refusal{
          "cores run this schedule themselves: no switch needs registers; use in-network, or --target schedule"};
    }
    return emit_registers(own(program), options);
  }
  [[nodiscard]] Outcome<std::unique_ptr<Program>> read(const std::vector<EmittedFile>& files, const Machine& machine,
                                                       const ReadOptions& /*options*/) const override {
    if (files.size() != 1) return Refusal{fmt::format("registers are one JSON file, not {} files", files.size())};
    return std::unique_ptr<Program>(
        std::make_unique<HyperXProgram>(read_registers(files.front().text, files.front().name, machine)));
  }
  [[nodiscard]] Outcome<LiftedFiles> lift(const std::vector<EmittedFile>& files,
                                          const Machine& machine) const override {
    const auto program = read(files, machine, {});
    if (!program) return Refusal{program.reason()};
    return lift_registers(own(*program.value()), files.front().name);
  }
  [[nodiscard]] std::optional<std::string> difference(const Program& program, const Program& read) const override {
    return hyperx::difference(own(program), own(read));
  }
  [[nodiscard]] ProgramCheck check(const Program& program) const override {
    ProgramCheck answer;
    if (of_hosts(program) == nullptr) answer.fault = hyperx::check(own(program));
    return answer;
  }
};

}  // namespace

std::shared_ptr<const Backend> make_backend() { return std::make_shared<HyperXBackend>(); }

}  // namespace muster::hyperx
