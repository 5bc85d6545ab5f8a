// Lists and ranges from the command line: "1,2,40", "4:512:x2", "16:64:+16", "1:5", "4x4:64x64:x2".
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers.h"

namespace muster {

/// The syntax in one line, for --help and messages.
inline constexpr const char* kRangeSyntax = "a list of N, FIRST:LAST:xFACTOR or FIRST:LAST:+STEP";

/// Every number of the list, each once, in the order given; all obey the rule. A range ends at the last number that is
/// not above LAST. Throws InputError for what is none, goes nowhere or has too many values.
std::vector<std::int64_t> parse_numbers(const std::string& text, const NumberRule& rule);

/// The same for sizes: "100MB,1GB", "100MB:1GB:+100MB", "1MiB:1GiB:x2"; in bytes.
std::vector<std::int64_t> parse_sizes(const std::string& text, const NumberRule& rule);

/// The same for shapes: "16x1,64x1", "4x4:512x512:x2". In a range a side with equal ends stays; others grow alike.
std::vector<std::pair<std::int64_t, std::int64_t>> parse_grids(const std::string& text, const NumberRule& rule);

/// The words between commas. Throws InputError that names the flag if one is missing or is given twice.
std::vector<std::string> parse_words(const std::string& text, const std::string& flag);

}  // namespace muster
