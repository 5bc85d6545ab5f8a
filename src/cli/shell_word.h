// Words of a command line as a shell reads them.
#pragma once

#include <string>

namespace muster {

/// The word, in single quotes if a shell would read it otherwise.
std::string shell_word(const std::string& word);

}  // namespace muster
