#include "backend/wafer/simulate/resized.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "base/index.h"
#include "machine/mesh.h"
#include "schedule/contract.h"

namespace muster::wafer {
namespace {

constexpr std::int32_t kLongestPeriod = 64;

/// How long the lines from `first` on repeat with a period; at most up to `end`.
std::int32_t repeat_length(std::span<const std::int32_t> lines, std::int32_t first, std::int32_t end,
                           std::int32_t period) {
  std::int32_t i = first;
  while (i + period < end && lines[at(i)] == lines[at(i + period)]) ++i;
  return i - first + period;
}

/// The longest one in [first, end), and of equally long ones that with the shortest period.
std::optional<Repeat> longest_repeat(std::span<const std::int32_t> lines, std::int32_t first, std::int32_t end,
                                     std::int32_t least_periods) {
  std::optional<Repeat> best;
  for (std::int32_t period = 1; period <= std::min(kLongestPeriod, (end - first) / least_periods); ++period) {
    for (std::int32_t i = first; i + period < end;) {
      const std::int32_t count = repeat_length(lines, i, end, period);
      const bool is_enough = count >= least_periods * period;
      if (is_enough && (!best || count - period > best->count - best->period)) best = Repeat{i, count, period};
      i += count - period + 1;
    }
  }
  return best;
}

void add_repeats(std::span<const std::int32_t> lines, std::int32_t first, std::int32_t end, std::int32_t least_periods,
                 std::vector<Repeat>& all) {
  const auto longest = longest_repeat(lines, first, end, least_periods);
  if (!longest) return;
  add_repeats(lines, first, longest->first, least_periods, all);
  all.push_back(*longest);
  add_repeats(lines, longest->first + longest->count, end, least_periods, all);
}

/// Of the larger grid: the line of the smaller one that each is like.
Outcome<std::vector<std::int32_t>> stretched(std::span<const std::int32_t> lines, std::int32_t size, std::int32_t reach,
                                             const char* what) {
  const auto given = static_cast<std::int32_t>(lines.size());
  std::vector<std::int32_t> like(at(size));
  if (size == given) {
    std::iota(like.begin(), like.end(), 0);
    return like;
  }
  const auto repeat = longest_repeat(lines, 0, given, 2);
  if (size < given || !repeat || (size - given) % repeat->period != 0) {
    return Refusal{fmt::format("{} {} cannot become {}: {}", given, what, size,
                               size < given ? "there are too many"
                               : repeat     ? fmt::format("they repeat every {}", repeat->period)
                                            : std::string("they do not repeat"))};
  }
  // One period in the middle is added again and again.
  const std::int32_t from = repeat->first + (repeat->count - repeat->period) / 2, more = size - given;
  for (std::int32_t x = 0; x < size; ++x) {
    like[at(x)] = x < from ? x : x < from + more ? from + (x - from) % repeat->period : x - more;
  }
  const auto number = [&](std::int32_t line) { return line >= 0 && line < given ? lines[at(line)] : -1; };
  for (std::int32_t x = 0; x < size; ++x) {
    for (std::int32_t d = -reach; d <= reach; ++d) {
      const std::int32_t beside = x + d >= 0 && x + d < size ? number(like[at(x + d)]) : -1;
      if (beside != number(like[at(x)] + d)) {
        return Refusal{
            fmt::format("{} {} cannot become {}: they repeat too seldom to show all neighbourhoods; begin with more",
                        given, what, size)};
      }
    }
  }
  return like;
}

}  // namespace

Likeness numbered_lines(const WaferProgram& program) {
  const auto width = at(program.mesh().width), height = at(program.mesh().height);
  Likeness numbers;
  std::map<std::vector<std::int32_t>, std::int32_t> known;
  const auto number = [&](std::vector<std::int32_t> line) {
    return known.emplace(std::move(line), static_cast<std::int32_t>(known.size())).first->second;
  };
  for (std::size_t x = 0; x < width; ++x) {
    std::vector<std::int32_t> line;
    for (std::size_t y = 0; y < height; ++y) line.push_back(program.class_of[y * width + x]);
    numbers.columns.push_back(number(std::move(line)));
  }
  known.clear();
  for (std::size_t y = 0; y < height; ++y) {
    const auto row = program.class_of.begin() + static_cast<std::ptrdiff_t>(y * width);
    numbers.rows.push_back(number({row, row + static_cast<std::ptrdiff_t>(width)}));
  }
  return numbers;
}

std::vector<Repeat> repeats_of(std::span<const std::int32_t> lines, std::int32_t least_periods) {
  std::vector<Repeat> all;
  add_repeats(lines, 0, static_cast<std::int32_t>(lines.size()), least_periods, all);
  return all;
}

std::string beyond_resizing(const WaferProgram& program) {
  const auto nodes = static_cast<std::int64_t>(program.mesh().width) * program.mesh().height;
  if (nodes != std::ssize(program.class_of)) return "the program does not say what every PE runs";
  if (!program.parts.empty() || !program.without_broadcast.empty()) return "the program has phases";
  for (const Contract& contract : program.contracts) {
    const bool is_alike = contract.collective == Collective::stencil || contract.collective == Collective::allreduce;
    if (!is_alike) return fmt::format("not every PE owes the same in a {}", collective_name(contract.collective));
    if (!contract.sources.empty() || !contract.receivers.empty()) return "some PEs have sources or receivers";
    if (std::ssize(contract.ranks) != nodes) return "some PEs are no ranks";
    for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
      if (contract.ranks[i] != static_cast<NodeId>(i)) return "ranks are not in the order of PEs";
    }
  }
  return "";
}

WaferProgram resized(const WaferProgram& program, const Likeness& like) {
  MUSTER_ASSERT(beyond_resizing(program).empty(), "{}", beyond_resizing(program));
  const std::int32_t given_width = program.mesh().width;
  WaferProgram other = program;
  other.class_of.clear();
  other.contracts.clear();
  Mesh& mesh = *as<Mesh>(other.machine);
  mesh.width = static_cast<std::int32_t>(like.columns.size());
  mesh.height = static_cast<std::int32_t>(like.rows.size());
  other.class_of.reserve(like.rows.size() * like.columns.size());
  for (const std::int32_t y : like.rows) {
    for (const std::int32_t x : like.columns) other.class_of.push_back(program.class_of[at(y * given_width + x)]);
  }
  for (const Contract& given : program.contracts) {
    Contract& contract = other.contracts.emplace_back(given);
    contract.ranks.resize(other.class_of.size());
    std::iota(contract.ranks.begin(), contract.ranks.end(), 0);
    if (contract.columns > 0) contract.columns = mesh.width;
  }
  return other;
}

Outcome<WaferProgram> widened(const WaferProgram& program, const Machine& machine, std::int32_t reach) {
  if (const std::string why = beyond_resizing(program); !why.empty()) return Refusal{why};
  const Mesh& mesh = *as<Mesh>(machine);
  const Likeness lines = numbered_lines(program);
  auto columns = stretched(lines.columns, mesh.width, reach, "columns");
  if (!columns) return Refusal{columns.reason()};
  auto rows = stretched(lines.rows, mesh.height, reach, "rows");
  if (!rows) return Refusal{rows.reason()};
  WaferProgram wide = resized(program, {std::move(columns).value(), std::move(rows).value()});
  wide.machine = machine;
  return wide;
}

}  // namespace muster::wafer
