// Texts of strangers in our messages.
#include "base/one_line.h"

#include <algorithm>

namespace muster {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// Bytes of the UTF-8 character that begins at `i`; 0 if none does.
std::size_t character_length(std::string_view text, std::size_t i) {
  const unsigned char lead = byte_at(text, i);
  const std::size_t length = lead < 0x80U                     ? 1
                             : lead >= 0xC2U && lead < 0xE0U  ? 2
                             : lead >= 0xE0U && lead < 0xF0U  ? 3
                             : lead >= 0xF0U && lead <= 0xF4U ? 4
                                                              : 0;
  if (i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte_at(text, i + k) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t most) {
  std::size_t end = text.size();
  if (end > most) {
    end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // inside a character
  }
  std::string line(text.substr(0, end));
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t length = character_length(line, i);
    if (length == 0 || byte_at(line, i) < ' ' || line[i] == '\x7f') line[i] = '?';
    i += std::max<std::size_t>(1, length);
  }
  return end < text.size() ? line + "..." : line;
}

}  // namespace muster
