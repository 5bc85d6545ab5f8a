// How many of a torus's workers are in use.
#include "base/error.h"
#include "machine/torus.h"

namespace muster {
namespace {

Torus& torus_of(Machine& machine) {
  Torus* torus = as<Torus>(machine);
  if (torus == nullptr) {
    reject("machine '{}' is a {}, which has no workers; that is for a torus such as wormhole-n150", machine.name,
           family_name(machine));
  }
  return *torus;
}

}  // namespace

Machine with_worker_grid(Machine machine, std::int64_t columns, std::int64_t rows) {
  Torus& torus = torus_of(machine);
  if (columns < 1 || rows < 1) reject("grid: {}x{} is too small; width and height must be at least 1", columns, rows);
  const auto most_columns = static_cast<std::int64_t>(torus.worker_columns.size());
  const auto most_rows = static_cast<std::int64_t>(torus.worker_rows.size());
  if (columns > most_columns || rows > most_rows) {
    reject("grid: {}x{} does not fit {}; use at most {}x{}", columns, rows, machine.name, most_columns, most_rows);
  }
  torus.used_columns = static_cast<std::int32_t>(columns);
  torus.used_ranks = static_cast<std::int32_t>(columns * rows);
  return machine;
}

Machine with_workers(Machine machine, std::int64_t ranks) {
  Torus& torus = torus_of(machine);
  const auto columns = static_cast<std::int64_t>(torus.worker_columns.size());
  const auto rows = static_cast<std::int64_t>(torus.worker_rows.size());
  if (ranks < 1) reject("nodes: {} is too small; use at least 1", ranks);
  if (ranks > columns * rows) {
    reject("nodes: {} are too many for {}; use at most {}", ranks, machine.name, columns * rows);
  }
  if (ranks % columns == 0) return with_worker_grid(std::move(machine), columns, ranks / columns);
  if (ranks < columns) return with_worker_grid(std::move(machine), ranks, 1);
  torus.used_columns = static_cast<std::int32_t>(columns);
  torus.used_ranks = static_cast<std::int32_t>(ranks);
  return machine;
}

}  // namespace muster
