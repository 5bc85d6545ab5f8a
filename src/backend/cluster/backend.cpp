// Clusters behind the interface of all backends.
#include "backend/cluster/cluster.h"

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
    return cluster::simulate(own(program), options);
  }

  [[nodiscard]] Bytes program_memory() const override { return Bytes(0); }
  [[nodiscard]] std::vector<Target> targets() const override { return {}; }
  [[nodiscard]] Outcome<std::vector<EmittedFile>> emit(const Program& program,
                                                       const EmitOptions& /*options*/) const override {
    return Refusal{fmt::format("programs for {} cannot be emitted yet", own(program).machine.name)};
  }
};

}  // namespace

std::shared_ptr<const Backend> make_backend() { return std::make_shared<ClusterBackend>(); }

}  // namespace muster::cluster
