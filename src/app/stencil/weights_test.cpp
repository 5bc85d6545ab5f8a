#include "app/stencil/weights.h"

#include <gtest/gtest.h>

#include <cmath>

namespace muster::stencil {
namespace {

TEST(StencilWeights, OfOrderTwoAreThoseOfTheBook) { EXPECT_EQ(weights(2), (std::vector<double>{1, -2, 1})); }

/// Of order n they are exact for polynomials up to degree n + 1, and not for the next.
TEST(StencilWeights, DifferentiatePolynomialsUpToTheirOrder) {
  for (int order = 2; order <= 16; order += 2) {
    const std::vector<double> all = weights(order);
    ASSERT_EQ(all.size(), static_cast<std::size_t>(order) + 1);
    for (int degree = 0; degree <= order + 2; ++degree) {
      double sum = 0;
      double terms = 0;
      for (int o = -order / 2; o <= order / 2; ++o) {
        const double term = all[static_cast<std::size_t>(o + order / 2)] * std::pow(o, degree);
        sum += term;
        terms += std::abs(term);
      }
      const double error = std::abs(sum - (degree == 2 ? 2 : 0)) / std::max(terms, 1.0);
      if (degree == order + 2) {
        EXPECT_GT(error, 1e-9) << order;
      } else {
        EXPECT_LT(error, 1e-13) << order << " " << degree;
      }
    }
  }
}

}  // namespace
}  // namespace muster::stencil
