// Lowering, last stage: what every processor runs, and which processors are alike.
//
// What a processor does is first written as a list of numbers, its key; processors with one key share a class, which is
// made once. So the work per processor is that of writing and hashing a few dozen numbers.
#include <algorithm>

#include "backend/wafer/lower/lower.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

using Key = std::vector<std::int32_t>;

/// Writes the key of a processor:
///   routes      their number; color, number of positions (negative: in a ring), from and to of each
///   operations  their number; each with its length (read_operation)
///   waits       pairs: operation, operation that it waits for
class KeyWriter {
 public:
  KeyWriter(const Lowered& lowered, SpanId nothing)
      : lowered_(lowered),
        nothing_(nothing),
        operation_of_(lowered.schedule.waits.empty() ? 0 : lowered.schedule.steps.size(), -1),
        awaited_(lowered.schedule.waits.empty() ? 0 : lowered.schedule.steps.size(), false) {
    for (const StepId s : lowered.schedule.waits) awaited_[at(s)] = true;
  }

  /// The key of a node; `resets` are its own.
  const Key& write(NodeId node, std::span<const ResetSender> resets) {
    key_.clear();
    write_routes(node);
    count_at_ = key_.size();
    key_.push_back(0);
    const auto lanes = lowered_.schedule.lanes_of(node);
    for (std::size_t l = 0; l < lanes.size(); ++l) write_lane(lanes[l], static_cast<std::int32_t>(l), resets);
    write_waits(lanes);
    return key_;
  }

 private:
  void write_routes(NodeId node) {
    const auto routes = lowered_.switching.at(node);
    key_.push_back(static_cast<std::int32_t>(routes.size()));
    for (const ColorRoute& r : routes) {
      key_.insert(key_.end(), {r.color, r.ring ? -r.count : r.count});
      for (std::size_t i = 0; i < r.count; ++i) key_.insert(key_.end(), {r.positions[i].from, r.positions[i].to});
    }
  }

  void write_lane(const Lane& lane, std::int32_t number, std::span<const ResetSender> resets) {
    StepId before = -1;
    for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
      const std::size_t last = last_;
      write_step(s, number);
      if (before >= 0 && may_merge(before, s) && same_but_times(last, last_)) {
        key_.resize(last_);
        last_ = last;
        ++key_[last_ + 2];
      } else {
        ++key_[count_at_];
      }
      if (!operation_of_.empty()) operation_of_[at(s)] = key_[count_at_] - 1;
      before = write_resets(s, number, resets) ? -1 : s;
    }
  }

  /// See read_operation.
  void write_step(StepId id, std::int32_t lane) {
    const Schedule& schedule = lowered_.schedule;
    const Step& step = schedule.steps[at(id)];
    find_operands(step);
    const Term own = own_.empty() ? Term{.buffer = step.own, .elements = step.own_elements} : own_.front();
    begin_operation(lane);
    key_.insert(key_.end(), {step.elements, static_cast<std::int32_t>(own.buffer),
                             static_cast<std::int32_t>(step.store), static_cast<std::int32_t>(step.sent), own.elements,
                             step.store_elements, step.sent_elements, static_cast<std::int32_t>(operands_.size())});
    key_.insert(key_.end(), operands_.begin(), operands_.end());
    key_.push_back(std::max(0, static_cast<std::int32_t>(own_.size()) - 1));
    for (std::size_t i = 1; i < own_.size(); ++i) {
      key_.insert(key_.end(), {static_cast<std::int32_t>(own_[i].buffer), own_[i].elements});
    }
    const bool has_factors = std::any_of(factors_.begin(), factors_.end(), [](std::int32_t f) { return f != kOne; });
    key_.push_back(has_factors ? 1 : 0);
    if (has_factors) key_.insert(key_.end(), factors_.begin(), factors_.end());
    for (const StreamId s : schedule.outputs_of(step)) {
      if (!carries_data(s)) continue;
      write_output(lowered_.coloring.color[at(s)], lowered_.coloring.endings[at(s)],
                   lowered_.coloring.lists.empty() ? CommandLists{} : lowered_.coloring.lists[at(s)]);
    }
    end_operation();
  }

  /// The operands that are there, what those of memory stand for, and the factor of each.
  void find_operands(const Step& step) {
    const Schedule& schedule = lowered_.schedule;
    operands_.clear();
    own_.clear();
    factors_.clear();
    const auto operands = schedule.operands_of(step);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const StreamId s = operands[i];
      if (is_stream(s) && !carries_data(s)) continue;
      operands_.push_back(is_stream(s) ? lowered_.coloring.color[at(s)] : kOwnOperand);
      factors_.push_back(schedule.factor_of(step, i));
      if (s == kOwn) own_.push_back({.buffer = step.own, .elements = step.own_elements});
      if (is_term(s)) own_.push_back(schedule.term_of(s));
    }
  }

  void begin_operation(std::int32_t lane) {
    last_ = key_.size();
    key_.insert(key_.end(), {0, lane, 1});
  }
  void end_operation() { key_[last_] = static_cast<std::int32_t>(key_.size() - last_); }
  void write_output(std::int8_t color, Ending ending, const CommandLists& lists = {}) {
    key_.insert(key_.end(), {color, static_cast<std::int32_t>(ending)});
    if (ending == Ending::commands) key_.insert(key_.end(), lists.begin(), lists.end());
  }

  [[nodiscard]] bool carries_data(StreamId stream) const {
    return lowered_.schedule.spans.count(lowered_.schedule.streams[at(stream)].elements) > 0;
  }

  /// A step that waits, or that others wait for, keeps an operation of its own.
  [[nodiscard]] bool may_merge(StepId before, StepId step) const {
    return awaited_.empty() || (!awaited_[at(before)] && !awaited_[at(step)] && !waits(before) && !waits(step));
  }
  [[nodiscard]] bool waits(StepId step) const { return lowered_.schedule.steps[at(step)].waits.count > 0; }

  /// Whether the operations that begin at `a` and `b`, the newest, differ in nothing but their times.
  [[nodiscard]] bool same_but_times(std::size_t a, std::size_t b) const {
    const auto begin = key_.begin();
    const auto key_at = [&](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
    return key_[a] == key_[b] && key_[a + 1] == key_[b + 1] && std::equal(key_at(a + 3), key_at(b), key_at(b + 3));
  }

  bool write_resets(StepId step, std::int32_t lane, std::span<const ResetSender> resets) {
    bool any = false;
    for (const ResetSender& reset : resets) {
      if (lowered_.order.index.producer[at(reset.last)] != step) continue;
      begin_operation(lane);
      key_.insert(key_.end(), {nothing_, 0, 0, 0, nothing_, nothing_, nothing_, 0, 0, 0});
      write_output(reset.color, Ending::reset);
      end_operation();
      ++key_[count_at_];
      any = true;
    }
    return any;
  }

  void write_waits(std::span<const Lane> lanes) {
    if (operation_of_.empty()) return;
    for (const Lane& lane : lanes) {
      for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
        for (const StepId w : lowered_.schedule.waits_of(lowered_.schedule.steps[at(s)])) {
          key_.insert(key_.end(), {operation_of_[at(s)], operation_of_[at(w)]});
        }
      }
    }
  }

  const Lowered& lowered_;
  SpanId nothing_;
  Key key_;
  std::vector<std::int32_t> operands_;      ///< of the step at hand: colors or kOwnOperand
  std::vector<Term> own_;                   ///< what each kOwnOperand stands for
  std::vector<std::int32_t> factors_;       ///< of each operand
  std::size_t count_at_ = 0;                ///< where the number of operations stands
  std::size_t last_ = 0;                    ///< where the newest operation begins
  std::vector<std::int32_t> operation_of_;  ///< of each step, within its node; empty if no step waits
  std::vector<bool> awaited_;               ///< of each step; empty if no step waits
};

/// Length, lane, times, elements, own, store, sent and where they are; number of operands, operands; number of further ones of memory,
/// buffer and elements of each; 1 and the factor of each operand, or 0; outputs: color, ending, lists of commands if it has such.
Operation read_operation(std::span<const std::int32_t> key) {
  Operation o{.lane = key[1],
              .times = key[2],
              .elements = key[3],
              .operands = {},
              .outputs = {},
              .own = static_cast<Buffer>(key[4]),
              .store = static_cast<Buffer>(key[5]),
              .sent = static_cast<Buffer>(key[6]),
              .own_elements = key[7],
              .store_elements = key[8],
              .sent_elements = key[9],
              .after = {}};
  std::size_t i = 11;
  for (; i < at(11 + key[10]); ++i) o.operands.push_back(static_cast<std::int8_t>(key[i]));
  for (std::int32_t more = key[i++]; more > 0; --more, i += 2) {
    o.more_own.push_back({.buffer = static_cast<Buffer>(key[i]), .elements = key[i + 1]});
  }
  if (key[i++] != 0) {
    for (std::size_t k = 0; k < o.operands.size(); ++k) o.coefficients.push_back(static_cast<std::int16_t>(key[i++]));
  }
  while (i < key.size()) {
    Output& output = o.outputs.emplace_back();
    output.color = static_cast<std::int8_t>(key[i++]);
    output.ending = static_cast<Ending>(key[i++]);
    if (output.ending != Ending::commands) continue;
    for (CommandList& list : output.lists) list = static_cast<CommandList>(key[i++]);
  }
  return o;
}

ProcessorClass read_class(std::span<const std::int32_t> key, std::span<const ColorRoute> routes) {
  ProcessorClass c;
  c.routes.assign(routes.begin(), routes.end());
  std::size_t i = 1;
  for (const ColorRoute& r : routes) i += 2 + 2U * r.count;
  const std::int32_t operations = key[i++];
  for (std::int32_t o = 0; o < operations; ++o) {
    c.operations.push_back(read_operation(key.subspan(i, at(key[i]))));
    i += at(key[i]);
  }
  for (; i < key.size(); i += 2) c.operations[at(key[i])].after.push_back(key[i + 1]);
  return c;
}

/// The distinct keys, in the order in which they came, found by hashing.
class KeyTable {
 public:
  /// The number of the key; a new one is kept.
  std::int32_t add(const Key& key) {
    if (2 * first_.size() >= slots_.size()) grow();
    std::size_t slot = hash_of(key) & (slots_.size() - 1);
    while (slots_[slot] >= 0) {
      if (std::ranges::equal(of(slots_[slot]), key)) return slots_[slot];
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = size();
    pool_.insert(pool_.end(), key.begin(), key.end());
    first_.push_back(pool_.size());
    return slots_[slot];
  }

  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(first_.size()) - 1; }
  [[nodiscard]] std::span<const std::int32_t> of(std::int32_t number) const {
    return {pool_.data() + first_[at(number)], pool_.data() + first_[at(number) + 1]};
  }

 private:
  /// FNV-1a, with its high bits folded into those that choose the slot.
  static std::size_t hash_of(std::span<const std::int32_t> key) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const std::int32_t k : key) hash = (hash ^ static_cast<std::uint32_t>(k)) * 0x100000001b3ULL;
    return static_cast<std::size_t>(hash ^ (hash >> 32U));
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), -1);
    for (std::int32_t n = 0; n < size(); ++n) {
      std::size_t slot = hash_of(of(n)) & (slots_.size() - 1);
      while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = n;
    }
  }

  std::vector<std::int32_t> slots_;  ///< numbers of keys; -1: free
  std::vector<std::int32_t> pool_;
  std::vector<std::size_t> first_{0};  ///< key n is [first[n], first[n + 1]) of the pool
};

}  // namespace

void write_classes(const Lowered& lowered, WaferProgram& program) {
  const SpanId nothing = program.spans.add(Range{});
  KeyWriter writer(lowered, nothing);
  KeyTable table;
  program.class_of.reserve(at(lowered.schedule.node_count));
  auto reset = lowered.resets.begin();
  for (NodeId node = 0; node < lowered.schedule.node_count; ++node) {
    const auto first = reset;
    while (reset != lowered.resets.end() && reset->node == node) ++reset;
    const std::int32_t number = table.add(writer.write(node, std::span(first, reset)));
    if (number == static_cast<std::int32_t>(program.classes.size())) {
      program.classes.push_back(read_class(table.of(number), lowered.switching.at(node)));
    }
    program.class_of.push_back(number);
  }
}

}  // namespace muster::wafer
