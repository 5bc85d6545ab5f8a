#include "app/seismic/file/files.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/seismic/file/bytes.h"
#include "app/seismic/file/file_test_support.h"
#include "base/rejection_test_support.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;

constexpr std::array kFormats{Format::segy, Format::su, Format::rsf, Format::raw};

/// An empty folder for one test.
class Folder {
 public:
  Folder() : path_(fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] std::ptrdiff_t count() const {
    return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
  }

 private:
  fs::path path_;
};

/// What the format keeps of a gather.
void check_same(Format format, const Gather& expected, const Gather& read) {
  RC_ASSERT(read.values == expected.values);
  RC_ASSERT(read.samples == expected.samples);
  if (format == Format::raw) return;
  RC_ASSERT(read.shot == expected.shot);
  RC_ASSERT(read.source == expected.source);
  RC_ASSERT(read.receivers == expected.receivers);
  if (format == Format::su) {  // times as short decimals that round to an f32
    RC_ASSERT(std::abs(read.interval - expected.interval) <= 1.2e-7 * expected.interval);
    RC_ASSERT(std::abs(read.start - expected.start) <= 1.2e-7 * std::abs(expected.start));
    return;
  }
  RC_ASSERT(read.field == expected.field);
  RC_ASSERT(read.interval == expected.interval);
  RC_ASSERT(read.start == expected.start);
}

RC_GTEST_PROP(Files, GathersComeBackFromEveryFormat, ()) {
  const Gather gather = random_gather();
  for (const Format format : kFormats) {
    check_same(format, gather, gather_from(format, bytes_in(format, gather), {.samples = gather.samples}));
  }
}

RC_GTEST_PROP(Files, GathersOfF64ComeBackFromRsfAndRaw, ()) {
  Gather gather = random_gather();
  for (double& value : gather.values) value /= 3;
  for (const Format format : {Format::rsf, Format::raw}) {
    check_same(format, gather,
               gather_from(format, bytes_in(format, gather, Precision::f64),
                           {.precision = Precision::f64, .samples = gather.samples}));
  }
}

RC_GTEST_PROP(Files, CubesComeBackFromEveryFormat, ()) {
  const Cube cube = random_cube();
  for (const Format format : kFormats) {
    ReadOptions options;
    if (format == Format::raw) options.extent = cube.extent;
    const Cube read = cube_from(format, bytes_in(format, cube), options);
    RC_ASSERT(read.extent == cube.extent);
    RC_ASSERT(read.values == cube.values);
    if (format == Format::raw) continue;
    for (const Axis axis : kAxes) RC_ASSERT(std::abs(read.spacing[axis] - cube.spacing[axis]) < 1e-12);
    if (format != Format::su) RC_ASSERT(read.name == cube.name);
  }
}

RC_GTEST_PROP(Files, HeadersTellGathersFromCubes, ()) {
  const Gather gather = random_gather();
  const Cube cube = random_cube();
  for (const Format format : {Format::segy, Format::su, Format::rsf}) {
    const std::vector<std::byte> of_gather = bytes_in(format, gather);
    const std::vector<std::byte> of_cube = bytes_in(format, cube);
    RC_ASSERT(!codec_of(format).holds_cube(MemorySource("gather", of_gather)));
    RC_ASSERT(codec_of(format).holds_cube(MemorySource("cube", of_cube)));
  }
}

RC_GTEST_PROP(Files, NoFileThatIsCutIsRead, ()) {
  const Gather gather = random_gather();
  for (const Format format : {Format::segy, Format::su, Format::rsf}) {
    std::vector<std::byte> bytes = bytes_in(format, gather);
    // Whole traces may be missing unnoticed where no header counts them.
    const auto trace = static_cast<std::size_t>(240 + 4 * gather.samples);
    const std::size_t cut = *rc::gen::inRange<std::size_t>(1, std::min(trace, bytes.size()));
    bytes.resize(bytes.size() - cut);
    RC_ASSERT(rejection([&] { (void)gather_from(format, bytes); }) != "accepted");
  }
}

TEST(Files, AreFoundByTheirEnding) {
  EXPECT_EQ(format_of("a/shot.SGY"), Format::segy);
  EXPECT_EQ(format_of("shot.su"), Format::su);
  EXPECT_EQ(rejection([] { (void)format_of("a/shot.sgx"); }),
            "a/shot.sgx: its ending says no format; use .segy, .sgy, .su, .rsf, .raw or .bin");
  EXPECT_EQ(format_named("rsf", "outputs"), Format::rsf);
  EXPECT_EQ(rejection([] { (void)format_named("seggy", "outputs"); }),
            "outputs: unknown format 'seggy'; did you mean 'segy'?");
}

TEST(Files, AreWrittenAndReadByName) {
  const Folder folder;
  for (const std::string name : {"a.segy", "a.su", "a.rsf"}) {
    write_gather(small_gather(), folder / name);
    EXPECT_EQ(read_gather(folder / name).values, small_gather().values) << name;
    EXPECT_EQ(static_cast<std::int64_t>(fs::file_size(folder / name)), file_bytes(small_gather(), folder / name));
    EXPECT_FALSE(holds_cube(folder / name));
  }
  write_cube(small_cube(), folder / "vp.bin", {.precision = Precision::f64});
  EXPECT_EQ(fs::file_size(folder / "vp.bin"), 48U);
  EXPECT_EQ(read_cube(folder / "vp.bin", {.precision = Precision::f64, .extent = {1, 2, 3}}).values,
            small_cube().values);
  EXPECT_EQ(folder.count(), 4);
}

TEST(Files, OfCubesAreReadRowByRowInTheirPrecision) {
  const Folder folder;
  const CubeInfo info{.name = "p", .extent = {2, 1, 2}, .spacing = {5, 5, 5}};
  const auto fill = [](std::int64_t x, std::int64_t /*y*/, std::span<double> row) {
    row[0] = static_cast<double>(x) / 3;
    row[1] = 1e300;
  };
  write_cube(info, fill, folder / "p.rsf", {.precision = Precision::f64});
  std::vector<double> values;
  read_cube(folder / "p.rsf", {}, [&](const CubeInfo& read) -> VisitRow {
    EXPECT_EQ(read.extent, info.extent);
    return [&](std::int64_t /*x*/, std::int64_t /*y*/, std::span<const double> row) {
      values.insert(values.end(), row.begin(), row.end());
    };
  });
  EXPECT_EQ(values, (std::vector<double>{0, 1e300, 1.0 / 3, 1e300}));
  EXPECT_EQ(rejection([&] { (void)read_cube(folder / "p.rsf"); }),
            (folder / "p.rsf").string() + ": row 0,0 along z has a value that f32 does not hold");
}

TEST(Files, AreNotTouchedByAWriterThatFails) {
  const Folder folder;
  write_gather(small_gather(), folder / "a.segy");
  Gather bad = small_gather();
  bad.values.back() = 1e300;
  EXPECT_EQ(rejection([&] { write_gather(bad, folder / "a.segy"); }),
            (folder / "a.segy").string() + ": sample 3 of trace 2 is 1e+300, which f32 does not hold");
  EXPECT_EQ(read_gather(folder / "a.segy").values, small_gather().values);
  EXPECT_EQ(folder.count(), 1);
}

TEST(Files, GoNowhereElse) {
  const Folder folder;
  EXPECT_EQ(
      rejection([&] { write_gather(small_gather(), folder / "no/a.su"); }),
      (folder / "no/a.su").string() + ": folder " + (folder / "no").string() + " does not exist; create it first");
  fs::create_directory(folder / "b.su");
  EXPECT_EQ(rejection([&] { write_gather(small_gather(), folder / "b.su"); }),
            (folder / "b.su").string() + ": is not a regular file, so it cannot be replaced; name a file");
  EXPECT_EQ(rejection([&] { (void)read_gather(folder / "b.su"); }),
            (folder / "b.su").string() + ": cannot be read; is it a file that you may read?");
}

TEST(Files, FollowLinks) {
  const Folder folder;
  write_gather(small_gather(), folder / "a.su");
  fs::create_symlink("a.su", folder / "link.su");
  Gather other = small_gather();
  other.shot = 8;
  write_gather(other, folder / "link.su");
  EXPECT_TRUE(fs::is_symlink(folder / "link.su"));
  EXPECT_EQ(read_gather(folder / "a.su").shot, 8);
}

TEST(Files, HaveTheExpectedSize) {
  const std::vector<std::byte> raw = bytes_in(Format::raw, small_cube());
  EXPECT_EQ(rejection([&] {
              (void)cube_from(Format::raw, raw, {.extent = {2, 2, 3}});
            }),
            "file: has 24 bytes, but 2x2x3 cells of 4 bytes need 48");
  EXPECT_EQ(rejection([&] {
              (void)cube_from(Format::raw, raw, {.extent = {4'000'000'000, 4'000'000'000, 8}});
            }),
            "file: has 24 bytes, but 4000000000x4000000000x8 cells of 4 bytes need 512000000000000000000");
  for (const Format format : {Format::segy, Format::su, Format::rsf}) {
    EXPECT_EQ(rejection([&] {
                (void)cube_from(format, bytes_in(format, small_cube()), {.extent = {2, 1, 3}});
              }),
              "file: has 1x2x3 cells, but 2x1x3 are expected");
  }
  EXPECT_EQ(rejection([&] { (void)gather_from(Format::raw, raw, {.samples = 4}); }),
            "file: has 24 bytes, which is no multiple of a trace of 4 samples of 4 bytes");
}

TEST(Files, HaveLimits) {
  Gather gather = small_gather();
  const auto refusal = [&](Format format, Precision precision = Precision::f32) {
    return rejection([&] { (void)codec_of(format).file_bytes(gather, precision, "a"); });
  };
  EXPECT_EQ(refusal(Format::segy, Precision::f64), "a: its format holds f32 only; use rsf or raw for f64");
  gather.samples = 70000;
  EXPECT_EQ(refusal(Format::su),
            "a: 70000 samples are more than the 65535 that a trace of its format has; use rsf or raw");
  EXPECT_EQ(refusal(Format::rsf), "accepted");
  gather.samples = 3;
  gather.interval = 0.07;
  EXPECT_EQ(refusal(Format::segy),
            "a: an interval of 0.07 s is not 1 to 65535 us, as its format needs; use rsf or raw");
  gather.interval = 1e-7;
  EXPECT_EQ(refusal(Format::su), "a: an interval of 1e-07 s is not 1 to 65535 us, as its format needs; use rsf or raw");
  gather = small_gather();
  gather.receivers[1].y = 3e9;
  EXPECT_EQ(refusal(Format::segy), "a: a position of 3000000000 m does not fit into its format; use rsf");
}

TEST(Files, HoldFiniteNumbersOnly) {
  std::vector<std::byte> bytes = bytes_in(Format::raw, small_cube());
  store(std::span(bytes), 16, std::nanf(""), ByteOrder::little);
  EXPECT_EQ(rejection([&] {
              (void)cube_from(Format::raw, bytes, {.extent = {1, 2, 3}});
            }),
            "file: cell 0,1,1 is nan; values must be finite");
  EXPECT_EQ(rejection([&] { (void)gather_from(Format::raw, bytes, {.samples = 3}); }),
            "file: sample 2 of trace 2 is nan; values must be finite");
  std::vector<std::byte> su = bytes_in(Format::su, small_gather());
  store(std::span(su), 240, HUGE_VALF, ByteOrder::little);
  EXPECT_EQ(rejection([&] { (void)gather_from(Format::su, su); }),
            "file: sample 1 of trace 1 is inf; samples must be finite");
}

}  // namespace
}  // namespace muster::seismic
