// The parameter "root" of allreduces.
#include "collective/meeting_place.h"

#include "machine/routing.h"

namespace muster {

ParameterSpec meeting_place() {
  return {.name = "root",
          .summary = "the rank where the sums meet; default: the first",
          .by_default = [](const Request& request) { return std::int64_t{request.root}; },
          .least = [](const Request&) { return std::int64_t{0}; },
          .most = [](const Request& request) { return std::int64_t{rank_count(request.machine)} - 1; }};
}

Request with_meeting_place(Request request, const Parameters& parameters) {
  request.collective = Collective::reduce;
  request.root = static_cast<NodeId>(parameters.at("root"));
  return request;
}

}  // namespace muster
