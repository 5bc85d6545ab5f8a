#include "app/seismic/checkpoint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>

#include "app/seismic/propagators.h"
#include "app/seismic/traces.h"
#include "app/seismic/volumes.h"
#include "base/error.h"
#include "base/one_line.h"
#include "base/random.h"
#include "base/saturating.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "MUSTERCP";
constexpr std::uint64_t kFormat = 1;
constexpr std::uint64_t kMostText = 64 << 20;

/// A running hash of bytes, 8 at a time; what is left of a piece is filled up with zeros.
class Hash {
 public:
  void add(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      std::uint64_t word = 0;
      const std::size_t count = std::min(bytes.size(), sizeof(word));
      std::memcpy(&word, bytes.data(), count);
      value_ = random_bits(value_, word);
      bytes = bytes.subspan(count);
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = kFormat;
};

class Writer {
 public:
  explicit Writer(AtomicFile& file) : file_(file) {}

  void bytes(std::span<const std::byte> bytes) {
    hash_.add(bytes);
    file_.write(bytes);
  }
  void number(std::uint64_t value) { bytes(std::as_bytes(std::span(&value, 1))); }
  void text(std::string_view text) { bytes(std::as_bytes(std::span(text))); }
  void finish() {
    number(hash_.value());
    file_.flush();
  }

 private:
  AtomicFile& file_;
  Hash hash_;
};

class Reader {
 public:
  explicit Reader(const fs::path& file) : name_(file.string()), stream_(file, std::ios::binary) {
    std::error_code error;
    if (fs::is_directory(file, error)) reject("--resume: {}: is a folder; name the checkpoint in it", name_);
    if (!stream_) reject("--resume: {}: cannot be read; is it a file that you may read?", name_);
  }

  void bytes(std::span<std::byte> bytes) {
    stream_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!stream_) reject("--resume: {}: is truncated; use another checkpoint", name_);
    hash_.add(bytes);
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    bytes(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  std::string text(std::uint64_t size) {
    std::string text(size, ' ');
    bytes(std::as_writable_bytes(std::span(text)));
    return text;
  }
  void finish() {
    const std::uint64_t expected = hash_.value();
    if (number() != expected) reject("--resume: {}: was altered: its hash is wrong; use another checkpoint", name_);
    if (stream_.peek() != std::ifstream::traits_type::eof()) {
      reject("--resume: {}: was altered: it goes on behind its end; use another checkpoint", name_);
    }
  }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::ifstream stream_;
  Hash hash_;
};

/// What two lines of fingerprints differ in. Numbers are written for comparing, not for reading, in most of them.
std::string difference_of(std::string_view there, std::string_view here) {
  const auto word = [](std::string_view line) { return line.substr(0, line.find(' ')); };
  if (word(there) == "part" || word(here) == "part") return "its grid was shared by another number of processes";
  constexpr std::array<std::string_view, 7> kReadable{"version", "propagator", "precision", "arithmetic",
                                                      "grid",    "order",      "steps"};
  if (word(there) == word(here) && std::ranges::count(kReadable, word(here)) > 0) {
    return fmt::format("'{}' there, '{}' here", one_line(there, 80), one_line(here, 80));
  }
  constexpr std::array<std::string_view, 9> kOthers{"spacing",   "weights",  "time_step", "boundaries", "source",
                                                    "receivers", "snapshot", "layers",    "shots"};
  const bool is_known = std::ranges::count(kOthers, word(here)) > 0;
  return fmt::format("not the same {}", is_known ? word(here) : word(there).empty() ? "source" : "model");
}

/// Of the first line in which two texts differ.
std::string first_difference(std::string_view a, std::string_view b) {
  for (;;) {
    const std::string_view line_a = a.substr(0, a.find('\n'));
    const std::string_view line_b = b.substr(0, b.find('\n'));
    if (line_a != line_b || a.empty() || b.empty()) return difference_of(line_a, line_b);
    a.remove_prefix(std::min(a.size(), line_a.size() + 1));
    b.remove_prefix(std::min(b.size(), line_b.size() + 1));
  }
}

Progress read_head(Reader& reader, const Shot& shot, const Part& part) {
  if (reader.text(kMagic.size()) != kMagic || reader.number() != kFormat) {
    reject("--resume: {}: is not a checkpoint of this version of muster", reader.name());
  }
  const std::uint64_t size = reader.number();
  if (size > kMostText) reject("--resume: {}: was altered; use another checkpoint", reader.name());
  const std::string of_file = reader.text(size);
  const std::string of_shot = fingerprint(shot, part);
  if (of_file != of_shot) {
    reject("--resume: {}: is of another run: {}; use the shot file and the overrides of that run", reader.name(),
           first_difference(of_file, of_shot));
  }
  const auto number = static_cast<std::int64_t>(reader.number());
  const auto step = static_cast<std::int64_t>(reader.number());
  if (number < 1 || number > shot.repetition.count || step < 0 || step > shot.steps) {
    reject("--resume: {}: was altered: step {} of shot {} is not of this run; use another checkpoint", reader.name(),
           step, number);
  }
  return {.shot = number, .step = step};
}

template <class Real>
void write_volumes(Writer& writer, const State<Real>& state) {
  for_each_volume(state, [&](const auto& volume) { writer.bytes(std::as_bytes(volume.values())); });
}

template <class Real>
void read_volumes(Reader& reader, State<Real>& state) {
  for_each_volume(state, [&](auto& volume) { reader.bytes(std::as_writable_bytes(volume.values())); });
}

}  // namespace

fs::path checkpoint_of(const fs::path& file, const Processes& processes) {
  if (processes.count() == 1) return file;
  return file.string() + fmt::format(".{}of{}", processes.rank() + 1, processes.count());
}

int processes_of_checkpoint(const fs::path& file) {
  const std::string begin = file.filename().string() + ".1of";
  std::error_code error;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    int count = 0;
    const char* const last = name.data() + name.size();
    if (!name.starts_with(begin)) continue;
    if (std::from_chars(name.data() + begin.size(), last, count).ptr == last && count > 1) return count;
  }
  return 0;
}

bool is_checkpoint(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  std::ifstream stream(file, std::ios::binary);
  std::string begin(kMagic.size(), ' ');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return stream && begin == kMagic;
}

std::int64_t checkpoint_bytes(const Shot& shot, const Part& part) {
  Description equation = describe_propagator(shot.propagator);
  equation.parameters.clear();  // which the model gives
  const std::int64_t state = state_bytes(equation, shot.grid, part, shot.is_double ? sizeof(double) : sizeof(float));
  std::int64_t samples = 0;
  for (const Traces& traces : written_traces(shot, 1)) {
    const auto count = static_cast<std::int64_t>(traces.gather.receivers.size());
    samples = saturating_sum(samples, saturating_product(count, traces.gather.samples));
  }
  constexpr std::int64_t kNumbers = 6;  // magic, format, size of the fingerprint, shot, step, hash
  const std::int64_t head = kNumbers * 8 + static_cast<std::int64_t>(fingerprint(shot, part).size());
  return saturating_sum(head + state, saturating_product(samples, 8));
}

template <class Real>
std::unique_ptr<AtomicFile> write_checkpoint(const fs::path& path, const Shot& shot, std::int64_t number,
                                             const WaveFields<Real>& simulation, const std::vector<Gather>& gathers) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) reject("{}: its folder cannot be made: {}", path.string(), error.message());
  auto file = std::make_unique<AtomicFile>(path, checkpoint_bytes(shot, simulation.part()));
  const std::string of_shot = fingerprint(shot, simulation.part());
  Writer writer(*file);
  writer.text(kMagic);
  writer.number(kFormat);
  writer.number(of_shot.size());
  writer.text(of_shot);
  writer.number(static_cast<std::uint64_t>(number));
  writer.number(static_cast<std::uint64_t>(simulation.steps()));
  write_volumes(writer, simulation.state());
  for (const Gather& gather : gathers) writer.bytes(std::as_bytes(std::span(gather.values)));
  writer.finish();
  return file;
}

Progress read_progress(const fs::path& file, const Shot& shot, const Part& part) {
  Reader reader(file);
  const Progress progress = read_head(reader, shot, part);
  std::error_code error;
  const auto size = static_cast<std::int64_t>(fs::file_size(file, error));
  if (!error && size != checkpoint_bytes(shot, part)) {
    reject("--resume: {}: has {} bytes, and a checkpoint of this run has {}; use another one", file.string(), size,
           checkpoint_bytes(shot, part));
  }
  return progress;
}

template <class Real>
void read_checkpoint(const fs::path& file, const Shot& shot, WaveFields<Real>& simulation,
                     std::vector<Gather>& gathers) {
  Reader reader(file);
  const Progress progress = read_head(reader, shot, simulation.part());
  read_volumes(reader, simulation.state());
  for (Gather& gather : gathers) reader.bytes(std::as_writable_bytes(std::span(gather.values)));
  reader.finish();
  simulation.engine().upload();
  simulation.restart(progress.step);
}

template std::unique_ptr<AtomicFile> write_checkpoint(const fs::path&, const Shot&, std::int64_t,
                                                      const WaveFields<float>&, const std::vector<Gather>&);
template std::unique_ptr<AtomicFile> write_checkpoint(const fs::path&, const Shot&, std::int64_t,
                                                      const WaveFields<double>&, const std::vector<Gather>&);
template void read_checkpoint(const fs::path&, const Shot&, WaveFields<float>&, std::vector<Gather>&);
template void read_checkpoint(const fs::path&, const Shot&, WaveFields<double>&, std::vector<Gather>&);

}  // namespace muster::seismic
