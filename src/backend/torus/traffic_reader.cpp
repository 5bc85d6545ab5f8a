#include "backend/torus/traffic_reader.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/index.h"
#include "base/numbers.h"
#include "base/one_line.h"

namespace muster::torus {
namespace {

const std::vector<std::string> kColumns{"id",    "kind",  "noc",    "src",      "dst",    "bytes",   "count",
                                        "start", "after", "memory", "stateful", "posted", "loopback"};
const std::vector<std::string> kKinds{"read", "write", "multicast", "multicast_linked", "atomic"};

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
constexpr std::int64_t kMostCount = 1'000'000'000;
constexpr std::int64_t kLatestStart = std::int64_t{1} << 40;
constexpr std::size_t kMostRows = 1'000'000;

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(trimmed(text.substr(start, end - start)));
    start = end + 1;
  }
  return parts;
}

/// One line of the file, by the names of its columns.
class Line {
 public:
  Line(const Torus& torus, std::string where, std::map<std::string, std::string, std::less<>> values)
      : torus_(torus), where_(std::move(where)), values_(std::move(values)) {}

  [[nodiscard]] bool has(std::string_view column) const { return !text(column).empty(); }
  [[nodiscard]] std::string text(std::string_view column) const {
    const auto found = values_.find(column);
    return found == values_.end() ? "" : found->second;
  }
  template <class... Values>
  [[noreturn]] void refuse(std::string_view column, fmt::format_string<Values...> format, Values&&... values) const {
    reject("{}: {}: {}", where_, column, fmt::format(format, std::forward<Values>(values)...));
  }
  [[nodiscard]] std::string required(std::string_view column) const {
    if (!has(column)) refuse(column, "is missing; every row needs it");
    return text(column);
  }
  [[nodiscard]] std::int64_t number(std::string_view column, std::int64_t least, std::int64_t most,
                                    std::int64_t otherwise) const {
    if (!has(column)) return otherwise;
    const std::string value = text(column);
    const bool is_digits = value.size() <= 18 && value.find_first_not_of("0123456789") == std::string::npos;
    const std::int64_t parsed = is_digits ? std::stoll(value) : -1;
    if (!is_digits || parsed < least || parsed > most) {
      refuse(column, "'{}' is not a whole number from {} to {}", value, least, most);
    }
    return parsed;
  }
  [[nodiscard]] bool flag(std::string_view column) const {
    const std::string value = text(column);
    if (value.empty() || value == "false" || value == "0") return false;
    if (value == "true" || value == "1") return true;
    refuse(column, "'{}' is neither true nor false", value);
  }
  [[nodiscard]] Coordinates tile(std::string_view column, const std::string& value) const {
    const std::vector<std::string> parts = split(value, '-');
    const auto is_number = [](const std::string& part) {
      return !part.empty() && part.size() <= 6 && part.find_first_not_of("0123456789") == std::string::npos;
    };
    if (parts.size() != 2 || !is_number(parts[0]) || !is_number(parts[1])) {
      refuse(column, "'{}' is not a tile; use x-y in coordinates of NoC 0, e.g. 1-1", value);
    }
    const Coordinates at{.x = std::stoi(parts[0]), .y = std::stoi(parts[1])};
    if (at.x >= torus_.width || at.y >= torus_.height) {
      refuse(column, "tile {} is outside the chip; x is 0 to {}, y is 0 to {}", value, torus_.width - 1,
             torus_.height - 1);
    }
    return at;
  }

 private:
  const Torus& torus_;
  std::string where_;
  std::map<std::string, std::string, std::less<>> values_;
};

class TrafficReader {
 public:
  TrafficReader(const Torus& torus, std::string file) : torus_(torus), topology_(torus, 0), file_(std::move(file)) {}

  std::vector<TrafficRow> read(const std::string& text) {
    std::size_t number = 0;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const std::string_view all = text;
    for (const std::string& line :
         split(all.starts_with(kByteOrderMark) ? all.substr(kByteOrderMark.size()) : all, '\n')) {
      ++number;
      if (line.empty()) continue;
      if (line.find('"') != std::string::npos) reject("{}:{}: quotes are not needed; leave them out", file_, number);
      if (columns_.empty()) {
        read_header(line, number);
      } else {
        read_row(line, number);
      }
    }
    if (columns_.empty())
      reject("{}: the file is empty; its first line names the columns: {}", file_, fmt::join(kColumns, ","));
    if (rows_.empty()) reject("{}: there are no transactions; write one per line after the header", file_);
    connect();
    return std::move(rows_);
  }

 private:
  void read_header(const std::string& line, std::size_t number) {
    columns_ = split(line, ',');
    for (auto column = columns_.begin(); column != columns_.end(); ++column) {
      if (std::find(kColumns.begin(), kColumns.end(), *column) == kColumns.end()) {
        reject("{}:{}: unknown column '{}'; {}", file_, number, one_line(*column, 60), suggest(*column, kColumns));
      }
      if (std::find(columns_.begin(), column, *column) != column) {
        reject("{}:{}: column '{}' is there twice; name it once", file_, number, *column);
      }
    }
  }

  void read_row(const std::string& text, std::size_t number) {
    const std::vector<std::string> values = split(text, ',');
    if (values.size() != columns_.size()) {
      reject("{}:{}: {} values for {} columns; write one value per column, or nothing between two commas", file_,
             number, values.size(), columns_.size());
    }
    if (rows_.size() == kMostRows)
      reject("{}:{}: too many transactions; use at most {} rows with counts", file_, number, kMostRows);
    std::map<std::string, std::string, std::less<>> by_name;
    for (std::size_t i = 0; i < values.size(); ++i) by_name[columns_[i]] = values[i];
    const Line line(torus_, fmt::format("{}:{}", file_, number), std::move(by_name));

    TrafficRow row;
    row.id = line.has("id") ? line.text("id") : std::to_string(rows_.size() + 1);
    if (!numbers_.emplace(row.id, static_cast<std::int32_t>(rows_.size())).second) {
      line.refuse("id", "'{}' was given to an earlier row; give each row another one", row.id);
    }
    const std::string kind = line.required("kind");
    const auto found = std::find(kKinds.begin(), kKinds.end(), kind);
    if (found == kKinds.end()) line.refuse("kind", "unknown kind '{}'; {}", kind, suggest(kind, kKinds));
    row.kind = static_cast<TrafficKind>(found - kKinds.begin());
    row.noc = static_cast<int>(line.number("noc", 0, 1, 0));
    row.source = issuer(line);
    read_destinations(line, row);
    if (row.kind != TrafficKind::atomic) (void)line.required("bytes");
    const std::int64_t most = row.kind == TrafficKind::atomic ? 4 : kMostBytes;
    row.bytes = static_cast<std::int32_t>(line.number("bytes", 1, most, 4));
    row.count = line.number("count", 1, kMostCount, 1);
    row.start = line.number("start", 0, kLatestStart, 0);
    row.is_stateful = line.flag("stateful");
    row.is_posted = line.flag("posted");
    row.is_loopback = line.flag("loopback");
    if (is_multicast(row.kind) && !row.is_loopback && row.area.first == row.area.last &&
        topology_.at(row.area.first) == row.source) {
      line.refuse("dst", "a multicast without loopback reaches nobody but its source here; name another rectangle");
    }
    if (row.is_posted && row.kind == TrafficKind::read)
      line.refuse("posted", "a read always has a response; write false, or nothing");
    if (row.is_loopback && !is_multicast(row.kind))
      line.refuse("loopback", "only multicasts can include their source; write false, or nothing");
    if (row.kind == TrafficKind::multicast_linked && row.is_posted)
      line.refuse("posted", "linked multicasts are always acknowledged; write false, or nothing");
    if (line.has("after")) after_.push_back({line, static_cast<std::int32_t>(rows_.size())});
    rows_.push_back(std::move(row));
  }

  [[nodiscard]] RouterId issuer(const Line& line) const {
    const std::string text = line.required("src");
    const RouterId tile = topology_.at(line.tile("src", text));
    if (!topology_.is_worker(tile)) line.refuse("src", "tile {} is not a worker and cannot issue transactions", text);
    return tile;
  }

  void read_destinations(const Line& line, TrafficRow& row) const {
    const std::string text = line.required("dst");
    if (is_multicast(row.kind)) {
      if (text.find(';') != std::string::npos)
        line.refuse("dst", "'{}': a multicast goes to one rectangle, e.g. 1-1:4-5", text);
      const std::vector<std::string> corners = split(text, ':');
      if (corners.size() > 2) line.refuse("dst", "'{}' is not a rectangle; use e.g. 1-1:4-5", text);
      row.area = {.first = line.tile("dst", corners.front()), .last = line.tile("dst", corners.back())};
      if (row.area.last.x < row.area.first.x || row.area.last.y < row.area.first.y) {
        line.refuse("dst", "'{}': name the north-west corner first", text);
      }
      if (row.noc == 1) std::swap(row.area.first, row.area.last);  // the corner that NoC 1 reaches first
      for (const Coordinates corner : {row.area.first, row.area.last}) {
        if (!topology_.is_worker(topology_.at(corner))) {
          line.refuse("dst", "tile {}-{} is not a worker; the corners of a multicast's rectangle must be", corner.x,
                      corner.y);
        }
      }
      if (line.has("memory") && line.text("memory") != "l1")
        line.refuse("memory", "multicasts go to the memories of tiles; use l1");
      return;
    }
    for (const std::string& part : split(text, ';')) add_destinations(line, part, row);
    read_memory(line, row);
  }

  void add_destinations(const Line& line, const std::string& part, TrafficRow& row) const {
    const std::vector<std::string> corners = split(part, ':');
    if (corners.size() > 2) line.refuse("dst", "'{}' is not a rectangle; use e.g. 1-1:4-5", part);
    const Coordinates first = line.tile("dst", corners.front());
    if (corners.size() == 1) return row.destinations.push_back(topology_.at(first));
    const Coordinates last = line.tile("dst", corners.back());
    if (last.x < first.x || last.y < first.y) line.refuse("dst", "'{}': name the north-west corner first", part);
    const std::size_t before = row.destinations.size();
    for (std::int32_t y = first.y; y <= last.y; ++y) {
      for (std::int32_t x = first.x; x <= last.x; ++x) {
        const RouterId tile = topology_.at({.x = x, .y = y});
        if (topology_.is_worker(tile)) row.destinations.push_back(tile);
      }
    }
    if (row.destinations.size() == before) line.refuse("dst", "there is no worker in '{}'", part);
  }

  /// Finds the banks of destinations in DRAM.
  void read_memory(const Line& line, TrafficRow& row) const {
    const auto bank_of = [&](RouterId tile) -> std::optional<std::int32_t> {
      const auto& banks = torus_.dram.banks;
      const auto found = std::find(banks.begin(), banks.end(), topology_.coordinates(tile));
      if (found == banks.end()) return std::nullopt;
      return static_cast<std::int32_t>(found - banks.begin());
    };
    std::string memory = line.text("memory");
    if (memory.empty()) memory = bank_of(row.destinations.front()) ? "dram" : "l1";
    if (memory != "l1" && memory != "dram") line.refuse("memory", "unknown memory '{}'; use l1 or dram", memory);
    for (const RouterId tile : row.destinations) {
      const Coordinates at_tile = topology_.coordinates(tile);
      const std::optional<std::int32_t> bank = bank_of(tile);
      if (memory == "dram" && !bank) line.refuse("dst", "tile {}-{} has no DRAM bank", at_tile.x, at_tile.y);
      if (memory == "l1" && !topology_.is_worker(tile))
        line.refuse("dst", "tile {}-{} is not a worker and has no L1", at_tile.x, at_tile.y);
      if (bank && memory == "dram") row.banks.push_back(*bank);
    }
    if (memory == "dram" && row.kind == TrafficKind::atomic)
      line.refuse("kind", "atomics act on the memories of tiles, not on DRAM");
  }

  /// Resolves what rows wait for, and refuses rows that wait for each other.
  void connect() {
    for (const auto& [line, row] : after_) {
      for (const std::string& id : split(line.text("after"), ';')) {
        const auto found = numbers_.find(id);
        if (found == numbers_.end()) line.refuse("after", "there is no row '{}'", id);
        rows_[at(row)].after.push_back(found->second);
      }
    }
    std::vector<std::int32_t> unmet(rows_.size());
    std::vector<std::vector<std::int32_t>> next(rows_.size());
    std::vector<std::int32_t> ready;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      unmet[i] = static_cast<std::int32_t>(rows_[i].after.size());
      for (const std::int32_t before : rows_[i].after) next[at(before)].push_back(static_cast<std::int32_t>(i));
      if (unmet[i] == 0) ready.push_back(static_cast<std::int32_t>(i));
    }
    std::size_t ended = 0;
    for (; ended < ready.size(); ++ended) {
      for (const std::int32_t row : next[at(ready[ended])]) {
        if (--unmet[at(row)] == 0) ready.push_back(row);
      }
    }
    if (ended == rows_.size()) return;
    const auto stuck =
        std::find_if(after_.begin(), after_.end(), [&](const Waiting& w) { return unmet[at(w.row)] > 0; });
    stuck->line.refuse("after", "row '{}' waits for rows that wait for it, directly or not", rows_[at(stuck->row)].id);
  }

  struct Waiting {
    Line line;
    std::int32_t row = 0;
  };

  const Torus& torus_;
  Topology topology_;
  std::string file_;
  std::vector<std::string> columns_;
  std::vector<TrafficRow> rows_;
  std::map<std::string, std::int32_t> numbers_;  ///< of rows, by id
  std::vector<Waiting> after_;
};

}  // namespace

std::vector<TrafficRow> read_traffic(const Torus& torus, const std::string& file, const std::string& text) {
  return TrafficReader(torus, file).read(text);
}

}  // namespace muster::torus
