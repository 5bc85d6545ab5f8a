#include "backend/torus/capabilities.h"

#include "backend/torus/lower.h"
#include "backend/torus/metalium/emit.h"
#include "backend/torus/metalium/kernel_host.h"
#include "backend/torus/metalium/npe_workload.h"
#include "backend/torus/run_program.h"
#include "backend/torus/traffic.h"
#include "backend/torus/traffic_reader.h"
#include "base/counted.h"
#include "base/saturating.h"
#include "machine/torus.h"
#include "result/time_base.h"

namespace muster::torus {
namespace {

class TorusLowering final : public Lowering {
 public:
  [[nodiscard]] Outcome<std::unique_ptr<Program>> lower(const Schedule& schedule, const Machine& machine,
                                                        const LowerOptions& options) const override {
    auto program = torus::lower(schedule, machine, options);
    if (!program) return Refusal{program.reason()};
    return std::unique_ptr<Program>(std::move(program).value());
  }
  /// For what arrives.
  [[nodiscard]] int vectors_beside() const override { return 1; }
  [[nodiscard]] Bytes program_memory() const override { return kReservedMemory; }
};

class FlitSimulator final : public Simulator {
 public:
  [[nodiscard]] std::optional<std::string> refuses(const Machine& /*machine*/,
                                                   const SimulateOptions& options) const override {
    if (options.engine == Engine::stream) return "engine: flits are not streams";
    return std::nullopt;
  }
  [[nodiscard]] SimulationCost cost() const override { return SimulationCost::hops; }
  [[nodiscard]] Result simulate(const Program& program, const SimulateOptions& options) const override {
    return run_program(own_program<TorusProgram>(program), options, Chip::Detail::flits);
  }
};

/// Not asked unless it is wanted: its times are approximate.
class FlowSimulator final : public Simulator {
 public:
  [[nodiscard]] std::optional<std::string> refuses(const Machine& /*machine*/,
                                                   const SimulateOptions& options) const override {
    if (options.engine != Engine::stream) return "engine: flows were not asked for";
    return std::nullopt;
  }
  [[nodiscard]] SimulationCost cost() const override { return SimulationCost::transits; }
  [[nodiscard]] bool is_approximate() const override { return true; }
  [[nodiscard]] Result simulate(const Program& program, const SimulateOptions& options) const override {
    return run_program(own_program<TorusProgram>(program), options, Chip::Detail::flows);
  }
};

constexpr std::int64_t kMostFlitHops = 2'000'000'000;

/// Refuses what would be simulated for hours.
void check_work(const Torus& torus, const std::string& file, const std::vector<TrafficRow>& rows) {
  std::int64_t all = 0;
  std::int64_t most = 0;
  std::string largest;
  for (const TrafficRow& row : rows) {
    const std::int64_t its = flit_hops(torus, row);
    all = saturating_sum(all, its);
    if (its > most) largest = row.id;
    most = std::max(most, its);
  }
  if (all <= kMostFlitHops) return;
  reject(
      "{}: about {} flits times hops, where at most {} are simulated (minutes); use fewer transactions, most of all in "
      "row '{}': a "
      "long stream takes time in proportion to its count",
      file, grouped(all), grouped(kMostFlitHops), largest);
}

class FlitTraffic final : public TrafficSimulator {
 public:
  [[nodiscard]] TrafficAnswer simulate(const Machine& machine, const EmittedFile& file,
                                       std::uint64_t seed) const override {
    const Torus& torus = *as<Torus>(machine);
    const bool is_workload = is_npe_workload(file.text);
    const std::vector<TrafficRow> rows =
        is_workload ? read_npe_workload(torus, file.name, file.text) : read_traffic(torus, file.name, file.text);
    check_work(torus, file.name, rows);
    TrafficRun run = run_traffic(torus, rows, seed);
    const TimeBase base{.ticks_per_second = torus.clock.value(), .is_clock = true};
    TrafficAnswer answer{.machine = machine.name,
                         .engine = "flit",
                         .cycles = Ticks(run.end),
                         .seconds = to_seconds(Ticks(run.end), base),
                         .transactions = {},
                         .resources = std::move(run.resources),
                         .fault = {}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const TrafficRun::Times& times = run.rows[i];
      if (times.end) {
        answer.transactions.push_back({.id = rows[i].id, .start = Ticks(times.start), .end = Ticks(*times.end)});
      } else if (!answer.fault) {
        answer.fault = Fault{.kind = "deadlock",
                             .location = fmt::format("row '{}'", rows[i].id),
                             .cycle = Ticks(run.stopped),
                             .message = "it never ends: packets wait for each other"};
      }
    }
    return answer;
  }
};

class MetaliumEmitter final : public Emitter {
 public:
  [[nodiscard]] Target target() const override {
    return {.name = "metalium", .summary = "a host file and kernels for TT-Metalium on a Tenstorrent Wormhole"};
  }
  [[nodiscard]] Outcome<std::vector<EmittedFile>> emit(const Program& program,
                                                       const EmitOptions& options) const override {
    return emit_metalium(own_program<TorusProgram>(program), options);
  }
  [[nodiscard]] std::vector<std::string> remarks(const Program& program,
                                                 const EmitOptions& /*options*/) const override {
    return metalium_remarks(own_program<TorusProgram>(program));
  }
};

class NpeEmitter final : public Emitter {
 public:
  [[nodiscard]] Target target() const override {
    return {.name = "tt-npe",
            .summary = "the transfers of a simulated run as a workload for Tenstorrent's NoC estimator tt-npe"};
  }
  [[nodiscard]] Outcome<std::vector<EmittedFile>> emit(const Program& program,
                                                       const EmitOptions& /*options*/) const override {
    auto text = npe_workload(own_program<TorusProgram>(program));
    if (!text) return Refusal{text.reason()};
    return std::vector<EmittedFile>{{.name = "workload.json", .text = std::move(text).value()}};
  }
};

class MetaliumKernels final : public KernelSimulator {
 public:
  [[nodiscard]] KernelsAnswer simulate(const Machine& machine, const KernelFolder& files,
                                       std::uint64_t seed) const override {
    const Torus& torus = *as<Torus>(machine);
    KernelsRun run = run_kernels(torus, {.folder = files.folder, .headers = files.data / "share" / "metalium"}, seed);
    const TimeBase base{.ticks_per_second = torus.clock.value(), .is_clock = true};
    KernelsAnswer answer{.machine = machine.name,
                         .engine = "flit",
                         .cycles = Ticks(run.cycles),
                         .seconds = to_seconds(Ticks(run.cycles), base),
                         .programs = run.programs,
                         .resources = std::move(run.resources),
                         .host_status = run.status,
                         .host_output = std::move(run.output)};
    for (const auto& [core, end] : run.cores) {
      answer.cores.push_back({.core = fmt::format("{}-{}", core.x, core.y), .end = Ticks(end)});
    }
    for (Finding& found : run.findings) {
      answer.findings.push_back({.kind = std::move(found.kind),
                                 .location = std::move(found.core),
                                 .file = std::move(found.file),
                                 .line = found.line,
                                 .cycle = Ticks(found.cycle),
                                 .times = found.times,
                                 .message = std::move(found.message)});
    }
    if (run.stuck) {
      answer.fault = Fault{.kind = run.stuck->kind,
                           .location = fmt::format("{}, {}:{}", run.stuck->core, run.stuck->file, run.stuck->line),
                           .cycle = Ticks(run.stuck->cycle),
                           .message = run.stuck->message};
    }
    return answer;
  }
};

const TorusLowering kLowering;
const MetaliumKernels kMetaliumKernels;
const MetaliumEmitter kMetaliumEmitter;
const NpeEmitter kNpeEmitter;
const FlitSimulator kFlitSimulator;
const FlowSimulator kFlowSimulator;
const FlitTraffic kFlitTraffic;

}  // namespace

const Lowering& lowering() { return kLowering; }
const Simulator& flit_simulator() { return kFlitSimulator; }
const Simulator& flow_simulator() { return kFlowSimulator; }
const Emitter& metalium_emitter() { return kMetaliumEmitter; }
const Emitter& npe_emitter() { return kNpeEmitter; }
const KernelSimulator& kernel_simulator() { return kMetaliumKernels; }
const TrafficSimulator& traffic_simulator() { return kFlitTraffic; }

}  // namespace muster::torus
