// The receivers of a shot file: lists, lines and grids.
#include <algorithm>
#include <cmath>

#include "app/seismic/propagator_names.h"
#include "app/seismic/recorded.h"
#include "app/seismic/shot_file/reader.h"

namespace muster::seismic {
namespace {

constexpr std::int64_t kMostReceivers = 10'000'000;

PerAxis<double> sum(const PerAxis<double>& start, double factor, const PerAxis<double>& step) {
  return {start.x + factor * step.x, start.y + factor * step.y, start.z + factor * step.z};
}

std::vector<PerAxis<double>> read_line(const TomlTable& table) {
  const PerAxis<double> first = read_lengths(table, "first", Sign::none);
  const PerAxis<double> last = read_lengths(table, "last", Sign::none);
  const std::int64_t count = table.integer("count", {2, kMostReceivers});
  std::vector<PerAxis<double>> positions;
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    PerAxis<double> position;
    for (const Axis axis : kAxes) position[axis] = std::lerp(first[axis], last[axis], share);
    positions.push_back(position);
  }
  return positions;
}

std::vector<PerAxis<double>> read_plane(const TomlTable& table) {
  const PerAxis<double> first = read_lengths(table, "first", Sign::none);
  const PerAxis<double> slow = read_lengths(table, "step_1", Sign::allowed);
  const PerAxis<double> fast = read_lengths(table, "step_2", Sign::allowed);
  const std::vector<std::int64_t> counts = table.integers("counts", {1, kMostReceivers});
  if (counts.size() != 2) {
    table.refuse("counts",
                 fmt::format("has {} numbers; it needs two, along step_1 and step_2, e.g. [240, 240]", counts.size()));
  }
  if (counts[0] > kMostReceivers / counts[1]) {
    table.refuse("counts", fmt::format("are more than {} receivers", kMostReceivers));
  }
  std::vector<PerAxis<double>> positions;
  for (std::int64_t i = 0; i < counts[0]; ++i) {
    for (std::int64_t j = 0; j < counts[1]; ++j) {
      positions.push_back(sum(sum(first, static_cast<double>(i), slow), static_cast<double>(j), fast));
    }
  }
  return positions;
}

std::vector<PerAxis<double>> read_list(const TomlTable& table) {
  std::vector<PerAxis<double>> positions;
  for (const std::string& text : table.strings("positions")) {
    positions.push_back(parse_lengths(table, "positions", text));
  }
  if (positions.empty()) table.refuse("positions", "has none; use e.g. [\"400 m, 400 m, 20 m\"]");
  return positions;
}

/// The key about which to complain when a position is wrong is the one that says which form it is.
std::string_view form_of(const TomlTable& table) {
  const std::string_view forms[] = {"positions", "last", "counts"};
  std::string_view found;
  for (const std::string_view form : forms) {
    if (!table.has(form)) continue;
    if (!found.empty()) {
      table.refuse(form, fmt::format("stands beside '{}'; use positions (a list), first, last and count (a line), or "
                                     "first, step_1, step_2 and counts (a grid)",
                                     found));
    }
    found = form;
  }
  if (found == "positions" && table.has("first")) {
    table.refuse("first", "stands beside 'positions'; a list has each position in it");
  }
  if (found.empty()) {
    table.refuse("positions",
                 "is missing; use positions (a list), first, last and count (a line), or first, step_1, "
                 "step_2 and counts (a grid)");
  }
  return found;
}

std::vector<PerAxis<double>> read_positions(const TomlTable& table, const Shot& shot) {
  const std::string_view form = form_of(table);
  std::vector<PerAxis<double>> positions = form == "positions" ? read_list(table)
                                           : form == "last"    ? read_line(table)
                                                               : read_plane(table);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (is_inside(shot, positions[i], shot.repetition.receiver_increment)) continue;
    check_inside(table, form, shot, positions[i], shot.repetition.receiver_increment,
                 fmt::format("receiver {}", i + 1));
  }
  return positions;
}

}  // namespace

std::vector<std::string> read_fields(const TomlTable& table, const Shot& shot) {
  const Description equation = describe_propagator(shot.propagator);
  std::vector<std::string> fields = table.has("fields") ? table.strings("fields") : std::vector<std::string>{"p"};
  for (auto field = fields.begin(); field != fields.end(); ++field) {
    if (!recorded(equation, *field)) {
      table.refuse("fields",
                   fmt::format("{} has no '{}'; {}", shot.propagator, *field, suggest(*field, recordable(equation))));
    }
    if (std::find(fields.begin(), field, *field) != field) {
      table.refuse("fields", fmt::format("'{}' is there twice; keep one", *field));
    }
  }
  if (fields.empty()) table.refuse("fields", "has none; use e.g. [\"p\"]");
  return fields;
}

void read_receivers(const TomlTable& root, Shot& shot) {
  for (const TomlTable& table : tables_of(root, "receivers")) {
    ReceiverSet set;
    set.name =
        table.has("name") ? read_plain_name(table, "name") : fmt::format("receivers{}", shot.receivers.size() + 1);
    if (std::ranges::count(shot.receivers, set.name, &ReceiverSet::name) > 0) {
      table.refuse("name", fmt::format("'{}' is the name of another set; use a new one", set.name));
    }
    set.fields = read_fields(table, shot);
    if (table.has("every")) set.every = table.integer("every", {1, kMostSteps});
    set.positions = read_positions(table, shot);
    shot.receivers.push_back(std::move(set));
  }
}

}  // namespace muster::seismic
