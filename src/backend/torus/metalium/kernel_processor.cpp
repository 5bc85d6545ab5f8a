#include "backend/torus/metalium/kernel_processor.h"

#include <algorithm>
#include <cstring>

#include "backend/torus/metalium/wild_access.h"
#include "base/error.h"
#include "base/index.h"

namespace muster::torus {
namespace {

using muster_stand_in::Barrier;
using muster_stand_in::Until;

/// What a kernel must not do, and which the run cannot go on after.
struct EndOfRun {};

}  // namespace

KernelProcessor::KernelProcessor(KernelRun& run, std::int32_t core, int which, const Kernel& kernel)
    : run_(run),
      core_(core),
      which_(which),
      kernel_(kernel),
      fiber_([this] { main(); }),
      name_(run.name_of(core * 3 + which)),
      known_(run.processors()) {
  for (Counters& counters : counters_) {
    counters = {
        .writes = run.chip().new_counter(), .reads = run.chip().new_counter(), .atomics = run.chip().new_counter()};
  }
  const Coordinates tile = run.chip().topology(0).coordinates(run.core(core).tile);
  x_.fill(static_cast<std::uint8_t>(tile.x));
  y_.fill(static_cast<std::uint8_t>(tile.y));
  logical_ = {static_cast<std::uint8_t>(run.core(core).logical.x), static_cast<std::uint8_t>(run.core(core).logical.y)};
  const auto store = [&](const std::vector<std::uint32_t>& values, std::uint32_t offset) {
    if (values.empty()) return;
    std::memcpy(run.memory().core(core, kArgumentBase + 0x1000U * static_cast<std::uint32_t>(which) + offset),
                values.data(), 4 * values.size());
  };
  store(run.program_of(core).arguments[at(which)], 0);
  store(kernel.common_arguments, 0x800);
}

void KernelProcessor::main() {
  try {
    kernel_.main();
    check_end();
  } catch (const EndOfRun&) {
  } catch (...) {
    failure_ = std::current_exception();
  }
  end_ = now_;
}

void KernelProcessor::resume(Chip& /*chip*/, Cycle now) {
  if (fiber_.has_ended()) return;
  now_ = now;
  run_.memory().show(core_);
  kernel_.attach(this);
  running(name_.c_str(), site_.file, site_.line);
  fiber_.resume();
  paused();
  run_.wake(core_);  // it may have stored what others look at
}

void KernelProcessor::takes(Cycles cycles) {
  if (cycles.value() == 0) return;
  run_.chip().resume_at(*this, now_ + cycles.value());
  fiber_.stop();
}

void KernelProcessor::stop_until(std::function<bool()> condition, std::function<std::string()> what) {
  if (condition()) return;
  waits_until_ = std::move(condition);
  waits_for_ = std::move(what);
  state().waiting.push_back(this);
  fiber_.stop();
  waits_until_ = nullptr;
  waits_for_ = nullptr;
}

void KernelProcessor::stop_until_done(CounterId counter) {
  if (run_.chip().is_done(counter)) return;
  run_.chip().resume_when_done(*this, counter);
  fiber_.stop();
}

void KernelProcessor::found(const char* kind, const Site& site, std::string message) {
  run_.report({.kind = kind,
               .core = run_.name_of(id()),
               .file = file_name(site),
               .line = site.line,
               .cycle = now_,
               .message = std::move(message)});
}

void KernelProcessor::fail(const char* kind, const Site& site, const std::string& message) {
  found(kind, site, message);
  throw EndOfRun();
}

void KernelProcessor::check_end() {
  const auto check = [&](const Counters& counters, Access access, CounterId counter, const char* kind,
                         const char* message) {
    const auto index = static_cast<std::size_t>(access);
    if (counters.open[index]) {
      found(kind, *counters.open[index], message);
    } else if (!run_.chip().is_done(counter)) {  // posted
      found(kind, last_[index], message);
    }
  };
  for (const Counters& counters : counters_) {
    check(counters, Access::atomic, counters.atomics, "atomic in flight at exit",
          "the kernel may end before its increment has been acknowledged; call noc_async_atomic_barrier() at its end");
    check(counters, Access::write, counters.writes, "write in flight at exit",
          "the kernel may end before its write has been acknowledged; call noc_async_write_barrier() at its end");
    check(counters, Access::read, counters.reads, "missing read barrier",
          "the kernel may end before its read has arrived; call noc_async_read_barrier() at its end");
  }
}

void KernelProcessor::check_noc(std::uint32_t noc, const Site& site) {
  site_ = site;
  if (noc > 1) fail("bad argument", site, fmt::format("there is no NoC {}", noc));
}

void KernelProcessor::check_range(std::uint64_t address, std::uint64_t bytes, const Site& site) {
  if (address >= DeviceMemory::kLowest && address + bytes <= run_.memory().core_bytes()) return;
  fail("bad address", site,
       fmt::format("{} bytes at {:#x} are not in the L1 of a core, which ends at {:#x}", bytes, address,
                   run_.memory().core_bytes()));
}

void KernelProcessor::uses(std::uint64_t address, std::uint64_t bytes, const Site& site) {
  const auto& origins = state().origins;
  std::uint32_t last = 0;
  for (std::uint64_t i = address / 16; i < (address + bytes + 15) / 16; ++i) {
    if (origins[i] == last) continue;
    last = origins[i];
    if (last == 0) continue;
    const Origin& origin = run_.origin(last);
    if (known_.covers(origin)) continue;
    const std::string who = fmt::format("{} at {}", run_.name_of(origin.processor), site_text(origin.site));
    switch (origin.kind) {
      case TransferKind::write:
        found("data before credit", site,
              fmt::format(
                  "it uses bytes at {:#x} that {} writes, and nothing says that they have arrived; the credit must "
                  "go the same way as the data, or follow noc_async_write_barrier()",
                  16 * i, who));
        break;
      case TransferKind::read:
        found("missing read barrier", site,
              fmt::format("it uses bytes at {:#x} that {} reads, and nothing says that they have arrived; call "
                          "noc_async_read_barrier() before",
                          16 * i, who));
        break;
      case TransferKind::pack:
        found("tile used before it was pushed", site,
              fmt::format(
                  "it uses bytes at {:#x} that {} packs, and nothing says that they are there; call cb_push_back() "
                  "after packing and cb_wait_front() before this",
                  16 * i, who));
        break;
    }
    return;
  }
}

Origin KernelProcessor::next_origin(TransferKind kind, std::uint32_t noc, bool is_multicast, const Site& site) {
  const std::size_t lane = kind == TransferKind::read ? 1 : 0;
  const TransferNumber number = ++issued_[lane];
  by_noc_[lane][noc] = number;
  return {.processor = id(),
          .kind = kind,
          .number = number,
          .noc = static_cast<std::uint8_t>(noc),
          .is_multicast = is_multicast,
          .site = site};
}

void KernelProcessor::one_left(std::uint8_t noc) {
  --counters_[noc].leaving;
  if (may_go_on()) run_.wake(core_);
}

void KernelProcessor::wait_for(Barrier what, std::uint32_t noc, Site site) {
  check_noc(noc, site);
  Counters& counters = counters_[noc];
  const bool all = what == Barrier::all;
  if (what == Barrier::writes || all) {
    stop_until_done(counters.writes);
    // Those of the other NoC may still be under way.
    if (run_.chip().is_done(counters_[1 - noc].writes)) known_.learn_done(id(), TransferKind::write, issued_[0]);
  }
  if (what == Barrier::reads || all) {
    stop_until_done(counters.reads);
    if (run_.chip().is_done(counters_[1 - noc].reads)) known_.learn_done(id(), TransferKind::read, issued_[1]);
  }
  if (what == Barrier::atomics || all) stop_until_done(counters.atomics);
  if (what == Barrier::writes_left) {
    stop_until([&counters] { return counters.leaving == 0; }, [] { return "its writes to leave"; });
  }
  const auto close = [&](Barrier barrier, Access access) {
    if (what == barrier || all) counters.open[static_cast<std::size_t>(access)].reset();
  };
  close(Barrier::writes, Access::write);
  close(Barrier::reads, Access::read);
  close(Barrier::atomics, Access::atomic);
  takes(run_.torus().issue.barrier);
}

// Semaphores.

void KernelProcessor::wait_semaphore(std::uint32_t address, Until until, std::uint32_t value, Site site) {
  site_ = site;
  check_range(address, 4, site);
  const auto current = [this, address] {
    std::uint32_t now = 0;
    std::memcpy(&now, run_.memory().core(core_, address), sizeof(now));
    return now;
  };
  stop_until([until, value, current] { return until == Until::equal ? current() == value : current() >= value; },
             [until, value, current, address] {
               const std::string name = address >= kSemaphoreBase && address < kFirstFree
                                            ? fmt::format("semaphore {}", (address - kSemaphoreBase) / 16)
                                            : fmt::format("the semaphore at {:#x}", address);
               return fmt::format("{} to be {}{}, and it is {}", name, until == Until::equal ? "" : "at least ", value,
                                  current());
             });
  Semaphore& semaphore = run_.semaphore(core_, address);
  semaphore.seen = until == Until::equal ? value : std::max(semaphore.seen, value);
  known_.join(semaphore.known);
  takes(run_.torus().issue.barrier);
}

void KernelProcessor::set_semaphore(std::uint32_t address, std::uint32_t value, Site site) {
  site_ = site;
  check_range(address, 4, site);
  Semaphore& semaphore = run_.semaphore(core_, address);
  std::uint32_t now = 0;
  std::memcpy(&now, run_.memory().core(core_, address), sizeof(now));
  if (semaphore.under_way > 0 || now > semaphore.seen) {
    found("semaphore reused too early", site,
          semaphore.under_way > 0
              ? fmt::format(
                    "it is set to {} while {} increments of it are under way, which come before or after by chance",
                    value, semaphore.under_way)
              : fmt::format("it is set to {} while it is {}, and no wait has seen more than {}: increments are lost",
                            value, now, semaphore.seen));
  }
  run_.check_sources(core_, address, 4, site);
  std::memcpy(run_.memory().core(core_, address), &value, sizeof(value));
  semaphore.seen = value;
  semaphore.known.join(known_);
}

// Places.

std::uint32_t KernelProcessor::argument_address(std::uint32_t index, bool is_common, Site site) {
  site_ = site;
  const std::size_t count =
      is_common ? kernel_.common_arguments.size() : run_.program_of(core_).arguments[at(which_)].size();
  if (index >= count) {
    fail("bad argument", site, fmt::format("run-time argument {} is read, and the host gave {}", index, count));
  }
  return kArgumentBase + 0x1000U * static_cast<std::uint32_t>(which_) + (is_common ? 0x800U : 0U) + 4 * index;
}

std::uint32_t KernelProcessor::semaphore_address(std::uint32_t id, Site site) {
  site_ = site;
  const auto& semaphores = run_.program_of(core_).semaphores;
  if (id >= semaphores.size() || !semaphores[id]) {
    fail("bad argument", site, fmt::format("the host has created no semaphore {} on this core", id));
  }
  return kSemaphoreBase + 16 * id;
}

std::uint32_t KernelProcessor::banks(bool in_dram) {
  return in_dram ? static_cast<std::uint32_t>(run_.torus().dram.banks.size())
                 : static_cast<std::uint32_t>(run_.processors() / 3);
}

std::uint64_t KernelProcessor::tile_address(muster_stand_in::TileName tile, muster_stand_in::TileName first,
                                            std::uint32_t address) {
  const std::uint64_t made = (std::uint64_t{first.y} << 54U) | (std::uint64_t{first.x} << 48U) |
                             (std::uint64_t{tile.y} << 42U) | (std::uint64_t{tile.x} << 36U) | address;
  constexpr std::uint32_t kMost = 63;  // six bits
  // It may never be used, so it is no fault yet.
  for (const muster_stand_in::TileName name : {first, tile}) {
    if (name.x > kMost || name.y > kMost) outside_[made] = name;
  }
  return made;
}

std::uint64_t KernelProcessor::bank_address(bool in_dram, std::uint32_t bank, std::uint32_t address, Site site) {
  site_ = site;
  if (bank >= banks(in_dram)) fail("bad argument", site, fmt::format("there is no bank {}", bank));
  const Coordinates tile = in_dram
                               ? run_.torus().dram.banks[bank]
                               : run_.chip().topology(0).coordinates(run_.core(static_cast<std::int32_t>(bank)).tile);
  return (std::uint64_t(static_cast<std::uint32_t>(tile.y)) << 42U) |
         (std::uint64_t(static_cast<std::uint32_t>(tile.x)) << 36U) | address;
}

void KernelProcessor::take_cycles(std::uint32_t cycles, Site site) {
  site_ = site;
  takes(Cycles(cycles));
}

}  // namespace muster::torus
