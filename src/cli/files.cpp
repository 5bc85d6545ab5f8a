// A temporary folder beside the target is on the same file system, so each rename is one step.
#include "cli/files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <map>

#include "base/error.h"

namespace muster {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = 16'000'000;
constexpr std::size_t kMostFiles = 1000;  ///< of a folder that is read
constexpr int kDeepestFolder = 8;

/// A folder that is removed with its content, unless it was renamed away.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& beside) {
    std::string name = (beside / ".muster-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) reject("{}: cannot be written to; choose another --out", beside.string());
    path_ = name;
    fs::permissions(path_,
                    fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec,
                    fs::perm_options::add);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out) return;
  const char* const hint = errno == EFBIG ? "raise the limit on file sizes (ulimit -f)" : "is the disk full?";
  reject("{}: cannot be written; {}", path.filename().string(), hint);
}

/// A device or a pipe: something to write into, never to replace.
bool is_special(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// The file itself, where the path is a link to it.
fs::path followed(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(fs::absolute(path), error);
  return error || target.empty() ? fs::absolute(path) : target;
}

/// A text that names its interpreter can be run.
void write_file(const fs::path& path, const std::string& text) {
  write_text(path, text);
  if (text.rfind("#!", 0) != 0) return;
  fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec, fs::perm_options::add);
}

void move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) reject("{}: cannot be written: {}", to.string(), error.message());
}

/// The folder as given, without a slash at its end; its parent exists.
fs::path prepared(const fs::path& folder) {
  fs::path target = fs::absolute(folder).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();
  std::error_code error;
  if (fs::exists(target, error) && !fs::is_directory(target, error)) {
    reject("--out: {} is a file; name a folder", folder.string());
  }
  fs::create_directories(target.parent_path(), error);
  if (error) reject("--out: {} cannot be created: {}", folder.string(), error.message());
  return target;
}

/// Our programs and pictures say so in their first comment, our schedules and registers by their kind, our tables by their
/// titles.
bool is_ours(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  for (int i = 0; i < 3 && std::getline(in, line); ++i) {
    for (const char* const opening : {"// Muster:", "# Muster:", "<!-- Muster:", "figure,panel,",
                                      "  \"kind\": \"muster-schedule\"", "  \"format\": \"muster registers\""}) {
      if (line.rfind(opening, 0) == 0) return true;
    }
  }
  return false;
}

/// The files that are already there; throws where one may not be replaced.
std::vector<std::string> replaced_files(const fs::path& folder, const std::vector<EmittedFile>& files,
                                        Foreign foreign) {
  std::vector<std::string> names;
  for (const EmittedFile& file : files) {
    const fs::path path = folder / file.name;
    if (!fs::exists(path)) continue;
    if (fs::is_directory(path)) {
      reject("--out: {} is a folder, but a file of that name is to be written; choose another --out", path.string());
    }
    if (foreign == Foreign::refuse && !is_ours(path)) {
      reject("--out: {} was not written by muster; choose another --out, or use --force to overwrite it",
             path.string());
    }
    names.push_back(file.name);
  }
  return names;
}

}  // namespace

std::vector<std::string> write_files(const fs::path& folder, const std::vector<EmittedFile>& files, Foreign foreign) {
  const fs::path target = prepared(folder);
  const bool exists = fs::exists(target);
  std::vector<std::string> replaced = replaced_files(folder, files, foreign);
  const TemporaryFolder temporary(exists ? target : target.parent_path());
  for (const EmittedFile& file : files) {
    fs::create_directories((temporary.path() / file.name).parent_path());
    write_file(temporary.path() / file.name, file.text);
  }
  if (!exists) {
    move(temporary.path(), target);
    return replaced;
  }
  for (const EmittedFile& file : files) {
    fs::create_directories((target / file.name).parent_path());
    move(temporary.path() / file.name, target / file.name);
  }
  return replaced;
}

void check_named_file(const fs::path& path, const std::string& flag) {
  std::error_code error;
  if (path.filename().empty() || fs::is_directory(path, error)) {
    reject("{}: {} is a folder; name a file", flag, path.string());
  }
  if (is_special(path)) return;
  const fs::path folder = followed(path).parent_path();
  if (!fs::is_directory(folder, error)) reject("{}: folder {} does not exist; create it first", flag, folder.string());
  if (::access(folder.c_str(), W_OK) != 0) reject("{}: {} cannot be written to", flag, folder.string());
}

void write_named_file(const fs::path& path, const std::string& text, const std::string& flag) {
  check_named_file(path, flag);
  if (is_special(path)) {
    write_text(path, text);
    return;
  }
  const fs::path target = followed(path);
  const TemporaryFolder temporary(target.parent_path());
  write_file(temporary.path() / target.filename(), text);
  move(temporary.path() / target.filename(), target);
}

void check_different_files(const Arguments& arguments, std::initializer_list<std::string_view> flags) {
  std::map<fs::path, std::string_view> named;
  for (const std::string_view flag : flags) {
    if (!arguments.has(flag) || arguments.text(flag) == "-") continue;
    std::error_code error;
    const fs::file_status status = fs::status(arguments.text(flag), error);
    if (fs::exists(status) && !fs::is_regular_file(status)) continue;  // both may go to /dev/null
    const auto [other, is_new] = named.emplace(fs::weakly_canonical(fs::absolute(arguments.text(flag)), error), flag);
    if (!is_new) reject("{} and {} both name {}; name two files", other->second, flag, arguments.text(flag));
  }
}

namespace {

/// The files of the format in a folder and in those below it. Hidden folders are left out.
std::vector<fs::path> files_below(const fs::path& folder, const FileFormat& format) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; entry != end; entry.increment(error)) {
    const bool is_left_out = entry->path().filename().string().starts_with('.') || entry.depth() >= kDeepestFolder;
    if (is_left_out && entry->is_directory(error)) entry.disable_recursion_pending();
    if (entry->path().extension() != format.extension || !entry->is_regular_file(error)) continue;
    if (found.size() == kMostFiles) {
      reject("--{}: {} holds more than {} files {}; name a folder with one program", format.name, folder.string(),
             kMostFiles, format.extension);
    }
    found.push_back(entry->path());
  }
  return found;
}

}  // namespace

std::vector<EmittedFile> read_folder(const fs::path& folder, const FileFormat& format) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    reject("--{0}: {1} is not a folder; name the one that 'muster emit --target {0}' wrote", format.name,
           folder.string());
  }
  std::vector<EmittedFile> files;
  for (const fs::path& path : files_below(folder, format)) {
    if (fs::file_size(path, error) > kMostBytes) {
      reject("--{}: {} is too large; at most {} bytes are read", format.name, path.string(), kMostBytes);
    }
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) reject("--{}: {} cannot be read", format.name, path.string());
    files.push_back({path.lexically_relative(folder).generic_string(), std::move(text)});
  }
  const auto is_main = [&](const EmittedFile& file) { return file.name == format.main_file; };
  if (std::none_of(files.begin(), files.end(), is_main)) {
    reject("--{0}: {1} has no {2}; name the folder that 'muster emit --target {0}' wrote", format.name, folder.string(),
           format.main_file);
  }
  return files;
}

}  // namespace muster
