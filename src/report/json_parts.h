// What several JSON documents share. Only the json*.cpp of this folder include it: the library is slow to compile.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "result/answer.h"

namespace muster {

using Json = nlohmann::ordered_json;

Json value_of(const std::optional<Cycles>& cycles);
Json value_of(const std::optional<Seconds>& seconds);
template <class Number>
Json value_of(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}
Json text_or_null(const std::string& text);

/// The beginning and the end of every document.
Json head();
std::string finish(const Json& json);

/// Whole documents, for answers that have more.
Json json_of(const PlanAnswer& answer);
Json json_of(const SimulationAnswer& answer);

/// The machine's shape under the name that its family gives it.
void add_shape(Json& json, const ShapeAnswer& shape);
/// The root, and how it was chosen if it was.
void add_root(Json& json, const Question& question);
/// What the machine's family says of the question; the keys of other families are null.
void add_facts(Json& json, const Question& question);
Json value_of(const FactValue& fact);
Json parameters_of(const ParameterValues& parameters);
Json bound_of(const BoundAnswer& bound);
Json candidate_of(const CandidateAnswer& candidate);
Json skipped_of(const SkippedAnswer& skipped);
Json fault_of(const Fault& fault);
Json resource_of(const Resource& resource);

}  // namespace muster
