// muster: one subcommand per question. Exit codes: 0 done, 1 the answer is no, 2 bad input, 3 our own bug.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <functional>
#include <map>
#include <new>
#include <utility>

#include "base/error.h"
#include "base/freed_memory.h"
#include "base/one_line.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/question.h"
#include "cli/shell_files.h"

namespace muster {

namespace {

/// The flag that set a field of the question, or nothing: it came from a file then.
std::string flag_behind(std::string_view field, const Arguments& arguments) {
  static constexpr std::pair<std::string_view, std::string_view> kFlags[] = {
      {"algorithm", "--algorithm"},
      {"parameters", "--set"},
      {"parameters", "--chunks"},
      {"parameters", "--order"},
      {"calls", "--calls"},
      {"chunks", "--chunks"},
      {"count", "--count"},
      {"count", "--bytes"},
      {"engine", "--engine"},
      {"grid", "--grid"},
      {"grid", "--pes"},
      {"group", "--group"},
      {"nodes", "--nodes"},
      {"reserved colors", "--reserve-colors"},
      {"root", "--root"},
      {"shape", "--shape"},
      {"target", "--target"},
  };
  for (const auto& [name, flag] : kFlags) {
    if (name == field && arguments.has(flag)) return std::string(flag);
  }
  return "";
}

/// "count: 9 is ..." of the library, which has fields, is "--count: 9 is ..." for whoever has typed a flag.
std::string with_flag(const std::string& message, const Arguments& arguments) {
  const std::size_t colon = message.find(": ");
  if (colon == std::string::npos) return message;
  const std::string flag = flag_behind(std::string_view(message).substr(0, colon), arguments);
  return flag.empty() ? message : flag + message.substr(colon);
}

int run_command(const std::function<int(const Arguments&)>& command, const Arguments& arguments) {
  try {
    return command(arguments);
  } catch (const NothingFits&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(with_flag(error.what(), arguments));
  }
}

int run(int argc, const char* const* argv) {
  if (const auto text = shell_file({argv + std::min(argc, 1), argv + argc})) {
    print(*text);
    return kDone;
  }
  const auto parsed = parse_arguments(argc, argv);
  if (const auto* notice = std::get_if<Notice>(&parsed)) {
    print(notice->text);
    return kDone;
  }
  const std::map<std::string, std::function<int(const Arguments&)>> commands{
      {"machines", run_machines},   {"algorithms", run_algorithms}, {"plan", run_plan},
      {"verify", run_verify},       {"simulate", run_simulate},     {"emit", run_emit},
      {"sweep", run_sweep},         {"explain", run_explain},       {"figures", run_figures},
      {"reproduce", run_reproduce}, {"train", run_train},           {"jobs", run_jobs},
      {"seismic", run_seismic},
  };
  const auto& arguments = std::get<Arguments>(parsed);
  (void)seed_of(arguments);  // a bad seed is bad input, also where nothing is random
  if (arguments.has("--app")) return run_command(run_app, arguments);
  check_app_flags(arguments);
  return run_command(commands.at(arguments.subcommand), arguments);
}

}  // namespace
}  // namespace muster

int main(int argc, char** argv) {
  // A file that grows beyond the limit (ulimit -f) fails in the write, which is reported and cleaned up.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  muster::keep_freed_memory();
  try {
    return muster::run(argc, argv);
  } catch (...) {
    const muster::Failure failure = muster::failure_of(std::current_exception());
    muster::complain(failure.message);
    return failure.exit_code;
  }
}
