#include "collective/dimensions/part.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schedule/interpret.h"
#include "schedule/verify.h"

namespace muster {
namespace {

Machine one_dimension(Cluster::Kind kind, std::int32_t size) {
  Cluster cluster;
  cluster.dimensions.push_back(
      {.kind = kind, .size = size, .link_bandwidth = BytesPerSecond(1e9), .links = 1, .latency = Seconds(1e-6)});
  cluster.buffer_chunks = 2;
  return Machine{.name = "one", .summary = "", .network = cluster};
}

RC_GTEST_PROP(DimensionPart, IsVerifiedForEverySizeAndCount, ()) {
  const auto kind = *rc::gen::element(Cluster::Kind::ring, Cluster::Kind::fully_connected, Cluster::Kind::switched);
  const auto collective = *rc::gen::element(Collective::reduce_scatter, Collective::allgather);
  const auto size = *rc::gen::inRange<std::int32_t>(2, 20);
  const auto count = *rc::gen::inRange<std::int64_t>(1, 60);
  const Schedule part = dimension_part(kind, collective, size, count);
  const Verdict verdict = verify(part, one_dimension(kind, size), {});
  if (!verdict.verified()) RC_FAIL(verdict.counterexample->message);
}

}  // namespace
}  // namespace muster
