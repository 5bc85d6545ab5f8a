// Long lines of a report, broken for a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr std::size_t kLabel = 11;      ///< columns of a label and the spaces behind it, as labelled() writes them
constexpr std::size_t kNarrowest = 20;  ///< what a text gets at least, however narrow the terminal is

/// Where the text behind a label or an indentation begins.
std::size_t start_of_text(const std::string& line) {
  const bool labelled = line.size() > kLabel && line[0] != ' ' && line[kLabel - 2] == ' ' && line[kLabel - 1] == ' ';
  if (labelled) return line.find_first_not_of(' ', kLabel);
  return std::min(line.find_first_not_of(' '), line.size());
}

/// Commands are copied as a whole, and columns are below each other.
bool stays(const std::string& line, std::size_t start) {
  return line.rfind("next ", 0) == 0 || line.find("  ", start) != std::string::npos;
}

std::string fitted_line(const std::string& line, std::size_t width) {
  if (display_width(line) <= width) return line;
  const std::size_t start = start_of_text(line);
  if (start >= line.size() || stays(line, start)) return line;
  const std::size_t left = std::max(kNarrowest, width - std::min(width, start));
  const std::string separator = "\n" + std::string(start, ' ');
  return line.substr(0, start) + fmt::format("{}", fmt::join(wrapped(line.substr(start), left), separator));
}

}  // namespace

std::string fitted(const std::string& text, const Style& style) {
  if (style.width == 0) return text;
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result += fitted_line(line, style.width) + "\n";
  return result;
}

}  // namespace muster
