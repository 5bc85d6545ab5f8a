// Row by row, then everything else.
#include "backend/hyperx/files/difference.h"

#include <algorithm>

#include "backend/hyperx/files/names.h"

namespace muster::hyperx {
namespace {

bool same_ports(const Registers& a, const Row& x, const Registers& b, const Row& y) {
  return std::ranges::equal(a.inputs_of(x), b.inputs_of(y)) && std::ranges::equal(a.outputs_of(x), b.outputs_of(y));
}

}  // namespace

std::optional<std::string> difference(const HyperXProgram& program, const HyperXProgram& read) {
  const Registers& a = program.registers;
  const Registers& b = read.registers;
  for (std::size_t i = 0; i < std::min(a.rows.size(), b.rows.size()); ++i) {
    const Row& x = a.rows[i];
    const Row& y = b.rows[i];
    if (x.at != y.at || x.id != y.id || x.channel != y.channel) {
      return fmt::format("{} is {}", row_text(program.machine, x), row_text(read.machine, y));
    }
    if (!same_ports(a, x, b, y)) return row_text(program.machine, x) + " has other ports";
  }
  if (a.rows.size() != b.rows.size()) return fmt::format("{} rows are {}", a.rows.size(), b.rows.size());
  if (a.segments != b.segments) return "other segments";
  if (a.op != b.op || a.type != b.type) return "another operation or type";
  if (program.contracts != read.contracts) return "other contracts";
  return std::nullopt;
}

}  // namespace muster::hyperx
