// A sweep as JSON: what all sizes share, then the sizes. And the files of figures.
#include "report/json_parts.h"
#include "report/json_report.h"

namespace muster {
namespace {

Json size_of(const SweepSize& size) {
  Json json;
  add_shape(json, size.question.shape);
  json["count"] = size.question.type.empty() ? Json(nullptr) : Json(size.question.count);
  json["root"] = value_of(size.question.root);
  json["bounds"] = Json::array();
  for (const BoundAnswer& bound : size.bounds) json["bounds"].push_back(bound_of(bound));
  json["best"] = text_or_null(size.best);
  json["candidates"] = Json::array();
  for (const CandidateAnswer& candidate : size.candidates) json["candidates"].push_back(candidate_of(candidate));
  json["skipped"] = Json::array();
  for (const SkippedAnswer& skipped : size.skipped) json["skipped"].push_back(skipped_of(skipped));
  json["given"] = parameters_of(size.given);
  add_facts(json, size.question);
  return json;
}

}  // namespace

std::string json_report(const SweepAnswer& answer) {
  Json json = head();
  const Question question = answer.sizes.empty() ? Question() : answer.sizes.front().question;
  json["machine"] = text_or_null(question.machine);
  json["collective"] = text_or_null(question.collective);
  json["type"] = text_or_null(question.type);
  json["op"] = text_or_null(question.op);
  json["in_place"] = question.in_place;
  json["simulated"] = answer.simulated;
  json["remark"] = text_or_null(answer.remark);
  json["algorithms"] = answer.algorithms;
  add_facts(json, question);
  json["sizes"] = Json::array();
  for (const SweepSize& size : answer.sizes) json["sizes"].push_back(size_of(size));
  return finish(json);
}

std::string json_report(const FigureFilesAnswer& answer) {
  Json json = head();
  json["machine"] = text_or_null(answer.machine);
  json["folder"] = answer.folder;
  json["figures"] = Json::array();
  for (const FigureFilesAnswer::Figure& figure : answer.figures) {
    Json entry{{"title", figure.title}, {"files", Json::array()}};
    for (const EmitAnswer::File& file : figure.files) {
      entry["files"].push_back(Json{{"name", file.name}, {"bytes", file.size.value()}});
    }
    json["figures"].push_back(entry);
  }
  return finish(json);
}

}  // namespace muster
