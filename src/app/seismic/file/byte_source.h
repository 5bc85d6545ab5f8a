// Where readers take bytes from: a file, or memory. Nothing is trusted to be there until it has been read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace muster::seismic {

class ByteSource {
 public:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// For messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] virtual std::int64_t size() const = 0;
  /// Fills `into` with the bytes from `offset` on. Throws InputError if the source ends before.
  void read(std::int64_t offset, std::span<std::byte> into) const;
  /// A file that this one names; relative paths begin at its folder. Throws InputError if there is none.
  [[nodiscard]] virtual std::unique_ptr<ByteSource> open_named(const std::string& path) const = 0;

 private:
  /// All bytes are there, unless the file has just been cut. Returns whether it could read them.
  [[nodiscard]] virtual bool read_all(std::int64_t offset, std::span<std::byte> into) const = 0;

  std::string name_;
};

/// Bytes of somebody else, who keeps them alive.
class MemorySource : public ByteSource {
 public:
  MemorySource(std::string name, std::span<const std::byte> bytes) : ByteSource(std::move(name)), bytes_(bytes) {}
  [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(bytes_.size()); }
  [[nodiscard]] std::unique_ptr<ByteSource> open_named(const std::string& path) const override;

 private:
  [[nodiscard]] bool read_all(std::int64_t offset, std::span<std::byte> into) const override;

  std::span<const std::byte> bytes_;
};

/// Throws InputError that names the file if it is not a regular file that can be read.
std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path);

/// Records of the same size, one behind another.
struct Records {
  std::int64_t offset = 0;  ///< of the first one
  std::int64_t bytes = 0;   ///< of each
  std::int64_t count = 0;
};

/// Visits all records in their order; many are read at a time.
void for_each_record(const ByteSource& source, const Records& records,
                     const std::function<void(std::int64_t, std::span<const std::byte>)>& visit);

}  // namespace muster::seismic
