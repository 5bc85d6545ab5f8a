// A training iteration as JSON.
#include "report/json_parts.h"
#include "report/json_report.h"
#include "report/phrases.h"

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
              {"utilization", value_of(possible_share(one.utilization))}};
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
  for (const IterationAnswer& one : answer.iterations) json["iterations"].push_back(iteration_of(one));
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
