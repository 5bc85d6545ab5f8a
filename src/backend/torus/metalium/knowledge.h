// Who may rely on which data: what makes a race of a program, whatever the times of this run.
//
// Data comes into a core's memory by transfers: writes of other cores, reads of its own, and tiles that were packed. A processor may use
// it once it knows that the transfer has ended:
//   done      the issuer has waited for it (a barrier; a push after a pack), and has told others since;
//   in order  an increment followed a write from the same processor through the same NoC to the same core, and of the same kind: both
//             arrive in that order.
// Knowledge is passed on by increments to whoever waits for the semaphore, and by pushes and pops of circular buffers.
#pragma once

#include <stand_in/bridge.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace muster::torus {

/// Numbers the transfers of a processor, from 1 on. Those that different barriers wait for are counted on their own.
using TransferNumber = std::uint32_t;
/// Of a chip: 3 per core.
using ProcessorId = std::int32_t;

enum class TransferKind : std::uint8_t { write, read, pack };

/// Where data came from.
struct Origin {
  ProcessorId processor = 0;
  TransferKind kind = TransferKind::write;
  TransferNumber number = 0;
  std::uint8_t noc = 0;
  bool is_multicast = false;
  muster_stand_in::Site site = {};
};

class Knowledge {
 public:
  explicit Knowledge(ProcessorId processors);

  /// All transfers of that kind, up to that one, have ended.
  void learn_done(ProcessorId processor, TransferKind kind, TransferNumber number);
  /// The same of the writes to this core that went one way.
  void learn_in_order(const Origin& latest);
  /// Without what holds for one core alone.
  void join_done(const Knowledge& other);
  void join(const Knowledge& other);
  [[nodiscard]] bool covers(const Origin& origin) const;

 private:
  struct InOrder {
    ProcessorId processor = 0;
    std::uint8_t noc = 0;
    bool is_multicast = false;
    TransferNumber number = 0;
  };
  [[nodiscard]] static std::size_t index(ProcessorId processor, TransferKind kind) {
    return static_cast<std::size_t>(processor) * 2 + (kind == TransferKind::read ? 1 : 0);
  }
  std::vector<TransferNumber>& own_done();

  std::shared_ptr<const std::vector<TransferNumber>> done_;  ///< shared until one of its holders learns more
  std::vector<InOrder> in_order_;
};

}  // namespace muster::torus
