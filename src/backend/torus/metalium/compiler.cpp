#include "backend/torus/metalium/compiler.h"

#include <dlfcn.h>
#include <spawn.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/one_line.h"

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace muster::torus {
namespace {

constexpr std::size_t kLongestMessage = 400;

/// A folder that is removed in the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "muster-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      reject("cannot make a folder in {}", std::filesystem::temp_directory_path().string());
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// While it lives, signals that end the process wait.
class DelayedSignals {
 public:
  DelayedSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~DelayedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  DelayedSignals(const DelayedSignals&) = delete;
  DelayedSignals& operator=(const DelayedSignals&) = delete;
  [[nodiscard]] const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

/// CXX may have arguments: "ccache g++".
std::vector<std::string> compiler_command() {
  const char* const given = std::getenv("CXX");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  std::istringstream words(given != nullptr ? given : "");
  std::vector<std::string> command;
  for (std::string word; words >> word;) command.push_back(word);
  if (command.empty()) command.emplace_back("g++");
  return command;
}

/// Runs a command with standard error in a file, and with a mask of signals. Its exit code; -1 if it cannot be run.
int run_command(const std::vector<std::string>& command, const std::filesystem::path& errors, const sigset_t& signals) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int flags = 01 | 0100 | 01000;  // O_WRONLY, O_CREAT, O_TRUNC
  posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 01, 0600);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  // Messages in one language.
  std::string language = "LC_ALL=C";
  std::vector<char*> environment{language.data()};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::string_view(*entry).substr(0, 7) != "LC_ALL=") environment.push_back(*entry);
  }
  environment.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// What users call: the names before a parenthesis in the stand-in's headers, but for what is below them.
std::vector<std::string> calls_in(const std::filesystem::path& headers) {
  static const std::regex call(R"(\b([A-Za-z]\w{3,})\()");
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(headers)) {
    if (!entry.is_regular_file() || entry.path().filename() == "bridge.h") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      for (std::sregex_iterator match(line.begin(), line.end(), call), none; match != none; ++match) {
        names.insert((*match)[1].str());
      }
    }
  }
  return {names.begin(), names.end()};
}

/// The first error of a compiler's output as one line, with the file's own name.
std::string first_error(const std::filesystem::path& log, const std::filesystem::path& headers) {
  static const std::regex error(R"(^(.*?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)$)");
  static const std::regex unknown(R"('(?:\w+::)*(\w+)' (?:was not declared|is not a member|has not been declared))");
  static const std::regex no_file(R"(^(\S+): No such file or directory$)");
  std::ifstream in(log);
  std::string all;
  for (std::string line; std::getline(in, line); all += line + ' ') {
    std::smatch match;
    if (!std::regex_match(line, match, error)) continue;
    const std::string where =
        fmt::format("{}:{}", std::filesystem::path(match[1].str()).filename().string(), match[2].str());
    const std::string message = match[3].str();
    std::smatch named;
    if (std::regex_search(message, named, unknown)) {
      const std::vector<std::string> near = nearest_names(named[1].str(), calls_in(headers), 1);
      return fmt::format("{}: '{}' is no call that can be simulated; those that can are in share/metalium{}", where,
                         named[1].str(), near.empty() ? "" : fmt::format("; did you mean '{}'?", near[0]));
    }
    if (std::regex_match(message, named, no_file)) {
      return fmt::format("{}: there is no header '{}' among those that can be simulated, which are in share/metalium",
                         where, named[1].str());
    }
    return fmt::format("{}: {}", where, one_line(message, kLongestMessage));
  }
  return one_line(all, kLongestMessage);
}

}  // namespace

LoadedObject compile(const CompileRequest& request) {
  const DelayedSignals delayed;  // until the folder is gone: a loaded object needs its file no more
  const TemporaryFolder folder;
  std::filesystem::path source = request.source;
  if (!request.text.empty()) {
    source = folder.path() / request.source.filename();
    std::ofstream(source) << request.text;
  }
  const std::filesystem::path object = folder.path() / "object.so";
  const std::filesystem::path log = folder.path() / "log";
  std::vector<std::string> command = compiler_command();
  const std::string compiler = command[0];
  for (const char* const word :
       {"-std=c++20", "-O1", "-fPIC", "-shared", "-w", "-fpermissive", "-fno-diagnostics-color"}) {
    command.emplace_back(word);
  }
  for (const std::string& definition : request.definitions) command.push_back("-D" + definition);
  command.push_back("-I" + request.headers.string());
  command.insert(command.end(), {"-o", object.string(), source.string()});
  const int code = run_command(command, log, delayed.before());
  if (code == -1 || code == 127) {
    reject("kernels are compiled by '{}', which cannot be run; install g++, or name a compiler: CXX=clang++ muster ...",
           compiler);
  }
  if (code != 0) reject("{}", first_error(log, request.headers));
  return LoadedObject(object);
}

LoadedObject::LoadedObject(const std::filesystem::path& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) reject("{}", one_line(dlerror(), kLongestMessage));  // NOLINT(concurrency-mt-unsafe)
}
LoadedObject::LoadedObject(LoadedObject&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
LoadedObject::~LoadedObject() {
  if (handle_ != nullptr) dlclose(handle_);
}
void* LoadedObject::symbol(const char* name) const { return dlsym(handle_, name); }

}  // namespace muster::torus
