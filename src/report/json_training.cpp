// A training iteration as JSON.
#include "report/json_parts.h"
#include "report/json_report.h"
#include "report/phrases.h"

namespace muster {
namespace {

Json iteration_of(const IterationAnswer& iteration) {
  return Json{{"scheduler", iteration.scheduler},
              {"order", text_or_null(iteration.order)},
              {"forward_seconds", iteration.forward.value()},
              {"input_gradient_seconds", iteration.input_gradient.value()},
              {"weight_gradient_seconds", iteration.weight_gradient.value()},
              {"update_seconds", iteration.update.value()},
              {"exposed_model_seconds", iteration.exposed_model.value()},
              {"exposed_data_seconds", iteration.exposed_data.value()},
              {"seconds", iteration.total.value()},
              {"speedup", iteration.speedup},
              {"utilization", value_of(possible_share(iteration.utilization))}};
}

void add(Json& json, const TrainingAnswer& answer) {
  json["machine"] = answer.machine;
  json["dimensions"] = answer.shape;
  json["workload"] = answer.workload;
  json["summary"] = text_or_null(answer.summary);
  json["layers"] = answer.layers;
  json["model_npus"] = answer.model_npus;
  json["chunks"] = answer.has_chunks ? Json(answer.chunks) : Json();
  json["faster"] = answer.faster;
  json["batch"] = answer.batch > 0 ? Json(answer.batch) : Json();
  json["vectors"] = text_or_null(answer.vectors);
  json["iterations"] = Json::array();
  for (const IterationAnswer& iteration : answer.iterations) json["iterations"].push_back(iteration_of(iteration));
}

}  // namespace

std::string json_report(const TrainingAnswer& answer) {
  Json json = head();
  add(json, answer);
  return finish(json);
}

std::string json_report(const std::vector<TrainingAnswer>& answers) {
  if (answers.size() == 1) return json_report(answers.front());
  Json json = head();
  json["trainings"] = Json::array();
  for (const TrainingAnswer& answer : answers) {
    json["trainings"].emplace_back();
    add(json["trainings"].back(), answer);
  }
  return finish(json);
}

}  // namespace muster
