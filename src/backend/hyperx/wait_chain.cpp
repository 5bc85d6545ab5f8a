// One step back at a time: from a row's end to its last packet, from there to its first one, from there to the id before.
#include "backend/hyperx/wait_chain.h"

#include <algorithm>

namespace muster::hyperx {
namespace {

constexpr std::int32_t kNoRow = -1;

std::int32_t number_of(const Wiring& wiring, const Row& row) {
  return static_cast<std::int32_t>(&row - wiring.registers().rows.data());
}

/// What a switch did before an id.
struct BeforeId {
  Time end = 0;               ///< when it began the id
  std::int32_t row = kNoRow;  ///< of an earlier id, that it was through with last; none: it began with this id
};

BeforeId before_id(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times, const Row& row) {
  BeforeId before{.end = timing.start(row.at)};
  for (const Row& other : wiring.rows_of(row.at)) {
    if (other.id >= row.id) break;
    const std::int32_t number = number_of(wiring, other);
    if (times[at(number)].end() > before.end) before = {.end = times[at(number)].end(), .row = number};
  }
  return before;
}

class Chain {
 public:
  Chain(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times)
      : wiring_(wiring), registers_(wiring.registers()), timing_(timing), times_(times) {}

  std::vector<Wait> back_from(Time end) {
    std::int32_t row = ending_at(end);
    while (row != kNoRow) {
      if (write(row)) {
        row = along(row, &RowTimes::last);
        if (read_all(row)) {
          row = before_begin(row);
          continue;
        }
        follow_first(row);
      }
      row = along(row, &RowTimes::first);
      read_first(row);
      row = before_begin(row);
    }
    std::reverse(waits_.begin(), waits_.end());
    return std::move(waits_);
  }

 private:
  [[nodiscard]] const Row& row_at(std::int32_t row) const { return registers_.rows[at(row)]; }
  [[nodiscard]] std::int64_t packets(std::int32_t row) const { return timing_.packets(row_at(row).id); }
  [[nodiscard]] Time memory_time(std::int32_t row) const {
    return timing_.memory_time(row_at(row), wiring_.memory(row));
  }

  [[nodiscard]] std::int32_t ending_at(Time end) const {
    for (const Row& row : registers_.rows) {
      const std::int32_t number = number_of(wiring_, row);
      if (times_[at(number)].end() == end) return number;
    }
    return kNoRow;
  }

  /// The writes of a row that ends with them. Whether they waited for its last packet; else for its first one, and each other.
  bool write(std::int32_t row) {
    const RowTimes& times = times_[at(row)];
    if (times.written <= times.last) return true;
    const Time each = memory_time(row), behind = times.written - times.last;
    const bool all = behind > each && times.written == times.first + packets(row) * each;
    waits_.push_back({.kind = Wait::Kind::writes,
                      .begin = all ? times.first : times.last,
                      .end = times.written,
                      .row = row,
                      .packets = all ? packets(row) : (behind + each - 1) / each});
    return !all;
  }

  /// Whether the last packet of a row waited for its memory alone, which read one after another from the beginning on.
  bool read_all(std::int32_t row) {
    const Time begin = before_id(wiring_, timing_, times_, row_at(row)).end;
    const Time last = times_[at(row)].last;
    if (!wiring_.memory(row).reads || last != begin + packets(row) * memory_time(row)) return false;
    waits_.push_back({.kind = Wait::Kind::reads, .begin = begin, .end = last, .row = row, .packets = packets(row)});
    return true;
  }

  /// From a row's last packet to its first one.
  void follow_first(std::int32_t row) {
    const RowTimes& times = times_[at(row)];
    if (times.last == times.first) return;
    const std::int64_t following = packets(row) - 1;
    const Time spread = times.last - times.first;
    const MemoryUse use = wiring_.memory(row);
    Wait::Kind kind = Wait::Kind::credits;
    if (spread == following * timing_.packet_time()) kind = Wait::Kind::link;
    if (use.writes && spread == following * memory_time(row)) kind = Wait::Kind::writes;
    waits_.push_back({.kind = kind, .begin = times.first, .end = times.last, .row = row, .packets = following});
  }

  void read_first(std::int32_t row) {
    const Time begin = before_id(wiring_, timing_, times_, row_at(row)).end;
    const Time first = times_[at(row)].first;
    if (first == begin) return;
    waits_.push_back({.kind = Wait::Kind::reads, .begin = begin, .end = first, .row = row, .packets = 1});
  }

  /// The row of an earlier id that its switch was through with last; none if it began with this id.
  std::int32_t before_begin(std::int32_t row) {
    const BeforeId before = before_id(wiring_, timing_, times_, row_at(row));
    if (before.row == kNoRow && before.end > 0) {
      waits_.push_back({.kind = Wait::Kind::late, .begin = 0, .end = before.end, .row = row});
    }
    return before.row;
  }

  /// Back over links, to the row whose last, or first, packet waited for no other row's.
  std::int32_t along(std::int32_t row, Time RowTimes::*packet) {
    for (std::int32_t from = step(row, packet); from != kNoRow; from = step(row, packet)) row = from;
    return row;
  }

  /// The row whose packet came just in time for this row's; none if there is none.
  std::int32_t step(std::int32_t row, Time RowTimes::*packet) {
    const Slice inputs = row_at(row).inputs;
    for (std::int32_t i = inputs.first; i < inputs.first + inputs.count; ++i) {
      const std::int32_t from = wiring_.row(i);
      if (from < 0) continue;
      const Time sent = times_[at(from)].*packet, taken = times_[at(row)].*packet;
      if (sent + timing_.latency(registers_.ports[at(i)]) != taken) continue;
      waits_.push_back(
          {.kind = Wait::Kind::latency, .begin = sent, .end = taken, .row = row, .input = i, .packets = 1});
      return from;
    }
    return kNoRow;
  }

  const Wiring& wiring_;
  const Registers& registers_;
  const Timing& timing_;
  std::span<const RowTimes> times_;
  std::vector<Wait> waits_;  ///< the last one first
};

}  // namespace

std::vector<Wait> wait_chain(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times, Time end) {
  return Chain(wiring, timing, times).back_from(end);
}

Time begin_of_id(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times, std::int32_t row) {
  return before_id(wiring, timing, times, wiring.registers().rows[at(row)]).end;
}

}  // namespace muster::hyperx
