#include "collective/torus/placement.h"

#include <algorithm>
#include <numeric>

#include "base/index.h"

namespace muster {
namespace {

/// A step along one axis: the partner of each of its positions, and what a message takes on a link.
struct AxisStep {
  std::vector<std::int32_t> partner;
  double cycles = 0;
};

/// The workers of a line, as players are counted: where they are on a ring of tiles.
struct Line {
  std::vector<std::int32_t> tiles;
  std::int32_t length = 0;
  std::int32_t workers = 0;  ///< in use on it, from the first of these tiles on
  double hop_cycles = 0;
};

using Order = std::vector<std::int32_t>;

/// As nearer_noc() does.
bool goes_forward(const Line& line, std::int32_t a, std::int32_t b) {
  const std::int32_t hops = (line.tiles[at(b)] - line.tiles[at(a)] + line.length) % line.length;
  if (2 * hops != line.length) return 2 * hops < line.length;
  const std::int32_t workers = (b - a + line.workers) % line.workers;
  return 2 * workers == line.workers ? a < b : 2 * workers < line.workers;
}

double cost_of(const Line& line, const AxisStep& step, const Order& order) {
  std::vector<std::int32_t> load(2 * at(line.length));
  std::int32_t most_hops = 0;
  for (std::size_t p = 0; p < order.size(); ++p) {
    const std::int32_t from = line.tiles[at(order[p])];
    const std::int32_t to = line.tiles[at(order[at(step.partner[p])])];
    const std::int32_t forward = (to - from + line.length) % line.length;
    const bool is_forward = goes_forward(line, order[p], order[at(step.partner[p])]);
    const std::int32_t hops = is_forward ? forward : line.length - forward;
    most_hops = std::max(most_hops, hops);
    for (std::int32_t k = 0; k < hops; ++k) {
      const std::int32_t tile = (from + (is_forward ? k : line.length - k)) % line.length;
      ++load[2 * at(tile) + (is_forward ? 0 : 1)];
    }
  }
  return step.cycles * *std::max_element(load.begin(), load.end()) + line.hop_cycles * most_hops;
}

Order near_order(const Line& line, const std::vector<AxisStep>& steps) {
  Order order(line.tiles.size());
  std::iota(order.begin(), order.end(), 0);
  const auto cost = [&] {
    double sum = 0;
    for (const AxisStep& step : steps) sum += cost_of(line, step, order);
    return sum;
  };
  double best = cost();
  for (bool improved = true; improved;) {
    improved = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        std::swap(order[i], order[j]);
        if (const double now = cost(); now < best) {
          best = now;
          improved = true;
        } else {
          std::swap(order[i], order[j]);
        }
      }
    }
  }
  return order;
}

}  // namespace

ParameterSpec placement_parameter() {
  return {
      .name = "placement",
      .summary = "whether players sit on the workers in their natural order, or near their partners; default: natural",
      .by_default = [](const Request&) { return std::int64_t{0}; },
      .least = [](const Request&) { return std::int64_t{0}; },
      .most = [](const Request&) { return std::int64_t{1}; },
      .worth_trying =
          [](const Request&) {
            return std::vector<std::int64_t>{0, 1};
          },
      .names = {"natural", "near"}};
}

bool is_placed_near(const Parameters& parameters) {
  const auto given = parameters.find("placement");
  return given != parameters.end() && given->second == 1;
}

TorusPlayers near_players(const Torus& torus, TorusPlayers players, const std::vector<Matching>& steps,
                          const std::vector<double>& bytes) {
  const std::int32_t columns = players.columns;
  const auto hop = static_cast<double>(torus.hop_latency.value());
  Line row{.tiles = {}, .length = torus.width, .workers = used_columns(torus), .hop_cycles = hop};
  Line column{.tiles = {}, .length = torus.height, .workers = used_rows(torus), .hop_cycles = hop};
  for (std::int32_t x = 0; x < columns; ++x) row.tiles.push_back(coordinates_of(torus, players.ranks[at(x)]).x);
  for (std::int32_t y = 0; y < players.rows; ++y) {
    column.tiles.push_back(coordinates_of(torus, players.ranks[at(y * columns)]).y);
  }
  std::vector<AxisStep> along_row, along_column;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const bool is_in_row = steps[k][0] < columns;
    AxisStep step{.partner = {}, .cycles = bytes[k] / torus.interface.write_rate};
    for (std::int32_t i = 0; i < (is_in_row ? columns : players.rows); ++i) {
      step.partner.push_back(is_in_row ? steps[k][at(i)] : steps[k][at(i * columns)] / columns);
    }
    (is_in_row ? along_row : along_column).push_back(std::move(step));
  }
  const Order xs = near_order(row, along_row);
  const Order ys = near_order(column, along_column);
  const std::vector<NodeId> natural = players.ranks;
  for (std::int32_t y = 0; y < players.rows; ++y) {
    for (std::int32_t x = 0; x < columns; ++x) {
      players.ranks[at(y * columns + x)] = natural[at(ys[at(y)] * columns + xs[at(x)])];
    }
  }
  return players;
}

}  // namespace muster
