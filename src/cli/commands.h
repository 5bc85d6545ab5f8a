// The subcommands: each reads its arguments, calls the pipeline, hands the answer to report/ and returns the exit code.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "plan/plan.h"

namespace muster {

inline constexpr int kDone = 0;
inline constexpr int kAnswerIsNo = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kOwnBug = 3;

int run_machines(const Arguments& given);
int run_algorithms(const Arguments& arguments);
int run_plan(const Arguments& arguments);
int run_verify(const Arguments& arguments);
int run_simulate(const Arguments& arguments);
/// What plan and simulate do with --sensitivity.
int run_sensitivity(const Arguments& arguments, Job job);
/// simulate --traffic.
int run_traffic(const Arguments& arguments);
/// simulate --kernels.
int run_kernels(const Arguments& arguments);
int run_emit(const Arguments& arguments);
int run_sweep(const Arguments& arguments);
int run_explain(const Arguments& arguments);
int run_train(const Arguments& arguments);
int run_jobs(const Arguments& arguments);
/// What plan, simulate, verify, emit and explain do with --app.
int run_app(const Arguments& arguments);
/// Throws InputError for flags that need --app, which was not given.
void check_app_flags(const Arguments& arguments);
int run_seismic(const Arguments& arguments);
/// seismic view FILE.
int run_seismic_view(const Arguments& arguments, const std::string& file);
int run_figures(const Arguments& arguments);
int run_reproduce(const Arguments& arguments);

/// Writes to standard output; throws InputError if it cannot take the text.
void print(const std::string& text);

}  // namespace muster
