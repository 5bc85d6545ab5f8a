// Each class is written as a text of its own, once; processors are compared by the numbers of their texts.
#include "backend/wafer/csl_reader/compare.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "backend/wafer/csl_reader/compare_lanes.h"
#include "backend/wafer/directions.h"
#include "base/index.h"
#include "base/one_line.h"
#include "machine/mesh.h"

namespace muster::wafer {

namespace {

class ClassText {
 public:
  explicit ClassText(const WaferProgram& program) : program_(program) {}

  std::string write(const ProcessorClass& c) {
    std::map<int, const ColorRoute*> routes;
    for (const ColorRoute& r : c.routes) routes[program_.colors[at(r.color)]] = &r;
    std::string text;
    for (const auto& [color, route] : routes) text += fmt::format("route {}:{}; ", color, positions(*route));
    number_operations(c);
    std::string before;
    std::int64_t times = 0;
    const auto flush = [&] {
      if (times > 0) text += fmt::format("{}x {}; ", times, before);
      times = 0;
    };
    for (std::size_t o = 0; o < c.operations.size(); ++o) {
      if (!kept_[o]) continue;
      std::string now = operation(c.operations[o]);
      if (has_waits_ || now != before) flush();
      times += c.operations[o].times;
      before = std::move(now);
    }
    flush();
    return text;
  }

 private:
  static std::string positions(const ColorRoute& route) {
    std::string text;
    for (std::size_t p = 0; p < route.count; ++p) {
      text +=
          fmt::format(" {} to {},", directions_text(route.positions[p].from), directions_text(route.positions[p].to));
    }
    return text;
  }

  [[nodiscard]] bool does_something(const Operation& o) const {
    const auto control = [](const Output& output) {
      return output.ending == Ending::advance || output.ending == Ending::reset;
    };
    if (std::any_of(o.outputs.begin(), o.outputs.end(), control)) return true;
    if (o.sent != Buffer::none && program_.spans.count(o.sent_elements) > 0) return true;
    return !o.operands.empty() && program_.spans.count(o.elements) > 0;
  }

  void number_operations(const ProcessorClass& c) {
    number_.assign(c.operations.size(), -1);
    kept_.assign(c.operations.size(), false);
    std::int32_t number = 0;
    lanes_.clear();
    has_waits_ =
        std::any_of(c.operations.begin(), c.operations.end(), [](const Operation& o) { return !o.after.empty(); });
    for (std::size_t o = 0; o < c.operations.size(); ++o) {
      kept_[o] = does_something(c.operations[o]);
      number_[o] = number;
      if (!kept_[o]) continue;
      ++number;
      lanes_.emplace(c.operations[o].lane, static_cast<int>(lanes_.size()));
    }
  }

  [[nodiscard]] std::string span(SpanId id) const {
    std::string text;
    for (const Range& r : program_.spans.ranges(id)) text += fmt::format("[{},{})", r.first, r.end());
    return text;
  }

  [[nodiscard]] std::string operation(const Operation& o) const {
    std::string text = fmt::format("lane {}:", lanes_.at(o.lane));
    std::vector<int> takes;
    bool own = false;
    for (const std::int8_t operand : o.operands) {
      own |= operand == kOwnOperand;
      if (operand != kOwnOperand) takes.push_back(program_.colors[at(operand)]);
    }
    std::sort(takes.begin(), takes.end());
    const bool data = !o.operands.empty() && program_.spans.count(o.elements) > 0;
    if (data && own) text += fmt::format(" {}{}", buffer_name(o.own), span(o.own_elements));
    if (data && !takes.empty()) text += fmt::format(" take {}", fmt::join(takes, ","));
    if (data) text += fmt::format(" of {}", program_.spans.count(o.elements));
    if (data && o.store != Buffer::none)
      text += fmt::format(" store {}{}", buffer_name(o.store), span(o.store_elements));
    if (o.sent != Buffer::none) text += fmt::format(" sent {}{}", buffer_name(o.sent), span(o.sent_elements));
    for (const Output& output : o.outputs) {
      text += fmt::format(" push {}.{}", program_.colors[at(output.color)], static_cast<int>(output.ending));
    }
    std::vector<std::int32_t> waits;
    for (const std::int32_t w : o.after) waits.push_back(number_[at(w)]);
    std::sort(waits.begin(), waits.end());
    if (!waits.empty()) text += fmt::format(" after {}", fmt::join(waits, ","));
    return text;
  }

  const WaferProgram& program_;
  std::vector<std::int32_t> number_;  ///< of each operation among those that do something
  std::vector<bool> kept_;
  std::map<std::int32_t, int> lanes_;
  bool has_waits_ = false;  ///< then equal neighbours stay apart
};

std::vector<std::string> class_texts(const WaferProgram& program) {
  std::vector<std::string> texts;
  ClassText writer(program);
  for (const ProcessorClass& c : program.classes) texts.push_back(writer.write(c));
  return texts;
}

std::string repetitions(const WaferProgram& program) {
  return fmt::format("{} repetition{}{}", program.steps, program.steps == 1 ? "" : "s",
                     program.begins_exchanged ? ", the first one with input and output exchanged" : "");
}

bool combines(const WaferProgram& program) {
  return std::any_of(program.classes.begin(), program.classes.end(), [](const ProcessorClass& c) {
    return std::any_of(c.operations.begin(), c.operations.end(),
                       [](const Operation& o) { return o.operands.size() > 1; });
  });
}

}  // namespace

std::optional<std::string> difference(const WaferProgram& first, const WaferProgram& second, ComparedAt offset) {
  const bool by_lanes = !beyond_combining(first).empty() || !beyond_combining(second).empty();
  const Mesh& a = first.mesh();
  const Mesh& b = second.mesh();
  if (a.width + offset.x != b.width || a.height + offset.y != b.height) {
    return fmt::format("{} x {} PEs at {},{}, but {} x {}", a.width, a.height, offset.x, offset.y, b.width, b.height);
  }
  if (first.arithmetic.type != second.arithmetic.type ||
      (combines(first) && first.arithmetic.op != second.arithmetic.op)) {
    return fmt::format("{} {}, but {} {}", operator_name(first.arithmetic.op), type_name(first.arithmetic.type),
                       operator_name(second.arithmetic.op), type_name(second.arithmetic.type));
  }
  if (first.steps != second.steps || first.begins_exchanged != second.begins_exchanged) {
    return fmt::format("{}, but {}", repetitions(first), repetitions(second));
  }
  const std::vector<std::string> mine = by_lanes ? lane_texts(first) : class_texts(first);
  const std::vector<std::string> other = by_lanes ? lane_texts(second) : class_texts(second);
  const std::string idle;
  for (std::int32_t y = 0; y < b.height; ++y) {
    for (std::int32_t x = 0; x < b.width; ++x) {
      const bool inside = x >= offset.x && y >= offset.y;
      const std::string& left = inside ? mine[at(first.class_of[at((y - offset.y) * a.width + x - offset.x)])] : idle;
      const std::string& right = other[at(second.class_of[at(y * b.width + x)])];
      if (left != right)
        return fmt::format("PE ({},{}): '{}', but '{}'", x, y, one_line(left, 2000), one_line(right, 2000));
    }
  }
  return std::nullopt;
}

}  // namespace muster::wafer
