// One run of a program of kernels on a chip: cores with semaphores and circular buffers, and transfers that carry data between them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "backend/torus/chip.h"
#include "backend/torus/metalium/device_memory.h"
#include "backend/torus/metalium/findings.h"
#include "backend/torus/metalium/kernel_program.h"
#include "backend/torus/metalium/knowledge.h"

namespace muster::torus {

class KernelProcessor;

/// A word that processors wait for.
struct Semaphore {
  Knowledge known;             ///< of those who changed it
  std::uint32_t seen = 0;      ///< the value that a wait saw last, or that was set
  std::int32_t under_way = 0;  ///< increments that have not arrived
};

struct CircularBuffer {
  CircularBufferOfCore what;
  std::uint32_t pushed = 0;  ///< pages, in all; so is the next one
  std::uint32_t popped = 0;
  std::uint32_t reserved = 0;  ///< pages that the producer may write
  std::uint32_t waited = 0;    ///< pages that the consumer may read
  std::uint32_t packed = 0;    ///< pages that were packed in order since the last push
  Knowledge by_pushes;
  Knowledge by_pops;
};

struct KernelCore {
  RouterId tile = 0;
  Coordinates logical;
  std::map<std::uint32_t, Semaphore> semaphores;  ///< by address
  std::map<std::uint32_t, CircularBuffer> buffers;
  std::vector<std::uint32_t> origins;  ///< of every 16 bytes, as numbers of origins; 0: none
  std::vector<KernelProcessor*> waiting;
};

/// A packet of a transfer that is under way.
struct Transfer {
  Access access = Access::write;
  std::int32_t core = 0;     ///< that issued it
  std::uint64_t source = 0;  ///< address of what is sent; of what is read, in the other memory
  std::uint64_t target = 0;
  std::int32_t bank = -1;
  std::uint32_t bytes = 0;
  std::uint32_t value = 0;  ///< of an increment
  bool is_semaphore = false;
  bool has_left = false;
  std::int32_t copies = 1;  ///< that have not arrived
  std::uint32_t origin = 0;
  KernelProcessor* issuer = nullptr;
  std::shared_ptr<const Knowledge> known = {};  ///< of the issuer, for whoever waits for an increment
  std::vector<std::uint8_t> payload = {};
};

struct KernelRunEnd {
  Cycle cycles = 0;                                        ///< until the last processor ended
  std::vector<std::pair<std::int32_t, Cycle>> cores = {};  ///< that had a kernel, and when the last one ended
  std::optional<Finding> stuck;                            ///< a processor that never ended, and what it waits for
};

class KernelRun final : public Observer {
 public:
  KernelRun(const Torus& torus, std::uint64_t seed, KernelProgram& program, DeviceMemory& memory, Findings& findings);
  ~KernelRun() override;
  KernelRun(const KernelRun&) = delete;
  KernelRun& operator=(const KernelRun&) = delete;

  KernelRunEnd run();
  [[nodiscard]] const Chip& chip() const { return chip_; }

  // For processors.
  [[nodiscard]] Chip& chip() { return chip_; }
  [[nodiscard]] const Torus& torus() const { return torus_; }
  [[nodiscard]] DeviceMemory& memory() { return memory_; }
  [[nodiscard]] KernelCore& core(std::int32_t core) { return cores_[static_cast<std::size_t>(core)]; }
  [[nodiscard]] const CoreProgram& program_of(std::int32_t core) const {
    return program_.cores[static_cast<std::size_t>(core)];
  }
  /// Of a worker's tile; -1 for others.
  [[nodiscard]] std::int32_t core_at(RouterId tile) const { return core_of_tile_[static_cast<std::size_t>(tile)]; }
  [[nodiscard]] ProcessorId processors() const { return static_cast<ProcessorId>(cores_.size()) * 3; }
  Semaphore& semaphore(std::int32_t core, std::uint32_t address);
  std::int64_t begin(Transfer transfer);
  [[nodiscard]] Transfer& transfer(std::int64_t tag) { return transfers_[static_cast<std::size_t>(tag)]; }
  std::uint32_t new_origin(const Origin& origin);
  [[nodiscard]] const Origin& origin(std::uint32_t number) const { return origins_[number]; }
  void mark(std::int32_t core, std::uint64_t address, std::uint64_t bytes, std::uint32_t origin);
  /// Something that the core's processors may wait for has changed; they see it from `visible` on.
  void wake(std::int32_t core, Cycle visible);
  void wake(std::int32_t core) { wake(core, chip_.now()); }
  void report(Finding finding) { findings_.add(std::move(finding)); }
  [[nodiscard]] std::string name_of(ProcessorId processor) const;
  /// Data arrives in memory that a transfer under way has not left yet.
  void check_sources(std::int32_t core, std::uint64_t address, std::uint64_t bytes, const muster_stand_in::Site& site);

  // Of the chip.
  void departed(Chip& chip, std::int64_t tag) override;
  void delivered(Chip& chip, std::int64_t tag, RouterId tile, Cycle visible) override;
  void returned(Chip& chip, std::int64_t tag) override;

 private:
  void land(Transfer& transfer, std::int32_t core);
  void apply(const Transfer& transfer, std::int32_t core, Cycle visible);
  void finish_copy(std::int64_t tag);
  [[nodiscard]] std::optional<Finding> stuck();

  const Torus& torus_;
  Chip chip_;
  KernelProgram& program_;
  DeviceMemory& memory_;
  Findings& findings_;
  std::vector<std::int32_t> core_of_tile_;
  std::vector<KernelCore> cores_;
  std::vector<std::unique_ptr<KernelProcessor>> processors_;
  std::deque<Transfer> transfers_;
  std::vector<std::int64_t> free_transfers_;
  std::vector<std::vector<std::int64_t>>
      leaving_;  ///< by core: transfers whose data is still to be read from its memory
  std::vector<Origin> origins_;
};

/// Where TT-Metalium keeps what is not the program's: arguments, semaphores.
inline constexpr std::uint32_t kArgumentBase = 0x11000;   ///< of processor 0; 0x1000 for each
inline constexpr std::uint32_t kSemaphoreBase = 0x18000;  ///< 16 bytes for each
inline constexpr std::uint32_t kFirstFree = 0x1a000;      ///< program.h: kReservedMemory

}  // namespace muster::torus
