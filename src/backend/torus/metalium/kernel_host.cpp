#include "backend/torus/metalium/kernel_host.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "backend/torus/link_load.h"
#include "backend/torus/metalium/compiler.h"
#include "backend/torus/metalium/kernel_run.h"
#include "backend/torus/metalium/wild_access.h"
#include "base/error.h"
#include "base/index.h"

namespace muster::torus {
namespace {

using muster_stand_in::CircularBufferName;
using muster_stand_in::CoreName;

/// Keeps what is printed to standard output, while it lives, in a file without a name.
class CapturedOutput {
 public:
  CapturedOutput() : file_(std::tmpfile()) {
    if (file_ == nullptr) reject("cannot make a file in {}", std::filesystem::temp_directory_path().string());
    std::fflush(stdout);
    saved_ = dup(1);
    dup2(fileno(file_), 1);
  }
  ~CapturedOutput() {
    restore();
    std::fclose(file_);
  }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;
  std::string text() {
    restore();
    std::rewind(file_);
    std::string all;
    char part[4096];
    for (std::size_t read = 0; (read = std::fread(part, 1, sizeof(part), file_)) > 0;) all.append(part, read);
    return all;
  }

 private:
  void restore() {
    if (saved_ < 0) return;
    std::fflush(stdout);
    dup2(saved_, 1);
    close(saved_);
    saved_ = -1;
  }
  std::FILE* file_;
  int saved_ = -1;
};

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

/// The host file's device.
class Device final : public muster_stand_in::Host {
 public:
  Device(const Torus& torus, const KernelFiles& files, std::uint64_t seed)
      : torus_(torus),
        files_(files),
        seed_(seed),
        columns_(static_cast<std::uint32_t>(torus.worker_columns.size())),
        rows_(static_cast<std::uint32_t>(torus.worker_rows.size())),
        memory_(std::int64_t{columns_} * rows_, static_cast<std::uint64_t>(torus.memory.value()),
                std::ssize(torus.dram.banks)) {}

  CoreName grid() override { return {columns_, rows_}; }
  CoreName noc_coordinates(CoreName logical) override {
    const std::int32_t core = index_of(logical);
    const Coordinates tile = physical_of(
        torus_, {.x = core % static_cast<std::int32_t>(columns_), .y = core / static_cast<std::int32_t>(columns_)});
    return {static_cast<std::uint32_t>(tile.x), static_cast<std::uint32_t>(tile.y)};
  }
  std::uint32_t dram_banks() override { return static_cast<std::uint32_t>(torus_.dram.banks.size()); }

  std::uint64_t allocate(bool in_dram, std::uint64_t bytes) override {
    auto& taken = allocated_[in_dram ? 1 : 0];
    const std::uint64_t size = rounded_up(bytes, 64);
    if (in_dram) {
      const std::uint64_t begin = taken.empty() ? 64 : taken.rbegin()->first + taken.rbegin()->second;
      taken[begin] = size;
      return begin;
    }
    const std::uint64_t end = taken.empty() ? memory_.core_bytes() / 64 * 64 : taken.begin()->first;
    if (size > end || end - size < kFirstFree) {
      reject("host: a buffer of {} bytes per core does not fit into L1, which has {} bytes left", bytes,
             end - kFirstFree);
    }
    taken[end - size] = size;
    return end - size;
  }
  void free(bool in_dram, std::uint64_t address) override { allocated_[in_dram ? 1 : 0].erase(address); }

  void write_core(CoreName core, std::uint64_t address, const void* bytes, std::uint64_t count) override {
    std::memcpy(memory_.core(index_of(core), address), bytes, count);
  }
  void read_core(CoreName core, std::uint64_t address, void* bytes, std::uint64_t count) override {
    std::memcpy(bytes, memory_.core(index_of(core), address), count);
  }
  void write_bank(std::uint32_t bank, std::uint64_t address, const void* bytes, std::uint64_t count) override {
    std::memcpy(memory_.bank(bank, address, count), bytes, count);
  }
  void read_bank(std::uint32_t bank, std::uint64_t address, void* bytes, std::uint64_t count) override {
    std::memcpy(bytes, memory_.bank(bank, address, count), count);
  }

  std::uint32_t new_program() override {
    programs_.emplace_back();
    programs_.back().program.cores.resize(std::size_t{columns_} * rows_);
    programs_.back().free.assign(std::size_t{columns_} * rows_, kFirstFree);
    return static_cast<std::uint32_t>(programs_.size() - 1);
  }
  void add_semaphore(std::uint32_t program, CoreName core, std::uint32_t id, std::uint32_t value) override {
    if (id >= static_cast<std::uint32_t>(torus_.semaphores)) {
      reject("host: CreateSemaphore is called {} times, and a core has {} semaphores", id + 1, torus_.semaphores);
    }
    auto& semaphores = core_of(program, core).semaphores;
    if (semaphores.size() <= id) semaphores.resize(id + 1);
    semaphores[id] = value;
  }
  // NOLINTNEXTLINE(readability-function-size): a call of the stand-in
  void add_circular_buffer(std::uint32_t program, const CoreName* cores, std::uint32_t core_count, std::uint64_t bytes,
                           std::uint64_t address, const CircularBufferName* buffers, std::uint32_t count) override {
    for (std::uint32_t c = 0; c < core_count; ++c) {
      std::uint64_t begin = address;
      if (address == 0) {
        std::uint64_t& free = programs_[program].free[at(index_of(cores[c]))];
        begin = free;
        free = rounded_up(free + bytes, 16);
        if (free > lowest_buffer()) {
          reject(
              "host: the circular buffers of core {}-{} end at {:#x}, where buffers in L1 begin at {:#x}; use less of "
              "both",
              cores[c].x, cores[c].y, free, lowest_buffer());
        }
      }
      for (std::uint32_t b = 0; b < count; ++b) {
        const CircularBufferName& name = buffers[b];
        if (name.index > 31 || name.page_bytes == 0 || bytes % name.page_bytes != 0) {
          reject(
              "host: circular buffer {}: its {} bytes are no multiple of its page size {}, or there is no buffer of "
              "that number",
              name.index, bytes, name.page_bytes);
        }
        core_of(program, cores[c]).buffers[name.index] = {.address = begin,
                                                          .pages = static_cast<std::uint32_t>(bytes / name.page_bytes),
                                                          .page_bytes = name.page_bytes,
                                                          .format = name.format};
      }
    }
  }

  // NOLINTNEXTLINE(readability-function-size): a call of the stand-in
  std::uint32_t add_kernel(std::uint32_t program, const char* file, bool is_text, const CoreName* cores,
                           std::uint32_t core_count, std::uint32_t processor, std::uint32_t noc,
                           const std::uint32_t* arguments, std::uint32_t argument_count, const char* defines) override {
    std::vector<Kernel>& kernels = programs_[program].program.kernels;
    kernels.push_back(compiled({file, is_text, processor, noc, {arguments, arguments + argument_count}, defines}));
    const auto number = static_cast<std::int32_t>(kernels.size() - 1);
    for (std::uint32_t c = 0; c < core_count; ++c) {
      KernelOfCore& kernel = core_of(program, cores[c]).kernels[processor];
      if (kernel.kernel >= 0) {
        reject("host: core {}-{} is given two kernels for one processor, '{}' and '{}'", cores[c].x, cores[c].y,
               kernels[at(kernel.kernel)].file, kernels.back().file);
      }
      kernel = {.kernel = number, .noc = static_cast<std::uint8_t>(noc)};
    }
    return static_cast<std::uint32_t>(number);
  }

  void set_arguments(std::uint32_t program, std::uint32_t kernel, CoreName core, bool is_common,
                     const std::uint32_t* values, std::uint32_t count) override {
    KernelProgram& what = programs_[program].program;
    if (count > static_cast<std::uint32_t>(torus_.runtime_arguments)) {
      reject("host: a kernel is given {} run-time arguments, and {} are allowed", count, torus_.runtime_arguments);
    }
    if (kernel >= what.kernels.size()) reject("host: SetRuntimeArgs names a kernel that was not created");
    if (is_common) {
      what.kernels[kernel].common_arguments.assign(values, values + count);
      return;
    }
    CoreProgram& of = core_of(program, core);
    for (std::size_t p = 0; p < 3; ++p) {
      if (of.kernels[p].kernel == static_cast<std::int32_t>(kernel)) of.arguments[p].assign(values, values + count);
    }
  }

  void run(std::uint32_t program) override {
    if (result.stuck) return;
    paused();
    KernelRun run(torus_, seed_, programs_[program].program, memory_, findings_);
    const KernelRunEnd end = run.run();
    running("the host", "", 0);
    result.cycles += end.cycles;
    if (result.programs++ == 0) {
      for (const auto& [core, cycle] : end.cores) {
        result.cores.push_back(
            {{.x = core % static_cast<std::int32_t>(columns_), .y = core / static_cast<std::int32_t>(columns_)},
             cycle});
      }
      for (int noc = 0; noc < 2; ++noc) result.resources.push_back(link_load(run.chip(), noc, end.cycles));
    }
    result.stuck = end.stuck;
  }

  void fail(const char* message) override { reject("host: {}", message); }

  KernelsRun result;
  [[nodiscard]] const Findings& findings() const { return findings_; }

 private:
  struct Description {
    std::string file;
    bool is_text = false;
    std::uint32_t processor = 0;
    std::uint32_t noc = 0;
    std::vector<std::uint32_t> arguments;
    std::string defines;
    auto operator<=>(const Description&) const = default;
  };

  [[nodiscard]] std::int32_t index_of(CoreName core) const {
    if (core.x >= columns_ || core.y >= rows_) {
      reject("host: there is no core {}-{}; the machine has {} x {}", core.x, core.y, columns_, rows_);
    }
    return static_cast<std::int32_t>(core.y * columns_ + core.x);
  }
  CoreProgram& core_of(std::uint32_t program, CoreName core) {
    return programs_[program].program.cores[at(index_of(core))];
  }
  [[nodiscard]] std::uint64_t lowest_buffer() const {
    return allocated_[0].empty() ? memory_.core_bytes() : allocated_[0].begin()->first;
  }

  [[nodiscard]] std::filesystem::path found(const Description& kernel) {
    if (kernel.is_text) return "text" + std::to_string(objects_.size()) + ".cpp";
    const std::filesystem::path name(kernel.file);
    for (const std::filesystem::path& file : {name, files_.folder / name, files_.folder / name.filename()}) {
      if (std::filesystem::is_regular_file(file)) return file;
    }
    reject("host: there is no kernel '{}' in {}", kernel.file, files_.folder.string());
  }

  Kernel compiled(const Description& kernel) {
    const auto known = compiled_.find(kernel);
    if (known != compiled_.end()) return known->second;
    CompileRequest request{
        .source = found(kernel), .text = kernel.is_text ? kernel.file : "", .headers = files_.headers};
    constexpr const char* names[] = {"COMPILE_FOR_BRISC", "COMPILE_FOR_NCRISC", "COMPILE_FOR_TRISC"};
    request.definitions = {names[kernel.processor], "NOC_INDEX=" + std::to_string(kernel.noc)};
    if (!kernel.arguments.empty()) {
      request.definitions.push_back(fmt::format("KERNEL_COMPILE_TIME_ARGS={}", fmt::join(kernel.arguments, ",")));
    }
    std::istringstream lines(kernel.defines);
    for (std::string line; std::getline(lines, line);) request.definitions.push_back(line);
    objects_.push_back(compile(request));
    const LoadedObject& object = objects_.back();
    Kernel made{.file = request.source.filename().string()};
    made.attach = reinterpret_cast<void (*)(muster_stand_in::Processor*)>(object.symbol("muster_attach"));
    // kernel_main(), or MAIN in the namespace NAMESPACE
    for (const char* const name : {"_Z11kernel_mainv", "_ZN10chlkc_math9math_mainEv"}) {
      if (made.main == nullptr) made.main = reinterpret_cast<void (*)()>(object.symbol(name));
    }
    if (made.main == nullptr || made.attach == nullptr) {
      reject("{}: it has no kernel_main(), and no MAIN in the namespace NAMESPACE", made.file);
    }
    return compiled_.emplace(kernel, made).first->second;
  }

  struct ProgramInMaking {
    KernelProgram program;
    std::vector<std::uint64_t> free;  ///< of every core: where the next circular buffer may begin
  };

  const Torus& torus_;
  const KernelFiles& files_;
  std::uint64_t seed_;
  std::uint32_t columns_;
  std::uint32_t rows_;
  DeviceMemory memory_;
  std::map<std::uint64_t, std::uint64_t> allocated_[2];  ///< of L1 and DRAM: bytes by address
  std::vector<ProgramInMaking> programs_;
  std::vector<LoadedObject> objects_;
  std::map<Description, Kernel> compiled_;
  Findings findings_;
};

std::filesystem::path host_file_in(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder))
    reject("--kernels: '{}' is no folder; name the one with host.cpp", folder.string());
  std::filesystem::path file = folder / "host.cpp";
  if (!std::filesystem::is_regular_file(file)) {
    reject("--kernels: there is no host.cpp in '{}'; it has main(), which creates and runs the kernels",
           folder.string());
  }
  return file;
}

}  // namespace

KernelsRun run_kernels(const Torus& torus, const KernelFiles& files, std::uint64_t seed) {
  const std::filesystem::path source = host_file_in(files.folder);
  Device device(torus, files, seed);  // outlives the host's own objects
  const LoadedObject object = compile({.source = source, .headers = files.headers});
  const auto attach = reinterpret_cast<void (*)(muster_stand_in::Host*)>(object.symbol("muster_attach"));
  const auto host_main = reinterpret_cast<int (*)(int, char**)>(object.symbol("main"));
  if (attach == nullptr || host_main == nullptr) {
    reject("{}: it has no main(), or does not include the host API of TT-Metalium", source.filename().string());
  }
  attach(&device);
  std::string name = source.string();
  std::string folder = files.folder.string();
  char* arguments[] = {name.data(), folder.data(), nullptr};
  const WildAccessGuard guard;
  CapturedOutput output;
  const int status = host_main(2, arguments);
  KernelsRun result = std::move(device.result);
  result.output = output.text();
  result.status = status;
  result.findings = device.findings().all();
  return result;
}

}  // namespace muster::torus
