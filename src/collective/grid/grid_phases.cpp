#include "collective/grid/grid_phases.h"

#include <utility>

#include "machine/routing.h"

namespace muster {

GridPhases::GridPhases(const Mesh& mesh, std::int64_t count)
    : width_(mesh.width), height_(mesh.height), builder_({.nodes = mesh.width * mesh.height, .count = count}) {}

void GridPhases::along_rows(Schedule part) {
  Boxes rows{.width = width_};
  for (NodeId y = 0; y < height_; ++y) rows.corners.push_back(y * width_);
  run(this->part(std::move(part)), rows, 0);
}

void GridPhases::along_columns(Schedule part) {
  Boxes columns{.height = height_};
  for (NodeId x = 0; x < width_; ++x) columns.corners.push_back(x);
  run(this->part(std::move(part)), columns, 0);
}

void GridPhases::along_column(std::int32_t x, Schedule part) {
  run(this->part(std::move(part)), {.corners = {x}, .height = height_}, 0);
}

void GridPhases::on_grid(Schedule part) {
  run(this->part(std::move(part)), {.corners = {0}, .width = width_, .height = height_}, 0);
}

std::int32_t GridPhases::part(Schedule part) {
  const Contract& contract = part.contracts.front();
  parts_.push_back({.count = contract.count, .in_place = contract.from == contract.to});
  return builder_.part(std::move(part));
}

void GridPhases::run(std::int32_t part, const Boxes& boxes, std::int64_t offset) {
  const auto [count, in_place] = parts_[static_cast<std::size_t>(part)];
  Phase phase{.part = part, .groups = groups_of(boxes, count), .offset = offset};
  if (in_place) phase.input = Buffer::output;
  if (last_ >= 0) phase.after = {last_};
  last_ = builder_.phase(std::move(phase));
}

std::int32_t GridPhases::groups_of(const Boxes& boxes, std::int64_t count) {
  const auto [known, is_new] = groups_.try_emplace({boxes, count}, -1);
  if (!is_new) return known->second;
  const SpanId on = builder_.span({0, count});
  std::vector<Group> groups;
  groups.reserve(boxes.corners.size());
  for (const NodeId corner : boxes.corners) {
    Group& group = groups.emplace_back(Group{.members = {}, .on = on});
    group.members.reserve(static_cast<std::size_t>(boxes.width) * static_cast<std::size_t>(boxes.height));
    for (NodeId y = 0; y < boxes.height; ++y) {
      for (NodeId x = 0; x < boxes.width; ++x) group.members.push_back(corner + y * width_ + x);
    }
  }
  return known->second = builder_.groups(std::move(groups));
}

Schedule GridPhases::finish(Contract contract) && {
  builder_.contract(std::move(contract));
  return std::move(builder_).finish();
}

}  // namespace muster
