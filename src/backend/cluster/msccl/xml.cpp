// A scanner without look-back: every character is seen once.
#include "backend/cluster/msccl/xml.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/one_line.h"

namespace muster::msccl {
namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
    {{"lt;", '<'}, {"gt;", '>'}, {"amp;", '&'}, {"quot;", '"'}, {"apos;", '\''}}};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.'; }

}  // namespace

void XmlReader::skip_spaces() {
  for (; at_ < text_.size() && is_space(text_[at_]); ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
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
    if (skip("<!--")) {
      skip_past("-->", "a comment");
    } else if (skip("<?")) {
      skip_past("?>", "a declaration");
    } else {
      return;
    }
  }
}

bool XmlReader::next(XmlTag& tag) {
  tag.attributes.clear();
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
  if (!skip("<")) refuse(line_, "'{}' is no tag; only elements are expected here", one_line(text_.substr(at_), 20));
  tag.is_end = skip("/");
  tag.name = read_name();
  if (tag.is_end) {
    read_end(tag);
    return true;
  }
  if (open_.size() == kDeepest) refuse(line_, "elements are nested deeper than {}", kDeepest);
  open_.push_back(tag.name);
  for (skip_spaces(); !skip(">"); skip_spaces()) {
    if (skip("/>")) {
      ends_at_once_ = true;
      break;
    }
    read_attribute(tag);
  }
  return true;
}

void XmlReader::read_end(XmlTag& tag) {
  skip_spaces();
  if (!skip(">")) refuse(line_, "'</{}' must end with '>'", tag.name);
  if (open_.empty() || open_.back() != tag.name) {
    refuse(line_, "</{}> ends no element; {}", tag.name,
           open_.empty() ? "none is open" : fmt::format("<{}> is open", open_.back()));
  }
  open_.pop_back();
}

void XmlReader::read_attribute(XmlTag& tag) {
  if (at_ == text_.size()) refuse(line_, "the text ends inside <{}", tag.name);
  const std::string_view name = read_name();
  for (const XmlAttribute& other : tag.attributes) {
    if (other.name == name) refuse(line_, "<{}> has '{}' twice", tag.name, name);
  }
  skip_spaces();
  if (!skip("=")) refuse(line_, "'{}' has no value; write {}=\"...\"", name, name);
  skip_spaces();
  tag.attributes.push_back({name, read_value()});
}

std::string_view XmlReader::read_name() {
  const std::size_t first = at_;
  while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
  if (at_ == first) refuse(line_, "'{}' is no name", one_line(text_.substr(at_), 20));
  return text_.substr(first, at_ - first);
}

std::string XmlReader::read_value() {
  const char quote = at_ < text_.size() ? text_[at_] : '\0';
  if (quote != '"' && quote != '\'') {
    refuse(line_, "'{}' is no value; put it in quotation marks", one_line(text_.substr(at_), 20));
  }
  ++at_;
  std::string value;
  while (at_ < text_.size() && text_[at_] != quote) {
    const char c = text_[at_++];
    if (c == '<') refuse(line_, "a value has a '<'; is a quotation mark missing?");
    line_ += c == '\n' ? 1 : 0;
    if (c != '&') {
      value += c;
      continue;
    }
    const auto known = std::find_if(kEntities.begin(), kEntities.end(), [&](const auto& e) { return skip(e.first); });
    if (known == kEntities.end()) refuse(line_, "'&{}' is unknown", one_line(text_.substr(at_), 10));
    value += known->second;
  }
  if (at_ == text_.size()) refuse(line_, "a value does not end; a quotation mark is missing");
  ++at_;
  return value;
}

}  // namespace muster::msccl
