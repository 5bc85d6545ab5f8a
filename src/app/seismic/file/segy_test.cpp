// The bytes of SEG-Y and SU files, as other programs read them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/seismic/file/bytes.h"
#include "app/seismic/file/file_test_support.h"
#include "app/seismic/file/segy_text.h"
#include "base/rejection_test_support.h"

namespace muster::seismic {
namespace {

constexpr std::size_t kTrace2 = 3600 + 240 + 3 * 4;

/// Unsigned bytes from an offset on.
std::vector<int> at(const std::vector<std::byte>& bytes, std::size_t offset, std::size_t count) {
  std::vector<int> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(std::to_integer<int>(bytes.at(offset + i)));
  return values;
}

using Bytes = std::vector<int>;

TEST(Segy, HasTheBinaryHeaderOfTheStandard) {
  const std::vector<std::byte> bytes = bytes_in(Format::segy, small_gather());
  EXPECT_EQ(bytes.size(), 3600U + 2 * (240 + 3 * 4));
  EXPECT_EQ(at(bytes, 3212, 2), (Bytes{0, 2}));              // traces
  EXPECT_EQ(at(bytes, 3216, 2), (Bytes{0x08, 0x66}));        // 2150 us
  EXPECT_EQ(at(bytes, 3220, 2), (Bytes{0, 3}));              // samples
  EXPECT_EQ(at(bytes, 3224, 2), (Bytes{0, 5}));              // IEEE f32
  EXPECT_EQ(at(bytes, 3228, 2), (Bytes{0, 5}));              // common source
  EXPECT_EQ(at(bytes, 3254, 2), (Bytes{0, 1}));              // metres
  EXPECT_EQ(at(bytes, 3500, 6), (Bytes{1, 0, 0, 1, 0, 0}));  // rev 1.0, traces of one length, no more texts
}

TEST(Segy, HasTheTraceHeadersOfTheStandard) {
  const std::vector<std::byte> bytes = bytes_in(Format::segy, small_gather());
  EXPECT_EQ(at(bytes, kTrace2, 20), (Bytes{0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, 7}));
  EXPECT_EQ(at(bytes, kTrace2 + 28, 2), (Bytes{0, 1}));
  EXPECT_EQ(at(bytes, kTrace2 + 36, 4), (Bytes{0, 0, 0x01, 0xF4}));                    // offset: 500 m
  EXPECT_EQ(at(bytes, kTrace2 + 40, 4), (Bytes{0xFF, 0xFF, 0xFF, 0xEC}));              // elevation: -20 m
  EXPECT_EQ(at(bytes, kTrace2 + 48, 4), (Bytes{0, 0, 0x02, 0x62}));                    // depth of the source: 610 m
  EXPECT_EQ(at(bytes, kTrace2 + 68, 4), (Bytes{0, 1, 0xFF, 0xF6}));                    // scalars: 1 and -10
  EXPECT_EQ(at(bytes, kTrace2 + 72, 8), (Bytes{0, 0, 0x1F, 0x40, 0, 0, 0x0F, 0xA5}));  // 8000, 4005
  EXPECT_EQ(at(bytes, kTrace2 + 80, 8), (Bytes{0, 0, 0x2A, 0xF8, 0, 0, 0x1F, 0x45}));  // 11000, 8005
  EXPECT_EQ(at(bytes, kTrace2 + 108, 2), (Bytes{0xFF, 0xFF}));                         // -1 ms
  EXPECT_EQ(at(bytes, kTrace2 + 114, 4), (Bytes{0, 3, 0x08, 0x66}));
  EXPECT_EQ(at(bytes, 3840, 8), (Bytes{0x3F, 0x80, 0, 0, 0xC0, 0x20, 0, 0}));  // 1, -2.5
}

TEST(Segy, SaysInEbcdicWhatItIs) {
  const std::vector<std::byte> bytes = bytes_in(Format::segy, small_gather());
  EXPECT_EQ(at(bytes, 0, 8), (Bytes{0xC3, 0x40, 0xF1, 0x40, 0xE2, 0xC8, 0xD6, 0xE3}));  // "C 1 SHOT"
  const std::string text = decode_segy_text(std::span(bytes).first(kSegyTextBytes));
  EXPECT_EQ(segy_text_value(text, "SAMPLE INTERVAL IN SECONDS "), "0.0021503");
  EXPECT_EQ(segy_text_value(text, "FIELD "), "vz");
  EXPECT_EQ(text.substr(38 * 80, 14), "C39 SEG Y REV1");
  EXPECT_EQ(text.substr(39 * 80, 22), "C40 END TEXTUAL HEADER");
}

TEST(Segy, HasCubesAsInlinesAndCrosslines) {
  const std::vector<std::byte> bytes = bytes_in(Format::segy, small_cube());
  EXPECT_EQ(at(bytes, 3216, 2), (Bytes{0x27, 0x10}));  // 10 m
  EXPECT_EQ(at(bytes, 3228, 2), (Bytes{0, 4}));
  EXPECT_EQ(at(bytes, kTrace2 + 180, 16), (Bytes{0, 0, 0, 0, 0, 0, 0, 125, 0, 0, 0, 1, 0, 0, 0, 2}));
}

TEST(Segy, DoesNotTakeMidpointsForReceivers) {
  std::vector<std::byte> bytes = bytes_in(Format::segy, small_gather());
  for (const std::size_t word : {180, 184, 188, 192}) {
    store(std::span(bytes), kTrace2 + word, std::int32_t{5}, ByteOrder::big);
  }
  EXPECT_EQ(gather_from(Format::segy, bytes).receivers, small_gather().receivers);
}

TEST(Segy, MayScaleItsDelay) {
  std::vector<std::byte> bytes = bytes_in(Format::segy, small_gather());
  store(std::span(bytes), 3600 + 108, std::int16_t{-25}, ByteOrder::big);
  store(std::span(bytes), 3600 + 214, std::int16_t{-10}, ByteOrder::big);
  EXPECT_EQ(gather_from(Format::segy, bytes).start, -0.0025);
}

TEST(Segy, MayCountLinesFromAnyNumber) {
  std::vector<std::byte> bytes = bytes_in(Format::segy, small_cube());
  for (const std::size_t trace : {std::size_t{3600}, kTrace2}) {
    const auto crossline = load<std::int32_t>(bytes, trace + 192, ByteOrder::big);
    store(std::span(bytes), trace + 188, std::int32_t{0}, ByteOrder::big);
    store(std::span(bytes), trace + 192, crossline + 999, ByteOrder::big);
  }
  EXPECT_EQ(cube_from(Format::segy, bytes).extent, small_cube().extent);
  store(std::span(bytes), kTrace2 + 192, std::int32_t{0}, ByteOrder::big);
  EXPECT_EQ(rejection([&] { (void)cube_from(Format::segy, bytes); }),
            "file: its 2 traces have no numbers of lines and columns that form a grid; say the grid, e.g. 240x240x240");
  EXPECT_EQ(cube_from(Format::segy, bytes, {.extent = {2, 1, 3}}).values, small_cube().values);
}

TEST(Segy, IsReadInAllItsFormats) {
  std::vector<std::byte> bytes = bytes_in(Format::segy, small_gather());
  const auto first_as = [&](std::uint16_t code, std::size_t sample_bytes, std::uint32_t bits) {
    std::vector<std::byte> other(bytes.begin(), bytes.begin() + 3600);
    store(std::span(other), 3224, code, ByteOrder::big);
    for (const std::size_t trace : {3600, 3852}) {
      other.insert(other.end(), bytes.begin() + static_cast<std::ptrdiff_t>(trace),
                   bytes.begin() + static_cast<std::ptrdiff_t>(trace) + 240);
      other.resize(other.size() + 3 * sample_bytes);
    }
    for (std::size_t i = 0; i < sample_bytes; ++i) {
      other[3840 + i] = static_cast<std::byte>(bits >> (8 * (sample_bytes - 1 - i)));
    }
    return gather_from(Format::segy, other).values.at(0);
  };
  EXPECT_EQ(first_as(1, 4, 0xC276A000), -118.625);  // the example of IBM's float
  EXPECT_EQ(first_as(2, 4, 0xFFFFFFFE), -2);
  EXPECT_EQ(first_as(3, 2, 0x8000), -32768);
  EXPECT_EQ(first_as(5, 4, 0x3FC00000), 1.5);
  EXPECT_EQ(first_as(8, 1, 0xFF), -1);
  EXPECT_EQ(rejection([&] { (void)first_as(4, 4, 0); }),
            "file: has sample format 4 at byte 3224; SEG-Y's formats 1, 2, 3, 5, 6 and 8 are read");
}

/// Every word of the headers turned around.
std::vector<std::byte> little_endian(std::vector<std::byte> bytes) {
  const auto turn = [&](std::size_t offset, std::size_t count) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                 bytes.begin() + static_cast<std::ptrdiff_t>(offset + count));
  };
  for (std::size_t word = 3212; word < 3256; word += 2) turn(word, 2);
  for (const std::size_t trace : {std::size_t{3600}, kTrace2}) {
    for (const std::size_t word : {0, 4, 8, 12, 16, 20, 36, 40, 44, 48, 72, 76, 80, 84}) turn(trace + word, 4);
    for (const std::size_t word : {28, 68, 70, 88, 108, 114, 116}) turn(trace + word, 2);
    for (std::size_t i = 0; i < 3; ++i) turn(trace + 240 + 4 * i, 4);
  }
  return bytes;
}

TEST(Segy, IsReadInBothOrdersOfBytes) {
  std::vector<std::byte> bytes = little_endian(bytes_in(Format::segy, small_gather()));
  for (const bool has_mark : {false, true}) {
    if (has_mark) store(std::span(bytes), 3296, std::uint32_t{0x01020304}, ByteOrder::little);
    const Gather gather = gather_from(Format::segy, bytes);
    EXPECT_EQ(gather.values, small_gather().values);
    EXPECT_EQ(gather.receivers, small_gather().receivers);
    EXPECT_EQ(gather.shot, 7);
  }
}

TEST(Segy, HasOneShotAndOneLength) {
  std::vector<std::byte> bytes = bytes_in(Format::segy, small_gather());
  store(std::span(bytes), kTrace2 + 8, std::int32_t{8}, ByteOrder::big);
  EXPECT_EQ(rejection([&] { (void)gather_from(Format::segy, bytes); }),
            "file: trace 2 is of shot 8 at 800 m, 400.5 m, 610 m, and trace 1 of shot 7 at 800 m, 400.5 m, 610 m; a "
            "gather has one shot");
  store(std::span(bytes), kTrace2 + 114, std::uint16_t{4}, ByteOrder::big);
  EXPECT_EQ(rejection([&] { (void)gather_from(Format::segy, bytes); }),
            "file: trace 2 has 4 samples, and the others 3; traces must have one length");
}

TEST(Segy, IsRefusedWhereItsSizeDoesNotFit) {
  std::vector<std::byte> bytes = bytes_in(Format::segy, small_gather());
  bytes.pop_back();
  EXPECT_EQ(rejection([&] { (void)gather_from(Format::segy, bytes); }),
            "file: has 503 bytes of traces, which is no multiple of a trace of 3 samples (252 bytes); is it complete?");
  bytes.resize(100);
  EXPECT_EQ(rejection([&] { (void)gather_from(Format::segy, bytes); }),
            "file: has 100 bytes, but 3600 bytes are needed at offset 0; is it complete?");
}

TEST(Su, HasHeadersAsSeismicUnix) {
  const std::vector<std::byte> bytes = bytes_in(Format::su, small_gather());
  EXPECT_EQ(bytes.size(), 2U * (240 + 3 * 4));
  EXPECT_EQ(at(bytes, 114, 4), (Bytes{3, 0, 0x66, 0x08}));
  EXPECT_EQ(load<float>(bytes, 180, ByteOrder::little), 0.0021503F);
  EXPECT_EQ(load<float>(bytes, 184, ByteOrder::little), -0.001F);
  EXPECT_EQ(load<float>(bytes, 240, ByteOrder::little), 1);
  const Gather gather = gather_from(Format::su, bytes);
  EXPECT_EQ(gather.interval, 0.0021503);
  EXPECT_EQ(gather.start, -0.001);
}

TEST(Su, MarksDepthTraces) {
  const std::vector<std::byte> bytes = bytes_in(Format::su, small_cube());
  EXPECT_EQ(at(bytes, 28, 2), (Bytes{30, 0}));
  EXPECT_EQ(load<float>(bytes, 180, ByteOrder::little), 10);
  EXPECT_EQ(load<float>(bytes, 188, ByteOrder::little), 12.5F);
}

}  // namespace
}  // namespace muster::seismic
