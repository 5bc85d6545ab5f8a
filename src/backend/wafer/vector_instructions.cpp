// Left to right, as the operation combines: what is in `to` so far is the left operand of what comes next.
#include "backend/wafer/vector_instructions.h"

#include <algorithm>

#include "base/index.h"

namespace muster::wafer {
namespace {

using Kind = VectorInstruction::Kind;

struct Operand {
  VectorEnd end;
  const Coefficient* coefficient = nullptr;
};

/// Lists that do the same are written alike.
CommandList without_trailing_nops(CommandList list) {
  int count = count_of(list);
  while (count > 1 && command_at(list, count - 1) == Command::nop) {
    --count;
    list = static_cast<CommandList>(list & ((1U << (2U * static_cast<unsigned>(count))) - 1U));
  }
  return list;
}

class Writer {
 public:
  Writer(const WaferProgram& program, const Operation& operation) : program_(program), operation_(operation) {}

  Outcome<std::vector<VectorInstruction>> write() {
    if (!operation_.operands.empty() && program_.spans.count(operation_.elements) > 0) {
      if (auto problem = write_data()) return Refusal{std::move(*problem)};
    } else if (operation_.store != Buffer::none && program_.spans.count(operation_.elements) > 0) {
      return Refusal{"stores without an operand; no instruction does"};
    }
    for (const Output& output : operation_.outputs) write_controls(output);
    return std::move(done_);
  }

 private:
  std::optional<std::string> write_data() {
    if (operation_.sent != Buffer::none) return "exchanges, and has coefficients or other lanes beside it";
    length_ = program_.spans.count(operation_.elements);
    if (auto problem = find_operands()) return problem;
    if (auto problem = find_destination()) return problem;
    if (auto problem = overlap()) return problem;
    write_first();
    for (std::size_t i = next_; i < operands_.size(); ++i) {
      if (auto problem = write_next(operands_[i])) return problem;
    }
    for (std::size_t i = 0; i + 1 < done_.size(); ++i) {
      if (done_[i].to.is_stream()) return "sends a sum of several operands; store it first";
    }
    if (!operation_.outputs.empty()) {
      done_.back().advances = operation_.outputs.front().ending == Ending::advance_own;
    }
    return std::nullopt;
  }

  std::optional<std::string> find_operands() {
    std::size_t own = 0;
    int streams = 0;
    for (std::size_t i = 0; i < operation_.operands.size(); ++i) {
      Operand operand;
      operand.end.color = operation_.operands[i];
      if (operand.end.is_stream()) {
        ++streams;
      } else {
        const OwnOperand from =
            own == 0 ? OwnOperand{operation_.own, operation_.own_elements} : operation_.more_own.at(own - 1);
        if (!place(from.buffer, from.elements, operand.end.memory)) return scattered();
        ++own;
      }
      if (!operation_.coefficients.empty() && operation_.coefficients[i] != kNoCoefficient) {
        operand.coefficient = &program_.coefficients.at(at(operation_.coefficients[i]));
      }
      operands_.push_back(operand);
    }
    if (streams > 1) return fmt::format("combines {} streams at once; an instruction takes one", streams);
    return std::nullopt;
  }

  std::optional<std::string> find_destination() {
    const bool stores = operation_.store != Buffer::none;
    if (operation_.outputs.size() + (stores ? 1 : 0) != 1) {
      return "has several destinations, or none; an instruction has one";
    }
    if (!stores) {
      to_.color = operation_.outputs.front().color;
    } else if (!place(operation_.store, operation_.store_elements, to_.memory)) {
      return scattered();
    }
    return std::nullopt;
  }

  /// What is read after the first instruction has stored.
  [[nodiscard]] std::optional<std::string> overlap() const {
    const bool scales_first = operands_[0].coefficient != nullptr;
    for (std::size_t i = scales_first ? 1 : 2; i < operands_.size() && !to_.is_stream(); ++i) {
      const MemoryWords& read = operands_[i].end.memory;
      if (operands_[i].end.is_stream() || read.buffer != to_.memory.buffer) continue;
      if (read.words.first < to_.memory.words.end() && to_.memory.words.first < read.words.end()) {
        return "stores where a later operand lies; use a step of its own for it";
      }
    }
    return std::nullopt;
  }

  void write_first() {
    const Operand& first = operands_[0];
    VectorInstruction instruction{.to = to_, .left = first.end, .right = {}, .length = length_};
    if (first.coefficient != nullptr && first.coefficient->is_array()) {
      instruction.kind = Kind::times_array;
      const auto elements = program_.spans.ranges(operation_.elements);
      instruction.right.memory = {first.coefficient->array, {elements[0].first, length_}};
    } else if (first.coefficient != nullptr) {
      instruction.kind = Kind::multiply;
      instruction.number = first.coefficient->value;
    }
    left_ = to_;
    if (first.coefficient != nullptr || operands_.size() == 1) {
      done_.push_back(instruction);
    } else {
      left_ = first.end;
    }
  }

  std::optional<std::string> write_next(const Operand& operand) {
    VectorInstruction instruction{.kind = Kind::add, .to = to_, .left = left_, .right = operand.end, .length = length_};
    if (operand.coefficient != nullptr && operand.coefficient->is_array()) {
      return "multiplies with an array what is not its first operand; no instruction does";
    }
    if (operand.coefficient != nullptr) {
      instruction.kind = Kind::multiply_add;
      instruction.number = operand.coefficient->value;
    }
    if (instruction.kind == Kind::add && instruction.left.is_stream()) std::swap(instruction.left, instruction.right);
    done_.push_back(instruction);
    left_ = to_;
    return std::nullopt;
  }

  void write_controls(const Output& output) {
    VectorInstruction control{.kind = Kind::control, .control = output.ending};
    control.to.color = output.color;
    if (output.ending == Ending::commands) {
      for (std::size_t i = 0; i < output.controls(); ++i) {
        control.commands = without_trailing_nops(output.lists.at(i));
        done_.push_back(control);
      }
    } else if (output.ending == Ending::advance || output.ending == Ending::reset) {
      done_.push_back(control);
    }
  }

  bool place(Buffer buffer, SpanId elements, MemoryWords& words) const {
    const auto ranges = program_.spans.ranges(elements);
    if (ranges.size() != 1) return false;
    words = {buffer, ranges[0]};
    return true;
  }

  static std::string scattered() { return "works on scattered elements; an instruction takes contiguous ones"; }

  const WaferProgram& program_;
  const Operation& operation_;
  std::int64_t length_ = 0;
  std::vector<Operand> operands_;
  VectorEnd to_;
  VectorEnd left_;
  std::size_t next_ = 1;
  std::vector<VectorInstruction> done_;
};

}  // namespace

Outcome<std::vector<VectorInstruction>> vector_instructions(const WaferProgram& program, const Operation& operation) {
  return Writer(program, operation).write();
}

OperationClock::OperationClock(const ProcessorClass& processor) : processor_(processor) {
  const auto& operations = processor.operations;
  std::vector<std::int32_t> numbers;
  for (const Operation& o : operations) numbers.push_back(o.lane);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  lanes_ = numbers.size();
  in_lane_.resize(lanes_);
  for (std::size_t o = 0; o < operations.size(); ++o) {
    const auto found = std::lower_bound(numbers.begin(), numbers.end(), operations[o].lane);
    const auto lane = at(found - numbers.begin());
    lane_of_.push_back(lane);
    place_of_.push_back(static_cast<std::int32_t>(in_lane_[lane].size()));
    previous_.push_back(in_lane_[lane].empty() ? -1 : in_lane_[lane].back());
    in_lane_[lane].push_back(static_cast<std::int32_t>(o));
  }
  clocks_.resize(operations.size());
  for (std::size_t o = 0; o < operations.size(); ++o) find(o);
}

/// Depth first without recursion: a chain may be as long as a processor's list. Waits have no cycle: the static checks see to that.
void OperationClock::find(std::size_t o) {
  std::vector<std::size_t> open{o};
  while (!open.empty()) {
    const std::size_t now = open.back();
    std::vector<std::int32_t> earlier = processor_.operations[now].after;
    if (previous_[now] >= 0) earlier.push_back(previous_[now]);
    const auto unknown = std::find_if(earlier.begin(), earlier.end(), [&](std::int32_t e) {
      return clocks_[at(e)].empty() && std::find(open.begin(), open.end(), at(e)) == open.end();
    });
    if (unknown != earlier.end()) {
      open.push_back(at(*unknown));
      continue;
    }
    open.pop_back();
    std::vector<std::int32_t> clock(lanes_, 0);
    for (const std::int32_t e : earlier) {
      for (std::size_t l = 0; l < clocks_[at(e)].size(); ++l) clock[l] = std::max(clock[l], clocks_[at(e)][l]);
      clock[lane_of_[at(e)]] = std::max(clock[lane_of_[at(e)]], place_of_[at(e)] + 1);
    }
    clocks_[now] = std::move(clock);
  }
}

std::vector<std::int32_t> OperationClock::waits(std::size_t o) const {
  std::vector<std::int32_t> waits;
  const std::int32_t previous = previous_[o];
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    const std::int32_t needed = clocks_[o][lane];
    if (lane == lane_of_[o] || needed == 0) continue;
    if (previous >= 0 && clocks_[at(previous)][lane] >= needed) continue;
    waits.push_back(in_lane_[lane][at(needed - 1)]);
  }
  std::vector<std::int32_t> reduced;
  for (const std::int32_t w : waits) {
    const bool implied = std::any_of(waits.begin(), waits.end(), [&](std::int32_t other) {
      return other != w && clocks_[at(other)][lane_of_[at(w)]] > place_of_[at(w)];
    });
    if (!implied) reduced.push_back(w);
  }
  return reduced;
}

}  // namespace muster::wafer
