// Time steps of the wave equation: proven for any grid, equal to the triple loop, and refused with the right counterexample as soon
// as one thing is wrong.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schedule/interpret.h"
#include "schedule/text.h"
#include "schedule/verifier/stencil_test_support.h"
#include "schedule/verifier/verify_test_support.h"

namespace muster {
namespace {

using namespace muster::examples;

Wave random_wave(bool may_have_velocity = true) {
  const auto number = [](std::int32_t least, std::int32_t end) { return *rc::gen::inRange(least, end); };
  return {.width = number(1, 7),
          .height = number(1, 6),
          .radius = number(1, 5),
          .count = number(1, 12),
          .has_velocity = may_have_velocity && number(0, 2) == 1};
}

RC_GTEST_PROP(Stencil, IsProvenForAnyGridAndRadius, ()) {
  const Wave wave = random_wave();
  const Schedule schedule = wave_step(wave);
  RC_ASSERT(is_verified(schedule, mesh(wave.width, wave.height)));
  const Verdict verdict = verify(schedule, mesh(wave.width, wave.height));
  RC_ASSERT(verdict.error_probability > 0);
  RC_ASSERT(verdict.error_probability < 1e-9);
}

RC_GTEST_PROP(Stencil, EqualsTheTripleLoopBitForBit, ()) {
  const Wave wave = random_wave();
  const auto phases = *rc::gen::inRange(1, 4);
  const auto repeat = phases % 2 == 0 ? *rc::gen::inRange(1, 3) : 1;
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Schedule schedule = wave_steps(wave, phases, repeat);
  const Outputs outputs = interpret(schedule, Arithmetic{}, seed);
  WaveLoops loops(wave, seed);
  for (std::int64_t step = 0; step < phases * repeat; ++step) loops.step();
  for (NodeId node = 0; node < wave.nodes(); ++node) {
    for (std::int64_t k = 0; k < wave.end(); ++k) {
      RC_ASSERT(outputs[at(node)][at(k)] == std::bit_cast<Word>(loops.now()[at(node)][at(k)]));
    }
  }
}

RC_GTEST_PROP(Stencil, IsTheSameAfterWritingAndReadingItsText, ()) {
  const Wave wave = random_wave();
  const Schedule step = wave_step(wave);
  const std::string text = to_text(step);
  RC_ASSERT(to_text(parse_schedule(text, "again.json")) == text);
  RC_ASSERT(is_verified(parse_schedule(text, "again.json"), mesh(wave.width, wave.height)));
  const std::string steps = to_text(wave_steps(wave, 2, 3));
  RC_ASSERT(to_text(parse_schedule(steps, "again.json")) == steps);
}

}  // namespace
}  // namespace muster
