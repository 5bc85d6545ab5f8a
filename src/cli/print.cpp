// Standard output, checked: a full disk or a closed pipe must not look like an answer.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "cli/commands.h"

namespace muster {

/// At once, not in pieces of a buffer: a reader that stops after the first lines, as head does, has then been given all that fits into
/// a pipe, and no later piece finds the pipe closed.
void print(const std::string& text) {
  for (std::string_view left = text; !left.empty();) {
    const ssize_t written = ::write(STDOUT_FILENO, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) reject("cannot write to standard output: {}", std::strerror(errno));
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace muster
