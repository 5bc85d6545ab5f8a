// Programs that were written into files, by Muster or by others: read, simulated, and held to a collective.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace muster {

struct ReadProgram {
  std::shared_ptr<const Program> program;
  ProgramFacts facts;
};

/// The program that the files describe. Throws InputError, with file and line, where they describe none.
ReadProgram read_program(const Machine& machine, const std::vector<EmittedFile>& files,
                         const std::map<std::string, std::string>& parameters);

/// The static checks of the program, without simulating it.
ProgramCheckAnswer check_program(const Machine& machine, const ReadProgram& read);

/// Simulates the program, unless the static checks refuse it, and compares what every rank holds at the end with what the job's collective owes. Data is
/// computed on whole numbers of 32 bits, so that the order of additions does not matter; times do not depend on data.
/// Nothing is proven: the answer is not `verified`. Throws InputError if the collective cannot be that of the program.
SimulationAnswer simulate(const Job& job, const ReadProgram& read);

}  // namespace muster
