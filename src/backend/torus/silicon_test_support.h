// The vendor's measurements on silicon (tests/data/wormhole_noc_latency.csv, from Tenstorrent's NoC estimator tables, Apache-2.0), and
// the same transactions as traffic: for tests and for the benchmark. docs/torus.md says how the rows were measured.
#pragma once

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "backend/torus/traffic.h"
#include "base/index.h"
#include "base/source_dir.h"
#include "machine/loader.h"

namespace muster::torus {

struct SiliconRow {
  std::string pattern;
  std::string mechanism;
  std::string memory;
  std::int64_t transactions = 0;
  std::int32_t subordinates = 0;
  bool same_axis = false;
  bool stateful = false;
  bool loopback = false;
  std::int32_t bytes = 0;
  double cycles = 0;
  bool is_filled_in = false;  ///< not measured
  [[nodiscard]] std::string series() const { return pattern + " " + mechanism + " " + memory; }
};

/// The rows of the file. A row of more than 4 KiB that repeats the time of half its size was not measured but filled in.
inline std::vector<SiliconRow> silicon_rows() {
  std::ifstream file(source_dir() + "/tests/data/wormhole_noc_latency.csv");
  std::string line;
  std::getline(file, line);
  std::vector<SiliconRow> rows;
  while (std::getline(file, line)) {
    std::istringstream text(line);
    std::vector<std::string> values;
    for (std::string value; std::getline(text, value, ',');) values.push_back(value);
    rows.push_back({.pattern = values[0],
                    .mechanism = values[1],
                    .memory = values[2],
                    .transactions = std::stoll(values[3]),
                    .subordinates = std::stoi(values[4]),
                    .same_axis = values[5] == "true",
                    .stateful = values[6] == "true",
                    .loopback = values[7] == "true",
                    .bytes = std::stoi(values[9]),
                    .cycles = std::stod(values[10])});
  }
  const auto key = [](const SiliconRow& row, std::int32_t bytes) {
    return std::tuple(row.series(), row.transactions, row.subordinates, row.same_axis, row.stateful, row.loopback,
                      bytes);
  };
  std::map<decltype(key(rows.front(), 0)), double> times;
  for (const SiliconRow& row : rows) times[key(row, row.bytes)] = row.cycles;
  for (SiliconRow& row : rows) {
    const auto half = times.find(key(row, row.bytes / 2));
    row.is_filled_in = row.bytes > 4096 && half != times.end() && half->second == row.cycles;
  }
  return rows;
}

/// The chip of the measurements: an n150's values, and the seven rows of workers that the costs of its multicasts imply.
inline Torus measured_chip() {
  Torus torus = *as<Torus>(load_machine(source_dir() + "/machines/wormhole-n150.toml"));
  torus.worker_rows = {1, 2, 3, 4, 7, 8, 9};
  return torus;
}

/// The transactions of a row of measurements. The time of sender i is from the start of row i to the end of `timed[i]`.
struct SiliconTraffic {
  std::vector<TrafficRow> rows;
  std::vector<std::int32_t> timed;
};

namespace silicon {

struct Workers {
  const Torus& torus;
  [[nodiscard]] RouterId at(std::int32_t x, std::int32_t y) const {
    return torus.worker_rows[muster::at(y)] * torus.width + torus.worker_columns[muster::at(x)];
  }
  [[nodiscard]] Rectangle rectangle(std::int32_t width, std::int32_t height) const {
    return {.first = {.x = torus.worker_columns.front(), .y = torus.worker_rows.front()},
            .last = {.x = torus.worker_columns[muster::at(width) - 1], .y = torus.worker_rows[muster::at(height) - 1]}};
  }
  [[nodiscard]] std::vector<RouterId> all(std::int32_t width, std::int32_t height) const {
    std::vector<RouterId> tiles;
    for (std::int32_t y = 0; y < height; ++y) {
      for (std::int32_t x = 0; x < width; ++x) tiles.push_back(at(x, y));
    }
    return tiles;
  }
};

/// Transactions of one core with DRAM: always its own bank, or one bank after another, beginning with its own.
inline TrafficRow dram_row(const SiliconRow& row, const Torus& torus, RouterId core, std::int32_t rank) {
  const auto banks = static_cast<std::int32_t>(torus.dram.banks.size());
  const bool is_read = row.pattern == "one_from_one";
  TrafficRow made{.id = std::to_string(rank),
                  .kind = is_read ? TrafficKind::read : TrafficKind::write,
                  .noc = is_read ? 1 : 0,
                  .source = core,
                  .bytes = row.bytes};
  const bool is_sharded = row.memory == "dram_sharded";
  for (std::int64_t i = 0; i < (is_sharded ? 1 : row.transactions); ++i) {
    const auto bank = static_cast<std::int32_t>((rank + i) % banks);
    const Coordinates tile = torus.dram.banks[muster::at(bank)];
    made.destinations.push_back(tile.y * torus.width + tile.x);
    made.banks.push_back(bank);
  }
  made.count = is_sharded ? row.transactions : 1;
  return made;
}

/// All cores at once, on NoC 1, released by a barrier: everyone increments a counter of the first core, which multicasts the release.
inline SiliconTraffic dram_all(const SiliconRow& row, const Torus& torus) {
  const Workers workers{torus};
  const auto width = static_cast<std::int32_t>(torus.worker_columns.size());
  const auto height = static_cast<std::int32_t>(torus.worker_rows.size());
  SiliconTraffic traffic;
  TrafficRow release{.id = "release",
                     .kind = TrafficKind::multicast,
                     .source = workers.at(0, 0),
                     .area = workers.rectangle(width, height),
                     .bytes = 4,
                     .is_posted = true,
                     .is_loopback = true};
  for (const RouterId core : workers.all(width, height)) {
    release.after.push_back(static_cast<std::int32_t>(traffic.rows.size()));
    traffic.rows.push_back({.id = "arrive",
                            .kind = TrafficKind::atomic,
                            .noc = 1,
                            .source = core,
                            .destinations = {workers.at(0, 0)},
                            .bytes = 4});
  }
  const auto released = static_cast<std::int32_t>(traffic.rows.size());
  traffic.rows.push_back(release);
  for (const RouterId core : workers.all(width, height)) {
    const auto rank = static_cast<std::int32_t>(traffic.timed.size());
    TrafficRow made = dram_row(row, torus, core, rank);
    made.noc = 1;
    made.after = {released};
    traffic.timed.push_back(static_cast<std::int32_t>(traffic.rows.size()));
    traffic.rows.push_back(std::move(made));
  }
  return traffic;
}

}  // namespace silicon

inline SiliconTraffic traffic_of(const SiliconRow& row, const Torus& torus) {
  const silicon::Workers workers{torus};
  if (row.memory != "l1") {
    if (row.pattern == "all_to_all") return silicon::dram_all(row, torus);
    return {.rows = {silicon::dram_row(row, torus, workers.at(0, 0), 0)}, .timed = {0}};
  }
  if (row.subordinates == 0) {
    const bool is_read = row.pattern == "one_from_one";
    return {.rows = {{.id = "pair",
                      .kind = is_read ? TrafficKind::read : TrafficKind::write,
                      .noc = is_read ? 1 : 0,
                      .source = workers.at(0, 0),
                      .destinations = {row.same_axis ? workers.at(0, 1) : workers.at(1, 1)},
                      .bytes = row.bytes,
                      .count = row.transactions,
                      .is_stateful = row.stateful}},
            .timed = {0}};
  }
  std::int32_t width = 2;
  while (width * width < row.subordinates && width < 5) ++width;
  std::int32_t height = width;
  const bool is_full = width * height < row.subordinates;
  if (is_full) {
    width = static_cast<std::int32_t>(torus.worker_columns.size());
    height = static_cast<std::int32_t>(torus.worker_rows.size());
  }
  const std::vector<RouterId> tiles = workers.all(width, height);
  SiliconTraffic traffic;
  if (row.pattern == "all_to_all") {
    for (const RouterId core : tiles) {
      traffic.timed.push_back(static_cast<std::int32_t>(traffic.rows.size()));
      traffic.rows.push_back({.id = "all",
                              .source = core,
                              .destinations = tiles,
                              .bytes = row.bytes,
                              .count = row.transactions / std::ssize(tiles)});
    }
    return traffic;
  }
  TrafficRow made{
      .id = "one", .source = is_full || row.loopback ? workers.at(0, 0) : workers.at(width, 0), .bytes = row.bytes};
  made.is_stateful = row.stateful;
  if (row.mechanism == "unicast") {
    made.destinations = tiles;
    std::erase(made.destinations, made.source);
    made.count = row.transactions / std::ssize(made.destinations);
  } else {
    made.kind = row.mechanism == "multicast" ? TrafficKind::multicast : TrafficKind::multicast_linked;
    made.area = workers.rectangle(width, height);
    made.count = row.transactions;
    made.is_loopback = row.loopback;
  }
  return {.rows = {std::move(made)}, .timed = {0}};
}

/// An estimate of the flits times hops of a run, for budgets.
inline double work_of(const SiliconTraffic& traffic, const Torus& torus) {
  double work = 0;
  for (const TrafficRow& row : traffic.rows) {
    const double flits = row.bytes / static_cast<double>(torus.flit.value()) + 1;
    const double receivers = is_multicast(row.kind) ? 40.0 : 10.0 * static_cast<double>(row.destinations.size());
    work += flits * receivers * static_cast<double>(row.count);
  }
  return work;
}

/// The median over the senders, as it was measured.
inline double simulated_cycles(const SiliconTraffic& traffic, const Torus& torus) {
  const TrafficRun run = run_traffic(torus, traffic.rows, 1);
  std::vector<double> times;
  for (std::size_t i = 0; i < traffic.timed.size(); ++i) {
    times.push_back(static_cast<double>(run.rows[at(traffic.timed[i])].end.value_or(0) - run.rows[i].start));
  }
  std::sort(times.begin(), times.end());
  const std::size_t middle = times.size() / 2;
  return times.size() % 2 == 1 ? times[middle] : (times[middle] + times[middle - 1]) / 2;
}

}  // namespace muster::torus
