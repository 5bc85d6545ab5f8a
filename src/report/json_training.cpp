// A training iteration as JSON.
#include "report/json_parts.h"
#include "report/json_report.h"

namespace muster {
namespace {

Json iteration_of(const IterationAnswer& one) {
  return Json{{"scheduler", one.scheduler},
              {"order", text_or_null(one.order)},
              {"forward_seconds", one.forward.value()},
              {"input_gradient_seconds", one.input_gradient.value()},
              {"weight_gradient_seconds", one.weight_gradient.value()},
              {"update_seconds", one.update.value()},
              {"exposed_model_seconds", one.exposed_model.value()},
              {"exposed_data_seconds", one.exposed_data.value()},
              {"seconds", one.total.value()},
              {"speedup", one.speedup},
              {"utilization", one.utilization}};
}

}  // namespace

std::string json_report(const TrainingAnswer& answer) {
  Json json = head();
  json["machine"] = answer.machine;
  json["dimensions"] = answer.shape;
  json["workload"] = answer.workload;
  json["summary"] = text_or_null(answer.summary);
  json["layers"] = answer.layers;
  json["model_npus"] = answer.model_npus;
  json["chunks"] = answer.chunks;
  json["iterations"] = Json::array();
  for (const IterationAnswer& one : answer.iterations) json["iterations"].push_back(iteration_of(one));
  return finish(json);
}

}  // namespace muster
