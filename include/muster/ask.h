// What the program's subcommands do, as functions. All throw Error, and nothing else of ours.
#pragma once

#include <string>

#include "muster/answers.h"

namespace muster::library {

/// Ranks every algorithm that supports the question; `algorithm` and `parameters` of the question must be empty.
Plan plan(const Question& question);

/// Proves and simulates the question's algorithm, or the best one.
Simulation simulate(const Question& question);

/// The question's algorithm, or the best one, as code: "csl" (mesh), "msccl" (cluster), "registers" (hyperx) or "schedule", the
/// text form that verify() reads. Nothing is written to disk.
Emission emit(const Question& question, const std::string& target);

/// Whether a schedule in its text form does what its contract says.
Verdict verify(const Machine& machine, const std::string& schedule);

}  // namespace muster::library
