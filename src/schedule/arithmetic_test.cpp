#include "schedule/arithmetic.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>

namespace muster {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Word f32(float value) { return std::bit_cast<Word>(value); }
Word i32(std::int32_t value) { return std::bit_cast<Word>(value); }
Word f16(float low, float high) {
  return static_cast<Word>(float_to_half(low)) | (static_cast<Word>(float_to_half(high)) << 16);
}

/// The f16 nearest to a value by looking at all of them: what float_to_half must agree with.
std::uint16_t nearest_half_by_search(float value) {
  std::uint16_t best = 0;
  double best_distance = std::numeric_limits<double>::infinity();
  for (std::uint16_t half = 0; half <= 0x7c00; ++half) {
    // Infinity stands where the next f16 would be.
    const double candidate = half == 0x7c00 ? 65536.0 : static_cast<double>(half_to_float(half));
    const double distance = std::abs(candidate - std::min(65536.0, std::abs(static_cast<double>(value))));
    if (distance < best_distance || (distance == best_distance && half % 2 == 0)) {
      best = half;
      best_distance = distance;
    }
  }
  return static_cast<std::uint16_t>(best | (std::signbit(value) ? 0x8000 : 0));
}

TEST(Arithmetic, NamesRoundTrip) {
  for (const auto& name : type_names()) EXPECT_EQ(type_name(type_from_name(name).value()), name);
  for (const auto& name : operator_names()) EXPECT_EQ(operator_name(operator_from_name(name).value()), name);
  EXPECT_EQ(type_names(), (std::vector<std::string>{"f32", "f16", "i32", "bf16"}));
  EXPECT_EQ(operator_names(), (std::vector<std::string>{"sum", "max", "min", "prod"}));
  EXPECT_FALSE(type_from_name("f64"));
  EXPECT_FALSE(operator_from_name("mean"));
}

TEST(Arithmetic, TwoHalvesShareAWord) {
  EXPECT_EQ(size_of(ElementType::f16), Bytes(2));
  EXPECT_EQ(size_of(ElementType::f32), Bytes(4));
  EXPECT_EQ(words_for(ElementType::f16, 0), 0);
  EXPECT_EQ(words_for(ElementType::f16, 7), 4);
  EXPECT_EQ(words_for(ElementType::f16, 8), 4);
  EXPECT_EQ(words_for(ElementType::i32, 7), 7);
}

TEST(Half, KnownValuesConvertBothWays) {
  const std::pair<float, std::uint16_t> known[] = {
      {0.0F, 0x0000},     {-0.0F, 0x8000},    {1.0F, 0x3c00},       {-2.0F, 0xc000},     {65504.0F, 0x7bff},
      {0x1p-14F, 0x0400}, {0x1p-24F, 0x0001}, {0x3ffp-24F, 0x03ff}, {kInfinity, 0x7c00}, {-kInfinity, 0xfc00}};
  for (const auto& [value, half] : known) {
    EXPECT_EQ(float_to_half(value), half) << value;
    EXPECT_EQ(f32(half_to_float(half)), f32(value)) << value;
  }
}

TEST(Half, TiesGoToEven) {
  EXPECT_EQ(float_to_half(1.0F + 0x1p-11F), 0x3c00);
  EXPECT_EQ(float_to_half(1.0F + 0x3p-11F), 0x3c02);
  EXPECT_EQ(float_to_half(0x1p-25F), 0x0000);         // half of the smallest subnormal
  EXPECT_EQ(float_to_half(0x1.000002p-25F), 0x0001);  // just above it
  EXPECT_EQ(float_to_half(0x3p-25F), 0x0002);         // between the first two subnormals
  EXPECT_EQ(float_to_half(0x1.ffep-15F), 0x0400);     // the largest subnormal and a half: the first normal
  EXPECT_EQ(float_to_half(65519.99F), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0F), 0x7c00);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::denorm_min()), 0x0000);
}

TEST(Half, EveryNumberSurvivesTheWayToFloatAndBack) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = half_to_float(half);
    EXPECT_EQ(float_to_half(value), std::isnan(value) ? 0x7e00 : half);
  }
}

TEST(Half, RoundsToTheNearestFoundBySearch) {
  // Around every 97th border between neighbours: the middle, and one f32 to each side of it.
  for (std::uint16_t half = 0; half < 0x7bff; half = static_cast<std::uint16_t>(half + 97)) {
    const float middle =
        (half_to_float(half) + half_to_float(static_cast<std::uint16_t>(half + 1))) / 2;  // exact: 12 digits
    for (const float value : {middle, std::nextafter(middle, 0.0F), std::nextafter(middle, kInfinity), -middle}) {
      EXPECT_EQ(float_to_half(value), nearest_half_by_search(value)) << value;
    }
  }
}

TEST(Combine, AddsAndMultipliesFloats) {
  EXPECT_EQ((Arithmetic{ElementType::f32, Operator::sum}.combine(f32(1.5F), f32(2.25F))), f32(3.75F));
  EXPECT_EQ((Arithmetic{ElementType::f32, Operator::prod}.combine(f32(1.5F), f32(-2.0F))), f32(-3.0F));
  EXPECT_EQ((Arithmetic{ElementType::f32, Operator::max}.combine(f32(1.5F), f32(-2.0F))), f32(1.5F));
  EXPECT_EQ((Arithmetic{ElementType::f32, Operator::min}.combine(f32(1.5F), f32(-2.0F))), f32(-2.0F));
}

TEST(Combine, MaxAndMinAreNanWhenOneOperandIs) {
  for (const auto op : {Operator::max, Operator::min, Operator::sum, Operator::prod}) {
    const Arithmetic arithmetic{ElementType::f32, op};
    EXPECT_EQ(arithmetic.combine(f32(-kNan), f32(1.0F)), 0x7fc00000U);
    EXPECT_EQ(arithmetic.combine(f32(1.0F), 0xffc12345U), 0x7fc00000U);
    const Arithmetic halves{ElementType::f16, op};
    EXPECT_EQ(halves.combine(f16(kNan, 1), f16(1, kNan)), 0x7e007e00U);
  }
  EXPECT_EQ((Arithmetic{ElementType::f32, Operator::sum}.combine(f32(kInfinity), f32(-kInfinity))), 0x7fc00000U);
}

TEST(Combine, OrdersTheZeros) {
  for (const auto& [left, right] : {std::pair{-0.0F, 0.0F}, std::pair{0.0F, -0.0F}}) {
    EXPECT_EQ((Arithmetic{ElementType::f32, Operator::max}.combine(f32(left), f32(right))), f32(0.0F));
    EXPECT_EQ((Arithmetic{ElementType::f32, Operator::min}.combine(f32(left), f32(right))), f32(-0.0F));
  }
}

TEST(Combine, WrapsIntegersAround) {
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ((Arithmetic{ElementType::i32, Operator::sum}.combine(i32(kMost), i32(1))), 0x80000000U);
  EXPECT_EQ((Arithmetic{ElementType::i32, Operator::prod}.combine(i32(kMost), i32(2))), i32(-2));
  EXPECT_EQ((Arithmetic{ElementType::i32, Operator::max}.combine(i32(-1), i32(1))), i32(1));
  EXPECT_EQ((Arithmetic{ElementType::i32, Operator::min}.combine(i32(-1), i32(1))), i32(-1));
}

TEST(Combine, TreatsTheHalvesOfAWordApart) {
  EXPECT_EQ((Arithmetic{ElementType::f16, Operator::sum}.combine(f16(1, 60000), f16(0.5, 60000))), f16(1.5, kInfinity));
  EXPECT_EQ((Arithmetic{ElementType::f16, Operator::max}.combine(f16(1, -2), f16(-1, 2))), f16(1, 2));
  // 1 + 2^-11 is a tie between 1 and the next f16; twice it does not add up.
  const Arithmetic sum{ElementType::f16, Operator::sum};
  EXPECT_EQ(sum.combine(sum.combine(f16(1, 1), f16(0x1p-11F, 0)), f16(0x1p-11F, 0)), f16(1, 1));
}

RC_GTEST_PROP(Combine, RoundsHalfSumsAsIfComputedExactly, (std::uint16_t left, std::uint16_t right)) {
  const float a = half_to_float(left);
  const float b = half_to_float(right);
  RC_PRE(std::isfinite(a) && std::isfinite(b));
  // A double holds the sum of two f16 exactly. Rounding it to odd at f32 keeps what decides the final rounding.
  const double exact = static_cast<double>(a) + static_cast<double>(b);
  auto odd = static_cast<float>(exact);
  if (static_cast<double>(odd) != exact && std::bit_cast<Word>(odd) % 2 == 0) {
    odd = std::nextafter(odd, static_cast<double>(odd) < exact ? kInfinity : -kInfinity);
  }
  const Word sum = Arithmetic{ElementType::f16, Operator::sum}.combine(left, right);
  RC_ASSERT((sum & 0xffff) == float_to_half(odd));
}

RC_GTEST_PROP(Combine, RoundsBfloatsToTheNearest, (std::uint16_t left, std::uint16_t right)) {
  const float a = bfloat_to_float(left);
  const float b = bfloat_to_float(right);
  RC_PRE(std::isfinite(a) && std::isfinite(b) && std::isfinite(a + b));
  const Word sum = Arithmetic{ElementType::bf16, Operator::sum}.combine(left, right) & 0xffffU;
  const double exact = static_cast<double>(a) + static_cast<double>(b);
  const double error = std::abs(static_cast<double>(bfloat_to_float(static_cast<std::uint16_t>(sum))) - exact);
  for (const int step : {-1, 1}) {
    const auto next = static_cast<std::uint16_t>(static_cast<int>(sum) + step);
    const float other = bfloat_to_float(next);
    if (!std::isfinite(other)) continue;
    const double distance = std::abs(static_cast<double>(other) - exact);
    RC_ASSERT(distance > error || (distance == error && sum % 2 == 0));
  }
}

TEST(Bfloat, IsTheUpperHalfOfAFloatRoundedToEven) {
  EXPECT_EQ(float_to_bfloat(1.0F), 0x3f80);
  EXPECT_EQ(float_to_bfloat(1.0F + 0x1p-8F), 0x3f80);  // a tie
  EXPECT_EQ(float_to_bfloat(1.0F + 0x3p-8F), 0x3f82);  // a tie
  EXPECT_EQ(float_to_bfloat(kInfinity), 0x7f80);
  EXPECT_EQ(float_to_bfloat(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(float_to_bfloat(kNan), 0x7fc0);
  EXPECT_EQ(size_of(ElementType::bf16), Bytes(2));
  EXPECT_EQ(words_for(ElementType::bf16, 7), 4);
}

TEST(Input, IsTheSameOnEveryMachine) {
  EXPECT_EQ((Arithmetic{ElementType::f32, Operator::sum}.input(0, 0, 1)), 0x3f0d86c3U);
  EXPECT_EQ((Arithmetic{ElementType::f16, Operator::sum}.input(3, 7, 2)), 0x2ee32c82U);
  EXPECT_EQ((Arithmetic{ElementType::i32, Operator::prod}.input(3, 7, 2)), 0x00000001U);
}

TEST(Input, IsTheSameOneByOneAndAllAtOnce) {
  for (const auto type : {ElementType::f32, ElementType::f16, ElementType::i32, ElementType::bf16}) {
    for (const auto op : {Operator::sum, Operator::max, Operator::min, Operator::prod}) {
      const Arithmetic arithmetic{type, op};
      for (const std::int64_t first : {0, 1, 2, 7}) {
        for (const std::size_t count : {0U, 1U, 2U, 5U, 8U}) {
          std::vector<Word> words(count);
          arithmetic.fill_inputs(Arithmetic::input_key(4, 9), first, words);
          for (std::size_t k = 0; k < count; ++k) {
            EXPECT_EQ(words[k], arithmetic.input(4, first + static_cast<std::int64_t>(k), 9)) << first << " " << k;
          }
        }
      }
    }
  }
}

TEST(Combine, IsTheSameOneByOneAndAllAtOnce) {
  const std::vector<Word> special{0x7fc00001, 0x7f800000, 0xff800000, 0x80000000, 0, 0x3f800000, 0xffc00000};
  for (const auto type : {ElementType::f32, ElementType::f16, ElementType::i32, ElementType::bf16}) {
    for (const auto op : {Operator::sum, Operator::max, Operator::min, Operator::prod}) {
      const Arithmetic arithmetic{type, op};
      for (const Word left : special) {
        std::vector<Word> all(special.size(), left);
        arithmetic.combine(all, special);
        for (std::size_t k = 0; k < special.size(); ++k) EXPECT_EQ(all[k], arithmetic.combine(left, special[k]));
      }
    }
  }
}

TEST(Input, DependsOnRankElementAndSeed) {
  const Arithmetic arithmetic;
  std::set<Word> words;
  for (int i = 0; i < 100; ++i) {
    words.insert({arithmetic.input(i, 0, 0), arithmetic.input(0, i, 1), arithmetic.input(0, 0, 2 + i)});
  }
  EXPECT_GT(words.size(), 295U);
}

TEST(Input, MakesTheOrderOfAdditionsShow) {
  const Arithmetic sum;
  int differ = 0;
  for (int e = 0; e < 100; ++e) {
    const Word a = sum.input(0, e, 1), b = sum.input(1, e, 1), c = sum.input(2, e, 1);
    if (sum.combine(sum.combine(a, b), c) != sum.combine(a, sum.combine(b, c))) ++differ;
  }
  EXPECT_GT(differ, 10);
}

TEST(Input, KeepsLongProductsFiniteAndApartFromZero) {
  for (const auto type : {ElementType::f32, ElementType::f16, ElementType::i32, ElementType::bf16}) {
    const Arithmetic prod{type, Operator::prod};
    Word word = prod.input(0, 0, 1);
    for (int rank = 1; rank < 10000; ++rank) word = prod.combine(word, prod.input(rank, 0, 1));
    if (type == ElementType::i32) {
      EXPECT_EQ(word % 2, 1U);
    } else {
      const float value = type == ElementType::f32 ? std::bit_cast<float>(word)
                                                   : half_to_float(static_cast<std::uint16_t>(word & 0xffff));
      EXPECT_TRUE(std::isnormal(value)) << value;
    }
  }
}

TEST(Input, StaysSmall) {
  for (int e = 0; e < 1000; ++e) {
    const float value = std::bit_cast<float>(Arithmetic{}.input(5, e, 9));
    EXPECT_GE(std::abs(value), 0x1p-4F);
    EXPECT_LT(std::abs(value), 1.0F);
    EXPECT_LE(std::abs(std::bit_cast<std::int32_t>(Arithmetic{ElementType::i32, Operator::sum}.input(5, e, 9))), 100);
    const float factor = std::bit_cast<float>(Arithmetic{ElementType::f32, Operator::prod}.input(5, e, 9));
    EXPECT_GE(factor, 0.99F);
    EXPECT_LE(factor, 1.01F);
  }
}

TEST(Text, ReadsAsAPersonWritesIt) {
  EXPECT_EQ((Arithmetic{ElementType::f32, Operator::sum}.text(f32(1.5F))), "1.5");
  EXPECT_EQ((Arithmetic{ElementType::f32, Operator::sum}.text(0xffc00000)), "nan");
  EXPECT_EQ((Arithmetic{ElementType::f16, Operator::sum}.text(f16(2, -0.25F))), "(2, -0.25)");
  EXPECT_EQ((Arithmetic{ElementType::i32, Operator::sum}.text(i32(-7))), "-7");
}

}  // namespace
}  // namespace muster
