// XML as tools write it for tools: elements with attributes, nested; no text between them, no entities beyond the five that
// every file may use. A reader that keeps the line of everything, so that refusals can name it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace muster::msccl {

struct XmlAttribute {
  std::string_view name;
  std::string_view value;  ///< without entities; kept until the next tag is read
};

/// What comes next in the text: the begin of an element, or its end (`<a/>` is both, one after the other).
struct XmlTag {
  std::string_view name;
  std::vector<XmlAttribute> attributes;
  bool is_end = false;
  std::int32_t line = 0;
};

/// Reads tag by tag. Refusals are InputErrors "file:line: what is wrong".
class XmlReader {
 public:
  /// Both must outlive the reader and what it returns.
  XmlReader(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  /// Skips comments and the declaration. False at the end of the text, which must not come inside an element.
  bool next(XmlTag& tag);

  template <class... Args>
  [[noreturn]] void refuse(std::int32_t line, fmt::format_string<Args...> format, Args&&... args) const {
    throw InputError(fmt::format("{}:{}: {}", file_, line, fmt::format(format, std::forward<Args>(args)...)));
  }

 private:
  void skip_to_tag();
  void skip_spaces();
  bool skip(char what);
  bool skip(std::string_view what);
  void skip_past(std::string_view end, const char* what);
  void read_end(XmlTag& tag);
  void read_attribute(XmlTag& tag);
  std::string_view read_name();
  std::string_view read_value();
  std::string_view decoded(std::string_view value, std::int32_t line);

  std::string_view text_;
  std::string_view file_;
  std::size_t at_ = 0;
  std::int32_t line_ = 1;
  std::vector<std::string_view> open_;  ///< elements that have not ended
  bool ends_at_once_ = false;           ///< the last tag was <a/>
  std::uint64_t marks_ = 0;             ///< of the names of the tag's attributes so far
  std::deque<std::string> decoded_;     ///< values of the last tag that had entities
};

}  // namespace muster::msccl
