// Whole files as text.
#include "base/file.h"

#include <array>
#include <fstream>
#include <istream>

#include "base/error.h"

namespace muster {

std::string read_all(std::istream& stream, const std::string& name) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 31;
  std::string text;
  std::array<char, 1 << 16> block;  // NOLINT: filled by read()
  while (stream.read(block.data(), block.size()) || stream.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kMostBytes) reject("{}: has more than 2 GiB; is it the right file?", name);
  }
  return text;
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text = read_all(stream, file.string());
  // A folder opens and then fails to read.
  if (!stream.is_open() || stream.bad()) reject("{}: cannot be read; is it a file that you may read?", file.string());
  return text;
}

}  // namespace muster
