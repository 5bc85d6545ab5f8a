// Whole files as text.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

namespace muster {

/// All that comes, up to 2 GiB: more, as from a device, throws InputError with the name.
std::string read_all(std::istream& stream, const std::string& name);

/// The content of a file. Throws InputError that names it if it cannot be read.
std::string read_file(const std::filesystem::path& file);

}  // namespace muster
