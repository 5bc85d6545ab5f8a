// For tests and benchmarks: where the sources are, with machines/, claims/ and tests/. Not part of the library.
#pragma once

#include <string>

namespace muster {

std::string source_dir();

}  // namespace muster
