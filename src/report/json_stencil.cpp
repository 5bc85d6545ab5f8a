// Answers about a stencil as JSON: those of plan and simulate, with keys of their own behind.
#include "report/json_parts.h"
#include "report/json_report.h"

namespace muster {
namespace {

/// A stencil's "count" are its cells.
void add_facts(Json& json, const StencilFacts& facts) {
  std::int64_t cells = 1;
  for (const std::int64_t size : facts.grid) cells *= size;
  json["app"] = "stencil";
  json["collective"] = "stencil";
  json["count"] = cells;
  json["type"] = "f32";
  json["order"] = facts.order;
  json["steps"] = facts.steps;
  json["velocity"] = facts.velocity;
  json["spacing"] = facts.spacing;
  json["time_step"] = facts.time_step.value();
  json["cfl"] = facts.cfl;
  json["block"] = facts.block;
  json["blocks"] = facts.blocks;
  json["memory_bytes"] = facts.memory_used.value();
  json["memory_available_bytes"] = facts.memory_available.value();
  json["memory"] = Json::array();
  for (const StencilFacts::Part& part : facts.memory) {
    json["memory"].push_back(Json{{"name", part.name}, {"bytes", part.size.value()}});
  }
  json["most_cells"] = facts.most_cells;
}

void add_rate(Json& json, const StencilRate& rate, bool is_known) {
  json["cells_per_second"] = is_known ? Json(rate.cells_per_second) : Json(nullptr);
  json["cycles_per_step"] = is_known ? Json(rate.cycles_per_step) : Json(nullptr);
}

}  // namespace

std::string json_report(const StencilPlanAnswer& answer) {
  Json json = json_of(answer.plan);
  add_facts(json, answer.facts);
  add_rate(json, answer.rate, true);
  json["small_grid"] = nullptr;
  if (const auto& small = answer.small_grid) {
    json["verified"] = nullptr;
    json["fingerprint_error_probability"] = nullptr;
    json["small_grid"] = Json{{"grid", small->grid},
                              {"verified", small->verified},
                              {"result_correct", small->result_correct},
                              {"cycles", value_of(small->cycles)},
                              {"predicted_cycles", small->predicted.value()},
                              {"fingerprint_error_probability", small->error_probability}};
  }
  return finish(json);
}

std::string json_report(const StencilRunAnswer& answer) {
  Json json = json_of(answer.run);
  add_facts(json, answer.facts);
  const bool ran = answer.run.result.cycles.has_value();
  add_rate(json, answer.rate, ran);
  json["busy"] = ran ? Json(answer.busy) : Json(nullptr);
  return finish(json);
}

std::string json_report(const StencilExplainAnswer& answer) {
  Json json = head();
  json["machine"] = answer.question.machine;
  add_shape(json, answer.question.shape);
  add_facts(json, answer.facts);
  json["simulated_grid"] = answer.measured_on;
  json["cycles"] = answer.cycles.value();
  add_rate(json, answer.rate, true);
  json["busy"] = answer.busy;
  json["work"] = Json::array();
  for (const StencilExplainAnswer::Work& work : answer.work) {
    json["work"].push_back(
        Json{{"name", work.name}, {"what", work.what}, {"slots_per_cell", work.slots}, {"share", work.share}});
  }
  json["resources"] = Json::array();
  for (const Resource& resource : answer.resources) json["resources"].push_back(resource_of(resource));
  json["counts"] = Json::array();
  for (const StencilExplainAnswer::CountsRow& row : answer.counts) {
    json["counts"].push_back(Json{{"name", row.name},
                                  {"arithmetic", row.arithmetic},
                                  {"operations", row.operations},
                                  {"accesses", row.accesses},
                                  {"received", row.received},
                                  {"sent", row.sent}});
  }
  json["bounds"] = Json::array();
  for (const BoundAnswer& bound : answer.bounds) json["bounds"].push_back(bound_of(bound));
  json["waits"] = answer.waits;
  return finish(json);
}

}  // namespace muster
