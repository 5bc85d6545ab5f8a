// Where writers put bytes: into a file that appears when it is complete, or into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace muster::seismic {

class ByteSink {
 public:
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  virtual ~ByteSink() = default;

  virtual void write(std::span<const std::byte> bytes) = 0;
};

class MemorySink : public ByteSink {
 public:
  void write(std::span<const std::byte> more) override { bytes.insert(bytes.end(), more.begin(), more.end()); }

  std::vector<std::byte> bytes;
};

/// A file under a temporary name beside its own, until commit(). Without that it vanishes.
class AtomicFile : public ByteSink {
 public:
  /// Throws InputError if `path` is something else than a regular file, or if there is no space for `expected_bytes`.
  AtomicFile(const std::filesystem::path& path, std::int64_t expected_bytes);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile() override;

  void write(std::span<const std::byte> bytes) override;
  /// What was written is in the file: only commit() is left.
  void flush();
  void commit();

 private:
  void write_out(std::span<const std::byte> left);
  [[noreturn]] void fail() const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  std::vector<std::byte> buffer_;
};

}  // namespace muster::seismic
