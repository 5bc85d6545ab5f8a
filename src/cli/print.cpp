// Standard output, checked: a full disk or a closed pipe must not look like an answer.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "cli/commands.h"

namespace muster {

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) reject("cannot write to standard output: {}", std::strerror(errno));
}

}  // namespace muster
