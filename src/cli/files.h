// Writing a set of files so that nothing is ever half-written.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "backend/reader.h"
#include "cli/arguments.h"

namespace muster {

/// What happens to a file that is already there and that muster did not make.
enum class Foreign { refuse, replace };

/// Writes `files` into `folder`: first all of them into a temporary folder beside it, then renamed into place. Other
/// files of an existing folder stay; scripts (#!) can be run. Returns the names of those that were there before. Throws
/// InputError, with nothing changed, if `folder` is not a folder, a foreign file is in the way or one cannot be written.
std::vector<std::string> write_files(const std::filesystem::path& folder, const std::vector<EmittedFile>& files,
                                     Foreign foreign = Foreign::refuse);

/// Writes one file that the user has named, through a temporary one beside it, over whatever file was there; links are
/// followed, devices and pipes are written into. Throws InputError that names `flag`, with nothing changed, if it is a folder or cannot be written.
void write_named_file(const std::filesystem::path& path, const std::string& text, const std::string& flag);

/// Throws InputError if two of the flags name the same file, however it is spelled.
void check_different_files(const Arguments& arguments, std::initializer_list<std::string_view> flags);

/// Throws the same errors early, before there is anything to write.
void check_named_file(const std::filesystem::path& path, const std::string& flag);

/// The files of a format that is a folder, by their names from there ("lib/a.csl"). Throws InputError that names the format's flag if it is not a folder or has no
/// main file.
std::vector<EmittedFile> read_folder(const std::filesystem::path& folder, const FileFormat& format);

}  // namespace muster
