// How long questions about whole wafers take, against their targets, one after another. Each is asked as a user would ask it: a process of its own,
// on one core, from the command line to the answer.
//
//   whole_wafer_bench [FILTER]    the questions whose command contains FILTER; exits with 1 if an answer is wrong
//
// A plan is right if what it stars was simulated, is correct, and no other candidate was faster; a simulation, if its result is correct and the
// prediction is near. Times count more than targets can: they are processor times, and the machine may be busy.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Json = nlohmann::json;

struct Target {
  double seconds = 0;
  double megabytes = 0;
};

struct Question {
  std::vector<std::string> command;  ///< behind "muster"
  Target target;
  std::function<std::string(const Json&)> wrong;  ///< what is wrong with the answer; empty: nothing
  std::vector<std::string> before = {};           ///< what writes the files that it reads
};

struct Asked {
  int status = -1;
  double seconds = 0;
  double megabytes = 0;
};

/// Runs muster on the first core with its output in a file.
Asked ask(const std::vector<std::string>& command, const std::string& output) {
  std::vector<char*> arguments{const_cast<char*>(MUSTER_PROGRAM)};
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(0, &cores);
    if (sched_setaffinity(0, sizeof cores, &cores) != 0) _exit(126);
    const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDOUT_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return {};
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime),
          .megabytes = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6};
}

std::string wrong_plan(const Json& answer) {
  const Json& candidates = answer.at("candidates");
  if (candidates.empty()) return "no candidate";
  if (answer.at("starred_by") != "simulation") return "starred by prediction: " + candidates[0].at("algorithm").dump();
  if (answer.at("result_correct") != true) return "a wrong result";
  const Json& best = candidates[0].at("simulated_cycles");
  for (const Json& other : candidates) {
    if (!other.at("simulated_cycles").is_null() && other.at("simulated_cycles") < best) {
      return other.at("algorithm").dump() + " is faster";
    }
  }
  return "";
}

std::string wrong_simulation(const Json& answer) {
  if (answer.at("result_correct") != true) return "a wrong result";
  const double cycles = answer.at("cycles"), predicted = answer.at("predicted_cycles");
  const double error = std::abs(predicted / cycles - 1);
  return error <= 0.05 ? "" : fmt::format("{} cycles, predicted {}", cycles, predicted);
}

std::string wrong_verdict(const Json& answer) { return answer.at("verified") == true ? "" : "not verified"; }
std::string any(const Json&) { return ""; }

std::vector<std::string> on_grid(const std::string& command, const std::string& grid, const std::string& collective,
                                 std::int64_t count) {
  return {command,   "--machine",           "wse2",  "--grid", grid, "--collective", collective,
          "--count", std::to_string(count), "--json"};
}

std::vector<std::string> with(std::vector<std::string> command, const std::vector<std::string>& more) {
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

/// The questions, `folder` being where files may be written.
std::vector<Question> questions(const std::string& folder) {
  std::vector<Question> all;
  const auto add = [&](std::vector<std::string> command, Target target, auto wrong,
                       std::vector<std::string> before = {}) {
    all.push_back({std::move(command), target, wrong, std::move(before)});
  };
  add(on_grid("plan", "512x1", "reduce", 256), {0.15, 500}, wrong_plan);
  for (const char* const collective :
       {"reduce", "allreduce", "broadcast", "scatter", "gather", "allgather", "reduce-scatter"}) {
    add(on_grid("plan", "64x64", collective, 4096), {0.5, 500}, wrong_plan);
  }
  add(on_grid("plan", "32x32", "all-to-all", 1024), {0.5, 500}, wrong_plan);  // 42x42 and larger have none
  add({"plan", "--machine", "wse2", "--grid", "64x64", "--collective", "barrier", "--json"}, {0.5, 500}, wrong_plan);
  for (const std::int64_t count : {1, 16, 64, 256, 1024}) {
    add(on_grid("plan", "64x64", "reduce", count), {0.5, 500}, wrong_plan);
    add(on_grid("plan", "64x64", "allreduce", count), {0.5, 500}, wrong_plan);
  }
  add(with(on_grid("plan", "64x64", "reduce", 256), {"--root", "any"}), {0.5, 500}, wrong_plan);
  for (const std::int64_t count : {1, 256, 8192}) {
    add(with(on_grid("simulate", "750x994", "reduce", count), {"--algorithm", "xy-best-tree"}), {0.3, 200},
        wrong_simulation);
  }
  for (const char* const algorithm : {"split-chain", "split-chain-trees"}) {
    add(with(on_grid("simulate", "512x512", "reduce", 8192), {"--algorithm", algorithm}), {0.7, 500}, wrong_simulation);
  }
  const std::string schedule = folder + "/schedule", csl = folder + "/csl";
  const auto written = [&](const char* target, const std::string& out) {
    return with(on_grid("emit", "750x994", "reduce", 256),
                {"--algorithm", "deal-best-tree", "--target", target, "--out", out});  // the winner
  };
  add({"verify", schedule + "/schedule.json", "--machine", "wse2", "--grid", "750x994", "--json"}, {1, 300},
      wrong_verdict, written("schedule", schedule));
  add(written("csl", csl), {1, 300}, any);
  add({"verify", "--csl", csl, "--machine", "wse2", "--json"}, {5, 300}, wrong_verdict, written("csl", csl));
  for (const char* const grid : {"512x512", "750x994"}) {
    for (const char* const collective : {"reduce", "allreduce"}) {
      for (const std::int64_t count : {1, 64, 256, 1024, 4096, 8192}) {
        add(on_grid("plan", grid, collective, count), {3, 500}, wrong_plan);
      }
    }
  }
  return all;
}

/// What is wrong with the answer; empty: nothing.
std::string wrong(const Question& question, const Asked& asked, const std::string& output) {
  if (asked.status != 0) return fmt::format("exit code {}", asked.status);
  std::ifstream file(output);
  try {
    return question.wrong(Json::parse(file));
  } catch (const Json::exception& error) {
    return error.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view filter = argc > 1 ? argv[1] : "";
  std::string folder = std::filesystem::temp_directory_path() / "whole_wafer_bench.XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return 1;
  bool is_right = true;
  for (const Question& question : questions(folder)) {
    const std::string name = fmt::format("{}", fmt::join(question.command, " "));
    if (name.find(filter) == std::string::npos) continue;
    const std::string output = folder + "/answer.json";
    const bool is_ready = question.before.empty() || ask(question.before, output).status == 0;
    const Asked asked = is_ready ? ask(question.command, output) : Asked{};
    const std::string trouble = is_ready ? wrong(question, asked, output) : "its files could not be written";
    fmt::print("{:7.3f} s, {:5.2f} of the target; {:6.0f} MB, {:5.2f}; {}: {}\n", asked.seconds,
               asked.seconds / question.target.seconds, asked.megabytes, asked.megabytes / question.target.megabytes,
               trouble.empty() ? "right" : "WRONG: " + trouble, name);
    std::fflush(stdout);
    is_right &= trouble.empty();
  }
  std::filesystem::remove_all(folder);
  return is_right ? 0 : 1;
}
