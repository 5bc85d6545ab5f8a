// From trees on a line to the steps that reduce along them. Linear in the number of processors.
#include "collective/grid/line_reduce.h"

#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "collective/grid/beyond_formulas.h"
#include "collective/grid/side_writer.h"
#include "collective/grid/timed_walk.h"
#include "machine/mesh.h"

namespace muster {

LineTrees shorter_side_first(const Line& line, const TreeFor& tree_for) {
  const auto [shorter, longer] = line.sides();
  LineTrees trees{.sides = {tree_for(shorter.length), tree_for(longer.length)}, .order = {}};
  for (const std::uint8_t side : {std::uint8_t{0}, std::uint8_t{1}}) {
    trees.order.insert(trees.order.end(), static_cast<std::size_t>(trees.sides.at(side).child_count(0)), side);
  }
  return trees;
}

void write_line_reduce(ScheduleBuilder& builder, const Line& line, const LineTrees& trees, SpanId all, Buffer from) {
  const auto sides = line.sides();
  std::array<SideWriter, 2> writers{SideWriter(builder, sides[0], trees.sides[0], all),
                                    SideWriter(builder, sides[1], trees.sides[1], all)};
  for (SideWriter& writer : writers) writer.write_senders(from);
  Buffer own = from;
  for (const std::uint8_t side : trees.order) {
    writers.at(side).write_root(own);
    own = Buffer::output;
  }
  MUSTER_ASSERT(writers[0].root_is_done() && writers[1].root_is_done(), "the root does not take all of its children");
  if (line.length == 1 && from != Buffer::output) builder.step(line.node(0), all).own(from).store(Buffer::output);
}

std::optional<std::string> unless_short(const LineReduce& pattern, std::int32_t length) {
  if (length <= pattern.longest) return std::nullopt;
  return fmt::format("supports lines of at most {} PEs, got {}", pattern.longest, length);
}

Reduce reduce_on_line(const LineReduce& pattern) {
  return {.name = pattern.name,
          .summary = pattern.summary,
          .source = pattern.source,
          .parameters = pattern.parameters,
          .unsupported =
              [pattern](const Request& request) {
                auto reason = unless_line(request);
                return reason ? reason : unless_short(pattern, line_of(request)->length);
              },
          .write =
              [pattern](const Request& request, const Parameters& parameters, ScheduleBuilder& b) {
                const LineTrees trees = pattern.trees(request, parameters);
                write_line_reduce(b, line_of(request).value(), trees, b.span({0, request.count}), Buffer::input);
              },
          .cost = [pattern](const Request& request,
                            const Parameters& parameters) { return line_reduce_cycles(pattern, request, parameters); },
          .cost_tolerance = pattern.cost_tolerance,
          .knows_machine = pattern.knows_machine,
          .cost_by_root = pattern.cost_by_root};
}

namespace {

Schedule reduce_along_trees(const Line& line, std::int64_t count, const LineTrees& trees) {
  ScheduleBuilder b({.nodes = line.length, .count = count});
  write_line_reduce(b, line, trees, b.span({0, count}), Buffer::input);
  Contract contract{.collective = Collective::reduce, .ranks = {}, .root = line.root, .count = count};
  for (std::int32_t position = 0; position < line.length; ++position) contract.ranks.push_back(line.node(position));
  b.contract(std::move(contract));
  return std::move(b).finish();
}

}  // namespace

Cycles walked_line_cycles(const Request& request, const LineTrees& trees) {
  const Line line = line_of(request).value();
  return walked_cycles(reduce_along_trees(line, request.count, trees), *as<Mesh>(request.machine)).value();
}

Cycles line_reduce_cycles(const LineReduce& pattern, const Request& request, const Parameters& parameters) {
  const Line line = line_of(request).value();
  const Mesh& mesh = *as<Mesh>(request.machine);
  if (line.length == 1) return copy_cycles(request.count) + mesh.operation_start;
  if (pattern.knows_machine || !is_beyond_formulas(mesh)) return pattern.cost(request, parameters);
  return walked_line_cycles(request, pattern.trees(request, parameters));
}

Schedule reduce_along_line(const Line& line, std::int64_t count, const TreeFor& tree_for) {
  return reduce_along_trees(line, count, shorter_side_first(line, tree_for));
}

}  // namespace muster
