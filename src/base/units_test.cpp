#include "base/units.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace muster {
namespace {

template <class T>
std::string reason(const Outcome<T>& outcome) {
  return outcome.ok() ? "accepted" : outcome.reason();
}

TEST(Bytes, KeepsDecimalAndBinaryApart) {
  EXPECT_EQ(parse_bytes("1 kB").value(), Bytes(1000));
  EXPECT_EQ(parse_bytes("1 KB").value(), Bytes(1000));
  EXPECT_EQ(parse_bytes("1 KiB").value(), Bytes(1024));
  EXPECT_EQ(parse_bytes("128KB").value(), Bytes(128'000));
  EXPECT_EQ(parse_bytes("1GB").value(), Bytes(1'000'000'000));
  EXPECT_EQ(parse_bytes("1 GiB").value(), Bytes(std::int64_t{1} << 30));
  EXPECT_EQ(parse_bytes("64").value(), Bytes(64));
  EXPECT_EQ(parse_bytes("0 B").value(), Bytes(0));
  EXPECT_EQ(parse_bytes("3 bytes").value(), Bytes(3));
}

TEST(Bytes, TakesFractionsThatAreWholeBytes) {
  EXPECT_EQ(parse_bytes("1.5 KiB").value(), Bytes(1536));
  EXPECT_EQ(parse_bytes("1.1 GB").value(), Bytes(1'100'000'000));
  EXPECT_EQ(parse_bytes("1e3 B").value(), Bytes(1000));
  EXPECT_EQ(reason(parse_bytes("0.3 B")), "'0.3 B' is not a whole number of bytes; use e.g. '64', '1 KiB' or '128 kB'");
}

TEST(Bytes, AreExactAboveTwoToThe53) {
  EXPECT_EQ(parse_bytes("9007199254740993").value(), Bytes(9007199254740993));
  EXPECT_EQ(parse_bytes("1152921504606846976").value(), Bytes(std::int64_t{1} << 60));
}

TEST(Bytes, RefusesBitsHugeValuesAndJunk) {
  EXPECT_EQ(reason(parse_bytes("1 Gb")), "'1 Gb' is in bits; give bytes, e.g. '64', '1 KiB' or '128 kB'");
  EXPECT_EQ(reason(parse_bytes("1025 PiB")), "'1025 PiB' is too large; at most 1024 PiB");
  EXPECT_EQ(reason(parse_bytes("99999999999999999999999")), "'99999999999999999999999' is too large; at most 1024 PiB");
  for (const char* text : {"", " ", "-1 B", "+1 B", "1 XB", "1 B ", " 1 B", "nan", "inf B", "0x10", "1. B", "1 K",
                           "1e999 B", "1 B\n", "kB", "1 kB kB", "1_000"}) {
    EXPECT_FALSE(parse_bytes(text).ok()) << text;
  }
}

TEST(Hertz, ReadsAndRefuses) {
  EXPECT_DOUBLE_EQ(parse_hertz("850 MHz").value().value(), 850e6);
  EXPECT_DOUBLE_EQ(parse_hertz("1.35GHz").value().value(), 1.35e9);
  EXPECT_EQ(reason(parse_hertz("850")), "'850' is not a frequency; use e.g. '850 MHz' or '1 GHz'");
  EXPECT_EQ(reason(parse_hertz("2 THz")), "'2 THz' is too large; at most 1 THz");
  EXPECT_FALSE(parse_hertz("850 mhz").ok());
}

TEST(Time, ReadsCyclesAndSeconds) {
  EXPECT_EQ(parse_time("1 cycle").value().kind, Time::Kind::cycles);
  EXPECT_EQ(parse_time("2 cycles").value().value, 2);
  const Time time = parse_time("2.4 ns").value();
  EXPECT_EQ(time.kind, Time::Kind::seconds);
  EXPECT_DOUBLE_EQ(time.value, 2.4e-9);
  EXPECT_DOUBLE_EQ(parse_time("1 us").value().value, 1e-6);
  EXPECT_DOUBLE_EQ(parse_time("1 µs").value().value, 1e-6);
}

TEST(Time, RefusesWithTheWayOut) {
  EXPECT_EQ(reason(parse_time("2 GB")), "'2 GB' is not a time; use e.g. '2 cycles' or '2.4 ns'");
  EXPECT_EQ(reason(parse_time("2")), "'2' is not a time; use e.g. '2 cycles' or '2.4 ns'");
  EXPECT_EQ(reason(parse_time("-2 ns")), "'-2 ns' is not a time; use e.g. '2 cycles' or '2.4 ns'");
  EXPECT_EQ(reason(parse_time("2.5 cycles")),
            "'2.5 cycles' is not a whole number of cycles; use e.g. '2 cycles' or '2.4 ns'");
  EXPECT_EQ(parse_seconds("2 us").value(), Seconds(2e-6));
  EXPECT_EQ(reason(parse_seconds("2")), "'2' is not a time; use e.g. '2 us'");
  EXPECT_EQ(reason(parse_seconds("2 cycles")),
            "'2 cycles' is in cycles, and this machine has no clock; use e.g. '2 us'");
  EXPECT_EQ(reason(parse_time("1e300 s")), "'1e300 s' is too large; at most 1e6 s");
  EXPECT_EQ(reason(parse_time("1e16 cycles")), "'1e16 cycles' is too large; at most 1e15 cycles");
}

TEST(Time, QuotesLongAndControlTextOnOneLine) {
  const std::string shown = reason(parse_time("a\nb" + std::string(1000, 'x')));
  EXPECT_EQ(shown.find('\n'), std::string::npos);
  EXPECT_LT(shown.size(), 150U);
}

TEST(Rate, KeepsBitsAndBytesApart) {
  EXPECT_DOUBLE_EQ(parse_rate("64 Gb/s").value().value, 8e9);
  EXPECT_DOUBLE_EQ(parse_rate("64 Gbit/s").value().value, 8e9);
  EXPECT_DOUBLE_EQ(parse_rate("64 GB/s").value().value, 64e9);
  EXPECT_DOUBLE_EQ(parse_rate("1 GiB/s").value().value, 1073741824.0);
  EXPECT_EQ(parse_rate("1.5 GB/s").value().kind, Rate::Kind::bytes_per_second);
  EXPECT_EQ(parse_rate("32 B/cycle").value().kind, Rate::Kind::bytes_per_cycle);
  EXPECT_DOUBLE_EQ(parse_rate("128 b/cycle").value().value, 16);
  EXPECT_EQ(parse_rate("1 wavelet/cycle").value().kind, Rate::Kind::wavelets_per_cycle);
  EXPECT_EQ(parse_rate("2 wavelets/cycle").value().value, 2);
}

TEST(Rate, RefusesWithTheWayOut) {
  EXPECT_EQ(reason(parse_rate("64 Gb")),
            "'64 Gb' is not a bandwidth; use e.g. '64 Gb/s', '1.5 GB/s', '32 B/cycle' or '1 wavelet/cycle'");
  for (const char* text : {"1 wavelet/s", "1 GB/h", "1 /s", "1 GB/", "GB/s", "-1 GB/s", "1 GB/s/s", "1e30 GB/s"}) {
    EXPECT_FALSE(parse_rate(text).ok()) << text;
  }
}

TEST(Time, ConvertsWithTheClock) {
  const Hertz clock(850e6);
  EXPECT_EQ(to_cycles({.kind = Time::Kind::cycles, .value = 7}, clock), Cycles(7));
  EXPECT_EQ(to_cycles({.kind = Time::Kind::seconds, .value = 2.4e-9}, clock), Cycles(2));  // 2.04
  EXPECT_EQ(to_cycles({.kind = Time::Kind::seconds, .value = 1.8e-9}, clock), Cycles(2));  // 1.53
  EXPECT_DOUBLE_EQ(to_seconds(Time{.kind = Time::Kind::cycles, .value = 850}, clock).value(), 1e-6);
  EXPECT_DOUBLE_EQ(to_seconds(Cycles(85), clock).value(), 1e-7);
}

TEST(Printing, UsesThreeDigitsAndTheUnitThatFits) {
  EXPECT_EQ(to_text(Seconds(1.2345e-6)), "1.23 us");
  EXPECT_EQ(to_text(Seconds(0)), "0 s");
  EXPECT_EQ(to_text(Seconds(9.9996e-7)), "1 us");
  EXPECT_EQ(to_text(Seconds(123.4)), "123 s");
  EXPECT_EQ(to_text(Seconds(4321)), "4321 s");
  EXPECT_EQ(to_text(Seconds(-2e-9)), "-2 ns");
  EXPECT_EQ(to_text(Hertz(850e6)), "850 MHz");
  EXPECT_EQ(to_text(BytesPerSecond(8e9)), "64 Gb/s");
  EXPECT_EQ(to_text(BytesPerSecond(6.4e9)), "51.2 Gb/s");
  EXPECT_EQ(to_text(Cycles(1)), "1 cycle");
  EXPECT_EQ(to_text(Cycles(123456)), "123456 cycles");
}

TEST(Printing, ShowsSizesExactlyWhereTheyFit) {
  EXPECT_EQ(to_text(Bytes(0)), "0 B");
  EXPECT_EQ(to_text(Bytes(1024)), "1 KiB");
  EXPECT_EQ(to_text(Bytes(49152)), "48 KiB");
  EXPECT_EQ(to_text(Bytes(1464 * 1024)), "1464 KiB");
  EXPECT_EQ(to_text(Bytes(128'000)), "128 kB");
  EXPECT_EQ(to_text(Bytes(999)), "999 B");
  EXPECT_EQ(to_text(Bytes(1'234'567'891)), "1.23 GB");
}

RC_GTEST_PROP(Printing, ReadsBackWithinThreeDigits, (std::uint32_t mantissa, std::uint8_t exponent)) {
  const double seconds = (1 + static_cast<double>(mantissa)) * std::pow(10.0, -12 - exponent % 6);
  const Outcome<Time> back = parse_time(to_text(Seconds(seconds)));
  RC_ASSERT(back.ok());
  RC_ASSERT(std::abs(back.value().value - seconds) <= 0.005 * seconds + 0.5e-14);
}

RC_GTEST_PROP(Printing, OfSizesReadsBack, ()) {
  const auto bytes = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 50);
  const Outcome<Bytes> back = parse_bytes(to_text(Bytes(bytes)));
  RC_ASSERT(back.ok());
  const auto difference = static_cast<double>(back.value().value() - bytes);
  RC_ASSERT(std::abs(difference) <= 0.005 * static_cast<double>(bytes));
}

RC_GTEST_PROP(Parsers, AnswerAnyTextInOneLine, (const std::string& text)) {
  const auto is_answer = [](const std::string& answer) {
    return !answer.empty() && answer.find('\n') == std::string::npos;
  };
  RC_ASSERT(is_answer(reason(parse_bytes(text))));
  RC_ASSERT(is_answer(reason(parse_hertz(text))));
  RC_ASSERT(is_answer(reason(parse_time(text))));
  RC_ASSERT(is_answer(reason(parse_rate(text))));
}

}  // namespace
}  // namespace muster
