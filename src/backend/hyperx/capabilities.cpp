#include "backend/hyperx/capabilities.h"

#include "backend/hyperx/check.h"
#include "backend/hyperx/files/difference.h"
#include "backend/hyperx/files/emit_registers.h"
#include "backend/hyperx/files/lift.h"
#include "backend/hyperx/files/names.h"
#include "backend/hyperx/files/read_registers.h"
#include "backend/hyperx/host_program.h"
#include "backend/hyperx/hyperx.h"
#include "backend/hyperx/lower.h"

namespace muster::hyperx {
namespace {

const HyperXProgram& own(const Program& program) { return own_program<HyperXProgram>(program); }

/// Null if switches take part.
const HostProgram* of_hosts(const Program& program) { return dynamic_cast<const HostProgram*>(&program); }

template <class Made>
Outcome<std::unique_ptr<Program>> as_program(Outcome<std::unique_ptr<Made>> program) {
  if (!program) return Refusal{program.reason()};
  return std::unique_ptr<Program>(std::move(program).value());
}

class HyperXLowering : public Lowering {
 public:
  [[nodiscard]] Outcome<std::unique_ptr<Program>> lower(const Schedule& schedule, const Machine& machine,
                                                        const LowerOptions& options) const override {
    if (is_for_hosts(schedule, machine)) return as_program(lower_for_hosts(schedule, machine, options));
    return as_program(hyperx::lower(schedule, machine, options));
  }
};

/// Cores in rounds have one simulator, registers have two.
Result simulate_with(Engine engine, const Program& program, SimulateOptions options) {
  options.engine = engine;
  if (const HostProgram* host = of_hosts(program)) return hyperx::simulate(*host, options);
  return hyperx::simulate(own(program), options);
}

class LineSimulator : public Simulator {
 public:
  [[nodiscard]] std::optional<std::string> refuses(const Machine& /*machine*/,
                                                   const SimulateOptions& options) const override {
    if (options.engine == Engine::cycle) return "engine: the simulator of lines moves no packets";
    return std::nullopt;
  }
  [[nodiscard]] SimulationCost cost() const override { return SimulationCost::transits; }
  [[nodiscard]] bool includes_checks() const override { return true; }
  [[nodiscard]] Result simulate(const Program& program, const SimulateOptions& options) const override {
    return simulate_with(Engine::stream, program, options);
  }
};

class PacketSimulator : public Simulator {
 public:
  /// Takes what is left.
  [[nodiscard]] std::optional<std::string> refuses(const Machine& /*machine*/,
                                                   const SimulateOptions& /*options*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] SimulationCost cost() const override { return SimulationCost::hops; }
  [[nodiscard]] Result simulate(const Program& program, const SimulateOptions& options) const override {
    return simulate_with(Engine::cycle, program, options);
  }
};

class HyperXChecker : public Checker {
 public:
  [[nodiscard]] ProgramCheck check(const Program& program) const override {
    ProgramCheck answer;
    if (of_hosts(program) == nullptr) answer.fault = hyperx::check(own(program));
    return answer;
  }
};

class RegisterEmitter : public Emitter {
 public:
  [[nodiscard]] Target target() const override {
    return {"registers", "configuration registers of the switches, as JSON and as tables in a C header"};
  }
  [[nodiscard]] Outcome<std::vector<EmittedFile>> emit(const Program& program,
                                                       const EmitOptions& options) const override {
    if (of_hosts(program) != nullptr) {
      return Refusal{
          "the cores run this schedule, so switches need no registers; use in-network, or --target schedule"};
    }
    const std::vector<Contract>& contracts = own(program).contracts;
    if (std::any_of(contracts.begin(), contracts.end(), [](const Contract& c) { return !c.blocks.empty(); })) {
      return Refusal{"the files of registers cut vectors evenly, but the contract names blocks; use --target schedule"};
    }
    return emit_registers(own(program), options);
  }
};

class RegisterReader : public Reader {
 public:
  [[nodiscard]] FileFormat format() const override {
    return {.name = "registers", .mark = kRegistersFormat, .has_schedule = true};
  }
  [[nodiscard]] FileContents read(const std::vector<EmittedFile>& files, const Machine* machine,
                                  const ReadOptions& /*options*/) const override {
    if (files.size() != 1) reject("registers are one JSON file, not {} files", files.size());
    const EmittedFile& file = files.front();
    auto program = std::make_unique<HyperXProgram>(read_registers(file.text, file.name, *machine));
    LiftedFiles lifted = lift_registers(*program, file.name);
    return {.program = std::move(program), .lifted = std::move(lifted)};
  }
  [[nodiscard]] std::optional<std::string> difference(const Program& program, const Program& read) const override {
    return hyperx::difference(own(program), own(read));
  }
};

const HyperXLowering kLowering;
const LineSimulator kLineSimulator;
const PacketSimulator kPacketSimulator;
const HyperXChecker kChecker;
const RegisterEmitter kRegisterEmitter;
const RegisterReader kRegisterReader;

}  // namespace

const Lowering& lowering() { return kLowering; }
const Simulator& line_simulator() { return kLineSimulator; }
const Simulator& packet_simulator() { return kPacketSimulator; }
const Checker& checker() { return kChecker; }
const Emitter& register_emitter() { return kRegisterEmitter; }
const Reader& register_reader() { return kRegisterReader; }

}  // namespace muster::hyperx
