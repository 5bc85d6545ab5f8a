#include "app/seismic/whole_file.h"

#include <unistd.h>

#include "base/error.h"

namespace muster::seismic {
namespace fs = std::filesystem;

WholeFile::WholeFile(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), error);
  if (error) reject("{}: its folder cannot be made: {}", path_.string(), error.message());
  temporary_ = path_;
  temporary_ += "." + std::to_string(getpid()) + ".part";
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!stream_) reject("{}: cannot be written; may you write into its folder?", path_.string());
}

WholeFile::~WholeFile() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

void WholeFile::fail() { reject("{}: cannot be written; is the disk full?", path_.string()); }

void WholeFile::write(std::span<const std::byte> bytes) {
  stream_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream_) fail();
}

void WholeFile::finish() {
  stream_.close();
  if (!stream_) fail();
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error) reject("{}: cannot be written: {}", path_.string(), error.message());
  temporary_.clear();
}

}  // namespace muster::seismic
