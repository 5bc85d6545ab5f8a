// Files that are there whole, or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>

namespace muster::seismic {

/// Writes into a temporary file beside the one that is meant, and puts it in its place at the end. Folders on the way are made.
/// Throws InputError, with nothing left behind, if that cannot be done.
class WholeFile {
 public:
  explicit WholeFile(std::filesystem::path path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  void write(std::span<const std::byte> bytes);
  void finish();

 private:
  [[noreturn]] void fail();

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::ofstream stream_;
};

}  // namespace muster::seismic
