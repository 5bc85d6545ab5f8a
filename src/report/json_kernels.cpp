// A run of kernels, as JSON.
#include "report/json_parts.h"
#include "report/json_report.h"

namespace muster {

std::string json_report(const KernelsAnswer& answer) {
  Json json = head();
  json["machine"] = answer.machine;
  json["engine"] = answer.engine;
  json["cycles"] = answer.cycles.value();
  json["seconds"] = answer.seconds.value();
  json["programs"] = answer.programs;
  json["cores"] = Json::array();
  for (const CoreTime& core : answer.cores) {
    json["cores"].push_back(Json{{"core", core.core}, {"end_cycle", core.end.value()}});
  }
  json["resources"] = Json::array();
  for (const Resource& resource : answer.resources) json["resources"].push_back(resource_of(resource));
  json["host_status"] = answer.host_status;
  json["host_output"] = answer.host_output;
  json["findings"] = Json::array();
  for (const KernelFinding& found : answer.findings) {
    json["findings"].push_back(Json{{"kind", found.kind},
                                    {"location", found.location},
                                    {"file", found.file},
                                    {"line", found.line},
                                    {"cycle", found.cycle.value()},
                                    {"times", found.times},
                                    {"message", found.message}});
  }
  if (answer.fault) json["fault"] = fault_of(*answer.fault);
  return finish(json);
}

}  // namespace muster
