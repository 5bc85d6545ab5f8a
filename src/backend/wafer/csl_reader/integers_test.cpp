#include "backend/wafer/csl_reader/integers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "backend/wafer/csl_reader/values.h"

namespace muster::wafer::csl {
namespace {

std::vector<std::int64_t> all_of(const Integers& integers) {
  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < integers.size(); ++i) all.push_back(integers[i]);
  return all;
}

std::int64_t any_number(int bits, bool is_signed) {
  const auto number = *rc::gen::arbitrary<std::int64_t>();
  for (int shift = 0; shift < 64; ++shift) {
    if (fits(number >> shift, bits, is_signed)) return number >> shift;
  }
  return 0;
}

RC_GTEST_PROP(Integers, KeepWhatAVectorKeeps, ()) {
  const int bits = *rc::gen::inRange(0, 65);
  const bool is_signed = *rc::gen::arbitrary<bool>();
  Integers integers(bits, is_signed);
  std::vector<std::int64_t> expected(*rc::gen::inRange<std::size_t>(0, 5), any_number(bits, is_signed));
  integers.assign(expected.size(), expected.empty() ? 0 : expected.front());
  for (int turn = *rc::gen::inRange(0, 20); turn > 0; --turn) {
    const std::int64_t number = any_number(bits, is_signed);
    if (expected.empty() || *rc::gen::arbitrary<bool>()) {
      expected.push_back(number);
      integers.push_back(number);
    } else {
      const auto i = *rc::gen::inRange<std::size_t>(0, expected.size());
      expected[i] = number;
      integers.set(i, number);
    }
  }
  RC_ASSERT(all_of(integers) == expected);
  Integers wide;
  for (const std::int64_t number : expected) wide.push_back(number);
  RC_ASSERT(wide == integers);
  if (expected.empty()) return;
  wide.set(0, wide[0] ^ 1);
  RC_ASSERT(!(wide == integers));
}

}  // namespace
}  // namespace muster::wafer::csl
