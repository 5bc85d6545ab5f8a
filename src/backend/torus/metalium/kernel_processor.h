// A processor of a core that runs a kernel. The kernel's calls arrive here, on a stack of its own.
#pragma once

#include <array>
#include <exception>
#include <string>
#include <vector>

#include "backend/torus/metalium/fiber.h"
#include "backend/torus/metalium/kernel_run.h"

namespace muster::torus {

class KernelProcessor final : public Actor, public muster_stand_in::Processor {
 public:
  using Site = muster_stand_in::Site;

  KernelProcessor(KernelRun& run, std::int32_t core, int which, const Kernel& kernel);

  void resume(Chip& chip, Cycle now) override;
  [[nodiscard]] bool has_ended() const { return fiber_.has_ended(); }
  [[nodiscard]] Cycle end() const { return end_; }
  [[nodiscard]] const std::exception_ptr& failure() const { return failure_; }
  [[nodiscard]] ProcessorId id() const { return core_ * 3 + which_; }
  /// Whether it waits for something that has come.
  [[nodiscard]] bool may_go_on() const { return waits_until_ && waits_until_(); }
  /// What it waits for, and where.
  [[nodiscard]] std::string waits_for() const { return waits_for_ ? waits_for_() : "transactions that never end"; }
  [[nodiscard]] const Site& site() const { return site_; }
  /// A packet of its has left.
  void one_left(std::uint8_t noc);

  // The calls.
  std::uint32_t argument_address(std::uint32_t index, bool is_common, Site site) override;
  std::uint32_t semaphore_address(std::uint32_t id, Site site) override;
  std::uint64_t tile_address(muster_stand_in::TileName tile, muster_stand_in::TileName first,
                             std::uint32_t address) override;
  std::uint64_t bank_address(bool in_dram, std::uint32_t bank, std::uint32_t address, Site site) override;
  const std::uint8_t* coordinates(bool is_y) override { return is_y ? y_.data() : x_.data(); }
  const std::uint8_t* logical_coordinates() override { return logical_.data(); }
  std::uint32_t banks(bool in_dram) override;
  void write(std::uint32_t source, std::uint64_t to, std::uint32_t bytes, std::uint32_t noc, bool is_posted,
             Site site) override;
  void read(std::uint64_t from, std::uint32_t target, std::uint32_t bytes, std::uint32_t noc, Site site) override;
  void multicast(std::uint32_t source, std::uint64_t to, std::uint32_t bytes, std::uint32_t cores, bool is_linked,
                 bool with_self, bool is_semaphore, std::uint32_t noc, Site site) override;
  void increment(std::uint64_t at, std::uint32_t by, std::uint32_t noc, bool is_posted, Site site) override;
  void wait_for(muster_stand_in::Barrier what, std::uint32_t noc, Site site) override;
  void wait_semaphore(std::uint32_t address, muster_stand_in::Until until, std::uint32_t value, Site site) override;
  void set_semaphore(std::uint32_t address, std::uint32_t value, Site site) override;
  void reserve(std::uint32_t index, std::uint32_t pages, Site site) override;
  void push(std::uint32_t index, std::uint32_t pages, Site site) override;
  void wait(std::uint32_t index, std::uint32_t pages, Site site) override;
  void pop(std::uint32_t index, std::uint32_t pages, Site site) override;
  bool has_pages(std::uint32_t index, std::uint32_t pages, bool at_back, Site site) override;
  std::uint32_t write_pointer(std::uint32_t index, Site site) override;
  std::uint32_t read_pointer(std::uint32_t index, Site site) override;
  std::uint32_t page_bytes(std::uint32_t index, Site site) override;
  void set_up(Site site) override;
  void acquire_registers(Site site) override;
  void commit_registers(Site site) override;
  void wait_registers(Site site) override;
  void release_registers(Site site) override;
  void unpack(std::uint32_t buffer, std::uint32_t tile, std::uint32_t reg, Site site) override;
  void combine_tiles(muster_stand_in::Combination how, std::uint32_t left, std::uint32_t right, std::uint32_t left_tile,
                     std::uint32_t right_tile, std::uint32_t reg, Site site) override;
  void combine_registers(muster_stand_in::Combination how, std::uint32_t left, std::uint32_t right,
                         std::uint32_t result, Site site) override;
  void pack(std::uint32_t reg, std::uint32_t index, std::int64_t tile, Site site) override;
  void combine_words(std::uint32_t left, std::uint32_t right, std::uint32_t target, std::uint32_t words,
                     Site site) override;
  void take_cycles(std::uint32_t cycles, Site site) override;

 private:
  /// Of transactions of one NoC that a barrier waits for.
  struct Counters {
    CounterId writes = 0;
    CounterId reads = 0;
    CounterId atomics = 0;
    std::int64_t leaving = 0;
    /// By access: the last call that no barrier has followed, whether it has been acknowledged by now or not.
    std::array<std::optional<Site>, 3> open = {};
  };
  /// The other end of a transaction.
  struct End {
    RouterId tile = 0;
    std::int32_t core = -1;
    std::int32_t bank = -1;
  };
  struct Register {
    muster_stand_in::Format format = muster_stand_in::Format::other;
    std::vector<std::uint8_t> bytes;
  };
  enum class Registers : std::uint8_t { released, acquired, committed, waited };

  void main();
  void takes(Cycles cycles);
  /// Stops until the condition holds. `what` says what it waits for.
  void stop_until(std::function<bool()> condition, std::function<std::string()> what);
  void stop_until_done(CounterId counter);
  /// What a transaction takes, with turning to another tile.
  [[nodiscard]] Cycles cost(Cycles call, RouterId target);
  void issue(Request request, std::int64_t tag);
  [[nodiscard]] End end_of(std::uint64_t address) const;
  /// The tile of an address, as the kernel has named it: "2-3".
  [[nodiscard]] std::string tile_text(std::uint64_t address) const;
  /// A call that a barrier has to follow.
  void opens(Access access, std::uint32_t noc, bool is_posted, const Site& site);
  [[noreturn]] void fail(const char* kind, const Site& site, const std::string& message);
  void found(const char* kind, const Site& site, std::string message);
  void check_end();

  [[nodiscard]] KernelCore& state() { return run_.core(core_); }
  [[nodiscard]] CircularBuffer& buffer_of(std::uint32_t index, const Site& site);
  [[nodiscard]] Cycles page_cost(const CircularBuffer& buffer) const;
  void check_noc(std::uint32_t noc, const Site& site);
  /// The caller uses bytes of a core's memory: whoever brought them must be known to have ended.
  void uses(std::uint64_t address, std::uint64_t bytes, const Site& site);
  void check_range(std::uint64_t address, std::uint64_t bytes, const Site& site);
  [[nodiscard]] std::uint64_t page_address(const CircularBuffer& buffer, std::uint32_t first, std::uint64_t page) const;
  Register load(std::uint32_t index, std::uint32_t tile, const Site& site);
  void require(Registers expected, const char* call, const Site& site);
  [[nodiscard]] Register& register_of(std::uint32_t number, const Site& site);
  [[nodiscard]] Origin next_origin(TransferKind kind, std::uint32_t noc, bool is_multicast, const Site& site);
  [[nodiscard]] std::shared_ptr<const Knowledge> told() const { return std::make_shared<const Knowledge>(known_); }

  KernelRun& run_;
  const std::int32_t core_;
  const int which_;
  const Kernel& kernel_;
  Fiber fiber_;
  const std::string name_;
  Cycle now_ = 0;
  Cycle end_ = 0;
  std::exception_ptr failure_;
  Site site_;
  std::function<bool()> waits_until_;
  std::function<std::string()> waits_for_;
  std::array<Counters, 2> counters_;
  std::array<std::uint8_t, 2> x_{};
  std::array<std::uint8_t, 2> y_{};
  std::array<std::uint8_t, 2> logical_{};
  Knowledge known_;
  std::array<TransferNumber, 2> issued_{};                      ///< writes and packs; reads
  std::array<std::array<TransferNumber, 2>, 2> by_noc_{};       ///< [writes, reads][noc]: the latest of each NoC
  std::array<Site, 3> last_{};                                  ///< of each access
  std::map<std::uint64_t, muster_stand_in::TileName> outside_;  ///< addresses of tiles that have no room in an address
  RouterId last_target_ = -1;                                   ///< of the transaction before
  bool is_set_up_ = false;
  Registers registers_ = Registers::released;
  std::vector<Register> register_file_;
};

}  // namespace muster::torus
