// Writing a set of files so that nothing is ever half-written.
#pragma once

#include <filesystem>
#include <vector>

#include "backend/backend.h"

namespace muster {

/// Writes `files` into `folder`: first all of them into a temporary folder beside it, then renamed into place. Other
/// files of an existing folder stay; scripts (#!) can be run. Throws InputError, with nothing changed, if `folder` is
/// no folder or a file cannot be written.
void write_files(const std::filesystem::path& folder, const std::vector<EmittedFile>& files);

}  // namespace muster
