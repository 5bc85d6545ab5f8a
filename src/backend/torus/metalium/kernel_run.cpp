#include "backend/torus/metalium/kernel_run.h"

#include <algorithm>
#include <cstring>

#include "backend/torus/metalium/kernel_processor.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"

namespace muster::torus {
namespace {

constexpr std::uint64_t kGranule = 16;
constexpr Cycle kMostCycles = 50'000'000;  // of a program: 50 ms of the chip
constexpr std::string_view kProcessorNames[] = {"dataflow 0", "dataflow 1", "compute"};

}  // namespace

KernelRun::KernelRun(const Torus& torus, std::uint64_t seed, KernelProgram& program, DeviceMemory& memory,
                     Findings& findings)
    : torus_(torus), chip_(torus, seed), program_(program), memory_(memory), findings_(findings), origins_(1) {
  const Topology& topology = chip_.topology(0);
  core_of_tile_.assign(at(topology.routers()), -1);
  const auto columns = static_cast<std::int32_t>(torus.worker_columns.size());
  for (std::int32_t i = 0; i < std::ssize(program.cores); ++i) {
    KernelCore core;
    core.logical = {.x = i % columns, .y = i / columns};
    core.tile = topology.at(physical_of(torus, core.logical));
    core_of_tile_[at(core.tile)] = i;
    core.origins.resize(memory.core_bytes() / kGranule + 1);
    cores_.push_back(std::move(core));
  }
  leaving_.resize(cores_.size());
  for (std::int32_t i = 0; i < std::ssize(cores_); ++i) {
    const CoreProgram& what = program_of(i);
    for (std::size_t id = 0; id < what.semaphores.size(); ++id) {
      const std::uint32_t address = kSemaphoreBase + 16 * static_cast<std::uint32_t>(id);
      const std::uint32_t value = what.semaphores[id].value_or(0);
      std::memcpy(memory.core(i, address), &value, sizeof(value));
      semaphore(i, address).seen = value;
    }
    for (const auto& [index, buffer] : what.buffers) {
      cores_[at(i)].buffers.emplace(
          index,
          CircularBuffer{.what = buffer, .by_pushes = Knowledge(processors()), .by_pops = Knowledge(processors())});
    }
    for (int p = 0; p < 3; ++p) {
      const KernelOfCore& kernel = what.kernels[at(p)];
      if (kernel.kernel < 0) continue;
      processors_.push_back(std::make_unique<KernelProcessor>(*this, i, p, program.kernels[at(kernel.kernel)]));
    }
  }
}

KernelRun::~KernelRun() = default;

KernelRunEnd KernelRun::run() {
  for (const auto& processor : processors_) chip_.resume_at(*processor, 0);
  chip_.run(kMostCycles);
  KernelRunEnd end;
  for (const auto& processor : processors_) {
    if (processor->failure()) std::rethrow_exception(processor->failure());
    end.cycles = std::max(end.cycles, processor->end());
    if (end.cores.empty() || end.cores.back().first != processor->id() / 3)
      end.cores.emplace_back(processor->id() / 3, 0);
    end.cores.back().second = std::max(end.cores.back().second, processor->end());
  }
  end.stuck = stuck();
  if (end.stuck) end.cycles = chip_.now();
  return end;
}

std::optional<Finding> KernelRun::stuck() {
  std::int64_t count = 0;
  std::optional<Finding> first;
  for (const auto& processor : processors_) {
    if (processor->has_ended()) continue;
    ++count;
    if (first) continue;
    const bool gave_up = chip_.now() >= kMostCycles;
    first = Finding{.kind = gave_up ? "gave up" : "deadlock",
                    .core = name_of(processor->id()),
                    .file = file_name(processor->site()),
                    .line = processor->site().line,
                    .cycle = chip_.now(),
                    .message = gave_up ? fmt::format("it has not ended after {} cycles", grouped(kMostCycles))
                                       : fmt::format("it waits for {}", processor->waits_for())};
  }
  if (first && count > 1) first->message += fmt::format("; {} processors have not ended", count);
  return first;
}

std::string KernelRun::name_of(ProcessorId processor) const {
  const KernelCore& core = cores_[at(processor / 3)];
  const Coordinates tile = chip_.topology(0).coordinates(core.tile);
  return fmt::format("core {}-{} on tile {}-{}, {}", core.logical.x, core.logical.y, tile.x, tile.y,
                     kProcessorNames[at(processor % 3)]);
}

Semaphore& KernelRun::semaphore(std::int32_t core, std::uint32_t address) {
  return cores_[at(core)].semaphores.try_emplace(address, Semaphore{.known = Knowledge(processors())}).first->second;
}

std::uint32_t KernelRun::new_origin(const Origin& origin) {
  origins_.push_back(origin);
  return static_cast<std::uint32_t>(origins_.size() - 1);
}

void KernelRun::mark(std::int32_t core, std::uint64_t address, std::uint64_t bytes, std::uint32_t origin) {
  auto& origins = cores_[at(core)].origins;
  const auto first = origins.begin() + static_cast<std::ptrdiff_t>(address / kGranule);
  std::fill(first, origins.begin() + static_cast<std::ptrdiff_t>((address + bytes + kGranule - 1) / kGranule), origin);
}

std::int64_t KernelRun::begin(Transfer transfer) {
  std::int64_t tag = 0;
  const std::int32_t core = transfer.core;
  const bool reads_memory = transfer.access == Access::write;
  if (free_transfers_.empty()) {
    transfers_.push_back(std::move(transfer));
    tag = std::ssize(transfers_) - 1;
  } else {
    tag = free_transfers_.back();
    free_transfers_.pop_back();
    transfers_[at(tag)] = std::move(transfer);
  }
  if (reads_memory) leaving_[at(core)].push_back(tag);
  return tag;
}

void KernelRun::wake(std::int32_t core, Cycle visible) {
  auto& waiting = cores_[at(core)].waiting;
  for (std::size_t i = 0; i < waiting.size();) {
    KernelProcessor* const processor = waiting[i];
    if (!processor->may_go_on()) {
      ++i;
      continue;
    }
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
    chip_.resume_at(*processor, std::max(visible, chip_.now()));
  }
}

void KernelRun::check_sources(std::int32_t core, std::uint64_t address, std::uint64_t bytes,
                              const muster_stand_in::Site& site) {
  for (const std::int64_t tag : leaving_[at(core)]) {
    const Transfer& t = transfer(tag);
    if (t.source >= address + bytes || address >= t.source + t.bytes) continue;
    const muster_stand_in::Site& sender = origin(t.origin).site;
    report({.kind = t.is_semaphore ? "semaphore reused too early" : "overwritten before it was sent",
            .core = name_of(origin(t.origin).processor),
            .file = file_name(sender),
            .line = sender.line,
            .cycle = chip_.now(),
            .message = fmt::format("{} bytes at {:#x} change at {} before they have left; wait for the write first "
                                   "(noc_async_writes_flushed)",
                                   t.bytes, t.source, site_text(site))});
  }
}

void KernelRun::departed(Chip& /*chip*/, std::int64_t tag) {
  Transfer& t = transfer(tag);
  t.has_left = true;
  if (t.access != Access::write) return;
  const std::uint8_t* const from = memory_.core(t.core, t.source);
  t.payload.assign(from, from + t.bytes);
  std::erase(leaving_[at(t.core)], tag);
  t.issuer->one_left(origin(t.origin).noc);
}

void KernelRun::delivered(Chip& /*chip*/, std::int64_t tag, RouterId tile, Cycle visible) {
  Transfer& t = transfer(tag);
  const std::int32_t core = t.bank >= 0 ? -1 : core_at(tile);
  if (t.access == Access::read) {
    const std::uint8_t* const from =
        t.bank >= 0 ? memory_.bank(t.bank, t.source, t.bytes) : memory_.core(core, t.source);
    t.payload.assign(from, from + t.bytes);
    return;
  }
  if (t.access == Access::atomic) {
    apply(t, core, visible);
  } else {
    land(t, core);
  }
  finish_copy(tag);
}

void KernelRun::returned(Chip& /*chip*/, std::int64_t tag) {
  Transfer& t = transfer(tag);
  check_sources(t.core, t.target, t.bytes, origin(t.origin).site);
  std::memcpy(memory_.core(t.core, t.target), t.payload.data(), t.bytes);
  const std::int32_t core = t.core;
  finish_copy(tag);
  wake(core);
}

/// A write has arrived.
void KernelRun::land(Transfer& t, std::int32_t core) {
  if (t.bank >= 0) {
    std::memcpy(memory_.bank(t.bank, t.target, t.bytes), t.payload.data(), t.bytes);
    return;
  }
  check_sources(core, t.target, t.bytes, origin(t.origin).site);
  std::memcpy(memory_.core(core, t.target), t.payload.data(), t.bytes);
  if (t.known) {
    Semaphore& word = semaphore(core, static_cast<std::uint32_t>(t.target));
    word.known.join_done(*t.known);
    word.known.learn_in_order(origin(t.origin));
  }
  wake(core);
}

/// An increment has arrived.
void KernelRun::apply(const Transfer& t, std::int32_t core, Cycle visible) {
  std::uint32_t value = 0;
  std::memcpy(&value, memory_.core(core, t.target), sizeof(value));
  value += t.value;
  std::memcpy(memory_.core(core, t.target), &value, sizeof(value));
  Semaphore& word = semaphore(core, static_cast<std::uint32_t>(t.target));
  --word.under_way;
  if (t.known) word.known.join_done(*t.known);
  word.known.learn_in_order(origin(t.origin));
  wake(core, visible);
}

void KernelRun::finish_copy(std::int64_t tag) {
  Transfer& t = transfer(tag);
  if (--t.copies > 0) return;
  t = {};
  free_transfers_.push_back(tag);
}

}  // namespace muster::torus
