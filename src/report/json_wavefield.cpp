// A run of a wave propagation as JSON.
#include "report/json_parts.h"
#include "report/json_report.h"

namespace muster {

std::string json_report(const WavefieldAnswer& answer) {
  Json json = head();
  json["shot"] = answer.shot;
  json["propagator"] = answer.propagator;
  json["target"] = answer.target;
  json["grid"] = answer.grid;
  json["precision"] = answer.precision;
  json["steps"] = answer.steps;
  json["time_step"] = answer.time_step.value();
  json["cfl"] = answer.cfl;
  json["points_per_wavelength"] = answer.points_per_wavelength > 0 ? Json(answer.points_per_wavelength) : Json();
  json["seconds"] = answer.total.value();
  json["kernel_seconds"] = answer.kernels.value();
  json["cells_per_second"] = answer.cells_per_second;
  json["memory_bytes"] = answer.memory.value();
  json["threads"] = answer.threads;
  json["ranks"] = answer.ranks;
  json["wavefield"] = Json{{"min", answer.least}, {"max", answer.most}, {"l2", answer.norm}};
  json["checksum"] = answer.checksum;
  json["outputs"] = answer.outputs;
  return finish(json);
}

}  // namespace muster
