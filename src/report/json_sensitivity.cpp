// The rankings of --sensitivity as JSON.
#include "report/json_parts.h"
#include "report/json_report.h"

namespace muster {
namespace {

Json row_of(const SensitivityRow& row) {
  const CandidateAnswer* const asked = row.asked ? &row.ranking[*row.asked] : nullptr;
  const bool any = !row.ranking.empty();
  Json json;
  json["parameter"] = text_or_null(row.parameter);
  json["value"] = text_or_null(row.value);
  json["best"] = any ? Json(row.ranking.front().algorithm) : Json(nullptr);
  json["best_cycles"] = any ? value_of(row.ranking.front().simulated_cycles) : Json(nullptr);
  json["best_seconds"] = any ? value_of(row.ranking.front().simulated_seconds) : Json(nullptr);
  json["asked_cycles"] = asked != nullptr ? value_of(asked->simulated_cycles) : Json(nullptr);
  json["asked_seconds"] = asked != nullptr ? value_of(asked->simulated_seconds) : Json(nullptr);
  json["ratio"] =
      asked != nullptr ? Json(*asked->simulated_seconds / *row.ranking.front().simulated_seconds) : Json(nullptr);
  json["ranking"] = Json::array();
  for (const CandidateAnswer& candidate : row.ranking) {
    json["ranking"].push_back(Json{{"algorithm", candidate.algorithm},
                                   {"parameters", parameters_of(candidate.parameters)},
                                   {"cycles", value_of(candidate.simulated_cycles)},
                                   {"seconds", value_of(candidate.simulated_seconds)}});
  }
  return json;
}

}  // namespace

std::string json_report(const SensitivityAnswer& answer) {
  const Question& question = answer.question;
  Json json = head();
  json["machine"] = question.machine;
  json["collective"] = question.collective;
  add_shape(json, question.shape);
  json["count"] = question.type.empty() ? Json(nullptr) : Json(question.count);
  json["type"] = text_or_null(question.type);
  json["op"] = text_or_null(question.op);
  add_root(json, question);
  json["asked"] = answer.asked;
  json["rows"] = Json::array();
  for (const SensitivityRow& row : answer.rows) json["rows"].push_back(row_of(row));
  json["left_out"] = Json::array();
  for (const SkippedAnswer& skipped : answer.left_out) json["left_out"].push_back(skipped_of(skipped));
  return finish(json);
}

}  // namespace muster
