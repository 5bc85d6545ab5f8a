// From the text of the flags to the question that the pipeline answers.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "cli/arguments.h"
#include "machine/loader.h"
#include "plan/plan.h"

namespace muster {

/// The folder of the program's own data (it holds machines/ and claims/): share/muster beside the folder of an
/// installed program, else the source tree that it was built from.
std::filesystem::path data_folder();

/// Where machines are looked up. Says on standard error, unless --quiet, which entry of MUSTER_PATH is not a folder.
MachinePath machine_path_of(const Arguments& arguments);

/// The machine of --machine, --param, --grid and --nodes, in the shape in use.
Machine machine_of(const Arguments& arguments);

/// The machine of --machine and --param, in the shape that its file has.
Machine whole_machine_of(const Arguments& arguments);

/// The parameters of --set. With a machine, in the shape in use, its ranks may be given as X,Y.
Parameters parameters_of(const Arguments& arguments, const Machine* machine = nullptr);

/// The job for a comparison of algorithms, with --chunks and --order for all that have such a parameter.
Job with_parameters(const Arguments& arguments, Job job);

/// What --param and --set changed, for the caption of a picture: "with ramp.latency=7 cycles, group=4"; empty if nothing.
std::string settings_text(const Arguments& arguments);

/// The same as a program's text takes them: what the build command gives otherwise.
std::map<std::string, std::string> program_parameters(const Arguments& arguments);

/// Says on standard error which files of the same name are not read, unless --quiet.
void mention_shadowed(const FoundMachine& found, const Arguments& arguments);

/// The collective of --collective, if it was given.
std::optional<Collective> collective_of(const Arguments& arguments);

/// Whether --root leaves the root to the chooser.
bool is_free_root(const Arguments& arguments);
/// Gives a job the root that is best for --algorithm, or for whichever algorithm is best.
void choose_root(const Arguments& arguments, Job& job);

/// The complete question of plan, simulate and emit; checked by check_job.
Job job_of(const Arguments& arguments);

/// The same on a machine that is already loaded, in the shape in use.
Job job_of(const Arguments& arguments, Machine machine);

/// A file that answers a part of the question: flags that repeat it are refused.
struct Source {
  std::string flag;       ///< that names it: "--schedule"
  std::string_view noun;  ///< "schedule"
  Machine machine;        ///< for which it was read, in the shape in use
};
/// The schedule of --schedule as a source.
Source schedule_source(const Arguments& arguments);

/// The question that belongs to a schedule from elsewhere: collective, count and root are those of its first contract.
Job job_of(const Arguments& arguments, const Schedule& schedule, const Source& source);

/// The question that belongs to a program from files: machine, size, type and operator are the program's.
Job job_of(const Arguments& arguments, const ProgramFacts& facts, const Source& source);

/// The algorithm of --algorithm and --set; the best one if there is no --algorithm.
Choice choice_of(const Arguments& arguments, const Job& job);

std::uint64_t seed_of(const Arguments& arguments);

/// The whole text of a file, or of standard input for "-".
std::string read_text(const std::string& file);
/// The same with its name, for messages.
EmittedFile read_emitted(const std::string& file);
/// The schedule whose text form it is.
Schedule read_schedule(const std::string& file);
/// Throws InputError if the schedule, read from `file`, has nodes that the machine does not have: it was made for another.
void check_made_for(const Schedule& schedule, const Machine& machine, const std::string& file);

}  // namespace muster
