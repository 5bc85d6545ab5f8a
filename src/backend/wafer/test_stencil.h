// For tests: the time step of a wave in three dimensions as a wafer program, and the same as a triple loop.
//
// A PE has a column of cells, with margins of zeros. In blocks, it sends them in four directions (test_localized.h), multiplies what
// comes with coefficients on the way into scratch, and adds that and the cells above and below:
//   acc = c0 u;  acc += round(c_m u_neighbour) from west, east, north, south, m = 1..radius;
//   acc = fma(c_z|o|, u[z + o], acc) for o = -radius..-1, 1..radius;  u_new = acc - u_prev.
#pragma once

#include <cmath>
#include <vector>

#include "backend/wafer/test_localized.h"
#include "backend/wafer/test_schedules.h"
#include "base/index.h"

namespace muster::wafer::test {

struct Stencil {
  std::int32_t width = 1;
  std::int32_t height = 1;
  std::int32_t radius = 4;
  std::int64_t cells = 1;  ///< of a column
  std::int64_t block = 1;
  int steps = 1;
  bool begins_exchanged = false;
  int areas = 1;       ///< of scratch, in turns: what comes for a block may overwrite that of so many blocks before
  bool fused = false;  ///< one operation for all that is local; otherwise a sum, the column, and the difference
  [[nodiscard]] std::int64_t blocks() const { return (cells + block - 1) / block; }
  [[nodiscard]] std::int64_t words() const { return cells + 2 * radius; }
  [[nodiscard]] Range cells_of(std::int64_t k) const {
    return {radius + k * block, std::min(block, cells - k * block)};
  }
};

/// From west, east, north, south: the way that the data travels.
inline constexpr std::array kTravels{Direction::east, Direction::west, Direction::south, Direction::north};

inline LocalizedLine line_of(const Stencil& s, std::size_t from) {
  return {.color = static_cast<std::int8_t>(from),
          .ahead = kTravels.at(from),
          .length = from < 2 ? s.width : s.height,
          .radius = s.radius};
}

inline std::int32_t place_of(const Stencil& s, std::size_t from, std::int32_t x, std::int32_t y) {
  const std::int32_t along = from < 2 ? x : y;
  return from % 2 == 0 ? along : line_of(s, from).length - 1 - along;
}

/// By number: 0 of the cell, 1.. from west and east, then from north and south, then of the column; the last one is -1.
inline std::int16_t coefficient_of(const Stencil& s, std::int32_t axis, std::int32_t distance) {
  return static_cast<std::int16_t>(distance == 0 ? 0 : axis * s.radius + distance);
}
inline std::vector<Coefficient> coefficients_of(const Stencil& s) {
  std::vector<Coefficient> all{{"c0", -0.73F}};
  for (const char* axis : {"x", "y", "z"}) {
    for (std::int32_t m = 1; m <= s.radius; ++m) {
      all.push_back({std::string("c") + axis + std::to_string(m), (0.31F + 0.01F * static_cast<float>(axis[0] - 'x')) /
                                                                      static_cast<float>(m * (m % 2 == 0 ? -1 : 1))});
    }
  }
  all.push_back({"-1", -1.0F});
  return all;
}

/// Writes the operations of one PE, lane by lane.
class StencilWriter {
 public:
  StencilWriter(const Stencil& stencil, WaferProgram& program) : s_(stencil), program_(program) {}

  ProcessorClass write(std::int32_t x, std::int32_t y) {
    class_ = {};
    first_of_.clear();
    last_of_.clear();
    for (std::size_t from = 0; from < kTravels.size(); ++from) {
      class_.routes.push_back(localized_route(line_of(s_, from), place_of(s_, from, x, y)));
      write_sends(from, place_of(s_, from, x, y));
    }
    for (std::size_t from = 0; from < kTravels.size(); ++from) write_receives(from, place_of(s_, from, x, y));
    write_local(x, y);
    return class_;
  }

 private:
  Operation& add(std::int32_t lane, SpanId elements) {
    Operation& o = class_.operations.emplace_back();
    o.lane = lane;
    o.elements = o.own_elements = o.store_elements = o.sent_elements = elements;
    return o;
  }
  [[nodiscard]] std::int32_t last() const { return static_cast<std::int32_t>(class_.operations.size()) - 1; }
  /// Area 0 of a copy is for the own cell, those of each side follow, and one for the sum.
  [[nodiscard]] std::int64_t areas_of_copy() const { return 2 + 4 * std::int64_t{s_.radius}; }
  SpanId area(std::int64_t k, std::size_t from, std::int32_t distance) {
    const std::int64_t number = distance == 0 ? 0 : static_cast<std::int64_t>(from) * s_.radius + distance;
    return scratch(k, number);
  }
  SpanId sum(std::int64_t k) { return scratch(k, areas_of_copy() - 1); }
  SpanId scratch(std::int64_t k, std::int64_t number) {
    const std::int64_t copy = k % s_.areas;
    return program_.spans.add(Range{(copy * areas_of_copy() + number) * s_.block, s_.cells_of(k).count});
  }

  void write_sends(std::size_t from, std::int32_t place) {
    const LocalizedLine line = line_of(s_, from);
    const auto lane = static_cast<std::int32_t>(from);
    for (std::int64_t k = 0; k < s_.blocks(); ++k) {
      if (begins_with_advance(line, place)) {
        add(lane, program_.spans.add(Range{})).outputs = {
            {.color = line.color, .ending = Ending::commands, .lists = {command_list({Command::advance})}}};
      }
      Operation& o = add(lane, program_.spans.add(s_.cells_of(k)));
      o.operands = {kOwnOperand};
      o.own = Buffer::input;
      o.outputs = {localized_output(line, place)};
    }
  }

  void write_receives(std::size_t from, std::int32_t place) {
    const LocalizedLine line = line_of(s_, from);
    for (std::int64_t k = 0; k < s_.blocks(); ++k) {
      bool is_first = true;
      for (const std::int32_t root : localized_roots(line, place)) {
        Operation& o = add(static_cast<std::int32_t>(4 + from), program_.spans.add(Range{0, s_.cells_of(k).count}));
        o.operands = {line.color};
        if (root == place && from > 0) continue;  // the own block comes back from every side; once is enough
        o.coefficients = {coefficient_of(s_, from < 2 ? 0 : 1, place - root)};
        o.store = Buffer::scratch;
        o.store_elements = area(k, from, place - root);
        if (is_first) first_of_.push_back({k, last()});
        is_first = false;
      }
      last_of_.push_back({k, last()});
    }
  }

  void add_operand(Operation& o, Buffer buffer, SpanId elements, std::int16_t coefficient) {
    if (o.operands.empty()) {
      o.own = buffer;
      o.own_elements = elements;
    } else {
      o.more_own.push_back({buffer, elements});
    }
    o.operands.push_back(kOwnOperand);
    o.coefficients.push_back(coefficient);
  }

  void write_local(std::int32_t x, std::int32_t y) {
    const SpanId margins = program_.spans.add(std::array{Range{0, s_.radius}, Range{s_.radius + s_.cells, s_.radius}});
    add(8, margins).store = Buffer::input;
    for (std::int64_t k = 0; k < s_.blocks(); ++k) {
      Operation* o = &add(8, program_.spans.add(s_.cells_of(k)));
      for (const auto& [block, operation] : last_of_) {
        if (block == k) o->after.push_back(operation);
      }
      for (const auto& [block, operation] : first_of_) {
        if (block == k + s_.areas) class_.operations[at(operation)].after.push_back(last());
      }
      add_neighbours(*o, k, x, y);
      if (!s_.fused) o = &begin_next(*o, k);
      add_column(*o, k);
      if (!s_.fused) o = &begin_next(*o, k);
      add_operand(*o, Buffer::output, program_.spans.add(s_.cells_of(k)), coefficient_of(s_, 3, 1));
      o->store = Buffer::output;
    }
  }

  /// What was added so far goes to the area of the sum, and from there on.
  Operation& begin_next(Operation& o, std::int64_t k) {
    o.store = Buffer::scratch;
    o.store_elements = sum(k);
    Operation& next = add(8, program_.spans.add(s_.cells_of(k)));
    add_operand(next, Buffer::scratch, sum(k), kNoCoefficient);
    return next;
  }
  void add_neighbours(Operation& o, std::int64_t k, std::int32_t x, std::int32_t y) {
    add_operand(o, Buffer::scratch, area(k, 0, 0), kNoCoefficient);
    for (std::size_t from = 0; from < kTravels.size(); ++from) {
      for (std::int32_t m = 1; m <= std::min(s_.radius, place_of(s_, from, x, y)); ++m) {
        add_operand(o, Buffer::scratch, area(k, from, m), kNoCoefficient);
      }
    }
  }
  void add_column(Operation& o, std::int64_t k) {
    for (std::int32_t offset = -s_.radius; offset <= s_.radius; ++offset) {
      if (offset == 0) continue;
      const Range cells = s_.cells_of(k);
      add_operand(o, Buffer::input, program_.spans.add(Range{cells.first + offset, cells.count}),
                  coefficient_of(s_, 2, std::abs(offset)));
    }
  }

  const Stencil& s_;
  WaferProgram& program_;
  ProcessorClass class_;
  struct OfBlock {
    std::int64_t block = 0;
    std::int32_t operation = 0;
  };
  std::vector<OfBlock> first_of_;  ///< the first operation of a lane that stores what comes for a block
  std::vector<OfBlock> last_of_;   ///< the last one of a lane
};

inline WaferProgram stencil_program(const Stencil& s) {
  WaferProgram program;
  program.machine = wafer(s.width, s.height);
  program.colors = {2, 3, 4, 5};
  program.coefficients = coefficients_of(s);
  program.steps = s.steps;
  program.begins_exchanged = s.begins_exchanged;
  program.extent = {s.words(), s.words(), s.areas * (2 + 4 * std::int64_t{s.radius}) * s.block};
  // All hold what the first repetition reads, and have what the last one calls output.
  Contract contract{.collective = Collective::allreduce, .count = s.words()};
  if (s.begins_exchanged) contract.from = Buffer::output;
  StencilWriter writer(s, program);
  for (std::int32_t y = 0; y < s.height; ++y) {
    for (std::int32_t x = 0; x < s.width; ++x) {
      ProcessorClass made = writer.write(x, y);
      const auto found = std::find(program.classes.begin(), program.classes.end(), made);
      program.class_of.push_back(static_cast<std::int32_t>(found - program.classes.begin()));
      if (found == program.classes.end()) program.classes.push_back(std::move(made));
      contract.ranks.push_back(y * s.width + x);
    }
  }
  program.contracts = {contract};
  return program;
}

}  // namespace muster::wafer::test
