// The parameter "root" of allreduces.
#include "collective/grid/allreduce_root.h"

#include "machine/mesh.h"
#include "machine/routing.h"

namespace muster {

ParameterSpec root_parameter() {
  return {.name = "root",
          .summary =
              "the rank where the sums meet; default: the first; plan, simulate, emit and explain use the middle if "
              "that is predicted to be faster",
          .by_default = [](const Request& request) { return std::int64_t{request.root}; },
          .least = [](const Request&) { return std::int64_t{0}; },
          .most = [](const Request& request) { return std::int64_t{rank_count(request.machine)} - 1; },
          .worth_trying = [](const Request& request) -> std::vector<std::int64_t> {
            const Mesh* mesh = as<Mesh>(request.machine);
            if (mesh == nullptr) return {};
            return {node_at(*mesh, {.x = mesh->width / 2, .y = mesh->height / 2})};
          }};
}

Request with_root_parameter(Request request, const Parameters& parameters) {
  request.collective = Collective::reduce;
  request.root = static_cast<NodeId>(parameters.at("root"));
  return request;
}

}  // namespace muster
