// Rows and columns as lines. Ranks of a mesh count row by row, so on a single row or column rank and position are the
// same.
#include "collective/grid/line.h"

#include <utility>

#include "machine/mesh.h"

namespace muster {

std::array<Side, 2> Line::sides() const {
  Side before{.root = node(root), .stride = -stride, .length = root + 1};
  Side behind{.root = node(root), .stride = stride, .length = length - root};
  if (behind.length < before.length) std::swap(before, behind);
  return {before, behind};
}

std::optional<Line> line_of(const Request& request) {
  const Mesh* mesh = as<Mesh>(request.machine);
  if (mesh == nullptr || (mesh->width != 1 && mesh->height != 1)) return std::nullopt;
  return Line{.length = mesh->width * mesh->height, .root = request.root};
}

std::optional<std::string> unless_line(const Request& request) {
  if (line_of(request)) return std::nullopt;
  return fmt::format("needs a row or a column, got {}", shape_text(request.machine));
}

std::optional<std::string> unless_grid(const Request& request) {
  const Mesh* mesh = as<Mesh>(request.machine);
  if (mesh == nullptr) return "needs a mesh, got " + family_name(request.machine);
  if (mesh->width > 1 && mesh->height > 1) return std::nullopt;
  return fmt::format("needs several rows and columns, got {}", shape_text(request.machine));
}

namespace {

Request cut_to(Request request, std::int32_t width, std::int32_t height, NodeId root) {
  auto& mesh = *as<Mesh>(request.machine);
  mesh.width = width;
  mesh.height = height;
  request.root = root;
  return request;
}

}  // namespace

Request row_request(const Request& request) {
  const std::int32_t width = as<Mesh>(request.machine)->width;
  return cut_to(request, width, 1, request.root % width);
}

Request column_request(const Request& request) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  return cut_to(request, 1, mesh.height, request.root / mesh.width);
}

Line row_of(const Mesh& mesh, std::int32_t y, std::int32_t root) {
  return {.length = mesh.width, .root = root, .first = y * mesh.width, .stride = 1};
}

Line column_of(const Mesh& mesh, std::int32_t x, std::int32_t root) {
  return {.length = mesh.height, .root = root, .first = x, .stride = mesh.width};
}

}  // namespace muster
