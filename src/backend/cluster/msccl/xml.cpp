// A scanner without look-back: every character is seen once.
#include "backend/cluster/msccl/xml.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/one_line.h"

namespace muster::msccl {
namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
    {{"lt;", '<'}, {"gt;", '>'}, {"amp;", '&'}, {"quot;", '"'}, {"apos;", '\''}}};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr std::array<bool, 256> kIsOfName = [] {
  std::array<bool, 256> is_of_name{};
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")) {
    is_of_name[static_cast<unsigned char>(c)] = true;
  }
  return is_of_name;
}();
bool is_of_name(char c) { return kIsOfName[static_cast<unsigned char>(c)]; }

}  // namespace

void XmlReader::skip_spaces() {
  for (; at_ < text_.size() && is_space(text_[at_]); ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
}

bool XmlReader::skip(char what) {
  if (at_ == text_.size() || text_[at_] != what) return false;
  ++at_;
  return true;
}

bool XmlReader::skip(std::string_view what) {
  if (!text_.substr(at_).starts_with(what)) return false;
  at_ += what.size();
  return true;
}

void XmlReader::skip_past(std::string_view end, const char* what) {
  const std::size_t found = text_.find(end, at_);
  if (found == std::string_view::npos) refuse(line_, "{} does not end; '{}' is missing", what, end);
  line_ += static_cast<std::int32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                text_.begin() + static_cast<std::ptrdiff_t>(found), '\n'));
  at_ = found + end.size();
}

void XmlReader::skip_to_tag() {
  for (skip_spaces(); at_ < text_.size(); skip_spaces()) {
    const char second = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (second == '!' && skip("<!--")) {
      skip_past("-->", "a comment");
    } else if (second == '?' && skip("<?")) {
      skip_past("?>", "a declaration");
    } else {
      return;
    }
  }
}

bool XmlReader::next(XmlTag& tag) {
  tag.attributes.clear();
  decoded_.clear();
  if (std::exchange(ends_at_once_, false)) {
    tag.is_end = true;
    tag.name = open_.back();
    open_.pop_back();
    return true;
  }
  skip_to_tag();
  tag.line = line_;
  if (at_ == text_.size()) {
    if (!open_.empty()) refuse(line_, "the text ends inside <{}>; add </{}>", open_.back(), open_.back());
    return false;
  }
  if (!skip('<'))
    refuse(line_, "'{}' is not an XML tag; an MSCCL file contains nothing else", one_line(text_.substr(at_), 20));
  tag.is_end = skip('/');
  tag.name = read_name();
  if (tag.is_end) {
    read_end(tag);
    return true;
  }
  if (open_.size() == kDeepest) refuse(line_, "elements are nested deeper than {}", kDeepest);
  open_.push_back(tag.name);
  marks_ = 0;
  for (skip_spaces(); !skip('>'); skip_spaces()) {
    if (at_ == text_.size()) refuse(line_, "the text ends inside <{}", tag.name);
    if (text_[at_] == '/' && skip("/>")) {
      ends_at_once_ = true;
      break;
    }
    read_attribute(tag);
  }
  return true;
}

void XmlReader::read_end(XmlTag& tag) {
  skip_spaces();
  if (!skip('>')) refuse(line_, "'</{}' must end with '>'", tag.name);
  if (open_.empty() || open_.back() != tag.name) {
    refuse(line_, "</{}> closes no element; {}", tag.name,
           open_.empty() ? "none is open" : fmt::format("<{}> is open", open_.back()));
  }
  open_.pop_back();
}

void XmlReader::read_attribute(XmlTag& tag) {
  const std::string_view name = read_name();
  // Only names with equal marks can be equal; most have marks of their own.
  const std::uint64_t mark = std::uint64_t{1} << ((name.size() * 7 + static_cast<unsigned char>(name.back())) % 64);
  if ((std::exchange(marks_, marks_ | mark) & mark) != 0) {
    for (const XmlAttribute& other : tag.attributes) {
      if (other.name == name) refuse(line_, "<{}> has '{}' twice", tag.name, name);
    }
  }
  skip_spaces();
  if (!skip('=')) refuse(line_, "'{}' has no value; write {}=\"...\"", name, name);
  skip_spaces();
  tag.attributes.push_back({name, read_value()});
}

std::string_view XmlReader::read_name() {
  const std::string_view rest = text_.substr(at_);
  std::size_t size = 0;
  while (size < rest.size() && is_of_name(rest[size])) ++size;
  if (size == 0) refuse(line_, "'{}' is not a name", one_line(rest, 20));
  at_ += size;
  return rest.substr(0, size);
}

std::string_view XmlReader::read_value() {
  const char quote = at_ < text_.size() ? text_[at_] : '\0';
  if (quote != '"' && quote != '\'') {
    refuse(line_, "'{}' is not a value; put it in quotation marks", one_line(text_.substr(at_), 20));
  }
  const std::string_view rest = text_.substr(at_ + 1);
  std::int32_t line = line_;
  bool has_entities = false;
  std::size_t size = 0;
  for (; size < rest.size() && rest[size] != quote; ++size) {
    if (rest[size] == '<') refuse(line, "a value has a '<'; is a quotation mark missing?");
    line += rest[size] == '\n' ? 1 : 0;
    has_entities |= rest[size] == '&';
  }
  if (size == rest.size()) refuse(line, "a value does not end; a quotation mark is missing");
  at_ += size + 2;
  const std::int32_t first_line = std::exchange(line_, line);
  return has_entities ? decoded(rest.substr(0, size), first_line) : rest.substr(0, size);
}

std::string_view XmlReader::decoded(std::string_view value, std::int32_t line) {
  std::string& text = decoded_.emplace_back();
  while (!value.empty()) {
    const char c = value.front();
    value.remove_prefix(1);
    line += c == '\n' ? 1 : 0;
    if (c != '&') {
      text += c;
      continue;
    }
    const auto known =
        std::find_if(kEntities.begin(), kEntities.end(), [&](const auto& e) { return value.starts_with(e.first); });
    if (known == kEntities.end()) refuse(line, "'&{}' is unknown", one_line(value, 10));
    value.remove_prefix(known->first.size());
    text += known->second;
  }
  return text;
}

}  // namespace muster::msccl
