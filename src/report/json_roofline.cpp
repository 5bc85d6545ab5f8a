// A machine's peaks and the propagators below them as JSON.
#include "report/json_parts.h"
#include "report/json_report.h"

namespace muster {

std::string json_report(const RooflineAnswer& answer) {
  Json json = head();
  json["precision"] = answer.precision;
  json["order"] = answer.order;
  json["threads"] = answer.threads;
  json["bytes_per_second"] = answer.bandwidth.value();
  json["bytes_per_second_of_one_thread"] = answer.bandwidth_of_one.value();
  json["operations_per_second"] = answer.operations;
  json["operations_per_second_of_one_thread"] = answer.operations_of_one;
  json["propagators"] = Json::array();
  for (const RooflineAnswer::Propagator& propagator : answer.propagators) {
    json["propagators"].push_back(Json{{"name", propagator.name},
                                       {"grid", propagator.grid},
                                       {"operations_per_cell", propagator.operations},
                                       {"bytes_per_cell", propagator.bytes},
                                       {"intensity", propagator.intensity()},
                                       {"cells_per_second", propagator.cells_per_second},
                                       {"operations_per_second", propagator.cells_per_second * propagator.operations},
                                       {"bound_cells_per_second", propagator.bound},
                                       {"bound_by", propagator.is_bound_by_memory ? "memory" : "arithmetic"},
                                       {"share", propagator.share()}});
  }
  return finish(json);
}

}  // namespace muster
