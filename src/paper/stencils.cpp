// Claims about stencils on a wafer: what was published, what follows from it, and what we count and simulate.
#include <algorithm>
#include <cmath>

#include "app/stencil/cost.h"
#include "app/stencil/counts.h"
#include "app/stencil/mesh.h"
#include "app/stencil/plan.h"
#include "app/stencil/published.h"
#include "app/stencil/slots.h"
#include "base/error.h"
#include "machine/family.h"
#include "paper/kinds.h"
#include "plan/job.h"

namespace muster {
namespace {

using stencil::PublishedRun;

constexpr int kRadius = 4;
constexpr double kWord = 4;  // bytes
// Section VI: words per cycle of a PE's memory, and through its ramp.
constexpr double kMemoryWords = 4 + 2;
constexpr double kRampWords = 1;
constexpr double kFusedOperations = 2;  // of an instruction
/// Section V-C profiles a grid of 600 x 600 PEs.
const PublishedRun& profiled() { return stencil::kWeakScaling[2]; }
const PublishedRun& largest() { return stencil::kWeakScaling.back(); }

double clock_of(const Machine& machine) { return 1 / seconds_of(machine, Ticks(1)).value(); }

stencil::CostModel fit(const Machine& machine) {
  return stencil::fitted(stencil::Overhead::of_a_step, stencil::kWeakScaling[0], stencil::kColumns[0],
                         clock_of(machine));
}

/// Of the runs that the fit does not know, in percent.
double largest_error(const Machine& machine) {
  const stencil::CostModel model = fit(machine);
  double most = 0;
  const auto look = [&](const PublishedRun& run) {
    most = std::max(most, std::abs(stencil::error_of(model, run, clock_of(machine))));
  };
  std::for_each(stencil::kWeakScaling.begin() + 1, stencil::kWeakScaling.end(), look);
  std::for_each(stencil::kColumns.begin() + 1, stencil::kColumns.end(), look);
  return 100 * most;
}

double weak_scaling(const Machine& /*machine*/) {
  double slowest = 0;
  for (const PublishedRun& run : stencil::kWeakScaling) slowest = std::max(slowest, run.seconds);
  return 100 * stencil::kWeakScaling[0].seconds / slowest;
}

constexpr std::int64_t kBlockCells = 25;

stencil::Asked asked_of(const Machine& machine, NodeId side, std::int64_t cells) {
  stencil::Asked asked{.machine = machine, .description = {.columns = side, .rows = side, .cells = cells}};
  asked.description.block = std::min(kBlockCells, cells);
  asked.description.time_step = 0.8 * stencil::largest_time_step(asked.description);
  asked.machine = stencil::with_grid_of(machine, asked.description);
  return asked;
}

/// Of a step on a grid so large that its middle has all neighbours.
StencilRunAnswer simulated(const Machine& machine, NodeId side, std::int64_t cells) {
  StencilRunAnswer answer = stencil::simulate(asked_of(machine, side, cells));
  if (!answer.run.result.cycles) reject("the simulation of {}x{}x{} cells ended in a fault", side, side, cells);
  return answer;
}

constexpr NodeId kSmallSide = 11;
constexpr NodeId kLargeSide = 21;
constexpr std::int64_t kFewCells = 100;

double simulated_weak_scaling(const Machine& machine) {
  return 100 * simulated(machine, kSmallSide, kFewCells).rate.cycles_per_step /
         simulated(machine, kLargeSide, kFewCells).rate.cycles_per_step;
}

/// Per cell, from two columns.
double simulated_cycles_per_cell(const Machine& machine) {
  const double few = simulated(machine, kSmallSide, kFewCells).rate.cycles_per_step;
  const double more = simulated(machine, kSmallSide, 2 * kFewCells).rate.cycles_per_step;
  return (more - few) / kFewCells;
}

/// Of the cycles of the profiled run, the share that so many slots per cell are, in percent.
double share_of_profiled(const Machine& machine, std::int64_t slots) {
  const double cycles = stencil::measured_cycles(profiled(), clock_of(machine));
  return 100 * static_cast<double>(slots * profiled().cells) / cycles;
}

std::int64_t slots(const Machine& machine) {
  return stencil::slots_per_cell(asked_of(machine, kSmallSide, kFewCells).description);
}

/// Words that are sent leave by themselves: a PE that sends is not busy.
std::int64_t slots_without_sends(const Machine& machine) { return slots(machine) - 4; }

stencil::Counts tabulated() { return stencil::counts_of(stencil::tabulated_instructions(kRadius), largest().block); }
stencil::Counts described() { return stencil::counts_of(stencil::described_instructions(kRadius), largest().block); }
stencil::Counts of_section() { return stencil::counts_of(stencil::instructions_of(kRadius), largest().block); }
stencil::Counts ours() { return stencil::counts_of(stencil::program_instructions(kRadius), largest().block); }

double needed() { return static_cast<double>(stencil::needed_operations(kRadius)); }

double peak_of_pe(const Machine& machine) { return kFusedOperations * clock_of(machine); }
double pes_of_largest() { return static_cast<double>(largest().width * largest().height); }
double operations_per_second() { return needed() * largest().cells_per_second; }

/// Of a PE at an intensity, over its peak: above 1, arithmetic is the limit.
double roof_over_peak(const Machine& machine, double intensity, double words_per_cycle) {
  return intensity * words_per_cycle * kWord * clock_of(machine) / peak_of_pe(machine);
}

double memory_intensity() { return needed() / (kWord * described().accesses); }
double fabric_intensity() { return needed() / (kWord * described().received); }

struct Value {
  std::string name;
  double (*of)(const Machine&);
};

const std::vector<Value>& table() {
  static const std::vector<Value> values{
      {"fitted cycles per cell", [](const Machine& m) { return fit(m).cycles_per_cell; }},
      {"fitted cycles per step", [](const Machine& m) { return fit(m).cycles; }},
      {"largest error of the fit, %", largest_error},
      {"weak scaling, %", weak_scaling},
      {"simulated weak scaling, %", simulated_weak_scaling},
      {"simulated cycles per cell", simulated_cycles_per_cell},
      {"operations needed", [](const Machine&) { return needed(); }},
      {"operations of section IV", [](const Machine&) { return of_section().operations; }},
      {"operations of this program", [](const Machine&) { return ours().operations; }},
      {"accesses of Table IV", [](const Machine&) { return tabulated().accesses; }},
      {"accesses of section IV, sends apart", [](const Machine&) { return of_section().accesses - of_section().sent; }},
      {"accesses of the text", [](const Machine&) { return described().accesses; }},
      {"accesses of this program", [](const Machine&) { return ours().accesses; }},
      {"words received, Table IV", [](const Machine&) { return tabulated().received; }},
      {"words received, section IV", [](const Machine&) { return of_section().received; }},
      {"slots per cell", [](const Machine& m) { return static_cast<double>(slots(m)); }},
      {"slots over the cycles of the profiled run, %", [](const Machine& m) { return share_of_profiled(m, slots(m)); }},
      {"slots without sends over the cycles of the profiled run, %",
       [](const Machine& m) { return share_of_profiled(m, slots_without_sends(m)); }},
      {"simulated stalls of memory, %", [](const Machine&) { return 0.0; }},
      {"simulated busy share, %", [](const Machine& m) { return 100 * simulated(m, kLargeSide, kFewCells).busy; }},
      {"TFLOP/s", [](const Machine&) { return operations_per_second() / 1e12; }},
      {"MFLOP/s of a PE", [](const Machine&) { return operations_per_second() / pes_of_largest() / 1e6; }},
      {"speed-up over a GPU", [](const Machine&) { return stencil::kGpuSeconds / largest().seconds; }},
      {"intensity of memory", [](const Machine&) { return memory_intensity(); }},
      {"intensity of the fabric", [](const Machine&) { return fabric_intensity(); }},
      {"peak, TFLOP/s", [](const Machine& m) { return peak_of_pe(m) * pes_of_largest() / 1e12; }},
      {"share of the peak, %",
       [](const Machine& m) { return 100 * operations_per_second() / (peak_of_pe(m) * pes_of_largest()); }},
      {"roof of memory over the peak",
       [](const Machine& m) { return roof_over_peak(m, memory_intensity(), kMemoryWords); }},
      {"roof of the fabric over the peak",
       [](const Machine& m) { return roof_over_peak(m, fabric_intensity(), kRampWords); }},
  };
  return values;
}

constexpr const char* kBlock = "block";

/// Cells of a block if there are as few as fit.
double fewest_blocks(const Machine& machine, std::int64_t cells) {
  const auto memory = machine.family().memory_per_rank(machine.network);
  const auto blocks = memory ? stencil::choose_blocks({.cells = cells}, *memory) : std::nullopt;
  if (!blocks) reject("{} cells do not fit into the memory of a PE of {}", cells, machine.name);
  return static_cast<double>(blocks->cells);
}

}  // namespace

const std::vector<std::string>& stencil_values() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{kBlock};
    for (const Value& value : table()) list.push_back(value.name);
    return list;
  }();
  return names;
}

Measured stencil_value(const Claim& claim, const std::vector<Machine>& machines) {
  const Machine& machine = machines.front();
  stencil::check_mesh(machine);
  const double number = claim.value == kBlock ? fewest_blocks(machine, claim.cells)
                                              : std::ranges::find(table(), claim.value, &Value::name)->of(machine);
  return {number, {}, number_text(number)};
}

}  // namespace muster
