#include "app/seismic/file/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/one_line.h"

namespace muster::seismic {
namespace {

constexpr std::int64_t kBlock = 1 << 20;

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path)
      : ByteSource(path.string()), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status {};
    const bool is_open = descriptor_ >= 0 && ::fstat(descriptor_, &status) == 0;
    // Pipes and devices have no size, which is all that protects against a header that asks for too much.
    if (!is_open || !S_ISREG(status.st_mode)) {
      if (descriptor_ >= 0) ::close(descriptor_);
      reject("{}: cannot be read; is it a file that you may read?", name());
    }
    size_ = status.st_size;
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override { ::close(descriptor_); }

  [[nodiscard]] std::int64_t size() const override { return size_; }
  [[nodiscard]] std::unique_ptr<ByteSource> open_named(const std::string& path) const override {
    return open_file(std::filesystem::path(name()).parent_path() / path);
  }

 private:
  [[nodiscard]] bool read_all(std::int64_t offset, std::span<std::byte> into) const override {
    while (!into.empty()) {
      const ssize_t count = ::pread(descriptor_, into.data(), into.size(), offset);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      into = into.subspan(static_cast<std::size_t>(count));
      offset += count;
    }
    return true;
  }

  int descriptor_;
  std::int64_t size_ = 0;
};

}  // namespace

void ByteSource::read(std::int64_t offset, std::span<std::byte> into) const {
  const auto count = static_cast<std::int64_t>(into.size());
  if (offset < 0 || offset > size() || count > size() - offset) {
    reject("{}: has {} bytes, but {} bytes are needed at offset {}; is it complete?", name(), size(), count, offset);
  }
  if (!read_all(offset, into)) reject("{}: reading {} bytes at offset {} failed", name(), count, offset);
}

bool MemorySource::read_all(std::int64_t offset, std::span<std::byte> into) const {
  std::ranges::copy(bytes_.subspan(static_cast<std::size_t>(offset), into.size()), into.begin());
  return true;
}

std::unique_ptr<ByteSource> MemorySource::open_named(const std::string& path) const {
  reject("{}: names the file '{}', and there are none", name(), one_line(path));
}

std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path) { return std::make_unique<FileSource>(path); }

void for_each_record(const ByteSource& source, const Records& records,
                     const std::function<void(std::int64_t, std::span<const std::byte>)>& visit) {
  const std::int64_t most = std::clamp<std::int64_t>(kBlock / std::max<std::int64_t>(records.bytes, 1), 1,
                                                     std::max<std::int64_t>(records.count, 1));
  std::vector<std::byte> block;
  for (std::int64_t first = 0; first < records.count; first += most) {
    const std::int64_t count = std::min(most, records.count - first);
    block.resize(static_cast<std::size_t>(count * records.bytes));
    source.read(records.offset + first * records.bytes, block);
    for (std::int64_t i = 0; i < count; ++i) {
      visit(first + i, std::span(block).subspan(static_cast<std::size_t>(i * records.bytes),
                                                static_cast<std::size_t>(records.bytes)));
    }
  }
}

}  // namespace muster::seismic
