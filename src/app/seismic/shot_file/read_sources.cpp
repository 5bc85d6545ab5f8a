// The sources of a shot file, and how shots differ.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "app/seismic/propagator_names.h"
#include "app/seismic/shot_file/reader.h"
#include "base/file.h"
#include "base/one_line.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;

constexpr double kLeastPointsPerWavelength = 2.5;
constexpr std::size_t kMostSamples = 1'000'000;
constexpr std::int64_t kMostShots = 100'000;

const std::array<std::string, 4> kKinds{"pressure", "explosion", "force", "moment"};
const std::array<std::string, 2> kWavelets{"ricker", "minimod"};

/// One number per line.
std::vector<double> numbers_of(const TomlTable& table, const std::string& text) {
  std::vector<double> numbers;
  int line = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view word = std::string_view(text).substr(at, end - at);
    at = end + 1;
    ++line;
    while (!word.empty() && (word.back() == ' ' || word.back() == '\r')) word.remove_suffix(1);
    while (word.starts_with(' ')) word.remove_prefix(1);
    if (word.empty()) continue;
    double number = 0;
    const auto [last, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || last != word.data() + word.size() || !std::isfinite(number)) {
      table.refuse("wavelet_file", fmt::format("line {}: '{}' is not a number; use one number per line, or a .raw file",
                                               line, one_line(word, 40)));
    }
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<double> raw_numbers_of(const TomlTable& table, const std::string& bytes) {
  if (bytes.size() % sizeof(float) != 0) {
    table.refuse("wavelet_file", fmt::format("has {} bytes, which is no whole number of f32 values", bytes.size()));
  }
  std::vector<double> numbers;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(float)) {
    float number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    if (!std::isfinite(number)) {
      table.refuse("wavelet_file", fmt::format("sample {} is {}, not a finite number", at / sizeof(float), number));
    }
    numbers.push_back(static_cast<double>(number));
  }
  return numbers;
}

double read_frequency(const TomlTable& table) {
  const double frequency = table.hertz("frequency").value();
  if (frequency <= 0) table.refuse("frequency", "is not positive");
  return frequency;
}

Wavelet read_wavelet_file(const TomlTable& table, const fs::path& folder) {
  const fs::path file = folder / table.string("wavelet_file");
  std::error_code error;
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) {
    table.refuse("wavelet_file", fmt::format("{} is not a file", file.string()));
  }
  const std::string text = read_file(file);
  std::vector<double> samples = file.extension() == ".raw" ? raw_numbers_of(table, text) : numbers_of(table, text);
  if (samples.size() < 2 || samples.size() > kMostSamples) {
    table.refuse("wavelet_file",
                 fmt::format("{} has {} samples; use 2 to {}", file.string(), samples.size(), kMostSamples));
  }
  if (std::ranges::all_of(samples, [](double sample) { return sample == 0; })) {
    table.refuse("wavelet_file", fmt::format("all samples of {} are 0", file.string()));
  }
  const double interval = table.seconds("wavelet_interval").value();
  if (interval <= 0) table.refuse("wavelet_interval", "is not positive");
  Wavelet wavelet =
      sampled_wavelet(std::move(samples), interval, table.has("delay") ? table.seconds("delay").value() : 0);
  if (table.has("frequency")) {
    wavelet.frequency = read_frequency(table);
    wavelet.highest = std::max(wavelet.highest, wavelet.frequency);
  }
  return wavelet;
}

Wavelet read_wavelet(const TomlTable& table, const fs::path& folder) {
  if (table.has("wavelet_file")) {
    if (table.has("wavelet")) table.refuse("wavelet", "stands beside 'wavelet_file'; keep one of the two");
    return read_wavelet_file(table, folder);
  }
  const bool is_minimod = table.has("wavelet") && table.choice("wavelet", kWavelets) == "minimod";
  const double frequency = read_frequency(table);
  const double usual = is_minimod ? minimod_delay(frequency) : 1.5 / frequency;
  const double delay = table.has("delay") ? table.seconds("delay").value() : usual;
  return is_minimod ? minimod_wavelet(frequency, delay) : ricker_wavelet(frequency, delay);
}

void check_wavelength(const TomlTable& table, const Shot& shot, const Wavelet& wavelet) {
  const double points = points_per_wavelength(shot, wavelet.frequency);
  if (points >= kLeastPointsPerWavelength) return;
  const std::string_view key = table.has("frequency") ? "frequency" : "wavelet_file";
  table.refuse(key, fmt::format("{} has {:.2f} cells per wavelength in the slowest medium ({} m/s); use at "
                                "least {}: a finer grid or a lower frequency",
                                table.described(key), points, shot.velocities.slowest, kLeastPointsPerWavelength));
}

/// Numbers of 32 bits hold 1e-38 to 1e38, and fields become smaller and larger than their sources.
void check_size(const TomlTable& table, std::string_view key, const Shot& shot, double size) {
  const double most = shot.is_double ? 1e250 : 1e30;
  if (size == 0) table.refuse(key, "is 0; leave the source out, or give it a size");
  if (size <= most && size >= 1 / most) return;
  table.refuse(key, fmt::format("{:g} is not of a size from {:g} to {:g}, as {} needs{}", size, 1 / most, most,
                                shot.is_double ? "f64" : "f32", shot.is_double ? "" : "; use precision = \"f64\""));
}

double read_size(const TomlTable& table, std::string_view key, const Shot& shot) {
  const double size = table.number(key);
  check_size(table, key, shot, std::abs(size));
  return size;
}

std::vector<double> read_components(const TomlTable& table, std::string_view key, const Shot& shot, std::size_t count,
                                    std::string_view names) {
  std::vector<double> components = table.numbers(key);
  if (components.size() != count) {
    table.refuse(key, fmt::format("has {} numbers; it needs {}: {}", components.size(), count, names));
  }
  double largest = 0;
  for (const double component : components) largest = std::max(largest, std::abs(component));
  check_size(table, key, shot, largest);
  return components;
}

/// What a source of this kind adds to: its field must be there.
void check_propagator(const TomlTable& table, const Shot& shot, std::string_view kind, std::string_view field,
                      std::string_view needs) {
  if (describe_propagator(shot.propagator).field(field) >= 0) return;
  table.refuse("kind", fmt::format("a {} needs {}, which {} does not have; use another propagator, or 'pressure'", kind,
                                   needs, shot.propagator));
}

void read_strength(const TomlTable& table, const Shot& shot, Source& source) {
  const std::string kind = table.has("kind") ? table.choice("kind", kKinds) : "pressure";
  if (kind == "pressure") {
    source.pressure = table.has("amplitude") ? read_size(table, "amplitude", shot) : 1;
  } else if (kind == "force") {
    source.kind = Source::Kind::force;
    check_propagator(table, shot, kind, "vx", "velocities");
    const std::vector<double> force = read_components(table, "force", shot, 3, "x, y and z, in N");
    source.force = {force[0], force[1], force[2]};
  } else if (kind == "explosion") {
    source.kind = Source::Kind::moment;
    const double moment = read_size(table, "moment", shot);
    source.moment = {moment, moment, moment, 0, 0, 0};
  } else {
    source.kind = Source::Kind::moment;
    check_propagator(table, shot, kind, "sxy", "stresses");
    std::ranges::copy(read_components(table, "moment", shot, 6, "xx, yy, zz, yz, xz and xy, in N m"),
                      source.moment.begin());
  }
}

}  // namespace

void read_repetition(const TomlTable& root, Shot& shot) {
  const TomlTable table = root.table("shots");
  if (!root.has("shots")) return;
  Repetition& repetition = shot.repetition;
  repetition.count = table.integer("count", {1, kMostShots});
  if (table.has("source_increment"))
    repetition.source_increment = read_lengths(table, "source_increment", Sign::allowed);
  if (table.has("receiver_increment"))
    repetition.receiver_increment = read_lengths(table, "receiver_increment", Sign::allowed);
}

void read_sources(const TomlTable& root, const fs::path& folder, Shot& shot) {
  for (const TomlTable& table : root.tables("source")) {
    Source source;
    source.position = read_lengths(table, "position", Sign::none);
    check_inside(table, "position", shot, source.position, shot.repetition.source_increment, "the source");
    read_strength(table, shot, source);
    source.wavelet = read_wavelet(table, folder);
    check_wavelength(table, shot, source.wavelet);
    shot.grid.layers.frequency = std::max(shot.grid.layers.frequency, source.wavelet.frequency);
    shot.sources.push_back(std::move(source));
  }
}

}  // namespace muster::seismic
