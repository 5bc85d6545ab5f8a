// The table of backends.
#include <gtest/gtest.h>

#include "backend/backend.h"
#include "machine/mesh.h"
#include "machine/torus.h"

namespace muster {
namespace {

TEST(Registry, HasABackendForWafers) {
  const Machine wafer{.name = "w", .summary = "", .network = Mesh{}};
  const auto backend = backend_for(wafer);
  ASSERT_TRUE(backend.ok());
  ASSERT_EQ(backend.value()->targets().size(), 1U);
  EXPECT_EQ(backend.value()->targets()[0].name, "csl");
}

TEST(Registry, SaysWhichFamilyHasNone) {
  const Machine torus{.name = "t", .summary = "", .network = Torus{}};
  const auto backend = backend_for(torus);
  ASSERT_FALSE(backend.ok());
  EXPECT_EQ(backend.reason(),
            "machines of family 'torus' have no backend yet: 't' can be described, but not simulated");
}

}  // namespace
}  // namespace muster
