// Sweeps along data and back, until no row gets a new ray.
#include "backend/hyperx/lines.h"

#include <algorithm>

#include "backend/hyperx/blocks.h"
#include "machine/routing.h"

namespace muster::hyperx {
namespace {

/// From packet `from` on: value + slope * (k - from).
struct Ray {
  std::int64_t from = 0;
  Time value = 0;
  Time slope = 0;
  [[nodiscard]] Time at_packet(std::int64_t k) const { return value + slope * (k - from); }
};

/// The rays of every row, in lists. What lies below another ray is left out.
class RayLists {
 public:
  RayLists(std::size_t rows, std::int64_t last_packet) : head_(rows, kNone), last_(last_packet) {}

  void reserve(std::size_t rays) { entries_.reserve(rays); }

  /// Whether it was new.
  bool insert(std::int32_t row, const Ray& ray) {
    if (ray.from > last_) return false;
    for (std::int32_t i = head_[at(row)]; i != kNone; i = entries_[at(i)].next) {
      if (covers(entries_[at(i)].ray, ray)) return false;
    }
    std::int32_t* link = &head_[at(row)];
    while (*link != kNone) {
      Entry& entry = entries_[at(*link)];
      if (!covers(ray, entry.ray)) {
        link = &entry.next;
        continue;
      }
      const std::int32_t dropped = *link;
      *link = entry.next;
      entry.next = free_;
      free_ = dropped;
    }
    add(row, ray);
    return true;
  }

  template <class Visit>
  void for_each(std::int32_t row, Visit visit) const {
    for (std::int32_t i = head_[at(row)]; i != kNone;) {
      const Entry entry = entries_[at(i)];  // a copy: visit() may insert
      visit(entry.ray);
      i = entry.next;
    }
  }
  [[nodiscard]] std::int64_t size() const { return std::ssize(entries_); }

 private:
  static constexpr std::int32_t kNone = -1;
  struct Entry {
    Ray ray;
    std::int32_t next = kNone;
  };

  /// Up to the last packet; linear, so that both ends are enough.
  [[nodiscard]] bool covers(const Ray& high, const Ray& low) const {
    return high.from <= low.from && high.at_packet(low.from) >= low.value &&
           high.at_packet(last_) >= low.at_packet(last_);
  }

  void add(std::int32_t row, const Ray& ray) {
    std::int32_t entry = free_;
    if (entry == kNone) {
      entry = static_cast<std::int32_t>(entries_.size());
      entries_.emplace_back();
    } else {
      free_ = entries_[at(entry)].next;
    }
    entries_[at(entry)] = {ray, head_[at(row)]};
    head_[at(row)] = entry;
  }

  std::vector<std::int32_t> head_;
  std::vector<Entry> entries_;
  std::int32_t free_ = kNone;
  std::int64_t last_ = 0;
};

class Sweeps {
 public:
  Sweeps(const IdRun& run, std::int64_t most)
      : run_(run),
        registers_(run.wiring.registers()),
        most_(most),
        rays_(registers_.rows.size(), run.packets - 1),
        changed_(registers_.rows.size(), 0) {
    rays_.reserve(run.rows.size());
  }

  /// False if there are too many rays.
  bool run() {
    forward();
    if (run_.packets <= run_.timing.buffer()) return true;  // no row waits for credits
    while (rays_.size() <= most_) {
      if (!backward() || !forward()) return true;
    }
    return false;
  }

  [[nodiscard]] RowTimes times(std::int32_t row) const {
    const std::int64_t last = run_.packets - 1;
    const Time memory = run_.memory_time(row);
    RowTimes times;
    rays_.for_each(row, [&](const Ray& ray) {
      if (ray.from == 0) times.first = std::max(times.first, ray.value);
      times.last = std::max(times.last, ray.at_packet(last));
      if (!run_.wiring.memory(row).writes) return;
      // The writes end one behind another: the ray with a slope of at least the memory time.
      const Time end = ray.value + std::max(ray.slope, memory) * (last - ray.from) + memory;
      times.written = std::max(times.written, end);
    });
    return times;
  }
  [[nodiscard]] std::int64_t effort() const { return effort_; }

 private:
  /// With all that follows from it at this row.
  void insert(std::int32_t row, Ray ray) {
    ++effort_;
    ray.slope = std::max(ray.slope, run_.timing.packet_time());
    if (!rays_.insert(row, ray)) return;
    changed_[at(row)] = sweep_;
    has_changed_ = true;
    if (ray.from + run_.timing.buffer() >= run_.packets) return;
    const Time memory = run_.memory_time(row);
    if (memory == 0) return;
    insert(row, {ray.from + run_.timing.buffer(), ray.value + memory, std::max(ray.slope, memory)});
  }

  /// The rays of another row, so many packets and so much time later, if they are new.
  void insert_from(std::int32_t other, std::int32_t row, std::int64_t packets, Time time) {
    if (other < 0 || changed_[at(other)] + 1 < sweep_) return;
    rays_.for_each(other, [&](const Ray& ray) { insert(row, {ray.from + packets, ray.value + time, ray.slope}); });
  }

  void insert_begin(std::int32_t row) {
    const Time read = run_.wiring.memory(row).reads ? run_.memory_time(row) : 0;
    insert(row, {0, run_.begin_of(row) + read, read});
  }

  /// Along data.
  bool forward() {
    ++sweep_;
    has_changed_ = false;
    for (const std::int32_t row : run_.rows) {
      if (sweep_ == 1) insert_begin(row);
      const Slice inputs = run_.row(row).inputs;
      for (std::int32_t i = inputs.first; i < inputs.first + inputs.count; ++i) {
        insert_from(run_.wiring.row(i), row, 0, latency(i));
      }
    }
    return has_changed_;
  }

  /// From the rows that return credits to those that wait for them.
  bool backward() {
    ++sweep_;
    has_changed_ = false;
    for (auto row = run_.rows.rbegin(); row != run_.rows.rend(); ++row) {
      const Slice outputs = run_.row(*row).outputs;
      for (std::int32_t i = outputs.first; i < outputs.first + outputs.count; ++i) {
        insert_from(run_.wiring.row(i), *row, run_.timing.buffer(), latency(i));
      }
    }
    return has_changed_;
  }

  [[nodiscard]] Time latency(std::int32_t port_index) const {
    return run_.timing.latency(registers_.ports[at(port_index)]);
  }

  const IdRun& run_;
  const Registers& registers_;
  std::int64_t most_ = 0;
  RayLists rays_;
  std::vector<std::int32_t> changed_;  ///< the last sweep in which a row got a ray
  std::int32_t sweep_ = 0;
  bool has_changed_ = false;
  std::int64_t effort_ = 0;
};

}  // namespace

Time IdRun::memory_time(std::int32_t number) const {
  const MemoryUse use = wiring.memory(number);
  return use.reads || use.writes ? timing.memory_time(row(number), use) : 0;
}

namespace {

/// One packet waits for its data alone. Returns how many times were looked at, as many as there would be rays.
std::int64_t follow_one_packet(const IdRun& run, std::span<RowTimes> times) {
  const Registers& registers = run.wiring.registers();
  std::int64_t effort = 0;
  for (const std::int32_t row : run.rows) {
    const MemoryUse use = run.wiring.memory(row);
    const Time memory = run.memory_time(row);
    Time time = run.begin_of(row) + (use.reads ? memory : 0);
    ++effort;
    const Slice inputs = run.row(row).inputs;
    for (std::int32_t i = inputs.first; i < inputs.first + inputs.count; ++i) {
      const std::int32_t from = run.wiring.row(i);
      if (from < 0) continue;
      time = std::max(time, times[at(from)].first + run.timing.latency(registers.ports[at(i)]));
      ++effort;
    }
    times[at(row)] = {.first = time, .last = time, .written = use.writes ? time + memory : 0};
  }
  return effort;
}

}  // namespace

std::int64_t follow_rays(const IdRun& run, std::int64_t most_each, std::span<RowTimes> times) {
  if (run.packets == 1) return follow_one_packet(run, times);
  Sweeps sweeps(run, most_each * std::ssize(run.rows));
  if (!sweeps.run()) return 0;
  for (const std::int32_t row : run.rows) times[at(row)] = sweeps.times(row);
  return sweeps.effort();
}

LineRun run_lines(const Wiring& wiring, const RowOrder& order, const Timing& timing, std::int64_t most_rays) {
  const NodeId ranks = rank_count(wiring.program().machine);
  const Registers& registers = wiring.registers();
  LineRun result;
  result.times.resize(registers.rows.size());
  std::vector<Time> begin(at(ranks));
  for (NodeId rank = 0; rank < ranks; ++rank) begin[at(rank)] = timing.start(ranks + rank);
  for (std::size_t id = 0; id < registers.segments.size(); ++id) {
    const IdRun run{.wiring = wiring,
                    .timing = timing,
                    .packets = timing.packets(static_cast<std::int32_t>(id)),
                    .ranks = ranks,
                    .rows = order.of(id),
                    .begin = begin};
    if (run.packets == 0) {
      for (const std::int32_t row : run.rows)
        result.times[at(row)] = {.first = run.begin_of(row), .last = run.begin_of(row)};
      continue;
    }
    const std::int64_t rays = follow_rays(run, most_rays, result.times);
    result.effort += rays;
    if (rays == 0) {
      const BlockRun blocks = follow_blocks(run, result.times);
      result.effort += blocks.packets;
      ++result.ids_in_blocks;
      result.ids_to_the_end += blocks.has_period ? 0 : 1;
    }
    for (const std::int32_t row : run.rows) {
      Time& through = begin[at(registers.rows[at(row)].at - ranks)];
      through = std::max(through, result.times[at(row)].end());
    }
  }
  return result;
}

}  // namespace muster::hyperx
