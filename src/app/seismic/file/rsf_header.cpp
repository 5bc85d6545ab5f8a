#include "app/seismic/file/rsf_header.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/one_line.h"

namespace muster::seismic {
namespace {

constexpr std::int64_t kMostText = 1 << 20;
constexpr int kMostAxes = 9;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

/// Words "key=value" and "key='some value'"; anything else is a remark.
std::map<std::string, std::string> parse(std::string_view text) {
  std::map<std::string, std::string> values;
  std::size_t at = 0;
  while (at < text.size()) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && !is_blank(text[at]) && text[at] != '=') ++at;
    if (at == text.size() || text[at] != '=') continue;
    const std::string key(text.substr(begin, at - begin));
    ++at;
    const bool is_quoted = at < text.size() && (text[at] == '"' || text[at] == '\'');
    const std::size_t first = is_quoted ? at + 1 : at;
    std::size_t last = first;
    while (last < text.size() && (is_quoted ? text[last] != text[at] : !is_blank(text[last]))) ++last;
    values[key] = std::string(text.substr(first, last - first));
    at = is_quoted ? last + 1 : last;
  }
  return values;
}

}  // namespace

RsfHeader::RsfHeader(const ByteSource& source) : file_(source.name()) {
  std::string text(static_cast<std::size_t>(std::min(source.size(), kMostText)), '\0');
  source.read(0, std::as_writable_bytes(std::span(text)));
  if (const std::size_t mark = text.find(kRsfMark); mark != std::string::npos) {
    text.resize(mark);
    data_offset_ = static_cast<std::int64_t>(mark + kRsfMark.size());
  } else if (source.size() > kMostText) {
    reject("{}: does not begin with the text of an RSF file", file_);
  }
  values_ = parse(text);
  if (!values_.contains("n1")) reject("{}: does not say its size (n1=...); is it an RSF file?", file_);
}

std::string RsfHeader::text(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? "" : found->second;
}

double RsfHeader::number(const std::string& key) const {
  const std::string value = text(key);
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc{} && std::isfinite(number) && end == value.data() + value.size() ? number : 0;
}

std::int64_t RsfHeader::integer(const std::string& key, std::int64_t absent, std::int64_t least) const {
  if (!values_.contains(key)) return absent;
  const std::string value = text(key);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || number < least) {
    reject("{}: {}={} is no whole number of at least {}", file_, one_line(key), one_line(value), least);
  }
  return number;
}

std::vector<std::int64_t> RsfHeader::sizes() const {
  std::vector<std::int64_t> sizes;
  for (int axis = 1; axis <= kMostAxes; ++axis) {
    const std::string key = fmt::format("n{}", axis);
    if (!values_.contains(key)) break;
    sizes.push_back(integer(key, 1, 1));
  }
  return sizes;
}

std::string rsf_quoted(std::string_view value) {
  std::string quoted = "\"";
  for (const char c : value) quoted += c == '"' || (c >= 0 && c < ' ') ? '?' : c;
  return quoted + '"';
}

}  // namespace muster::seismic
