// The text at the beginning of a SEG-Y file: 40 lines of 80 characters in EBCDIC. It states what 16 bits cannot: names, and the exact
// interval.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::seismic {

inline constexpr std::size_t kSegyTextBytes = 3200;

/// Up to 38 lines, each cut at 76 characters; the last two say what the standard wants there.
std::vector<std::byte> encode_segy_text(std::span<const std::string> lines);

/// In ASCII, without line ends; the file may be in EBCDIC or ASCII.
std::string decode_segy_text(std::span<const std::byte> bytes);

/// What follows `key` on its line, without blanks around it; empty if no line begins with it.
std::string segy_text_value(std::string_view text, std::string_view key);

}  // namespace muster::seismic
