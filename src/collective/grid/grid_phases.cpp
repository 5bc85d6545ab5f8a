#include "collective/grid/grid_phases.h"

#include <utility>

#include "machine/routing.h"

namespace muster {

GridPhases::GridPhases(const Mesh& mesh, std::int64_t count)
    : width_(mesh.width),
      height_(mesh.height),
      builder_({.nodes = mesh.width * mesh.height, .count = count}),
      all_(builder_.span({0, count})) {}

void GridPhases::along_rows(Schedule part) {
  std::vector<Group> groups;
  for (NodeId y = 0; y < height_; ++y) groups.push_back(line(y * width_, 1, width_));
  add(std::move(part), std::move(groups));
}

void GridPhases::along_columns(Schedule part) {
  std::vector<Group> groups;
  for (NodeId x = 0; x < width_; ++x) groups.push_back(line(x, width_, height_));
  add(std::move(part), std::move(groups));
}

void GridPhases::along_column(std::int32_t x, Schedule part) { add(std::move(part), {line(x, width_, height_)}); }

void GridPhases::on_grid(Schedule part) { add(std::move(part), {line(0, 1, width_ * height_)}); }

Group GridPhases::line(NodeId first, NodeId stride, NodeId length) const {
  Group group{.members = {}, .on = all_};
  group.members.reserve(static_cast<std::size_t>(length));
  for (NodeId i = 0; i < length; ++i) group.members.push_back(first + i * stride);
  return group;
}

void GridPhases::add(Schedule part, std::vector<Group> groups) {
  const Contract contract = part.contracts.front();
  Phase phase{.part = builder_.part(std::move(part)), .groups = builder_.groups(std::move(groups))};
  if (contract.from == contract.to) phase.input = Buffer::output;
  if (last_ >= 0) phase.after = {last_};
  last_ = builder_.phase(std::move(phase));
}

Schedule GridPhases::finish(Contract contract) && {
  builder_.contract(std::move(contract));
  return std::move(builder_).finish();
}

}  // namespace muster
