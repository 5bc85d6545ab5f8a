// Clusters behind the interface of all backends.
#include "backend/cluster/cluster.h"
#include "backend/cluster/each_npu.h"
#include "backend/cluster/msccl/files.h"

namespace muster::cluster {
namespace {

const ClusterProgram& own(const Program& program) {
  const auto* mine = dynamic_cast<const ClusterProgram*>(&program);
  MUSTER_ASSERT(mine != nullptr, "the cluster backend was given another family's program");
  return *mine;
}

class ClusterBackend : public Backend {
 public:
  [[nodiscard]] bool takes_phases() const override { return true; }

  [[nodiscard]] Outcome<std::unique_ptr<Program>> lower(const Schedule& schedule, const Machine& machine,
                                                        const LowerOptions& options) const override {
    auto program = cluster::lower(schedule, machine, options);
    if (!program) return Refusal{program.reason()};
    return std::unique_ptr<Program>(std::move(program).value());
  }

  [[nodiscard]] Result simulate(const Program& program, const SimulateOptions& options) const override {
    if (const auto* const asked = options.options.as<ClusterOptions>()) {
      return simulate_each(own(program), *asked, options);
    }
    return cluster::simulate(own(program), options);
  }

  /// What is simulated element by element, or wavelet by wavelet, can be asked for more than phases can.
  [[nodiscard]] std::optional<std::string> cannot_simulate(const Machine& machine,
                                                           const SimulateOptions& options) const override {
    if (options.calls > 1) {
      return fmt::format("calls: {} calls back to back are not simulated on a cluster yet; use 1", options.calls);
    }
    if (options.engine == Engine::automatic) return std::nullopt;
    return fmt::format("engine: {} has one simulator, which follows phases; leave it out", machine.name);
  }

  [[nodiscard]] Bytes program_memory() const override { return Bytes(0); }
  [[nodiscard]] std::vector<Target> targets() const override {
    return {{"msccl", "XML for MSCCL and RCCL: what every thread block of every GPU sends and receives"}};
  }
  [[nodiscard]] Outcome<std::vector<EmittedFile>> emit(const Program& program,
                                                       const EmitOptions& options) const override {
    return msccl::emit(own(program).schedule, own(program).arithmetic.type, options.command);
  }
  [[nodiscard]] Outcome<LiftedFiles> lift(const std::vector<EmittedFile>& files,
                                          const Machine& /*machine*/) const override {
    if (files.size() != 1) return Refusal{fmt::format("an MSCCL algorithm is one file, not {}", files.size())};
    return msccl::lift_file(files.front());
  }
};

}  // namespace

std::shared_ptr<const Backend> make_backend() { return std::make_shared<ClusterBackend>(); }

}  // namespace muster::cluster
