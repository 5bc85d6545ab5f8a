#include "report/json_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/report_fixtures.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys_of(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  return keys;
}

/// The contract's keys, in its order, before our own.
void expect_begins_with(const Json& json, const std::vector<std::string>& expected) {
  const std::vector<std::string> keys = keys_of(json);
  ASSERT_GE(keys.size(), expected.size());
  EXPECT_EQ(std::vector<std::string>(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(expected.size())),
            expected);
}

TEST(JsonReport, PlanSaysWhatStarsTheWinnerAndWhatToTypeNext) {
  PlanAnswer answer = small_plan();
  answer.next = {"muster simulate", "muster emit"};
  Json json = Json::parse(json_report(answer));
  EXPECT_EQ(json["starred_by"], "simulation");
  EXPECT_EQ(json["next"], (Json{"muster simulate", "muster emit"}));
  answer.starred_by = StarredBy::prediction;
  answer.predicted_only = true;
  json = Json::parse(json_report(answer));
  EXPECT_EQ(json["starred_by"], "prediction");
  EXPECT_TRUE(json["verified"].is_null());
  answer.candidates.clear();
  json = Json::parse(json_report(answer));
  EXPECT_TRUE(json["starred_by"].is_null());
}

TEST(JsonReport, PlanHasTheKeysOfTheContractInOrder) {
  const Json json = Json::parse(json_report(small_plan()));
  expect_begins_with(
      json, {"schema", "machine", "collective", "grid", "count", "type", "op", "bounds", "candidates", "skipped"});
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["grid"], Json({8, 1}));
  expect_begins_with(json["bounds"][0], {"name", "proves", "cycles", "seconds"});
  expect_begins_with(json["candidates"][0], {"algorithm", "parameters", "predicted_cycles", "predicted_seconds",
                                             "simulated_cycles", "simulated_seconds"});
  expect_begins_with(json["skipped"][0], {"algorithm", "reason"});
}

TEST(JsonReport, WhatWasNotSimulatedIsNullAndNotMissing) {
  const Json json = Json::parse(json_report(small_plan()));
  const Json& second = json["candidates"][1];
  EXPECT_EQ(second["parameters"], (Json{{"group", 3}}));
  EXPECT_TRUE(second["simulated_cycles"].is_null());
  EXPECT_TRUE(second["simulated_seconds"].is_null());
  EXPECT_EQ(json["candidates"][0]["parameters"], Json::object());
}

TEST(JsonReport, ShapeIsNamedByFamily) {
  PlanAnswer answer = small_plan();
  answer.question.shape = {.sizes = {16}, .text = "16", .with_unit = "16 nodes", .key = "nodes", .is_number = true};
  EXPECT_EQ(Json::parse(json_report(answer))["nodes"], 16);
  answer.question.shape = {.sizes = {16, 8, 8}, .text = "16x8x8", .with_unit = "16x8x8 NPUs", .key = "dimensions"};
  EXPECT_EQ(Json::parse(json_report(answer))["dimensions"], Json({16, 8, 8}));
}

TEST(JsonReport, FactsOfFamiliesAreValuesOrNull) {
  PlanAnswer plan = small_plan();
  const FactValue::List pair{{std::int64_t{2}}, {std::int64_t{3}}};
  plan.question.of_family.facts = {{"vectors", {}},
                                   {"node_shape", {pair}},
                                   {"slow", {FactValue::Object{{"rank", {std::int64_t{3}}}, {"factor", {2.5}}}}},
                                   {"order", {std::string("arrival")}},
                                   {"whole", {true}}};
  const Json json = Json::parse(json_report(plan));
  ASSERT_TRUE(json.contains("vectors"));
  EXPECT_TRUE(json["vectors"].is_null());
  EXPECT_EQ(json["node_shape"], Json({2, 3}));
  EXPECT_EQ(json["slow"], Json::parse(R"({"rank": 3, "factor": 2.5})"));
  EXPECT_EQ(json["order"], "arrival");
  EXPECT_EQ(json["whole"], true);
}

TEST(JsonReport, TreesAreNullWhereThereAreNone) {
  PlanAnswer plan = small_plan();
  EXPECT_TRUE(Json::parse(json_report(plan))["trees"].is_null());
  plan.trees = TreesAnswer{.memory = BytesPerSecond(3.2e9), .link = BytesPerSecond(8e9), .rows = {{2, Seconds(1), 9}}};
  const Json json = Json::parse(json_report(plan));
  EXPECT_EQ(json["trees"]["memory_bytes_per_second"], 3.2e9);
  EXPECT_EQ(json["trees"]["rows"][0]["pays_from_count"], 9);
  EXPECT_TRUE(json["trees"]["rows"][0]["pays_beyond_memory_bytes_per_second"].is_null());
}

TEST(JsonReport, SimulateHasTheKeysOfTheContractInOrder) {
  const Json json = Json::parse(json_report(small_simulation()));
  expect_begins_with(json, {"schema",
                            "machine",
                            "collective",
                            "algorithm",
                            "parameters",
                            "grid",
                            "count",
                            "type",
                            "op",
                            "engine",
                            "cycles",
                            "seconds",
                            "predicted_cycles",
                            "predicted_seconds",
                            "verified",
                            "result_correct",
                            "checked_elements",
                            "checked_by_parts",
                            "hops",
                            "colors",
                            "max_port_load",
                            "utilization",
                            "resources"});
  EXPECT_EQ(json["cycles"], 140);
  EXPECT_EQ(json["colors"], 2);
  expect_begins_with(json["resources"][0], {"name", "bytes", "busy_seconds", "utilization"});
}

TEST(JsonReport, WhatHasNoMeaningForACollectiveIsNull) {
  SimulationAnswer answer = small_simulation();
  answer.question.root = 5;
  EXPECT_EQ(Json::parse(json_report(answer))["root"], 5);
  answer.question.op = "";
  answer.question.root = std::nullopt;
  Json json = Json::parse(json_report(answer));
  EXPECT_TRUE(json.at("op").is_null());
  EXPECT_TRUE(json.at("root").is_null());
  EXPECT_EQ(json["count"], 256);
  answer.question.type = "";
  json = Json::parse(json_report(answer));
  EXPECT_TRUE(json.at("count").is_null());
  EXPECT_TRUE(json.at("type").is_null());
}

TEST(JsonReport, PlanWithoutAWinnerSaysNothingAboutOne) {
  PlanAnswer answer = small_plan();
  answer.candidates.clear();
  const Json json = Json::parse(json_report(answer));
  EXPECT_TRUE(json.at("verified").is_null());
  EXPECT_TRUE(json.at("result_correct").is_null());
  EXPECT_TRUE(json.at("fingerprint_error_probability").is_null());
}

TEST(JsonReport, PlanWhoseWinnerWasNotSimulatedSaysNothingAboutItsResult) {
  PlanAnswer answer = small_plan();
  answer.result_correct = false;
  answer.candidates[0].simulated_seconds = std::nullopt;
  Json json = Json::parse(json_report(answer));
  EXPECT_EQ(json["verified"], true);
  EXPECT_TRUE(json.at("result_correct").is_null());
  answer.candidates[0].failed = true;
  json = Json::parse(json_report(answer));
  EXPECT_EQ(json["candidates"][0]["failed"], true);
  EXPECT_EQ(json["result_correct"], false);
}

TEST(JsonReport, SimulationSaysHowSureTheProofIs) {
  SimulationAnswer answer = small_simulation();
  answer.error_probability = 1e-12;
  EXPECT_EQ(Json::parse(json_report(answer))["fingerprint_error_probability"], 1e-12);
}

TEST(JsonReport, AdditionsAreNullUnlessAskedFor) {
  VerifyAnswer answer;
  EXPECT_TRUE(Json::parse(json_report(answer)).at("additions").is_null());
  answer.additions = AdditionsAnswer{.rank = 3, .element = 7, .formula = "(x0 + x1)"};
  EXPECT_EQ(Json::parse(json_report(answer))["additions"],
            (Json{{"rank", 3}, {"element", 7}, {"formula", "(x0 + x1)"}}));
}

TEST(JsonReport, FaultHasNoTime) {
  SimulationAnswer answer = small_simulation();
  answer.result.fault = Fault{"deadlock", "PE (3,0), color 1", Cycles(17), "nobody moves"};
  answer.result_correct = false;
  const Json json = Json::parse(json_report(answer));
  EXPECT_TRUE(json["cycles"].is_null());
  EXPECT_TRUE(json["seconds"].is_null());
  EXPECT_TRUE(json.at("utilization").is_null());
  EXPECT_TRUE(json.at("result_correct").is_null());
  EXPECT_EQ(json["fault"]["kind"], "deadlock");
  EXPECT_EQ(json["fault"]["cycle"], 17);
}

TEST(JsonReport, MoreThanAllBandwidthIsNoUtilization) {
  SimulationAnswer answer = small_simulation();
  answer.result.utilization = 1;
  answer.result.resources = {{.name = "dimension 1", .bytes = Bytes(8), .busy = Seconds(1), .utilization = 122.88}};
  const Json json = Json::parse(json_report(answer));
  EXPECT_EQ(json["utilization"], 1.0);
  EXPECT_TRUE(json["resources"][0].at("utilization").is_null());
}

TEST(JsonReport, VerifyShowsTheCounterexample) {
  VerifyAnswer answer;
  Json json = Json::parse(json_report(answer));
  expect_begins_with(json, {"schema", "verified", "counterexample", "fingerprint_error_probability"});
  EXPECT_TRUE(json["counterexample"].is_null());
  answer.counterexample = CounterexampleAnswer{"missing", 3, 7, std::nullopt, std::nullopt, "rank 2 is missing"};
  json = Json::parse(json_report(answer));
  EXPECT_EQ(json["counterexample"]["node"], 3);
  EXPECT_TRUE(json["counterexample"]["step"].is_null());
}

TEST(JsonReport, CheckedProgramsHaveTheirSizeAndACounterexampleOrNull) {
  ProgramCheckAnswer answer{
      .machine = "wse2", .shape = {.sizes = {8, 1}, .text = "8x1", .key = "grid"}, .verified = true};
  answer.messages = 7;
  Json json = Json::parse(json_report(answer));
  expect_begins_with(json, {"schema", "machine", "grid", "verified", "counterexample", "not_checked", "checks"});
  EXPECT_TRUE(json["counterexample"].is_null());
  EXPECT_EQ(json["messages"], 7);
  answer.counterexample = {.kind = "budget", .location = "", .message = "memory"};
  json = Json::parse(json_report(answer));
  EXPECT_EQ(json["counterexample"]["kind"], "budget");
  EXPECT_TRUE(json["counterexample"]["place"].is_null());
}

TEST(JsonReport, TextThatIsNoUtf8IsReplacedAndNotThrown) {
  const std::vector<MachineAnswer> machines{{"bad\xff", "mesh", "1x1", ""}};
  EXPECT_NO_THROW(Json::parse(json_report(machines)));
}

TEST(JsonReport, ListsKeepTheirOrder) {
  const std::vector<AlgorithmAnswer> algorithms{{"reduce", "star", "mesh", "s", "p", {}},
                                                {"reduce", "chain", "mesh", "s", "p", {"a: b"}}};
  const Json json = Json::parse(json_report(algorithms));
  EXPECT_EQ(json["algorithms"][0]["algorithm"], "star");
  EXPECT_EQ(json["algorithms"][1]["parameters"], Json({"a: b"}));
}

TEST(JsonReport, OfAProgramFromFilesHasItsTimes) {
  SimulationAnswer answer;
  answer.from_files = true;
  answer.result.cycles = Cycles(53);
  answer.result.seconds = Seconds(1e-6);
  const Json json = Json::parse(json_report(answer));
  EXPECT_EQ(json["cycles"], 53);
  EXPECT_EQ(json["seconds"], 1e-6);
  EXPECT_EQ(json["verified"], false);
}

}  // namespace
}  // namespace muster
