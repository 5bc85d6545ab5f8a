// Short lists are written as they are. Where many operations differ only by their numbers, these become the processors'
// own; and where lists multiply because rows and columns do, each list is cut in two. Long lists become tables with loops,
// with or without the other two, whichever takes the fewest numbers.
#include "backend/wafer/csl/lists.h"

#include <algorithm>

#include "backend/wafer/csl/loops.h"
#include "backend/wafer/csl/operations.h"
#include "backend/wafer/csl/own_numbers.h"
#include "base/index.h"

namespace muster::wafer {

namespace {

constexpr std::size_t kMostStarts = 16;     // operations that have a start each; longer lists are looked up in a table
constexpr std::size_t kPlainRows = 48;      // so many different operations are written out
constexpr std::size_t kPlainNumbers = 600;  // in tables of lists that are not worth cutting

/// Whether wavelets of each color travel along a column.
std::vector<bool> colors_along_y(const WaferProgram& program) {
  constexpr Directions kAlongY = set_of(Direction::north) | set_of(Direction::south);
  std::vector<bool> along(program.colors.size(), false);
  for (const ProcessorClass& c : program.classes) {
    for (const ColorRoute& route : c.routes) {
      for (std::size_t p = 0; p < route.count; ++p) {
        const Position& position = route.positions[p];
        if (((position.from | position.to) & kAlongY) != 0) along[at(route.color)] = true;
      }
    }
  }
  return along;
}

/// The operations before the first one that has to do with a column, and the others.
std::array<CslOperations, 2> cut(const CslOperations& operations, const std::vector<bool>& along_y) {
  const auto in_column = [&](const CslOperation& o) {
    return (takes(o.action) && along_y[at(o.take)]) ||
           ((sends(o.action) || is_control(o.action)) && along_y[at(o.send)]);
  };
  const auto first = std::find_if(operations.list.begin(), operations.list.end(), in_column) - operations.list.begin();
  std::array<CslOperations, 2> parts;
  parts[0].list.assign(operations.list.begin(), operations.list.begin() + first);
  parts[0].times.assign(operations.times.begin(), operations.times.begin() + first);
  parts[1].list.assign(operations.list.begin() + first, operations.list.end());
  parts[1].times.assign(operations.times.begin() + first, operations.times.end());
  return parts;
}

std::size_t longest(const std::vector<CslOperations>& of_class) {
  std::size_t most = 0;
  for (const CslOperations& o : of_class) most = std::max(most, o.list.size());
  return most;
}

struct Tables {
  bool tabled = false;
  std::vector<CslOperation> operations{{}};
  std::vector<CslPart> parts;
  OwnNumbers own;
  NumberTable own_table;

  /// One more part. If tabled, lists are as long as they are, and operations know how often they run.
  void add(const std::vector<CslOperations>& of_class, std::size_t least_slots) {
    CslPart part;
    part.first = slots();
    part.slots = std::max(least_slots, longest(of_class));
    if (part.slots == 0) return;
    for (const CslOperations& of_processor : of_class) {
      std::vector<std::int32_t> list;
      for (std::size_t o = 0; o < of_processor.list.size(); ++o) {
        CslOperation operation = of_processor.list[o];
        if (tabled) operation.times = of_processor.times[o];
        list.push_back(intern(operations, operation));
      }
      if (!tabled) {
        std::vector<std::int32_t> times = of_processor.times;
        list.resize(part.slots, 0);
        times.resize(part.slots, 1);
        part.times_of.of_class.push_back(intern(part.times, times));
      }
      part.list_of.of_class.push_back(intern(part.lists, list));
    }
    parts.push_back(std::move(part));
  }
  [[nodiscard]] std::size_t slots() const { return parts.empty() ? 0 : parts.back().first + parts.back().slots; }
  [[nodiscard]] std::size_t numbers() const {
    std::size_t sum = 0;
    for (const CslPart& part : parts) sum += (part.lists.size() + part.times.size()) * part.slots;
    return sum;
  }
  /// Numbers of all tables of a tabled program; a row of the table has about eight.
  [[nodiscard]] std::size_t tabled_numbers() const {
    constexpr std::size_t kPerRow = 8;
    constexpr std::size_t kPerItem = 3;
    std::size_t sum = kPerRow * operations.size() + kPerItem * own_table.items.size();
    for (const CslPart& part : parts) {
      for (const auto& list : part.lists) sum += list.size();
    }
    return sum;
  }
};

using Halves = std::array<std::vector<CslOperations>, 2>;

Halves halves_of(const WaferProgram& program, const std::vector<CslOperations>& of_class) {
  const std::vector<bool> along_y = colors_along_y(program);
  Halves halves;
  for (const CslOperations& operations : of_class) {
    std::array<CslOperations, 2> parts = cut(operations, along_y);
    for (std::size_t h = 0; h < halves.size(); ++h) halves.at(h).push_back(std::move(parts.at(h)));
  }
  return halves;
}

Tables in_two_parts(const WaferProgram& program, const std::vector<CslOperations>& of_class) {
  Tables tables;
  for (const auto& half : halves_of(program, of_class)) tables.add(half, 0);
  return tables;
}

template <class Parts>
Tables tabled(const WaferProgram& program, Parts parts, bool own_numbers) {
  Tables tables;
  tables.tabled = true;
  for (auto& part : parts) {
    if (own_numbers) tables.own.take_from(part);
    tables.add(part, 0);
  }
  tables.own_table = tables.own.table(program);
  return tables;
}

/// In one part or in two, with or without numbers of the processors' own: what takes the fewest numbers.
Tables shortest_tabled(const WaferProgram& program, const std::vector<CslOperations>& plain) {
  const auto rolled = [](std::vector<CslOperations> lists) {
    for (CslOperations& operations : lists) operations = with_loops(operations);
    return lists;
  };
  const std::array<std::vector<CslOperations>, 1> whole{rolled(plain)};
  Halves halves = halves_of(program, plain);
  for (auto& half : halves) half = rolled(std::move(half));
  Tables best = tabled(program, whole, false);
  const auto consider = [&](Tables other) {
    if (other.tabled_numbers() < best.tabled_numbers()) best = std::move(other);
  };
  consider(tabled(program, whole, true));
  consider(tabled(program, halves, false));
  consider(tabled(program, halves, true));
  return best;
}

void take_tables(CslProgram& csl, Tables tables) {
  csl.tabled = tables.tabled;
  csl.own_numbers = tables.own.count();
  csl.numbers = std::move(tables.own_table);
  csl.slots = tables.slots();
  csl.operations = std::move(tables.operations);
  csl.parts = std::move(tables.parts);
  if (!csl.tabled) return;
  for (const CslOperation& operation : csl.operations) (void)intern(csl.kinds, operation.kind());
}

}  // namespace

void compress(CslSequence& sequence, const WaferProgram& program) {
  std::vector<std::int32_t> values;
  values.reserve(program.class_of.size());
  for (const std::int32_t c : program.class_of) values.push_back(sequence.of_class[at(c)]);
  sequence.items = compress_classes(values);
}

void add_lists(CslProgram& csl, const std::vector<CslOperations>& plain) {
  if (longest(plain) > kMostStarts) {
    take_tables(csl, shortest_tabled(*csl.wafer, plain));
    return;
  }
  std::vector<CslOperations> of_class = plain;
  Tables tables;
  tables.add(of_class, 1);
  if (tables.operations.size() > kPlainRows) {
    tables = Tables();
    tables.own.take_from(of_class);
    tables.own_table = tables.own.table(*csl.wafer);
    tables.add(of_class, 1);
  }
  if (tables.numbers() > kPlainNumbers) {
    Tables halves = in_two_parts(*csl.wafer, of_class);
    if (2 * halves.numbers() < tables.numbers()) {
      halves.own = std::move(tables.own);
      halves.own_table = std::move(tables.own_table);
      tables = std::move(halves);
    }
  }
  take_tables(csl, std::move(tables));
}

}  // namespace muster::wafer
