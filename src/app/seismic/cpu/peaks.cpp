#include "app/seismic/cpu/peaks.h"

#include <algorithm>
#include <cstdint>

#include "app/seismic/stopwatch.h"

// Vectors whose length is unknown to the compiler cannot be kept in arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "app/seismic/cpu/peaks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace muster::seismic::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Chains of fused products, none of which waits for another: as many as two (x86) or four (Arm) units of four cycles keep busy. Returns a
/// value that depends on all of them.
static float multiply(std::int64_t rounds) {
#if HWY_ARCH_ARM
  constexpr int kChains = 16;
#else
  constexpr int kChains = 12;
#endif
  const hn::CappedTag<float, 16> tag;
  using V = decltype(hn::Zero(tag));
  V chains[kChains];
  for (int c = 0; c < kChains; ++c) chains[c] = hn::Set(tag, static_cast<float>(c));
  const V factor = hn::Set(tag, 0.5F);
  const V summand = hn::Set(tag, 0.25F);
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (V& chain : chains) chain = hn::MulAdd(chain, factor, summand);
  }
  V sum = chains[0];
  for (int c = 1; c < kChains; ++c) sum = hn::Add(sum, chains[c]);
  return hn::GetLane(sum) + static_cast<float>(kChains * hn::Lanes(tag));
}

/// values <- values / 2 + others: two arrays are read, one is written, and no line is written that was not read.
static void stream(float* HWY_RESTRICT values, const float* HWY_RESTRICT others, std::int64_t count) {
  const hn::CappedTag<float, 16> tag;
  const auto half = hn::Set(tag, 0.5F);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(tag));
  for (std::int64_t i = 0; i + lanes <= count; i += lanes) {
    hn::StoreU(hn::MulAdd(half, hn::LoadU(tag, values + i), hn::LoadU(tag, others + i)), tag, values + i);
  }
}

/// Operations of multiply() per round.
static double operations_per_round() {
  const hn::CappedTag<float, 16> tag;
#if HWY_ARCH_ARM
  return 2.0 * 16 * static_cast<double>(hn::Lanes(tag));
#else
  return 2.0 * 12 * static_cast<double>(hn::Lanes(tag));
#endif
}

}  // namespace muster::seismic::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace muster::seismic {

HWY_EXPORT(multiply);
HWY_EXPORT(stream);
HWY_EXPORT(operations_per_round);

namespace {

constexpr int kTrials = 8;
constexpr std::int64_t kRounds = 4'000'000;

/// The least seconds of several trials of work(thread), on all threads at once.
template <class Work>
double least_seconds(int threads, const Work& work) {
  double least = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Stopwatch watch(threads);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int thread = 0; thread < threads; ++thread) work(thread);
    const double seconds = watch.seconds();
    least = trial == 0 ? seconds : std::min(least, seconds);
  }
  return least;
}

}  // namespace

double measure_operations(int threads) {
  volatile float seen = 0;  // what nobody looks at would not be computed
  const double seconds = least_seconds(threads, [&](int /*thread*/) {
    const float sum = HWY_DYNAMIC_DISPATCH(multiply)(kRounds);
    if (sum < 0) seen = sum;
  });
  return HWY_DYNAMIC_DISPATCH(operations_per_round)() * static_cast<double>(kRounds) * threads / seconds;
}

double measure_bandwidth(int threads, std::span<float> values, std::span<const float> others) {
  const auto count = static_cast<std::int64_t>(values.size());
  const double seconds = least_seconds(threads, [&](int thread) {
    const std::int64_t first = count * thread / threads;
    const std::int64_t last = count * (thread + 1) / threads;
    HWY_DYNAMIC_DISPATCH(stream)(values.data() + first, others.data() + first, last - first);
  });
  return 3.0 * static_cast<double>(values.size_bytes()) / seconds;
}

}  // namespace muster::seismic
#endif  // HWY_ONCE
