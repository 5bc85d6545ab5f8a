// An explanation as JSON.
#include "report/json_parts.h"
#include "report/json_report.h"
#include "result/time_base.h"

namespace muster {
namespace {

Json value_json(const std::optional<ExplainedFigure::Value>& value) {
  if (!value) return nullptr;
  if (const auto* number = std::get_if<std::int64_t>(&*value)) return *number;
  if (const auto* seconds = std::get_if<Seconds>(&*value)) return seconds->value();
  const auto& busy = std::get<BusyResource>(*value);
  return Json{{"place", busy.name}, {"words", busy.words}};
}

Json resource_of(const ExplainedResource& resource) {
  Json json{{"name", resource.name}, {"bytes", resource.bytes.value()}, {"busy_seconds", resource.busy.value()}};
  if (!resource.busiest.empty()) json["busiest"] = resource.busiest;
  if (!resource.idle) return json;
  json["idle_before_seconds"] = resource.idle->before.value();
  json["idle_between_seconds"] = resource.idle->between.value();
  json["idle_after_seconds"] = resource.idle->after.value();
  return json;
}

/// In cycles, or in seconds where the machine has no clock.
Json line_of(const PathLine& line, bool in_picoseconds) {
  const auto seconds = [](Ticks time) { return to_seconds(time, kPicoseconds).value(); };
  if (!in_picoseconds) return Json{{"begin", line.begin.value()}, {"end", line.end.value()}, {"what", line.what}};
  return Json{{"begin_seconds", seconds(line.begin)}, {"end_seconds", seconds(line.end)}, {"what", line.what}};
}

Json plan_of(const ExplainedPlan& plan, const std::string& resource) {
  Json json = candidate_of(plan.candidate);
  for (const ExplainedFigure& figure : plan.figures) json[figure.key] = value_json(figure.value);
  if (!plan.resources.empty()) {
    Json& all = json[resource + "s"] = Json::array();
    for (const ExplainedResource& explained : plan.resources) all.push_back(resource_of(explained));
    json["critical"] = plan.resources[plan.critical].name;
  }
  if (plan.path.empty() && !plan.resources.empty()) return json;
  Json& path = json["path"] = Json::array();
  for (const PathLine& line : plan.path) path.push_back(line_of(line, plan.path_in_picoseconds));
  return json;
}

}  // namespace

std::string json_report(const ExplainAnswer& answer) {
  Json json = head();
  json["machine"] = answer.question.machine;
  json["collective"] = answer.question.collective;
  add_shape(json, answer.question.shape);
  json["count"] = answer.question.type.empty() ? Json(nullptr) : Json(answer.question.count);
  json["type"] = text_or_null(answer.question.type);
  json["op"] = text_or_null(answer.question.op);
  json["in_place"] = answer.question.in_place;
  add_root(json, answer.question);
  json["bound"] = answer.bound ? bound_of(*answer.bound) : Json(nullptr);
  json["chosen"] = plan_of(answer.chosen, answer.resource);
  json["other"] = answer.other ? plan_of(*answer.other, answer.resource) : Json(nullptr);
  json["chosen_is_best"] = answer.chosen_is_best;
  json["why"] = text_or_null(answer.why);
  json["loss"] = text_or_null(answer.loss);
  return finish(json);
}

}  // namespace muster
