// Texts of strangers in our messages.
#pragma once

#include <string>
#include <string_view>

namespace muster {

/// The text fit for a message of one line: control characters and bytes that are no UTF-8 become '?', and beyond `most` bytes it is cut (not within
/// a UTF-8 character) and ends in "...".
std::string one_line(std::string_view text, std::size_t most = 80);

}  // namespace muster
