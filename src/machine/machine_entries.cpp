// The values of a machine file as they stand there, with the comments behind them. toml++ drops comments, so the lines
// are read here; the file's form was checked before.
#include <algorithm>
#include <map>

#include "base/toml_reader.h"
#include "machine/loader.h"

namespace muster {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// Where the comment of a line begins, or its end; '#' in a string is none.
std::size_t comment_start(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == '"' && c == '\\') {
      ++i;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      return i;
    }
  }
  return line.size();
}

std::ptrdiff_t open_brackets(std::string_view text) {
  return std::count(text.begin(), text.end(), '[') - std::count(text.begin(), text.end(), ']');
}

/// Reads line by line; a list may continue over several.
class EntryReader {
 public:
  void read(std::string_view line) {
    const std::size_t comment = comment_start(line);
    const std::string_view code = trimmed(line.substr(0, comment));
    const std::string_view source = comment < line.size() ? trimmed(line.substr(comment + 1)) : std::string_view();
    if (is_open_) {
      entries_.back().value += fmt::format(" {}", code);
      if (!source.empty())
        entries_.back().source += fmt::format("{}{}", entries_.back().source.empty() ? "" : " ", source);
      is_open_ = open_brackets(entries_.back().value) > 0;
    } else if (code.starts_with('[')) {
      enter(code);
    } else if (const std::size_t equals = code.find('='); equals != std::string_view::npos) {
      add(trimmed(code.substr(0, equals)), trimmed(code.substr(equals + 1)), source);
    }
  }

  std::vector<MachineEntry> finish() && { return std::move(entries_); }

 private:
  void enter(std::string_view header) {
    if (!header.starts_with("[[")) {
      table_ = fmt::format("{}.", trimmed(header.substr(1, header.size() - 2)));
      return;
    }
    const std::string name(trimmed(header.substr(2, header.size() - 4)));
    table_ = fmt::format("{}.{}.", name, ++counts_[name]);
  }

  void add(std::string_view key, std::string_view value, std::string_view source) {
    entries_.push_back({.key = table_ + std::string(key), .value = std::string(value), .source = std::string(source)});
    is_open_ = open_brackets(value) > 0;
  }

  std::vector<MachineEntry> entries_;
  std::string table_;
  std::map<std::string, int> counts_;
  bool is_open_ = false;
};

}  // namespace

std::vector<MachineEntry> machine_entries(std::string_view text, const std::string& file) {
  const TomlDocument checked(text, file);
  EntryReader reader;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    reader.read(text.substr(start, end - start));
    start = end + 1;
  }
  return std::move(reader).finish();
}

}  // namespace muster
