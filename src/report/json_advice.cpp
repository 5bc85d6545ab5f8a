// Advice for the designer of a cluster as JSON.
#include "report/json_parts.h"
#include "report/json_report.h"

namespace muster {
namespace {

const char* provision_name(Provision provision) {
  switch (provision) {
    case Provision::just_enough:
      return "just enough";
    case Provision::over:
      return "over";
    case Provision::under:
      return "under";
  }
  return "";
}

Json dimension_of(const AdviceAnswer& answer, const AdviceAnswer::Dimension& dimension) {
  Json json;
  json["kind"] = dimension.kind;
  json["size"] = dimension.size;
  json["bandwidth"] = dimension.bandwidth.value();
  json["share"] = dimension.share;
  json["baseline_busy"] = dimension.baseline_busy;
  json["baseline_wasted"] = dimension.baseline_wasted.value();
  json["baseline_best"] = dimension.baseline_best.value();
  json["least"] = (answer.bandwidth * dimension.least_share).value();
  json["most"] = (answer.bandwidth * dimension.most_share).value();
  json["in_range"] = dimension.in_range();
  return json;
}

Json pair_of(const AdviceAnswer::Pair& pair) {
  Json json;
  json["first"] = pair.first;
  json["second"] = pair.second;
  json["provision"] = provision_name(pair.provision);
  json["ratio"] = pair.ratio;
  json["enough"] = pair.enough.value();
  return json;
}

Json spread_of(const AdviceAnswer::Spread& spread) {
  Json json;
  json["workload"] = spread.workload;
  json["seconds"] = spread.now.value();
  json["best_seconds"] = spread.best.value();
  json["best_bandwidths"] = Json::array();
  for (const BytesPerSecond bandwidth : spread.bandwidths) json["best_bandwidths"].push_back(bandwidth.value());
  json["tried"] = spread.tried;
  return json;
}

}  // namespace

std::string json_report(const AdviceAnswer& answer) {
  Json json = head();
  json["machine"] = answer.machine;
  json["summary"] = answer.summary;
  json["dimensions"] = answer.shape;
  json["collectives"] = answer.collectives;
  json["bandwidth"] = answer.bandwidth.value();
  json["advice"] = Json::array();
  for (const AdviceAnswer::Dimension& dimension : answer.dimensions)
    json["advice"].push_back(dimension_of(answer, dimension));
  json["pairs"] = Json::array();
  for (const AdviceAnswer::Pair& pair : answer.pairs) json["pairs"].push_back(pair_of(pair));
  json["baseline"] = Json{{"utilization", answer.baseline_utilization}, {"limiting", answer.baseline_limiting}};
  const bool limited = !answer.limiting.empty();
  json["optimum"] = Json{{"utilization", answer.ceiling},
                         {"limiting", answer.limiting},
                         {"share", limited ? Json(answer.limiting_share) : Json(nullptr)},
                         {"least_share", limited ? Json(answer.limiting_least) : Json(nullptr)}};
  json["workloads"] = Json::array();
  for (const AdviceAnswer::Spread& spread : answer.spreads) json["workloads"].push_back(spread_of(spread));
  json["notes"] = answer.notes;
  return finish(json);
}

}  // namespace muster
