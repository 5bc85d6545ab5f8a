// The capabilities: one line each.
#include <algorithm>

#include "backend/capabilities.h"
#include "backend/cluster/capabilities.h"
#include "backend/hyperx/capabilities.h"
#include "backend/torus/capabilities.h"
#include "backend/wafer/capabilities.h"
#include "machine/family.h"

namespace muster {
namespace {

template <class Capability>
struct Line {
  std::string_view family;
  const Capability& (*get)();
};

constexpr Line<Lowering> kLowerings[] = {
    {"cluster", cluster::lowering},
    {"hyperx", hyperx::lowering},
    {"mesh", wafer::lowering},
    {"torus", torus::lowering},
};

// Those of a family are asked in this order, and the first that takes a request runs it.
constexpr Line<Simulator> kSimulators[] = {
    {"cluster", cluster::npu_simulator},    //
    {"cluster", cluster::phase_simulator},  //
    {"hyperx", hyperx::line_simulator},     //
    {"hyperx", hyperx::packet_simulator},   //
    {"mesh", wafer::stream_simulator},      //
    {"mesh", wafer::cycle_simulator},       //
    {"torus", torus::flit_simulator},       //
};

constexpr Line<Checker> kCheckers[] = {
    {"hyperx", hyperx::checker},
    {"mesh", wafer::checker},
};

constexpr Line<Emitter> kEmitters[] = {
    {"cluster", cluster::msccl_emitter},   //
    {"hyperx", hyperx::register_emitter},  //
    {"mesh", wafer::csl_emitter},          //
    {"torus", torus::metalium_emitter},    //
    {"torus", torus::npe_emitter},         //
};

constexpr Line<Reader> kReaders[] = {
    {"cluster", cluster::msccl_reader},
    {"hyperx", hyperx::register_reader},
    {"mesh", wafer::csl_reader},
};

constexpr Line<TrafficSimulator> kTraffic[] = {
    {"torus", torus::traffic_simulator},
};

constexpr Line<KernelSimulator> kKernels[] = {
    {"torus", torus::kernel_simulator},
};

template <class Capability, std::size_t N>
std::vector<const Capability*> of_family(const Line<Capability> (&table)[N], const Machine& machine) {
  const std::string family = family_name(machine);
  std::vector<const Capability*> found;
  for (const Line<Capability>& line : table) {
    if (line.family == family) found.push_back(&line.get());
  }
  return found;
}

/// The families of the lines that `counts` accepts, each once.
template <class Capability, std::size_t N, class Predicate>
std::vector<std::string_view> families_having(const Line<Capability> (&table)[N], Predicate counts) {
  std::vector<std::string_view> families;
  for (const Line<Capability>& line : table) {
    if (counts(line.get()) && std::find(families.begin(), families.end(), line.family) == families.end()) {
      families.push_back(line.family);
    }
  }
  return families;
}

constexpr auto kAny = [](const auto&) { return true; };

}  // namespace

bool can_lower(const Machine& machine) { return !of_family(kLowerings, machine).empty(); }

const Lowering& lowering_for(const Machine& machine) {
  const auto found = of_family(kLowerings, machine);
  if (found.empty()) reject_missing(machine, "are no algorithms", families_having(kLowerings, kAny));
  return *found.front();
}

std::vector<const Simulator*> simulators_for(const Machine& machine) { return of_family(kSimulators, machine); }

const Simulator& simulator_for(const Machine& machine, const SimulateOptions& options) {
  std::optional<std::string> reason;
  for (const Simulator* const simulator : simulators_for(machine)) {
    reason = simulator->refuses(machine, options);
    if (!reason) return *simulator;
  }
  if (reason) reject("{}", *reason);
  reject_missing(machine, "is no simulator", families_having(kSimulators, kAny));
}

const Checker* checker_for(const Machine& machine) {
  const auto found = of_family(kCheckers, machine);
  return found.empty() ? nullptr : found.front();
}

std::vector<const Emitter*> emitters_for(const Machine& machine) { return of_family(kEmitters, machine); }

const Emitter& emitter_for(const Machine& machine, std::string_view target) {
  for (const Emitter* const emitter : emitters_for(machine)) {
    if (emitter->target().name == target) return *emitter;
  }
  reject_family(machine, fmt::format("--target {}", target),
                families_having(kEmitters, [&](const Emitter& emitter) { return emitter.target().name == target; }));
}

std::vector<Target> all_targets() {
  std::vector<Target> all;
  for (const Line<Emitter>& line : kEmitters) all.push_back(line.get().target());
  return all;
}

const TrafficSimulator& traffic_simulator_for(const Machine& machine) {
  const auto found = of_family(kTraffic, machine);
  if (found.empty()) reject_family(machine, "--traffic", families_having(kTraffic, kAny));
  return *found.front();
}

const KernelSimulator& kernel_simulator_for(const Machine& machine) {
  const auto found = of_family(kKernels, machine);
  if (found.empty()) reject_family(machine, "--kernels", families_having(kKernels, kAny));
  return *found.front();
}

std::vector<const Reader*> readers() {
  std::vector<const Reader*> all;
  for (const Line<Reader>& line : kReaders) all.push_back(&line.get());
  return all;
}

const Reader& reader_of(std::string_view format) {
  const auto all = readers();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Reader* reader) { return reader->format().name == format; });
  MUSTER_ASSERT(found != all.end(), "there is no reader of '{}' files", format);
  return **found;
}

const Reader& reader_for(const Machine& machine, std::string_view format) {
  for (const Reader* const reader : of_family(kReaders, machine)) {
    if (reader->format().name == format) return *reader;
  }
  reject_family(machine, fmt::format("--{}", format),
                families_having(kReaders, [&](const Reader& reader) { return reader.format().name == format; }));
}

}  // namespace muster
