// Every document is written key by key in the order of docs/json.md, so that it can be compared as text.
#include "report/json_report.h"

#include "report/json_parts.h"
#include "report/phrases.h"
#include "result/run_times.h"

namespace muster {
namespace {

void add_vector(Json& json, const Question& question) {
  json["count"] = question.type.empty() ? Json(nullptr) : Json(question.count);
  json["type"] = text_or_null(question.type);
  json["op"] = text_or_null(question.op);
}

Json counterexample_of(const CounterexampleAnswer& counterexample) {
  Json json;
  json["kind"] = counterexample.kind;
  json["node"] = value_of(counterexample.node);
  json["element"] = value_of(counterexample.element);
  json["step"] = value_of(counterexample.step);
  json["stream"] = value_of(counterexample.stream);
  json["message"] = counterexample.message;
  return json;
}

Json additions_of(const AdditionsAnswer& additions) {
  return Json{{"rank", additions.rank}, {"element", additions.element}, {"formula", additions.formula}};
}

/// What was measured; times are null after a fault or without a run, and after a fault what it would have ended with.
void add_measurement(Json& json, const SimulationAnswer& answer) {
  const Result& result = answer.result;
  const bool ran = (answer.verified || answer.from_files) && !result.fault;
  json["cycles"] = ran ? value_of(result.cycles) : Json(nullptr);
  json["seconds"] = ran ? Json(result.seconds.value()) : Json(nullptr);
  json["predicted_cycles"] = value_of(answer.predicted_cycles);
  json["predicted_seconds"] = value_of(answer.predicted_seconds);
  json["verified"] = answer.verified;
  json["result_correct"] = answer.result_computed && !result.fault ? Json(answer.result_correct) : Json(nullptr);
  json["checked_elements"] = answer.checked_elements;
  json["checked_by_parts"] = answer.checked_by_parts;
  json["hops"] = result.hops;
  json["colors"] = value_of(result.channels);
  json["max_port_load"] = result.max_port_load;
  json["utilization"] = result.fault ? Json(nullptr) : value_of(possible_share(result.utilization));
  json["resources"] = Json::array();
  for (const Resource& resource : result.resources) json["resources"].push_back(resource_of(resource));
  json["time_parts"] = Json::array();
  for (const TimePart& part : result.parts) {
    json["time_parts"].push_back(Json{{"name", part.name}, {"seconds", part.seconds.value()}});
  }
}

/// What is known of the winner; null without one, and of its data where it was not simulated.
void add_winner(Json& json, const PlanAnswer& answer) {
  const bool exists = !answer.candidates.empty();
  const bool ran = exists && (answer.candidates[0].failed || answer.candidates[0].simulated_seconds);
  const bool proven = exists && !answer.predicted_only;
  json["verified"] = proven ? Json(answer.verified) : Json(nullptr);
  json["result_correct"] = ran && answer.result_computed ? Json(answer.result_correct) : Json(nullptr);
  json["fingerprint_error_probability"] = proven ? Json(answer.error_probability) : Json(nullptr);
}

/// By what the first candidate is the best one; null where there is none, or where all failed.
Json starred_by(const PlanAnswer& answer) {
  if (answer.candidates.empty() || answer.candidates[0].failed) return nullptr;
  return answer.starred_by == StarredBy::simulation ? "simulation" : "prediction";
}

Json trees_of(const TreesAnswer& trees) {
  Json json{{"memory_bytes_per_second", trees.memory.value()}, {"link_bytes_per_second", trees.link.value()}};
  json["rows"] = Json::array();
  for (const TreesAnswer::Row& row : trees.rows) {
    json["rows"].push_back(Json{
        {"trees", row.trees},
        {"predicted_seconds", row.predicted.value()},
        {"pays_from_count", value_of(row.pays_from)},
        {"pays_beyond_memory_bytes_per_second", row.beyond_memory ? Json(row.beyond_memory->value()) : Json(nullptr)}});
  }
  return json;
}

}  // namespace

Json json_of(const PlanAnswer& answer) {
  Json json = head();
  json["machine"] = answer.question.machine;
  json["collective"] = answer.question.collective;
  add_shape(json, answer.question.shape);
  add_vector(json, answer.question);
  json["bounds"] = Json::array();
  for (const BoundAnswer& bound : answer.bounds) json["bounds"].push_back(bound_of(bound));
  json["candidates"] = Json::array();
  for (const CandidateAnswer& candidate : answer.candidates) json["candidates"].push_back(candidate_of(candidate));
  json["skipped"] = Json::array();
  for (const SkippedAnswer& skipped : answer.skipped) {
    json["skipped"].push_back(skipped_of(skipped));
  }
  add_root(json, answer.question);
  json["in_place"] = answer.question.in_place;
  add_winner(json, answer);
  json["why"] = text_or_null(answer.why);
  json["crossover"] = text_or_null(answer.crossover);
  add_facts(json, answer.question);
  json["trees"] = answer.trees ? trees_of(*answer.trees) : Json(nullptr);
  json["starred_by"] = starred_by(answer);
  json["next"] = answer.next;
  return json;
}

std::string json_report(const PlanAnswer& answer) { return finish(json_of(answer)); }

namespace {

/// Of every call and every node, if the simulator says when nodes begin.
void add_run_times(Json& json, const Result& result) {
  json["run_times"] = Json::array();
  json["node_cycles"] = Json::array();
  const auto spread = [](const Spread& s) { return Json{{"median", s.median.value()}, {"max", s.most.value()}}; };
  for (std::size_t call = 0; call < result.node_times.size(); ++call) {
    const auto times = run_times(result, call);
    if (!times) continue;
    json["run_times"].push_back(
        {{"from_first_start", spread(times->from_first_start)}, {"from_own_start", spread(times->from_own_start)}});
    Json nodes = Json::array();
    for (const NodeTimes& node : result.node_times[call]) {
      nodes.push_back(
          {{"start", node.started->value()}, {"result", node.owed.value()}, {"end", node.finished.value()}});
    }
    json["node_cycles"].push_back(std::move(nodes));
  }
}

}  // namespace

Json json_of(const SimulationAnswer& answer) {
  Json json = head();
  json["machine"] = answer.question.machine;
  json["collective"] = answer.question.collective;
  json["algorithm"] = text_or_null(answer.algorithm);
  json["parameters"] = parameters_of(answer.parameters);
  add_shape(json, answer.question.shape);
  add_vector(json, answer.question);
  json["engine"] = text_or_null(answer.result.engine);
  add_measurement(json, answer);
  add_root(json, answer.question);
  json["in_place"] = answer.question.in_place;
  json["engine_note"] = text_or_null(answer.result.note);
  json["fingerprint_error_probability"] = answer.error_probability;
  json["bound"] = answer.bound ? bound_of(*answer.bound) : Json(nullptr);
  json["calls"] = answer.calls;
  json["cycles_of_call"] = 1;
  json["call_cycles"] = Json::array();
  for (const Ticks end : answer.result.call_cycles) json["call_cycles"].push_back(end.value());
  json["refusal"] = text_or_null(answer.refusal);
  json["fault"] = answer.result.fault ? fault_of(*answer.result.fault) : Json(nullptr);
  json["difference"] = text_or_null(answer.difference);
  json["checked"] = answer.checked;
  json["finding"] = text_or_null(answer.finding);
  add_facts(json, answer.question);
  json["call_seconds"] = Json::array();
  for (const Seconds end : answer.call_ends) json["call_seconds"].push_back(end.value());
  add_run_times(json, answer.result);
  return json;
}

std::string json_report(const SimulationAnswer& answer) { return finish(json_of(answer)); }

std::string json_report(const VerifyAnswer& answer) {
  Json json = head();
  json["verified"] = answer.verified;
  json["counterexample"] = answer.counterexample ? counterexample_of(*answer.counterexample) : Json(nullptr);
  json["fingerprint_error_probability"] = answer.error_probability;
  json["nodes"] = answer.nodes;
  json["streams"] = answer.streams;
  json["steps"] = answer.steps;
  json["additions"] = answer.additions ? additions_of(*answer.additions) : Json(nullptr);
  json["facts"] = answer.facts;
  return finish(json);
}

std::string json_report(const ProgramCheckAnswer& answer) {
  Json json = head();
  json["machine"] = answer.machine;
  add_shape(json, answer.shape);
  json["verified"] = answer.verified;
  json["counterexample"] = nullptr;
  if (const auto& found = answer.counterexample) {
    json["counterexample"] =
        Json{{"kind", found->kind}, {"place", text_or_null(found->location)}, {"message", found->message}};
  }
  json["not_checked"] = text_or_null(answer.not_checked);
  json["checks"] = answer.checks;
  json["processors"] = answer.processors;
  json["classes"] = answer.classes;
  json["colors"] = answer.colors;
  json["messages"] = answer.messages;
  return finish(json);
}

std::string json_report(const EmitAnswer& answer) {
  Json json = head();
  json["machine"] = answer.question.machine;
  json["collective"] = answer.question.collective;
  json["algorithm"] = answer.algorithm;
  json["parameters"] = parameters_of(answer.parameters);
  add_shape(json, answer.question.shape);
  add_vector(json, answer.question);
  add_root(json, answer.question);
  json["target"] = answer.target;
  json["folder"] = answer.folder;
  json["files"] = Json::array();
  for (const EmitAnswer::File& file : answer.files) {
    json["files"].push_back(Json{{"name", file.name}, {"bytes", file.size.value()}});
  }
  json["summary"] = text_or_null(answer.summary);
  json["notes"] = answer.notes;
  add_facts(json, answer.question);
  return finish(json);
}

std::string json_report(const std::vector<AlgorithmAnswer>& answers) {
  Json json = head();
  json["algorithms"] = Json::array();
  for (const AlgorithmAnswer& answer : answers) {
    json["algorithms"].push_back(Json{{"collective", answer.collective},
                                      {"algorithm", answer.algorithm},
                                      {"family", answer.family},
                                      {"summary", answer.summary},
                                      {"source", answer.source},
                                      {"parameters", answer.parameters}});
  }
  return finish(json);
}

namespace {

Json machine_of(const MachineAnswer& machine) {
  return Json{{"name", machine.name},
              {"family", text_or_null(machine.family)},
              {"shape", text_or_null(machine.shape)},
              {"summary", text_or_null(machine.summary)},
              {"error", text_or_null(machine.error)}};
}

}  // namespace

std::string json_report(const std::vector<MachineAnswer>& answers) {
  Json json = head();
  json["machines"] = Json::array();
  for (const MachineAnswer& answer : answers) json["machines"].push_back(machine_of(answer));
  return finish(json);
}

std::string json_report(const MachineAnswer& machine, const std::vector<MachineValueAnswer>& values) {
  Json json = head();
  json.update(machine_of(machine));
  json["remarks"] = text_or_null(machine.remarks);
  json["values"] = Json::array();
  for (const MachineValueAnswer& value : values) {
    json["values"].push_back(Json{{"key", value.key}, {"value", value.value}, {"source", text_or_null(value.source)}});
  }
  return finish(json);
}

std::string json_report(const MachineTemplateAnswer& answer) {
  Json json = head();
  json["family"] = answer.family;
  json["template"] = answer.text;
  json["keys"] = Json::array();
  for (const MachineTemplateAnswer::Key& key : answer.keys) {
    json["keys"].push_back(Json{{"key", key.name},
                                {"type", key.type},
                                {"allowed", key.allowed},
                                {"example", key.example},
                                {"meaning", key.meaning},
                                {"required", key.required}});
  }
  return finish(json);
}

std::string json_report(const std::vector<ClaimAnswer>& answers) {
  Json json = head();
  json["claims"] = Json::array();
  for (const ClaimAnswer& answer : answers) {
    json["claims"].push_back(Json{{"id", answer.id},
                                  {"paper", answer.paper},
                                  {"section", answer.section},
                                  {"statement", answer.statement},
                                  {"source", answer.source},
                                  {"expected", answer.expected},
                                  {"measured", answer.measured},
                                  {"holds", answer.holds},
                                  {"known_difference", answer.known_difference},
                                  {"explanation", text_or_null(answer.explanation)}});
  }
  return finish(json);
}

}  // namespace muster
