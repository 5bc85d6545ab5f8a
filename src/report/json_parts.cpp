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

void add_shape(Json& json, const Question& question) {
  if (question.family == "hyperx") {
    json["nodes"] = question.shape.empty() ? Json(nullptr) : Json(question.shape[0]);
  } else {
    json[question.family == "cluster" ? "dimensions" : "grid"] = question.shape;
  }
}

void add_root(Json& json, const Question& question) {
  json["root"] = value_of(question.root);
  json["roots_tried"] = question.roots_tried.empty() ? Json(nullptr) : Json::array();
  for (const RootAnswer& one : question.roots_tried) {
    json["roots_tried"].push_back(Json{{"root", one.root},
                                       {"algorithm", one.algorithm},
                                       {"cycles", one.cycles.value()},
                                       {"simulated", one.simulated}});
  }
}

void add_hyperx(Json& json, const Question& question) {
  json["node_shape"] = question.family == "hyperx" ? Json(question.node_shape) : Json(nullptr);
  json["vectors"] = text_or_null(question.vectors);
  json["groups"] = question.groups.empty() ? Json(nullptr) : Json(question.groups);
}

Json asymmetry_of(const Question& question) {
  if (!question.asymmetry) return nullptr;
  const AsymmetryAnswer& asked = *question.asymmetry;
  Json json{{"jitter", asked.jitter}, {"arrival_order", asked.arrival_order}};
  json["slow"] = json["late"] = json["slow_links"] = Json::array();
  for (const auto& [rank, factor] : asked.slow) json["slow"].push_back(Json{{"rank", rank}, {"factor", factor}});
  for (const auto& [rank, time] : asked.late) json["late"].push_back(Json{{"rank", rank}, {"seconds", time.value()}});
  for (const auto& link : asked.slow_links) {
    json["slow_links"].push_back(Json{{"ends", {link.a, link.b}}, {"factor", link.factor}});
  }
  return json;
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

}  // namespace muster
