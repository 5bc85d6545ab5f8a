// An explanation as JSON.
#include "report/json_parts.h"
#include "report/json_report.h"

namespace muster {
namespace {

Json place_of(const BusyPlace& busy) { return Json{{"place", busy.place}, {"words", busy.words}}; }

Json plan_of(const ExplainedPlan& plan) {
  Json json = candidate_of(plan.candidate);
  json["depth"] = plan.depth;
  json["distance"] = plan.distance;
  json["energy"] = plan.energy;
  json["contention"] = plan.contention;
  json["links"] = plan.links;
  json["model_cycles"] = plan.model.value();
  json["busiest_port"] = place_of(plan.busiest_port);
  json["busiest_link"] = place_of(plan.busiest_link);
  json["path_cycles"] = plan.path_end.value();
  json["path_words"] = plan.path_words.value();
  json["path_hops"] = plan.path_hops.value();
  json["path_ramps"] = plan.path_ramps.value();
  json["waiting_cycles"] = value_of(plan.waiting);
  json["path"] = Json::array();
  for (const PathLine& line : plan.path) {
    json["path"].push_back(Json{{"begin", line.begin.value()}, {"end", line.end.value()}, {"what", line.what}});
  }
  return json;
}

Json plan_of(const ExplainedChunks& plan) {
  Json json = candidate_of(plan.candidate);
  json["dimensions"] = Json::array();
  for (const ExplainedDimension& one : plan.dimensions) {
    json["dimensions"].push_back(Json{{"name", one.name},
                                      {"bytes", one.bytes.value()},
                                      {"busy_seconds", one.busy.value()},
                                      {"idle_before_seconds", one.before.value()},
                                      {"idle_between_seconds", one.between.value()},
                                      {"idle_after_seconds", one.after.value()}});
  }
  json["critical"] = plan.dimensions[plan.critical].name;
  return json;
}

template <class Answer>
std::string document_of(const Answer& answer) {
  Json json = head();
  json["machine"] = answer.question.machine;
  json["collective"] = answer.question.collective;
  add_shape(json, answer.question);
  json["count"] = answer.question.type.empty() ? Json(nullptr) : Json(answer.question.count);
  json["type"] = text_or_null(answer.question.type);
  json["op"] = text_or_null(answer.question.op);
  json["in_place"] = answer.question.in_place;
  add_root(json, answer.question);
  json["bound"] = answer.bound ? bound_of(*answer.bound) : Json(nullptr);
  json["chosen"] = plan_of(answer.chosen);
  json["other"] = answer.other ? plan_of(*answer.other) : Json(nullptr);
  json["chosen_is_best"] = answer.chosen_is_best;
  json["why"] = text_or_null(answer.why);
  json["loss"] = text_or_null(answer.loss);
  return finish(json);
}

}  // namespace

std::string json_report(const ExplainAnswer& answer) { return document_of(answer); }
std::string json_report(const ClusterExplainAnswer& answer) { return document_of(answer); }

}  // namespace muster
