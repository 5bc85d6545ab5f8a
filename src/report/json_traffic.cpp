// A run of a list of transactions, as JSON.
#include "report/json_parts.h"
#include "report/json_report.h"

namespace muster {

std::string json_report(const TrafficAnswer& answer) {
  Json json = head();
  json["machine"] = answer.machine;
  json["engine"] = answer.engine;
  json["cycles"] = answer.cycles.value();
  json["seconds"] = answer.seconds.value();
  json["transactions"] = Json::array();
  for (const TransactionTimes& row : answer.transactions) {
    json["transactions"].push_back(
        Json{{"id", row.id}, {"start_cycle", row.start.value()}, {"end_cycle", row.end.value()}});
  }
  json["resources"] = Json::array();
  for (const Resource& resource : answer.resources) json["resources"].push_back(resource_of(resource));
  if (answer.fault) json["fault"] = fault_of(*answer.fault);
  return finish(json);
}

}  // namespace muster
