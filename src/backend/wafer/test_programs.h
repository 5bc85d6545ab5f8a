// Programs written by hand, for tests of what lowering never makes.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "backend/wafer/test_schedules.h"
#include "backend/wafer/wafer.h"

namespace muster::wafer::test {

inline ColorRoute route(std::initializer_list<Position> positions, std::int8_t color = 0) {
  ColorRoute r;
  r.color = color;
  for (const Position& p : positions) r.positions[r.count++] = p;
  return r;
}

constexpr Position from_to(Direction from, Direction to) { return {set_of(from), set_of(to)}; }

/// A row with one color and a class per processor.
class HandMade {
 public:
  explicit HandMade(std::int32_t width, std::int64_t count = 4) {
    program_.machine = wafer(width);
    program_.colors = {5};
    program_.extent = {count, count, 0};
    program_.classes.resize(static_cast<std::size_t>(width));
    for (std::int32_t x = 0; x < width; ++x) program_.class_of.push_back(x);
    all_ = program_.spans.add(Range{0, count});
    nothing_ = program_.spans.add(Range{});
  }
  HandMade& routes(std::size_t x, ColorRoute r) { return program_.classes[x].routes.push_back(r), *this; }
  HandMade& sends(std::size_t x, Ending ending = Ending::nothing) {
    Operation& o = add(x, all_);
    o.operands = {kOwnOperand};
    o.own = Buffer::input;
    o.outputs = {{0, ending}};
    return *this;
  }
  HandMade& sends(std::size_t x, Range part) {
    sends(x);
    return only(x, part);
  }
  HandMade& sends_only(std::size_t x, Ending ending) { return sends_only(x, Output{.color = 0, .ending = ending}); }
  HandMade& sends_only(std::size_t x, const Output& output) {
    add(x, nothing_).outputs = {output};
    return *this;
  }
  HandMade& also_sends(std::size_t x, Output output) {
    program_.classes[x].operations.back().outputs.push_back(output);
    return *this;
  }
  HandMade& colors(std::vector<int> hardware) { return program_.colors = std::move(hardware), *this; }
  HandMade& takes(std::size_t x, std::int8_t color = 0) {
    Operation& o = add(x, all_);
    o.operands = {color};
    o.store = Buffer::output;
    return *this;
  }
  HandMade& takes(std::size_t x, std::int8_t color, Range part) {
    takes(x, color);
    return only(x, part);
  }
  [[nodiscard]] const WaferProgram& program() const { return program_; }
  [[nodiscard]] Result run(std::int64_t give_up = 1 << 20) const {
    return simulate(program_, {.calls = 1, .seed = 1, .give_up = Cycles(give_up), .progress = {}});
  }

 private:
  /// The last operation works on a part of the vector.
  HandMade& only(std::size_t x, Range part) {
    Operation& o = program_.classes[x].operations.back();
    o.elements = o.own_elements = o.store_elements = o.sent_elements = program_.spans.add(part);
    return *this;
  }
  Operation& add(std::size_t x, SpanId elements) {
    Operation& o = program_.classes[x].operations.emplace_back();
    o.elements = o.own_elements = o.store_elements = o.sent_elements = elements;
    return o;
  }
  WaferProgram program_;
  SpanId all_ = 0, nothing_ = 0;
};

}  // namespace muster::wafer::test
