// Instruction by instruction. What an instruction waits for is told as how many instructions of every other lane are done by then, where
// that is more than for the one before it: so it does not matter which waits are spelled out and which follow from others.
#include "backend/wafer/csl_reader/compare_lanes.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "backend/wafer/directions.h"
#include "backend/wafer/vector_instructions.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

using Kind = VectorInstruction::Kind;

class LaneText {
 public:
  LaneText(const WaferProgram& program, const ProcessorClass& processor)
      : program_(program), processor_(processor), clock_(processor), order_(lanes_in_order()) {
    for (const Operation& operation : processor.operations) {
      auto expanded = vector_instructions(program, operation);
      std::vector<std::string> texts;
      if (!expanded) {
        texts.push_back(whole(operation, expanded.reason()));
      } else {
        for (const VectorInstruction& i : expanded.value()) texts.push_back(text(i));
      }
      const std::vector<std::string> once = texts;
      for (std::int32_t t = 1; t < operation.times; ++t) texts.insert(texts.end(), once.begin(), once.end());
      instructions_.push_back(std::move(texts));
    }
    count_done();
  }

  std::string write() {
    const bool one = is_one_lane();
    if (one) order_ = {sequence_};
    number_lanes(one);
    std::string text = routes();
    for (std::size_t n = 0; n < by_number_.size(); ++n) {
      text += fmt::format("lane {}: ", n);
      std::int32_t previous = -1;
      for (const std::int32_t o : order_[by_number_[n]]) {
        if (!one) text += waits(o, previous);
        for (const std::string& instruction : instructions_[at(o)]) text += instruction + "; ";
        previous = o;
      }
    }
    return text;
  }

 private:
  [[nodiscard]] std::vector<std::vector<std::int32_t>> lanes_in_order() const {
    std::vector<std::vector<std::int32_t>> lanes(clock_.lanes());
    for (std::size_t o = 0; o < processor_.operations.size(); ++o) {
      lanes[clock_.lane_of(o)].push_back(static_cast<std::int32_t>(o));
    }
    return lanes;
  }

  /// In the order of what lanes do, those that do anything: programs number them as they like.
  void number_lanes(bool one) {
    std::vector<std::string> texts(order_.size());
    for (std::size_t l = 0; l < order_.size(); ++l) {
      for (const std::int32_t o : order_[l]) {
        for (const std::string& instruction : instructions_[at(o)]) texts[l] += instruction + "; ";
      }
      if (!texts[l].empty()) by_number_.push_back(l);
    }
    if (one) return;
    std::stable_sort(by_number_.begin(), by_number_.end(),
                     [&](std::size_t a, std::size_t b) { return texts[a] < texts[b]; });
  }

  /// How many instructions the first n operations of a lane are.
  void count_done() {
    for (const auto& lane : order_) {
      std::vector<std::size_t> done{0};
      for (const std::int32_t o : lane) done.push_back(done.back() + instructions_[at(o)].size());
      done_.push_back(std::move(done));
    }
  }

  /// Whether every operation follows every earlier one, in some order, which is then sequence_.
  bool is_one_lane() {
    for (std::size_t o = 0; o < instructions_.size(); ++o) {
      if (!instructions_[o].empty()) sequence_.push_back(static_cast<std::int32_t>(o));
    }
    const auto rank = [&](std::int32_t o) {
      std::int64_t before = clock_.place_of(at(o));
      for (std::size_t l = 0; l < clock_.lanes(); ++l)
        before += l == clock_.lane_of(at(o)) ? 0 : clock_.before(at(o), l);
      return before;
    };
    std::stable_sort(sequence_.begin(), sequence_.end(),
                     [&](std::int32_t a, std::int32_t b) { return rank(a) < rank(b); });
    for (std::size_t i = 1; i < sequence_.size(); ++i) {
      const std::size_t now = at(sequence_[i]), before = at(sequence_[i - 1]);
      const bool same_lane = clock_.lane_of(now) == clock_.lane_of(before);
      if (!same_lane && clock_.before(now, clock_.lane_of(before)) <= clock_.place_of(before)) return false;
    }
    return true;
  }

  [[nodiscard]] std::string waits(std::int32_t o, std::int32_t previous) const {
    std::string text;
    for (std::size_t n = 0; n < by_number_.size(); ++n) {
      const std::size_t l = by_number_[n];
      const std::size_t needed = done_[l][at(clock_.before(at(o), l))];
      const std::size_t known = previous < 0 ? 0 : done_[l][at(clock_.before(at(previous), l))];
      if (l != clock_.lane_of(at(o)) && needed > known)
        text += fmt::format("{}{}:{}", text.empty() ? "" : ",", n, needed);
    }
    return text.empty() ? "" : "(after " + text + ") ";
  }

  [[nodiscard]] std::string routes() const {
    std::map<int, const ColorRoute*> by_color;
    for (const ColorRoute& r : processor_.routes) by_color[program_.colors[at(r.color)]] = &r;
    std::string text;
    for (const auto& [color, route] : by_color) {
      text += fmt::format("route {}:{}", color, route->ring ? " ring" : "");
      for (std::size_t p = 0; p < route->count; ++p) {
        text += fmt::format(" {} to {},", directions_text(route->positions[p].from),
                            directions_text(route->positions[p].to));
      }
      text += "; ";
    }
    return text;
  }

  [[nodiscard]] std::string end(const VectorEnd& end) const {
    if (end.is_stream()) return fmt::format("color {}", program_.colors[at(end.color)]);
    return fmt::format("{}[{},{})", buffer_name(end.memory.buffer), end.memory.words.first, end.memory.words.end());
  }

  [[nodiscard]] std::string text(const VectorInstruction& i) const {
    if (i.kind == Kind::control) {
      const std::string commands = i.control == Ending::commands  ? commands_text(i.commands)
                                   : i.control == Ending::advance ? "advance"
                                                                  : "reset";
      return fmt::format("{} <- ({})", end(i.to), commands);
    }
    const std::string left = end(i.left);
    const std::string to = fmt::format("{}{} <- ", end(i.to), i.advances ? ", advancing," : "");
    const std::string of = fmt::format(" of {}", i.length);
    const std::string number = fmt::format("{:.9g}", i.number);
    switch (i.kind) {
      case Kind::multiply:
        return to + number + " " + left + of;
      case Kind::times_array:
        return to + end(i.right) + " x " + left + of;
      case Kind::add:
        return to + left + " + " + end(i.right) + of;
      case Kind::multiply_add:
        return to + left + " + " + number + " " + end(i.right) + of;
      default:
        return to + left + of;
    }
  }

  /// An operation that is no instructions is told by all that it has.
  [[nodiscard]] std::string whole(const Operation& o, const std::string& why) const {
    std::string text =
        fmt::format("an operation that {}: operands {}, own {} {}, store {} {}, sent {} {}, of {}", why,
                    fmt::join(o.operands, ","), buffer_name(o.own), span(o.own_elements), buffer_name(o.store),
                    span(o.store_elements), buffer_name(o.sent), span(o.sent_elements), span(o.elements));
    for (const OwnOperand& more : o.more_own)
      text += fmt::format(", {} {}", buffer_name(more.buffer), span(more.elements));
    for (const std::int16_t c : o.coefficients)
      text += c < 0 ? ", -" : fmt::format(", {:.9g}", program_.coefficients[at(c)].value);
    for (const Output& output : o.outputs) {
      text += fmt::format(", push {}.{}", program_.colors[at(output.color)], static_cast<int>(output.ending));
    }
    return text;
  }

  [[nodiscard]] std::string span(SpanId id) const {
    std::string text;
    for (const Range& r : program_.spans.ranges(id)) text += fmt::format("[{},{})", r.first, r.end());
    return text;
  }

  const WaferProgram& program_;
  const ProcessorClass& processor_;
  OperationClock clock_;
  std::vector<std::vector<std::int32_t>> order_;        ///< operations by lane
  std::vector<std::vector<std::string>> instructions_;  ///< of each operation
  std::vector<std::vector<std::size_t>> done_;          ///< by lane and number of operations
  std::vector<std::int32_t> sequence_;
  std::vector<std::size_t> by_number_;  ///< lanes that do anything
};

}  // namespace

std::vector<std::string> lane_texts(const WaferProgram& program) {
  std::vector<std::string> texts;
  for (const ProcessorClass& c : program.classes) texts.push_back(LaneText(program, c).write());
  return texts;
}

}  // namespace muster::wafer
