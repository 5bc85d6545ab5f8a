// A run of a wave propagation as JSON.
#include "report/json_parts.h"
#include "report/json_report.h"

namespace muster {
namespace {

Json json_of(const CommunicationPrediction& prediction) {
  Json exchanges = Json::array();
  for (const Seconds exchange : prediction.exchanges) exchanges.push_back(exchange.value());
  return {{"machine", prediction.machine},
          {"ranks", prediction.ranks},
          {"processes", prediction.processes},
          {"placement", prediction.placement},
          {"bytes_per_step", prediction.sent.value()},
          {"messages_per_step", prediction.messages},
          {"exchange_seconds", exchanges},
          {"exchange_seconds_per_step", prediction.exchange.value()},
          {"sum_seconds", prediction.sum.value()},
          {"sum_algorithm", prediction.sum_algorithm}};
}

}  // namespace

std::string json_report(const WavefieldAnswer& answer) {
  Json json = head();
  json["shot"] = answer.shot;
  json["propagator"] = answer.propagator;
  json["mode"] = answer.mode;
  json["target"] = answer.target;
  json["grid"] = answer.grid;
  json["precision"] = answer.precision;
  json["arithmetic"] = answer.arithmetic;
  json["steps"] = answer.steps;
  json["time_step"] = answer.time_step.value();
  json["cfl"] = answer.cfl;
  json["points_per_wavelength"] = answer.points_per_wavelength > 0 ? Json(answer.points_per_wavelength) : Json();
  json["seconds"] = answer.total.value();
  json["kernel_seconds"] = answer.kernels.value();
  json["cells_per_second"] = answer.cells_per_second;
  json["memory_bytes"] = answer.memory.value();
  json["threads"] = answer.threads;
  json["ranks"] = answer.ranks;
  json["bytes_sent"] = answer.sent.value();
  json["messages_sent"] = answer.messages;
  json["wavefield"] = Json{{"min", answer.least}, {"max", answer.most}, {"l2", answer.norm}};
  json["checksum"] = answer.checksum;
  json["outputs"] = answer.outputs;
  json["shots"] = answer.shots;
  json["warnings"] = answer.warnings;
  return finish(json);
}

std::string json_report(const WavefieldPlan& plan) {
  const auto known = [](const std::optional<Bytes>& bytes) { return bytes ? Json(bytes->value()) : Json(); };
  const auto positive = [](double number) { return number > 0 ? Json(number) : Json(); };
  Json json = head();
  json["shot"] = plan.shot;
  json["propagator"] = plan.propagator;
  json["mode"] = plan.mode;
  json["target"] = plan.target;
  json["grid"] = plan.grid;
  json["precision"] = plan.precision;
  json["arithmetic"] = plan.arithmetic;
  json["shots"] = plan.shots;
  json["steps"] = plan.steps;
  json["time_step"] = plan.time_step.value();
  json["largest_stable_time_step"] = plan.longest_step.value();
  json["cfl"] = plan.cfl;
  json["duration"] = plan.duration.value();
  json["fastest"] = plan.fastest;
  json["slowest"] = plan.slowest;
  json["frequency"] = positive(plan.frequency);
  json["points_per_wavelength"] = positive(plan.points_per_wavelength);
  json["highest_frequency"] = positive(plan.highest);
  json["points_per_wavelength_at_highest"] = positive(plan.points_per_wavelength_at_highest);
  json["boundaries"] = plan.layers;
  json["layer_share"] = plan.layer_share;
  json["receivers"] = plan.receivers;
  json["memory_bytes"] = plan.memory.value();
  json["memory_available_bytes"] = known(plan.memory_available);
  json["output_bytes"] = plan.disk.value();
  json["disk_available_bytes"] = known(plan.disk_available);
  json["checkpoint_bytes"] = plan.checkpoint.value();
  json["estimated_kernel_seconds"] = plan.estimate.value();
  json["trial"] = Json{{"grid", plan.trial_grid}, {"cells_per_second", plan.cells_per_second}};
  json["threads"] = plan.threads;
  json["outputs"] = Json::array();
  for (const WavefieldPlan::Output& output : plan.outputs) {
    json["outputs"].push_back(Json{{"path", output.path}, {"bytes", output.size.value()}});
  }
  json["prediction"] = plan.prediction ? json_of(*plan.prediction) : Json(nullptr);
  json["refusals"] = plan.refusals;
  json["warnings"] = plan.warnings;
  return finish(json);
}

}  // namespace muster
