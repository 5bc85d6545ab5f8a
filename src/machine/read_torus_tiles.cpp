// Which tiles of a torus are no workers, and what they are. A tile is written as its column and row, "0-11".
#include <algorithm>
#include <charconv>
#include <map>

#include "base/one_line.h"
#include "machine/read_network.h"
#include "machine/torus.h"

namespace muster {
namespace {

std::string tile_text(Coordinates tile) { return fmt::format("{}-{}", tile.x, tile.y); }

/// A tile inside the grid that is no worker.
Coordinates read_tile(const TomlTable& table, std::string_view key, const Torus& torus, std::string_view text) {
  Coordinates tile{.x = -1, .y = -1};
  const char* const end = text.data() + text.size();
  const auto [dash, bad_x] = std::from_chars(text.data(), end, tile.x);
  if (bad_x == std::errc() && dash != end && *dash == '-') {
    const auto [rest, bad_y] = std::from_chars(dash + 1, end, tile.y);
    if (bad_y != std::errc() || rest != end) tile.y = -1;
  }
  if (tile.x < 0 || tile.y < 0) {
    table.refuse(key, fmt::format("'{}' is not a tile; use its column and row, e.g. '0-1'", one_line(text)));
  }
  if (tile.x >= torus.width || tile.y >= torus.height) {
    table.refuse(key, fmt::format("'{}' is outside the {}x{} tiles; use at most '{}-{}'", one_line(text), torus.width,
                                  torus.height, torus.width - 1, torus.height - 1));
  }
  if (kind_of(torus, tile) == TileKind::worker) {
    table.refuse(key, fmt::format("'{}' is a worker; leave it out, or take column {} out of grid.worker_columns or row "
                                  "{} out of grid.worker_rows",
                                  one_line(text), tile.x, tile.y));
  }
  return tile;
}

[[noreturn]] void refuse_twice(const TomlTable& table, std::string_view key, Coordinates tile) {
  table.refuse(key, fmt::format("'{}' is listed twice; keep one", tile_text(tile)));
}

/// Reads lists of tiles of which no two have a tile in common.
class TileLists {
 public:
  explicit TileLists(const Torus& torus) : torus_(torus) {}

  Coordinates tile(const TomlTable& table, std::string_view key, std::string_view text) {
    const Coordinates tile = read_tile(table, key, torus_, text);
    const std::string list = fmt::format("{}.{}", table.path(), key);
    const auto [other, is_new] = list_of_.emplace(tile, list);
    if (is_new) return tile;
    if (other->second == list) refuse_twice(table, key, tile);
    table.refuse(key, fmt::format("'{}' is also in {}; keep one", tile_text(tile), other->second));
  }

  /// Sorted.
  std::vector<Coordinates> tiles(const TomlTable& table, std::string_view key) {
    std::vector<Coordinates> tiles;
    for (const std::string& text : table.strings(key)) tiles.push_back(tile(table, key, text));
    std::sort(tiles.begin(), tiles.end());
    return tiles;
  }

  /// "0-0 0-1 0-11"
  std::vector<Coordinates> controller(const TomlTable& table, std::string_view key, std::string_view text) {
    std::vector<Coordinates> tiles;
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find(' ', start), text.size());
      if (end > start) tiles.push_back(tile(table, key, text.substr(start, end - start)));
      start = end + 1;
    }
    if (tiles.empty()) table.refuse(key, "a controller has no tile; name one or more, e.g. '0-0 0-1', or remove it");
    return tiles;
  }

  [[nodiscard]] bool has(Coordinates tile) const { return list_of_.contains(tile); }

 private:
  const Torus& torus_;
  std::map<Coordinates, std::string> list_of_;
};

}  // namespace

void read_tiles(const TomlTable& root, Torus& torus) {
  TileLists lists(torus);
  const TomlTable dram = root.table("dram");
  std::vector<std::vector<Coordinates>> controllers;
  for (const std::string& text : dram.strings("controllers")) {
    controllers.push_back(lists.controller(dram, "controllers", text));
  }
  std::vector<Coordinates> banks;
  for (const std::string& text : dram.strings("banks")) {
    const Coordinates tile = read_tile(dram, "banks", torus, text);
    if (std::find(banks.begin(), banks.end(), tile) != banks.end()) refuse_twice(dram, "banks", tile);
    if (!lists.has(tile)) {
      dram.refuse("banks",
                  fmt::format("'{}' is no tile of a DRAM controller; add it to dram.controllers, or name one of "
                              "the tiles there",
                              tile_text(tile)));
    }
    banks.push_back(tile);
  }
  const TomlTable tiles = root.table("tiles");
  torus.ethernet_tiles = lists.tiles(tiles, "ethernet");
  torus.pcie_tiles = lists.tiles(tiles, "pcie");
  torus.arc_tiles = lists.tiles(tiles, "arc");
  torus.dram.controllers = std::move(controllers);
  torus.dram.banks = std::move(banks);
}

}  // namespace muster
