// Jobs that share a cluster, as JSON.
#include <fmt/format.h>

#include "report/json_parts.h"
#include "report/json_report.h"
#include "report/phrases.h"

namespace muster {

std::string json_report(const SharingAnswer& answer) {
  Json json = head();
  json["machine"] = answer.machine;
  json["dimensions"] = answer.shape;
  json["order"] = answer.order;
  json["seconds"] = answer.total.value();
  json["in_turn_seconds"] = answer.in_turn.value();
  json["utilization"] = value_of(possible_share(answer.utilization));
  json["jobs"] = Json::array();
  for (const SharedJobAnswer& job : answer.jobs) {
    json["jobs"].push_back(Json{{"collective", job.collective},
                                {"algorithm", job.algorithm},
                                {"bytes", job.bytes.value()},
                                {"chunks", job.chunks},
                                {"begin_seconds", job.begins.value()},
                                {"end_seconds", job.ends.value()},
                                {"seconds", job.taken().value()},
                                {"alone_seconds", job.alone.value()},
                                {"fingerprint_error_probability", job.error_probability}});
  }
  json["resources"] = Json::array();
  for (std::size_t d = 0; d < answer.dimensions.size(); ++d) {
    const SharingAnswer::Dimension& dimension = answer.dimensions[d];
    json["resources"].push_back(Json{{"name", fmt::format("dimension {}", d + 1)},
                                     {"busy_seconds", dimension.busy.value()},
                                     {"utilization", value_of(possible_share(dimension.utilization))}});
  }
  return finish(json);
}

}  // namespace muster
