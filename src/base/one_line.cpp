// Texts of strangers in our messages.
#include "base/one_line.h"

namespace muster {

std::string one_line(std::string_view text, std::size_t most) {
  std::size_t end = text.size();
  if (end > most) {
    end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // inside a character
  }
  std::string line(text.substr(0, end));
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  }
  return end < text.size() ? line + "..." : line;
}

}  // namespace muster
