// A chip in operation: its two networks, the memories behind their interfaces, and the processors that issue transactions.
//
// A processor is an Actor: it is resumed, issues packets, and says when or for what it wants to be resumed again. What is charged for
// software (issuing a transaction, looking at a counter) is charged by the actor; the chip charges what hardware does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/torus/noc/network.h"
#include "base/time_wheel.h"

namespace muster::torus {

class Chip;

class Actor {
 public:
  virtual ~Actor() = default;
  virtual void resume(Chip& chip, Cycle now) = 0;
};

/// Who moves the data of packets that a chip only counts.
class Observer {
 public:
  virtual ~Observer() = default;
  /// The packet has left its issuer: what it carries has been read from memory.
  virtual void departed(Chip& chip, std::int64_t tag) = 0;
  /// It has reached a tile: a write or an atomic is visible there from `visible` on; a read looks at the memory.
  virtual void delivered(Chip& chip, std::int64_t tag, RouterId tile, Cycle visible) = 0;
  /// The data of a read is back at its issuer.
  virtual void returned(Chip& chip, std::int64_t tag) = 0;
};

/// Transactions that are waited for together: the counters that a barrier looks at.
using CounterId = std::int32_t;

enum class Access : std::uint8_t { write, read, atomic };

/// One packet's worth of a transaction, as an interface issues it.
struct Request {
  Access access = Access::write;
  std::uint8_t noc = 0;
  RouterId issuer = 0;
  RouterId target = 0;
  std::optional<Rectangle> area = {};
  bool skips_issuer = false;
  bool is_linked = false;
  bool is_posted = false;  ///< no acknowledgement: it counts as done when it has left
  std::int32_t bank = -1;  ///< of DRAM, behind `target`; -1: the target's own memory
  std::int32_t bytes = 0;  ///< up to a packet
  CounterId counter = 0;
  Observer* observer = nullptr;
  std::int64_t tag = 0;  ///< for the observer
  [[nodiscard]] bool in_dram() const { return bank >= 0; }
};

/// A request, and when it was issued.
struct IssuedRequest {
  Cycle cycle = 0;
  Request request;
};

class Chip {
 public:
  /// How its networks are simulated.
  enum class Detail : std::uint8_t { flits, flows };
  Chip(const Torus& torus, std::uint64_t seed, Detail detail = Detail::flits);

  [[nodiscard]] const Torus& torus() const { return torus_; }
  [[nodiscard]] const Topology& topology(int noc) const { return networks_[static_cast<std::size_t>(noc)]->topology(); }

  void resume_at(Actor& actor, Cycle when);
  CounterId new_counter();
  [[nodiscard]] bool is_done(CounterId counter) const {
    const Counter& looked_at = counters_[static_cast<std::size_t>(counter)];
    return looked_at.outstanding == 0 && looked_at.done <= now_;
  }
  /// Resumes the actor when all transactions of the counter are done.
  void resume_when_done(Actor& actor, CounterId counter);
  /// Whether an interface takes another request now.
  [[nodiscard]] bool accepts(int noc, RouterId tile) const;
  void resume_when_accepted(Actor& actor, int noc, RouterId tile);
  void issue(const Request& request, Cycle now);
  /// Every request that is issued from now on is appended to `log`, which outlives the chip.
  void log_to(std::vector<IssuedRequest>& log) { log_ = &log; }

  /// Runs until nothing happens any more, or `limit`.
  void run(Cycle limit);
  [[nodiscard]] Cycle now() const { return now_; }
  [[nodiscard]] const Network& network(int noc) const { return *networks_[static_cast<std::size_t>(noc)]; }

 private:
  enum class What : std::uint8_t { resume, send };
  struct Event {
    What what = What::resume;
    Actor* actor = nullptr;
    std::int64_t message = 0;
  };
  enum class Stage : std::uint8_t { request, response };
  struct Message {
    Request request;
    Stage stage = Stage::request;
    RouterId from = 0;      ///< the tile that responds
    std::int32_t left = 1;  ///< tiles that have not received it
  };

  /// Nothing moves in a network that is not empty.
  [[nodiscard]] bool is_stuck() const;
  void handle(const Event& event);
  void depart(std::int64_t message);
  void deliver(const Delivery& delivery);
  [[nodiscard]] std::size_t interface_index(int noc, RouterId tile) const {
    return static_cast<std::size_t>(noc) * atomic_free_.size() + static_cast<std::size_t>(tile);
  }
  /// Answers a request; when what it changes is visible.
  Cycle respond(const Message& message, RouterId from);
  /// A transaction of the counter is done at that time.
  void finish(CounterId counter, Cycle when);
  void schedule(Cycle due, What what, Actor* actor, std::int64_t message);
  std::int64_t new_message(const Message& message);
  void send(std::int64_t message, Cycle when);
  [[nodiscard]] Packet packet_of(const Message& message) const;

  Torus torus_;
  Pace write_pace_, read_pace_, dram_pace_;
  std::array<std::unique_ptr<Network>, 2> networks_;
  std::vector<Ingress> ingress_;                  ///< of DRAM controllers
  std::vector<std::unique_ptr<SlowSink>> banks_;  ///< of DRAM
  std::vector<Cycle> atomic_free_;                ///< of each tile
  struct Counter {
    std::int64_t outstanding = 0;  ///< transactions that are not known to be done
    Cycle done = 0;                ///< when the others are
    Actor* waits = nullptr;
  };
  std::vector<Counter> counters_;
  std::vector<std::int32_t> pending_;                     ///< by NoC and tile: requests that have not left
  std::vector<std::vector<Actor*>> waits_for_interface_;  ///< by NoC and tile
  std::vector<Message> messages_;
  std::vector<std::int64_t> free_messages_;
  std::vector<Actor*> resumed_;  ///< for depart()
  TimeWheel<Event> events_;
  std::vector<IssuedRequest>* log_ = nullptr;
  Cycle now_ = 0;
};

}  // namespace muster::torus
