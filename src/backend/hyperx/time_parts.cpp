// From the last write back along what the first packets waited for.
#include <algorithm>

#include "backend/hyperx/measure.h"
#include "machine/routing.h"
#include "result/time_base.h"

namespace muster::hyperx {
namespace {

constexpr std::int32_t kNone = -1;

class WayBack {
 public:
  WayBack(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times)
      : wiring_(wiring), registers_(wiring.registers()), timing_(timing), times_(times) {}

  std::vector<TimePart> parts(Time end) {
    std::int32_t row = ending_at(registers_.rows, end);
    while (row != kNone) {
      if (times_[at(row)].written > 0 && times_[at(row)].end() == times_[at(row)].written) memory_ += memory_time(row);
      row = previous_id(first_packet_from(row));
    }
    const auto part = [](const char* name, Time time) { return TimePart{name, to_seconds(Ticks(time), kPicoseconds)}; };
    return {part("network", network_), part("memory", memory_), part("serialisation", end - network_ - memory_)};
  }

 private:
  [[nodiscard]] Time memory_time(std::int32_t row) const {
    return timing_.memory_time(registers_.rows[at(row)], wiring_.memory(row));
  }

  [[nodiscard]] std::int32_t ending_at(std::span<const Row> rows, Time end) const {
    for (const Row& row : rows) {
      const auto number = static_cast<std::int32_t>(&row - registers_.rows.data());
      if (times_[at(number)].end() == end) return number;
    }
    return kNone;
  }

  /// The row whose switch or memory began what this row's first packet waited for.
  std::int32_t first_packet_from(std::int32_t row) {
    for (std::int32_t feeder = row; feeder != kNone;) {
      row = feeder;
      feeder = kNone;
      const Slice inputs = registers_.rows[at(row)].inputs;
      for (std::int32_t i = inputs.first; i < inputs.first + inputs.count && feeder == kNone; ++i) {
        const Time latency = timing_.latency(registers_.ports[at(i)]);
        if (wiring_.row(i) < 0 || times_[at(wiring_.row(i))].first + latency != times_[at(row)].first) continue;
        feeder = wiring_.row(i);
        network_ += latency;
      }
    }
    return row;
  }

  /// The row of an earlier id of its switch that it waited for; none if it began at the start. Adds the first read.
  std::int32_t previous_id(std::int32_t row) {
    const Row& own = registers_.rows[at(row)];
    Time begin = timing_.start(own.at);
    std::int32_t latest = kNone;
    for (const Row& other : wiring_.rows_of(own.at)) {
      if (other.id >= own.id) break;
      const auto number = static_cast<std::int32_t>(&other - registers_.rows.data());
      if (times_[at(number)].end() <= begin) continue;
      begin = times_[at(number)].end();
      latest = number;
    }
    if (wiring_.memory(row).reads && begin + memory_time(row) == times_[at(row)].first) memory_ += memory_time(row);
    return latest;
  }

  const Wiring& wiring_;
  const Registers& registers_;
  const Timing& timing_;
  std::span<const RowTimes> times_;
  Time network_ = 0;
  Time memory_ = 0;
};

}  // namespace

std::vector<TimePart> time_parts(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times,
                                 Time end) {
  return WayBack(wiring, timing, times).parts(end);
}

}  // namespace muster::hyperx
