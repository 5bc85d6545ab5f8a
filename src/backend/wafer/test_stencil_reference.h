// For tests: the time step of test_stencil.h as a triple loop.
#pragma once

#include "backend/wafer/test_stencil.h"

namespace muster::wafer::test {

/// The cells of every PE after all steps.
inline std::vector<std::vector<Word>> stencil_reference(const Stencil& s, std::uint64_t seed) {
  const std::vector<Coefficient> c = coefficients_of(s);
  const auto value = [&](std::int32_t axis, std::int32_t distance) {
    return c[at(coefficient_of(s, axis, distance))].value;
  };
  const NodeId nodes = s.width * s.height;
  std::vector<std::vector<float>> now(at(nodes)), before(at(nodes));
  for (NodeId n = 0; n < nodes; ++n) {
    now[at(n)].assign(at(s.words()), 0);
    before[at(n)].assign(at(s.words()), 0);
    for (std::int64_t z = s.radius; z < s.radius + s.cells; ++z) {
      now[at(n)][at(z)] = std::bit_cast<float>(Arithmetic{}.input(n, z, seed));
    }
  }
  const auto cell = [&](std::int32_t x, std::int32_t y, std::int64_t z) {
    const auto& u = now[at(y * s.width + x)];
    float sum = value(0, 0) * u[at(z)];
    constexpr std::array kSides{std::array{-1, 0}, std::array{1, 0}, std::array{0, -1}, std::array{0, 1}};
    for (std::size_t side = 0; side < kSides.size(); ++side) {
      for (std::int32_t m = 1; m <= s.radius; ++m) {
        const std::int32_t there_x = x + m * kSides[side][0], there_y = y + m * kSides[side][1];
        if (there_x < 0 || there_x >= s.width || there_y < 0 || there_y >= s.height) continue;
        const float product = value(side < 2 ? 0 : 1, m) * now[at(there_y * s.width + there_x)][at(z)];
        sum = sum + product;
      }
    }
    for (std::int32_t o = -s.radius; o <= s.radius; ++o) {
      if (o != 0) sum = std::fma(value(2, std::abs(o)), u[at(z + o)], sum);
    }
    return sum - before[at(y * s.width + x)][at(z)];
  };
  for (int step = 0; step < s.steps; ++step) {
    std::vector<std::vector<float>> next = before;
    for (std::int32_t y = 0; y < s.height; ++y) {
      for (std::int32_t x = 0; x < s.width; ++x) {
        for (std::int64_t z = s.radius; z < s.radius + s.cells; ++z) next[at(y * s.width + x)][at(z)] = cell(x, y, z);
      }
    }
    before = std::move(now);
    now = std::move(next);
  }
  std::vector<std::vector<Word>> words(at(nodes));
  for (NodeId n = 0; n < nodes; ++n) {
    for (std::int64_t z = s.radius; z < s.radius + s.cells; ++z) {
      words[at(n)].push_back(std::bit_cast<Word>(now[at(n)][at(z)]));
    }
  }
  return words;
}

/// Where the cells of a result differ from the reference; nothing if they do not.
inline std::string stencil_difference(const Stencil& s, const std::vector<std::vector<Word>>& outputs,
                                      std::uint64_t seed) {
  const auto reference = stencil_reference(s, seed);
  for (std::size_t n = 0; n < reference.size(); ++n) {
    if (outputs[n].size() != at(s.words())) return fmt::format("node {} has {} words", n, outputs[n].size());
    for (std::size_t z = 0; z < reference[n].size(); ++z) {
      const Word word = outputs[n][z + at(s.radius)];
      if (word == reference[n][z]) continue;
      return fmt::format("node {}, cell {}: {} instead of {}", n, z, Arithmetic{}.text(word),
                         Arithmetic{}.text(reference[n][z]));
    }
  }
  return "";
}

}  // namespace muster::wafer::test
