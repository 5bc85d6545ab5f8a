// Programs and schedules in files, written by Muster or by others: read, proven or checked, and simulated. One path for all
// formats (backend/reader.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace muster {

struct ReadFiles {
  const Reader* reader = nullptr;
  FileContents contents;
  std::optional<ProgramFacts> facts;  ///< of the program, if there is one
};

/// What the files describe. Throws InputError, with file and line, where they describe nothing. `machine` is null where the format
/// says its machine.
ReadFiles read_files(const Reader& reader, const std::vector<EmittedFile>& files, const Machine* machine,
                     const std::map<std::string, std::string>& parameters);

/// The proof of the schedule that the files describe. What cannot end, because connections are finite, is refused, too.
VerifyAnswer verify_files(const ReadFiles& read, std::uint64_t seed);

/// The static checks of the program, without simulating it: for formats without a schedule.
ProgramCheckAnswer check_files(const Machine& machine, const ReadFiles& read);

/// Simulates the program as it was read. Files with a schedule are proven first. Otherwise, unless the static checks refuse the
/// program, what every rank holds at the end is compared with the result of the job's collective. Data is computed on 32-bit
/// integers there, so that the order of additions does not matter; times do not depend on data. Nothing is proven: the answer is not
/// `verified`. Throws InputError if the collective cannot be that of the program.
SimulationAnswer simulate_files(const Job& job, const ReadFiles& read);

}  // namespace muster
