#include "app/seismic/file/byte_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffer = 1 << 20;
constexpr int kMostAttempts = 100;

/// Where the bytes go in the end: links are followed, so that they stay links.
fs::path target_of(const fs::path& path) {
  std::error_code error;
  fs::path followed = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  const fs::file_status status = fs::status(followed, error);
  if (path.filename().empty() || (fs::exists(status) && !fs::is_regular_file(status))) {
    reject("{}: is not a regular file, so it cannot be replaced; name a file", path.string());
  }
  return followed;
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

void check_space(const fs::path& target, std::int64_t bytes) {
  std::error_code error;
  const fs::path folder = folder_of(target);
  if (!fs::is_directory(folder, error)) {
    reject("{}: folder {} does not exist; create it first", target.string(), folder.string());
  }
  const fs::space_info space = fs::space(folder, error);
  if (!error && space.available < static_cast<std::uintmax_t>(bytes)) {
    reject("{}: needs {} bytes, and {} are free there; make space or name another folder", target.string(), bytes,
           space.available);
  }
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& path, std::int64_t expected_bytes) : target_(target_of(path)) {
  check_space(target_, expected_bytes);
  for (int attempt = 0; attempt < kMostAttempts && descriptor_ < 0; ++attempt) {
    temporary_ = folder_of(target_) / fmt::format(".{}.{}-{}.part", target_.filename().string(), ::getpid(), attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) fail();
  buffer_.reserve(kBuffer);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::fail() const { reject("{}: cannot be written: {}", target_.string(), std::strerror(errno)); }

void AtomicFile::write(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > kBuffer) flush();
  if (bytes.size() > kBuffer) return write_out(bytes);  // a large array is not copied
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void AtomicFile::flush() {
  write_out(buffer_);
  buffer_.clear();
}

void AtomicFile::write_out(std::span<const std::byte> left) {
  while (!left.empty()) {
    const ssize_t count = ::write(descriptor_, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    left = left.subspan(static_cast<std::size_t>(count));
  }
}

void AtomicFile::commit() {
  flush();
  const int descriptor = std::exchange(descriptor_, -1);
  // On disk before it takes its place: after a power cut, too, there is the old file or the new one.
  const bool is_stored = ::fsync(descriptor) == 0 || errno == EINVAL;  // of what is no file on a disk
  if (::close(descriptor) != 0 || !is_stored || ::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary_.c_str());
    errno = reason;
    fail();
  }
}

}  // namespace muster::seismic
