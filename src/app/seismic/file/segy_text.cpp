#include "app/seismic/file/segy_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace muster::seismic {
namespace {

constexpr std::size_t kLines = 40;
constexpr std::size_t kColumns = 80;
constexpr char kFirst = ' ';
constexpr char kLast = '~';

/// EBCDIC (code page 037) of the printable characters of ASCII, from the blank on.
constexpr std::array<unsigned char, kLast - kFirst + 1> kEbcdic{
    0x40, 0x5A, 0x7F, 0x7B, 0x5B, 0x6C, 0x50, 0x7D, 0x4D, 0x5D, 0x5C, 0x4E, 0x6B, 0x60, 0x4B, 0x61, 0xF0, 0xF1, 0xF2,
    0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0x7A, 0x5E, 0x4C, 0x7E, 0x6E, 0x6F, 0x7C, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5,
    0xC6, 0xC7, 0xC8, 0xC9, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7,
    0xE8, 0xE9, 0xBA, 0xE0, 0xBB, 0xB0, 0x6D, 0x79, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x91, 0x92,
    0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xC0, 0x4F, 0xD0, 0xA1};

std::byte to_ebcdic(char c) {
  const char known = c >= kFirst && c <= kLast ? c : '?';
  return std::byte{kEbcdic[static_cast<std::size_t>(known - kFirst)]};
}

constexpr std::array<char, 256> kAscii = [] {
  std::array<char, 256> ascii{};
  ascii.fill('?');
  for (std::size_t i = 0; i < kEbcdic.size(); ++i) ascii[kEbcdic[i]] = static_cast<char>(kFirst + static_cast<char>(i));
  return ascii;
}();

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::vector<std::byte> encode_segy_text(std::span<const std::string> lines) {
  MUSTER_ASSERT(lines.size() + 2 <= kLines, "{} lines", lines.size());
  std::string text;
  for (std::size_t i = 0; i < kLines; ++i) {
    const std::string line = i == kLines - 2    ? "SEG Y REV1"
                             : i == kLines - 1  ? "END TEXTUAL HEADER"
                             : i < lines.size() ? lines[i]
                                                : "";
    text += fmt::format("C{:>2} {:<76.76}", i + 1, line);
  }
  std::vector<std::byte> bytes(kSegyTextBytes);
  std::ranges::transform(text, bytes.begin(), to_ebcdic);
  return bytes;
}

std::string decode_segy_text(std::span<const std::byte> bytes) {
  // Every line begins with a C.
  const bool is_ascii = !bytes.empty() && bytes.front() == std::byte{'C'};
  std::string text(bytes.size(), '?');
  std::ranges::transform(bytes, text.begin(), [&](std::byte byte) {
    const auto code = std::to_integer<unsigned char>(byte);
    if (!is_ascii) return kAscii[code];
    return code >= kFirst && code <= kLast ? static_cast<char>(code) : '?';
  });
  return text;
}

std::string segy_text_value(std::string_view text, std::string_view key) {
  for (std::size_t line = 0; line + kColumns <= text.size(); line += kColumns) {
    const std::string_view content = text.substr(line + 4, kColumns - 4);
    if (content.starts_with(key)) return std::string(trimmed(content.substr(key.size())));
  }
  return "";
}

}  // namespace muster::seismic
