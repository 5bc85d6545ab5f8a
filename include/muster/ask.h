// The subcommands of the program as functions. All of them throw only Error.
#pragma once

#include <string>

#include "muster/answers.h"

namespace muster::library {

/// Ranks every algorithm that supports the question; `algorithm` and `parameters` of the question must be empty.
Plan plan(const Question& question);

/// Proves and simulates the algorithm of the question, or the best one if it names none.
Simulation simulate(const Question& question);

/// The question's algorithm, or the best one, as code: "csl" (mesh), "msccl" (cluster), "registers" (hyperx) or "schedule", the
/// text form that verify() reads. Nothing is written to disk.
Emission emit(const Question& question, const std::string& target);

/// Whether a schedule, given as JSON, fulfils its contract.
Verdict verify(const Machine& machine, const std::string& schedule);

}  // namespace muster::library
