// Whole files as text.
#pragma once

#include <filesystem>
#include <string>

namespace muster {

/// The content of a file. Throws InputError that names it if it cannot be read.
std::string read_file(const std::filesystem::path& file);

}  // namespace muster
