// What the terminal is like: asked once per answer, from its environment and from the system.
#include "cli/show.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace muster {
namespace {

constexpr long kWidest = 10'000;

/// 0: unknown.
std::size_t terminal_width() {
  const char* const columns = std::getenv("COLUMNS");
  const long asked = columns == nullptr ? 0 : std::strtol(columns, nullptr, 10);
  if (asked > 0 && asked <= kWidest) return static_cast<std::size_t>(asked);
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// As https://no-color.org has it: any value but the empty one forbids colours.
bool has_colours() {
  const char* const forbidden = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return !is_dumb && (forbidden == nullptr || *forbidden == '\0');
}

}  // namespace

Style style_of(const Arguments& arguments) {
  Style style{.verbose = arguments.has("--verbose")};
  if (isatty(STDOUT_FILENO) == 0) return style;
  style.width = terminal_width();
  style.colour = has_colours();
  return style;
}

}  // namespace muster
