#include "backend/cluster/capabilities.h"

#include "backend/cluster/cluster.h"
#include "backend/cluster/each_npu.h"
#include "backend/cluster/msccl/files.h"

namespace muster::cluster {
namespace {

const ClusterProgram& own(const Program& program) { return own_program<ClusterProgram>(program); }

class ClusterLowering : public Lowering {
 public:
  [[nodiscard]] bool takes_phases() const override { return true; }
  [[nodiscard]] bool overlaps_phases() const override { return true; }
  [[nodiscard]] Outcome<std::unique_ptr<Program>> lower(const Schedule& schedule, const Machine& machine,
                                                        const LowerOptions& options) const override {
    auto program = cluster::lower(schedule, machine, options);
    if (!program) return Refusal{program.reason()};
    return std::unique_ptr<Program>(std::move(program).value());
  }
};

class PhaseSimulator : public Simulator {
 public:
  [[nodiscard]] std::optional<std::string> refuses(const Machine& machine,
                                                   const SimulateOptions& options) const override {
    if (options.calls > 1) {
      return fmt::format("calls: a cluster does not support {} back-to-back calls yet; use 1", options.calls);
    }
    return Simulator::refuses(machine, options);
  }
  [[nodiscard]] SimulationCost cost() const override { return SimulationCost::transits; }
  [[nodiscard]] Result simulate(const Program& program, const SimulateOptions& options) const override {
    return cluster::simulate(own(program), options);
  }
};

class NpuSimulator : public PhaseSimulator {
 public:
  [[nodiscard]] std::optional<std::string> refuses(const Machine& machine,
                                                   const SimulateOptions& options) const override {
    if (options.options.as<ClusterOptions>() == nullptr) return "all NPUs are alike";
    return PhaseSimulator::refuses(machine, options);
  }
  [[nodiscard]] Result simulate(const Program& program, const SimulateOptions& options) const override {
    return simulate_each(own(program), options.options.of<ClusterOptions>(), options);
  }
};

class MscclEmitter : public Emitter {
 public:
  [[nodiscard]] Target target() const override {
    return {"msccl", "XML for MSCCL and RCCL: what every thread block of every GPU sends and receives"};
  }
  [[nodiscard]] Outcome<std::vector<EmittedFile>> emit(const Program& program,
                                                       const EmitOptions& options) const override {
    return msccl::emit(own(program).schedule, own(program).arithmetic.type, options.command);
  }
};

class MscclReader : public Reader {
 public:
  [[nodiscard]] FileFormat format() const override {
    return {.name = "msccl", .says_machine = true, .says_shape = true, .has_schedule = true};
  }
  [[nodiscard]] FileContents read(const std::vector<EmittedFile>& files, const Machine* /*machine*/,
                                  const ReadOptions& /*options*/) const override {
    if (files.size() != 1) reject("an MSCCL algorithm is one file, not {}", files.size());
    return {.lifted = msccl::lift_file(files.front())};
  }
};

const ClusterLowering kLowering;
const NpuSimulator kNpuSimulator;
const PhaseSimulator kPhaseSimulator;
const MscclEmitter kMscclEmitter;
const MscclReader kMscclReader;

}  // namespace

const Lowering& lowering() { return kLowering; }
const Simulator& npu_simulator() { return kNpuSimulator; }
const Simulator& phase_simulator() { return kPhaseSimulator; }
const Emitter& msccl_emitter() { return kMscclEmitter; }
const Reader& msccl_reader() { return kMscclReader; }

}  // namespace muster::cluster
