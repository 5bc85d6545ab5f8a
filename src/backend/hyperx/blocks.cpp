// Row by row, a block each: a row's times of the last block are overwritten one by one while the rows after it in the order,
// whose credits it waits for, still have theirs.
#include "backend/hyperx/blocks.h"

#include <algorithm>

#include "base/union_find.h"

namespace muster::hyperx {
namespace {

/// Rows that are joined: their times repeat together.
struct Component {
  Time step = -1;           ///< from the last block to this; -1: not seen yet
  bool differs = false;     ///< not all times have the same step
  std::int64_t block = -1;  ///< since which it repeats; -1: not yet
};

class Blocks {
 public:
  explicit Blocks(const IdRun& run)
      : run_(run),
        registers_(run.wiring.registers()),
        size_(std::min(run.timing.buffer(), run.packets)),
        local_(registers_.rows.size(), -1),
        passed_(run.rows.size() * at(size_)),
        read_(run.rows.size()) {
    for (std::size_t i = 0; i < run.rows.size(); ++i) local_[at(run.rows[i])] = static_cast<std::int32_t>(i);
    find_components();
    std::int64_t writers = 0;
    for (const std::int32_t row : run.rows) writers_.push_back(run.wiring.memory(row).writes ? writers++ : -1);
    written_.resize(at(writers * size_));
  }

  BlockRun run(std::span<RowTimes> times) {
    BlockRun result;
    const std::int64_t last = (run_.packets - 1) / size_;
    for (block_ = 0; block_ <= last; ++block_) {
      count_ = std::min(size_, run_.packets - block_ * size_);
      for (Component& c : components_) c = {.step = c.block < 0 ? -1 : c.step, .block = c.block};
      for (std::size_t i = 0; i < run_.rows.size(); ++i) {
        if (component_of(i).block >= 0) continue;
        pass_block(i);
        result.packets += count_;
        if (block_ == 0) times[at(run_.rows[i])].first = passed_[i * at(size_)];
      }
      result.has_period = note_periods();
      if (result.has_period) break;
    }
    for (std::size_t i = 0; i < run_.rows.size(); ++i) set_end(i, last, times[at(run_.rows[i])]);
    return result;
  }

 private:
  Component& component_of(std::size_t i) { return components_[at(component_[i])]; }

  /// The component of a row is named by its first row.
  void find_components() {
    UnionFind joined(run_.rows.size());
    for (std::size_t i = 0; i < run_.rows.size(); ++i) {
      const Slice inputs = run_.row(run_.rows[i]).inputs;
      for (std::int32_t port_index = inputs.first; port_index < inputs.first + inputs.count; ++port_index) {
        if (run_.wiring.row(port_index) < 0) continue;
        joined.join(static_cast<std::int32_t>(i), local_[at(run_.wiring.row(port_index))]);
      }
    }
    for (std::size_t i = 0; i < run_.rows.size(); ++i) component_.push_back(joined.find(static_cast<std::int32_t>(i)));
    components_.resize(run_.rows.size());
  }

  [[nodiscard]] Time latency(std::int32_t port_index) const {
    return run_.timing.latency(registers_.ports[at(port_index)]);
  }

  /// bounds_[j] = max(bounds_[j], what the row at the other end of `port_index` has for packet j, and the latency).
  void wait_for(std::int32_t port_index) {
    if (run_.wiring.row(port_index) < 0) return;
    const Time* other = passed_.data() + local_[at(run_.wiring.row(port_index))] * size_;
    const Time later = latency(port_index);
    for (std::int64_t j = 0; j < count_; ++j) bounds_[at(j)] = std::max(bounds_[at(j)], other[j] + later);
  }

  void pass_block(std::size_t i) {
    const Row& row = run_.row(run_.rows[i]);
    bounds_.assign(at(count_), run_.begin_of(run_.rows[i]));
    for (std::int32_t port_index = row.inputs.first; port_index < row.inputs.first + row.inputs.count; ++port_index)
      wait_for(port_index);
    if (block_ > 0) {
      for (std::int32_t port_index = row.outputs.first; port_index < row.outputs.first + row.outputs.count;
           ++port_index)
        wait_for(port_index);
    }
    if (run_.wiring.memory(run_.rows[i]).reads) wait_for_reads(i);
    if (writers_[i] >= 0 && block_ > 0) {
      const Time* free = written_.data() + writers_[i] * size_;
      for (std::int64_t j = 0; j < count_; ++j) bounds_[at(j)] = std::max(bounds_[at(j)], free[j]);
    }
    pass(i);
    if (writers_[i] >= 0) write(i);
  }

  void wait_for_reads(std::size_t i) {
    const Time memory = run_.memory_time(run_.rows[i]);
    const Time* free = passed_.data() + static_cast<std::int64_t>(i) * size_;
    Time read = block_ == 0 ? run_.begin_of(run_.rows[i]) : read_[i];
    for (std::int64_t j = 0; j < count_; ++j) {
      read = (block_ == 0 ? read : std::max(read, free[j])) + memory;
      bounds_[at(j)] = std::max(bounds_[at(j)], read);
    }
    replace(i, read_[i], read);
  }

  /// The packet time between packets.
  void pass(std::size_t i) {
    Time* passed = passed_.data() + static_cast<std::int64_t>(i) * size_;
    Time next = block_ == 0 ? 0 : passed[size_ - 1] + run_.timing.packet_time();
    for (std::int64_t j = 0; j < count_; ++j) {
      replace(i, passed[j], std::max(bounds_[at(j)], next));
      next = passed[j] + run_.timing.packet_time();
    }
  }

  void write(std::size_t i) {
    const Time memory = run_.memory_time(run_.rows[i]);
    const Time* passed = passed_.data() + static_cast<std::int64_t>(i) * size_;
    Time* written = written_.data() + writers_[i] * size_;
    Time before = block_ == 0 ? 0 : written[size_ - 1];
    for (std::int64_t j = 0; j < count_; ++j) {
      replace(i, written[j], std::max(passed[j], before) + memory);
      before = written[j];
    }
  }

  void replace(std::size_t i, Time& old, Time time) {
    Component& c = component_of(i);
    if (c.step < 0) c.step = time - old;
    c.differs = c.differs || time - old != c.step;
    old = time;
  }

  /// Whether all repeat now. The first block has none before it, and a part of a block says nothing.
  bool note_periods() {
    bool all = true;
    for (std::size_t i = 0; i < run_.rows.size(); ++i) {
      Component& c = component_of(i);
      if (c.block < 0 && !c.differs && block_ > 0 && count_ == size_) c.block = block_;
      all = all && c.block >= 0;
    }
    return all;
  }

  void set_end(std::size_t i, std::int64_t last_block, RowTimes& times) {
    const Component& c = component_of(i);
    const Time later = c.block < 0 ? 0 : c.step * (last_block - c.block);
    const std::int64_t packet = (run_.packets - 1) % size_;
    times.last = passed_[i * at(size_) + at(packet)] + later;
    if (writers_[i] >= 0) times.written = written_[at(writers_[i] * size_ + packet)] + later;
  }

  const IdRun& run_;
  const Registers& registers_;
  std::int64_t size_ = 0;                ///< of a block
  std::vector<std::int32_t> local_;      ///< row → its index in the order
  std::vector<Time> passed_;             ///< by index in the order: the times of the present block
  std::vector<Time> read_;               ///< by index in the order: when memory has read the last packet of the block
  std::vector<std::int64_t> writers_;    ///< by index in the order: its number among those that write, or -1
  std::vector<Time> written_;            ///< by writer: when the packets of the block were written
  std::vector<std::int32_t> component_;  ///< by index in the order
  std::vector<Component> components_;    ///< by the index of their first row
  std::vector<Time> bounds_;             ///< of the present row: what its packets wait for
  std::int64_t block_ = 0;
  std::int64_t count_ = 0;  ///< packets of the present block
};

}  // namespace

BlockRun follow_blocks(const IdRun& run, std::span<RowTimes> times) { return Blocks(run).run(times); }

}  // namespace muster::hyperx
