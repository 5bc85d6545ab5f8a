// Answers about a stencil: those of plan and simulate, and what they add to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/answer.h"

namespace muster {

/// What was asked, and how a PE's memory is used.
struct StencilFacts {
  std::vector<std::int64_t> grid;  ///< cells along x, y and z
  int order = 0;
  std::int64_t steps = 1;
  double velocity = 0;  ///< in m/s
  double spacing = 0;   ///< in m
  Seconds time_step;
  double cfl = 0;  ///< the time step over the largest stable one
  std::int64_t block = 0;
  std::int64_t blocks = 0;
  struct Part {
    std::string name;
    Bytes size;
  };
  std::vector<Part> memory;  ///< of a PE
  Bytes memory_used;
  Bytes memory_available;
  std::int64_t most_cells = 0;  ///< along z that would fit, in blocks of some size
};

/// How fast all time steps are.
struct StencilRate {
  double cycles_per_step = 0;
  double cells_per_second = 0;
};

/// A smaller grid that was proven and simulated where the whole is too large.
struct SmallGrid {
  std::string grid;
  bool verified = false;
  bool result_correct = false;
  std::optional<Cycles> cycles;
  Cycles predicted;
  double error_probability = 0;
  std::string fault;
};

struct StencilPlanAnswer {
  PlanAnswer plan;
  StencilFacts facts;
  StencilRate rate;  ///< of the first candidate, simulated or else predicted
  std::optional<SmallGrid> small_grid;
};

struct StencilRunAnswer {
  SimulationAnswer run;
  StencilFacts facts;
  StencilRate rate;
  double busy = 0;  ///< share of the cycles in which a PE's datapath works, in the mean
};

/// Where the cycles of a PE go.
struct StencilExplainAnswer {
  Question question;
  StencilFacts facts;
  std::string measured_on;  ///< the grid that was simulated
  Cycles cycles;            ///< of it
  StencilRate rate;
  double busy = 0;
  struct Work {
    std::string name;
    std::string what;
    std::int64_t slots = 0;  ///< of the datapath, per cell, in the PE in the middle
    double share = 0;        ///< of its cycles
  };
  std::vector<Work> work;           ///< the last is waiting
  std::vector<Resource> resources;  ///< of the simulated grid
  struct CountsRow {
    std::string name;
    double arithmetic = 0;  ///< elements of instructions that compute
    double operations = 0;
    double accesses = 0;
    double received = 0;
    double sent = 0;
  };
  std::vector<CountsRow> counts;  ///< per cell; the first is this program's
  std::vector<BoundAnswer> bounds;
  std::string waits;  ///< a sentence: where it waits
};

}  // namespace muster
