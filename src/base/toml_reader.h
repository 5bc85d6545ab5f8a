// Strict reading of TOML: every message is one line that names the file, the line and the key; keys that were not asked
// for are errors.
//
//   TomlDocument document(text, "wse2.toml", {{"ramp.latency", "7 cycles"}});
//   const TomlTable root = document.root();
//   const Hertz clock = root.hertz("clock");
//   const Time ramp = root.table("ramp").time("latency");
//   document.finish();
//
// An override replaces or adds one value for this call; messages about it begin "--param ramp.latency=7 cycles: ".
// Tables of a list count from 1, in overrides and in messages: "dimension.1.size" is of the first [[dimension]].
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace muster {

struct TomlValue;

/// The values that an integer may have, both ends included.
struct IntegerRange {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

/// A table of a document; valid as long as the document. A table that is not there reads as empty, so that the message
/// is about the key that was wanted from it. All getters throw InputError if the key is missing or its value unfit.
class TomlTable {
 public:
  /// Whether the key is there. Asking makes it an allowed key.
  [[nodiscard]] bool has(std::string_view key) const;
  /// Whether the key is there and its value a list. Asking makes it an allowed key.
  [[nodiscard]] bool is_list(std::string_view key) const;
  /// The keys that are there, in the order of the file.
  [[nodiscard]] std::vector<std::string> keys() const;
  /// The table's own path: "", "ramp", "dimension.1".
  [[nodiscard]] const std::string& path() const { return path_; }
  /// The file of the document, as messages name it.
  [[nodiscard]] const std::string& file() const { return *file_; }

  [[nodiscard]] std::string string(std::string_view key) const;
  /// A string that is one of `allowed`.
  [[nodiscard]] std::string choice(std::string_view key, std::span<const std::string> allowed) const;
  [[nodiscard]] bool boolean(std::string_view key) const;
  [[nodiscard]] std::int64_t integer(std::string_view key, IntegerRange range = {}) const;
  /// An integer or a fraction, finite.
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key, IntegerRange range = {}) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> strings(std::string_view key) const;

  /// Strings with a unit, read by units.h; bytes may also be a plain integer.
  [[nodiscard]] Bytes bytes(std::string_view key) const;
  [[nodiscard]] Hertz hertz(std::string_view key) const;
  [[nodiscard]] Time time(std::string_view key) const;
  [[nodiscard]] Rate rate(std::string_view key) const;
  [[nodiscard]] Seconds seconds(std::string_view key) const;
  [[nodiscard]] Metres metres(std::string_view key) const;
  [[nodiscard]] MetresPerSecond velocity(std::string_view key) const;
  [[nodiscard]] KilogramsPerCubicMetre density(std::string_view key) const;

  [[nodiscard]] TomlTable table(std::string_view key) const;
  /// An array of tables ([[key]]).
  [[nodiscard]] std::vector<TomlTable> tables(std::string_view key) const;

  /// The line of a key that is there; else that of the table.
  [[nodiscard]] int line(std::string_view key) const;
  /// The value of a key that is there, as messages name it: "'2 GB'", "7", "a table".
  [[nodiscard]] std::string described(std::string_view key) const;
  /// Throws InputError about the value of `key`: "file:line: path.key: reason".
  [[noreturn]] void refuse(std::string_view key, std::string_view reason) const;

 private:
  friend class TomlDocument;
  TomlTable(const std::string* file, TomlValue* value, std::string path, int line)
      : file_(file), value_(value), path_(std::move(path)), line_(line) {}
  TomlValue* find(std::string_view key) const;
  TomlValue& require(std::string_view key) const;
  [[nodiscard]] std::string key_path(std::string_view key) const;
  template <class T>
  std::vector<T> list(std::string_view key, std::optional<T> (*as_item)(const TomlValue&), std::string_view item,
                      std::string_view example) const;
  template <class T>
  T measured(std::string_view key, Outcome<T> (*parse)(std::string_view)) const;
  [[nodiscard]] std::string misspelling(std::string_view key) const;

  const std::string* file_;
  TomlValue* value_;  ///< null: the table is not there
  std::string path_;
  int line_;
};

class TomlDocument {
 public:
  /// `file` is used in messages, and `flag`, with which the overrides were given. Throws InputError if the text is not TOML or an override
  /// names no key.
  TomlDocument(std::string_view text, std::string file, const std::map<std::string, std::string>& overrides = {},
               std::string_view flag = "--param");
  TomlDocument(TomlDocument&&) noexcept;
  TomlDocument& operator=(TomlDocument&&) noexcept;
  ~TomlDocument();

  [[nodiscard]] TomlTable root() const;

  /// Throws InputError about the first key that was not asked for.
  void finish() const;

 private:
  std::unique_ptr<std::string> file_;
  std::unique_ptr<TomlValue> root_;
};

}  // namespace muster
