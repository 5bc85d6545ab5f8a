// Small answers that the report tests share.
#pragma once

#include "result/answer.h"
#include "result/sensitivity.h"
#include "result/sweep.h"

namespace muster {

inline Question row_of_eight() {
  return {.machine = "wse2",
          .collective = "reduce",
          .shape = {.sizes = {8, 1}, .text = "8x1", .with_unit = "8x1 PEs", .key = "grid", .title = "grid"},
          .count = 256,
          .type = "f32",
          .op = "sum",
          .root = 0,
          .root_text = "(0,0)",
          .channel = "color"};
}

inline PlanAnswer small_plan() {
  PlanAnswer answer;
  answer.question = row_of_eight();
  answer.bounds = {{"distance", "every reduce", Cycles(100), Seconds(1e-7)}};
  answer.candidates = {{"chain", {}, Cycles(150), Seconds(1.5e-7), Cycles(140), Seconds(1.4e-7), ""},
                       {"two-phase",
                        {{"group", 3}},
                        Cycles(2000),
                        Seconds(2e-6),
                        std::nullopt,
                        std::nullopt,
                        "not simulated: too large"}};
  answer.skipped = {{"snake", "needs a grid, got 8x1"}};
  answer.verified = true;
  answer.result_correct = true;
  answer.why = "chain wins because it does";
  answer.crossover = "below 4 elements, star is best";
  return answer;
}

inline SimulationAnswer small_simulation() {
  SimulationAnswer answer;
  answer.question = row_of_eight();
  answer.algorithm = "chain";
  answer.predicted_cycles = Cycles(150);
  answer.predicted_seconds = Seconds(1.5e-7);
  answer.bound = BoundAnswer{"distance", "every reduce", Cycles(100), Seconds(1e-7)};
  answer.verified = true;
  answer.result_correct = true;
  answer.checked_elements = 256;
  answer.result.engine = "cycle";
  answer.result.cycles = Cycles(140);
  answer.result.seconds = Seconds(1.4e-7);
  answer.result.hops = 1792;
  answer.result.channels = 2;
  answer.result.max_port_load = 256;
  answer.result.utilization = 0.25;
  answer.result.resources = {{"links west", Bytes(7168), Seconds(1e-7), 0.5}};
  return answer;
}

inline SweepAnswer small_sweep() {
  const PlanAnswer plan = small_plan();
  SweepAnswer answer;
  answer.algorithms = {"chain", "two-phase", "snake"};
  answer.simulated = true;
  answer.sizes = {{.question = plan.question,
                   .bound = plan.bounds[0],
                   .bounds = plan.bounds,
                   .candidates = plan.candidates,
                   .skipped = {{"snake", "needs a grid, got \"8x1\""}},
                   .best = "chain"}};
  return answer;
}

inline CandidateAnswer timed(const std::string& name, std::int64_t cycles) {
  CandidateAnswer candidate{.algorithm = name, .parameters = {}};
  candidate.simulated_cycles = Cycles(cycles);
  candidate.simulated_seconds = Seconds(static_cast<double>(cycles) * 1e-9);
  return candidate;
}

inline SensitivityAnswer two_settings() {
  SensitivityAnswer answer{.question = row_of_eight(), .asked = "star", .rows = {}, .left_out = {}};
  answer.rows.push_back({"", "", {timed("star", 100), timed("tree", 120), timed("chain", 120)}, 0});
  answer.rows.push_back({"ramp.queue", "8", {timed("tree", 100), timed("star", 150)}, 1});
  answer.left_out.push_back({"chain", "with ramp.queue = 8: deadlock: stuck"});
  return answer;
}

}  // namespace muster
