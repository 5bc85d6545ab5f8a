// Where in a CSL file something stands, and the one way in which the reader says that it cannot continue.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace muster::wafer::csl {

struct Location {
  const std::string* file = nullptr;  ///< its name; outlives the location
  std::int32_t line = 1;
  std::int32_t column = 1;
};

std::string to_text(const Location& location);

/// Throws InputError: "pe.csl:12:5: expected ';', found '}'".
template <class... Args>
[[noreturn]] void fail(const Location& location, fmt::format_string<Args...> format, Args&&... args) {
  throw InputError(to_text(location) + ": " + fmt::format(format, std::forward<Args>(args)...));
}

/// What a stranger's file may use up before it is refused.
struct Limits {
  std::int64_t bytes = std::int64_t{4} << 20;  ///< of one file
  int nesting = 150;                           ///< of expressions, blocks and calls
  std::int64_t steps = 40'000'000;             ///< evaluated nodes: about a second
  std::int64_t steps_per_cell = 40;         ///< more for each element of an array that is made: it is there to be used
  std::int64_t steps_per_tile = 1000;       ///< more for each processor that has got its code
  std::int64_t most_steps = 1'000'000'000;  ///< whatever is made: some tens of seconds
  std::int64_t cells = 64'000'000;          ///< elements of all arrays that are made
  std::int64_t tiles = 2'000'000;           ///< processors of the rectangle
  std::int64_t instructions = 20'000;       ///< vector instructions of one processor
};

}  // namespace muster::wafer::csl
