// Actors are woken at a time and do what they can: rows that forward packets, memories that read and write for them, and switches
// that start their next id. An actor that cannot continue sleeps until it is woken by what it waits for: a packet in an empty queue,
// or a free slot in a full one. Every queue has one sender and one receiver, and no action disables an action of another actor, so
// the result of one time step does not depend on the order in which actors are woken.
#include "backend/hyperx/packets.h"

#include <algorithm>
#include <limits>

#include "backend/hyperx/event_queue.h"
#include "backend/hyperx/memories.h"
#include "backend/hyperx/packet_faults.h"
#include "backend/hyperx/packet_queues.h"
#include "machine/routing.h"

namespace muster::hyperx {
namespace {

constexpr Time kAsleep = std::numeric_limits<Time>::max();

enum class Actor : std::uint8_t { row, reader, writer, next_id };

struct Event {
  Time time = 0;
  std::int32_t number = 0;  ///< of the row; for next_id, the rank of the switch
  Actor actor = Actor::row;
};

/// A row, or its memory that reads or writes for it.
struct Work {
  std::int32_t port = -1;  ///< index of the memory's port
  std::int64_t done = 0;   ///< packets
  Time next = 0;           ///< not before
  Time woken = kAsleep;    ///< when it will be
};

struct RowWork {
  Work pass;
  Work read;
  Work write;
  bool has_begun = false;
};

/// Where a switch is in its ids.
struct SwitchWork {
  std::int32_t first = 0;  ///< row of its present id
  std::int32_t end = 0;    ///< after the last row of that id
  std::int32_t open = 0;   ///< rows that still pass packets on, memories that still write
  Time through = 0;        ///< when the others ended
};

class Run {
 public:
  Run(const Wiring& wiring, const Timing& timing, std::uint64_t seed)
      : wiring_(wiring),
        registers_(wiring.registers()),
        timing_(timing),
        ranks_(rank_count(wiring.program().machine)),
        memories_(wiring.program(), seed),
        queues_(wiring, timing),
        rows_(registers_.rows.size()),
        switches_(at(ranks_)),
        times_(registers_.rows.size()) {
    for (std::int32_t row = 0; row < std::ssize(rows_); ++row) {
      if (wiring.memory(row).reads) rows_[at(row)].read.port = memory_port_index(registers_.rows[at(row)].inputs);
      if (wiring.memory(row).writes) rows_[at(row)].write.port = memory_port_index(registers_.rows[at(row)].outputs);
    }
    std::int32_t first = 0;
    for (NodeId rank = 0; rank < ranks_; ++rank) {
      switches_[at(rank)] = {.first = first, .end = first};
      first += static_cast<std::int32_t>(wiring.rows_of(ranks_ + rank).size());
      events_.push({timing.start(ranks_ + rank), rank, Actor::next_id});
    }
  }

  PacketRun run(const std::function<void(Ticks)>& progress) && {
    PacketRun result;
    while (!events_.is_empty()) {
      const Event event = events_.pop();
      if (is_outdated(event)) continue;
      now_ = event.time;
      act(event);
      constexpr std::int64_t kNowAndThen = 1 << 20;
      if (++result.events % kNowAndThen == 0 && progress) progress(Ticks(now_));
    }
    std::vector<std::int64_t> passed;
    for (const RowWork& row : rows_) passed.push_back(row.has_begun ? row.pass.done : kNotBegun);
    result.fault = fault_at_end(wiring_, timing_, queues_, {.passed = passed, .time = now_});
    result.times = std::move(times_);
    result.outputs = memories_.outputs();
    return result;
  }

 private:
  [[nodiscard]] std::int32_t memory_port_index(Slice slice) const {
    std::int32_t port_index = slice.first;
    while (registers_.ports[at(port_index)] != wiring_.ports().memory()) ++port_index;
    return port_index;
  }
  [[nodiscard]] const Row& row_of(std::int32_t row) const { return registers_.rows[at(row)]; }
  [[nodiscard]] std::int64_t packets(std::int32_t row) const { return timing_.packets(row_of(row).id); }
  [[nodiscard]] Time latency(std::int32_t port_index) const {
    return timing_.latency(registers_.ports[at(port_index)]);
  }
  [[nodiscard]] NodeId rank_of(std::int32_t row) const { return row_of(row).at - ranks_; }

  Work& work(Actor actor, std::int32_t row) {
    RowWork& r = rows_[at(row)];
    return actor == Actor::row ? r.pass : actor == Actor::reader ? r.read : r.write;
  }

  bool is_outdated(const Event& event) {
    if (event.actor == Actor::next_id) return false;
    Work& w = work(event.actor, event.number);
    if (w.woken != event.time) return true;
    w.woken = kAsleep;
    return false;
  }

  /// Unless it will be woken before, which then looks for itself when it can continue.
  void wake(Actor actor, std::int32_t row, Time time) {
    Work& w = work(actor, row);
    if (!rows_[at(row)].has_begun || w.woken <= time) return;
    w.woken = time;
    events_.push({time, row, actor});
  }

  void act(const Event& event) {
    switch (event.actor) {
      case Actor::row:
        return pass_on(event.number);
      case Actor::reader:
        return read(event.number);
      case Actor::writer:
        return write(event.number);
      case Actor::next_id:
        return begin_next_id(switches_[at(event.number)], event.number);
    }
  }

  void begin_next_id(SwitchWork& s, NodeId rank) {
    const auto rows = wiring_.rows_of(ranks_ + rank);
    const auto end = static_cast<std::int32_t>(rows.data() + rows.size() - registers_.rows.data());
    s.first = s.end;
    while (s.end < end && row_of(s.end).id == row_of(s.first).id) ++s.end;
    s.open = 0;
    s.through = now_;
    for (std::int32_t row = s.first; row < s.end; ++row) {
      times_[at(row)] = {.first = now_, .last = now_};
      if (packets(row) == 0) continue;
      RowWork& r = rows_[at(row)];
      r.has_begun = true;
      s.open += r.write.port < 0 ? 1 : 2;
      wake(Actor::row, row, now_);
      if (r.read.port >= 0) wake(Actor::reader, row, now_);
    }
    if (s.open == 0 && s.end < end) events_.push({now_, rank, Actor::next_id});
  }

  /// A row has forwarded its last packet, or its memory has written it.
  void close(std::int32_t row, Time time) {
    SwitchWork& s = switches_[at(rank_of(row))];
    s.through = std::max(s.through, time);
    if (--s.open == 0) events_.push({s.through, rank_of(row), Actor::next_id});
  }

  /// When a row can forward its next packet, as far as is known now; kAsleep where it must be woken.
  Time when_possible(std::int32_t row) {
    const RowWork& r = rows_[at(row)];
    if (r.pass.done == packets(row)) return kAsleep;
    Time time = r.pass.next;
    const Row& registers = row_of(row);
    for (std::int32_t i = 0; i < registers.inputs.count; ++i) {
      const PacketQueue& queue = queues_.at_input(registers.inputs.first + i);
      if (queue.is_empty()) return kAsleep;
      time = std::max(time, queue.ready());
    }
    for (std::int32_t i = 0; i < registers.outputs.count; ++i) {
      const PacketQueue& queue = queues_.behind_output(registers.outputs.first + i);
      if (queue.is_full()) return kAsleep;
      time = std::max(time, queue.free());
    }
    return time;
  }

  void pass_on(std::int32_t row) {
    Time time = when_possible(row);
    if (time <= now_) {
      pass_packet(row);
      time = when_possible(row);
    }
    if (time != kAsleep) wake(Actor::row, row, std::max(time, now_));
  }

  void pass_packet(std::int32_t row) {
    Work& pass = rows_[at(row)].pass;
    const Row& registers = row_of(row);
    const auto count = at(queues_.words_of(registers.id, pass.done).count);
    words_.clear();
    for (std::int32_t port_index = registers.inputs.first; port_index < registers.inputs.first + registers.inputs.count;
         ++port_index) {
      const auto front = queues_.at_input(port_index).front(count);
      if (words_.empty()) {
        words_.assign(front.begin(), front.end());
      } else {
        wiring_.program().arithmetic.combine(words_, front);
      }
      take(row, port_index);
    }
    for (std::int32_t port_index = registers.outputs.first;
         port_index < registers.outputs.first + registers.outputs.count; ++port_index) {
      send(row, port_index);
    }
    if (pass.done == 0) times_[at(row)].first = now_;
    times_[at(row)].last = now_;
    pass.next = now_ + timing_.packet_time();
    if (++pass.done == packets(row)) close(row, now_);
  }

  void take(std::int32_t row, std::int32_t port_index) {
    PacketQueue& queue = queues_.at_input(port_index);
    const bool was_full = queue.is_full();
    const Time free = now_ + latency(port_index);
    queue.pop(free);
    if (!was_full) return;
    const std::int32_t sender = wiring_.row(port_index);
    if (sender >= 0) wake(Actor::row, sender, free);
    if (sender == kMemory) wake(Actor::reader, row, free);
  }

  void send(std::int32_t row, std::int32_t port_index) {
    PacketQueue& queue = queues_.behind_output(port_index);
    const bool was_empty = queue.is_empty();
    const Time ready = now_ + latency(port_index);
    queue.push(words_, ready);
    if (!was_empty) return;
    const std::int32_t receiver = wiring_.row(port_index);
    if (receiver >= 0) wake(Actor::row, receiver, ready);
    if (receiver == kMemory) wake(Actor::writer, row, ready);
  }

  void read(std::int32_t row) {
    Work& w = rows_[at(row)].read;
    if (w.done == packets(row)) return;
    PacketQueue& queue = queues_.at_input(w.port);
    if (queue.is_full()) return;
    const Time time = std::max(w.next, queue.free());
    if (time > now_) return wake(Actor::reader, row, time);
    const bool was_empty = queue.is_empty();
    const Segment& segment = registers_.segments[at(row_of(row).id)];
    w.next = now_ + timing_.memory_time(row_of(row), wiring_.memory(row));
    queue.push(memories_.read(rank_of(row), segment.from, queues_.words_of(row_of(row).id, w.done++)), w.next);
    if (was_empty) wake(Actor::row, row, w.next);
    wake(Actor::reader, row, w.next);
  }

  void write(std::int32_t row) {
    Work& w = rows_[at(row)].write;
    PacketQueue& queue = queues_.behind_output(w.port);
    if (queue.is_empty()) return;
    const Time time = std::max(w.next, queue.ready());
    if (time > now_) return wake(Actor::writer, row, time);
    const bool was_full = queue.is_full();
    const Segment& segment = registers_.segments[at(row_of(row).id)];
    const Range words = queues_.words_of(row_of(row).id, w.done++);
    memories_.write(rank_of(row), segment.to, words.first, queue.front(at(words.count)));
    w.next = now_ + timing_.memory_time(row_of(row), wiring_.memory(row));
    queue.pop(w.next);
    if (was_full) wake(Actor::row, row, w.next);
    if (w.done < packets(row)) return wake(Actor::writer, row, w.next);
    times_[at(row)].written = w.next;
    close(row, w.next);
  }

  const Wiring& wiring_;
  const Registers& registers_;
  const Timing& timing_;
  NodeId ranks_ = 0;
  Memories memories_;
  PacketQueues queues_;
  std::vector<RowWork> rows_;
  std::vector<SwitchWork> switches_;
  std::vector<RowTimes> times_;
  EventQueue<Event> events_;
  std::vector<Word> words_;  ///< of the packet that is forwarded
  Time now_ = 0;
};

}  // namespace

PacketRun run_packets(const Wiring& wiring, const Timing& timing, std::uint64_t seed,
                      const std::function<void(Ticks)>& progress) {
  return Run(wiring, timing, seed).run(progress);
}

}  // namespace muster::hyperx
