// Values, questions and candidates as JSON.
#include "report/json_parts.h"

#include "report/phrases.h"

namespace muster {

Json value_of(const std::optional<Cycles>& cycles) { return cycles ? Json(cycles->value()) : Json(nullptr); }
Json value_of(const std::optional<Seconds>& seconds) { return seconds ? Json(seconds->value()) : Json(nullptr); }
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string finish(const Json& json) {
  return json.dump(2, ' ', false, nlohmann::detail::error_handler_t::replace) + "\n";
}

Json head() {
  Json json;
  json["schema"] = 1;
  return json;
}

void add_shape(Json& json, const ShapeAnswer& shape) {
  if (!shape.is_number) {
    json[shape.key] = shape.sizes;
  } else {
    json[shape.key] = shape.sizes.empty() ? Json(nullptr) : Json(shape.sizes[0]);
  }
}

Json value_of(const FactValue& fact) {
  if (const auto* list = std::get_if<FactValue::List>(&fact.value)) {
    Json json = Json::array();
    for (const FactValue& element : *list) json.push_back(value_of(element));
    return json;
  }
  if (const auto* object = std::get_if<FactValue::Object>(&fact.value)) {
    Json json = Json::object();
    for (const auto& [key, element] : *object) json[key] = value_of(element);
    return json;
  }
  if (const auto* text = std::get_if<std::string>(&fact.value)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&fact.value)) return *number;
  if (const auto* number = std::get_if<double>(&fact.value)) return *number;
  if (const auto* truth = std::get_if<bool>(&fact.value)) return *truth;
  return nullptr;
}

void add_facts(Json& json, const Question& question) {
  for (const Fact& fact : question.of_family.facts) json[fact.key] = value_of(fact.value);
}

void add_root(Json& json, const Question& question) {
  json["root"] = value_of(question.root);
  json["roots_tried"] = question.roots_tried.empty() ? Json(nullptr) : Json::array();
  for (const RootAnswer& root_answer : question.roots_tried) {
    json["roots_tried"].push_back(Json{{"root", root_answer.root},
                                       {"algorithm", root_answer.algorithm},
                                       {"cycles", root_answer.cycles.value()},
                                       {"simulated", root_answer.simulated}});
  }
}

Json parameters_of(const ParameterValues& parameters) {
  Json json = Json::object();
  for (const auto& [name, value] : parameters) json[name] = value.name.empty() ? Json(value.number) : Json(value.name);
  return json;
}

Json bound_of(const BoundAnswer& bound) {
  Json json;
  json["name"] = bound.name;
  json["proves"] = bound.proves;
  json["cycles"] = value_of(bound.cycles);
  json["seconds"] = bound.seconds.value();
  json["for_pipeline"] = bound.for_pipeline;
  return json;
}

Json candidate_of(const CandidateAnswer& candidate) {
  Json json;
  json["algorithm"] = candidate.algorithm;
  json["parameters"] = parameters_of(candidate.parameters);
  json["predicted_cycles"] = value_of(candidate.predicted_cycles);
  json["predicted_seconds"] = candidate.predicted_seconds.value();
  json["simulated_cycles"] = value_of(candidate.simulated_cycles);
  json["simulated_seconds"] = value_of(candidate.simulated_seconds);
  json["note"] = text_or_null(candidate.note);
  json["failed"] = candidate.failed;
  json["utilization"] = value_of(possible_share(candidate.utilization));
  return json;
}

Json skipped_of(const SkippedAnswer& skipped) {
  return Json{{"algorithm", skipped.algorithm}, {"reason", skipped.reason}};
}

Json fault_of(const Fault& fault) {
  Json json;
  json["kind"] = fault.kind;
  json["place"] = fault.location;
  json["cycle"] = fault.before_running || fault.time ? Json(nullptr) : Json(fault.cycle.value());
  json["seconds"] = fault.time ? Json(fault.time->value()) : Json(nullptr);
  json["message"] = fault.message;
  return json;
}

Json resource_of(const Resource& resource) {
  Json json;
  json["name"] = resource.name;
  json["bytes"] = resource.bytes.value();
  json["busy_seconds"] = resource.busy.value();
  json["utilization"] = value_of(possible_share(resource.utilization));
  return json;
}

}  // namespace muster
