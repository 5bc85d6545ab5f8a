// Rows and columns as lines. Ranks of a mesh count row by row, so on a single row or column rank and position are the
// same.
#include "collective/line.h"

#include <utility>

namespace muster {

std::array<Side, 2> Line::sides() const {
  Side before{.root = root, .direction = -1, .length = root + 1};
  Side behind{.root = root, .direction = +1, .length = length - root};
  if (behind.length < before.length) std::swap(before, behind);
  return {before, behind};
}

std::optional<Line> line_of(const Request& request) {
  const Mesh* mesh = request.machine.mesh();
  if (mesh == nullptr || (mesh->width != 1 && mesh->height != 1)) return std::nullopt;
  return Line{.length = mesh->width * mesh->height, .root = request.root};
}

std::optional<std::string> unless_line(const Request& request) {
  if (line_of(request)) return std::nullopt;
  return fmt::format("needs a row or a column, got {}", shape_text(request.machine));
}

}  // namespace muster
