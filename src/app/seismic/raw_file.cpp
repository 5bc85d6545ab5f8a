#include "app/seismic/raw_file.h"

#include <bit>
#include <fstream>

namespace muster::seismic {

static_assert(std::endian::native == std::endian::little, "raw files are little-endian");

Outcome<std::vector<float>> read_raw_floats(const std::filesystem::path& file, std::int64_t count) {
  std::error_code error;
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file, error));
  if (error) return Refusal{"cannot be read; is it a file that you may read?"};
  const std::int64_t wanted = count * static_cast<std::int64_t>(sizeof(float));
  if (size != wanted) return Refusal{fmt::format("has {} bytes; {} values of f32 need {}", size, count, wanted)};
  std::vector<float> values(static_cast<std::size_t>(count));
  std::ifstream stream(file, std::ios::binary);
  stream.read(reinterpret_cast<char*>(values.data()), wanted);
  if (!stream) return Refusal{"cannot be read to its end"};
  return values;
}

}  // namespace muster::seismic
