// The text of an RSF file (Madagascar's format): key=value, the last one of a key counts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/seismic/file/byte_source.h"

namespace muster::seismic {

/// Between the text and data in the same file.
inline constexpr std::string_view kRsfMark = "\f\f\x04";

class RsfHeader {
 public:
  /// Throws InputError if the file begins with no such text, or if it is longer than a MiB.
  explicit RsfHeader(const ByteSource& source);

  /// Where data in the same file begin; -1 if the text is all.
  [[nodiscard]] std::int64_t data_offset() const { return data_offset_; }
  /// Empty if the key is not there.
  [[nodiscard]] std::string text(const std::string& key) const;
  /// 0 if the key is not there, or is no finite number.
  [[nodiscard]] double number(const std::string& key) const;
  /// `absent` if the key is not there. Throws InputError if its value is no whole number of at least `least`.
  [[nodiscard]] std::int64_t integer(const std::string& key, std::int64_t absent, std::int64_t least) const;
  /// n1, n2, ..., as many as there are, at least one.
  [[nodiscard]] std::vector<std::int64_t> sizes() const;

 private:
  std::string file_;
  std::map<std::string, std::string> values_;
  std::int64_t data_offset_ = -1;
};

/// The value as the text quotes it.
std::string rsf_quoted(std::string_view value);

}  // namespace muster::seismic
