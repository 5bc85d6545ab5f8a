// A run of a wave propagation, in a few lines.
#include <fmt/format.h>

#include <string_view>

#include "base/counted.h"
#include "report/text_report.h"

namespace muster {
namespace {

/// What both reports begin with.
template <class Answer>
std::string title_of(const Answer& answer) {
  const std::string shots = answer.shots > 1 ? fmt::format("{} shots of ", grouped(answer.shots)) : "";
  const std::string_view mode = answer.mode == "adjoint" ? "adjoint of " : "";
  const std::string_view arithmetic = answer.arithmetic == "wafer" ? " as a wafer computes it," : "";
  return fmt::format("{}: {}{} on {} cells, {}{} steps of {}, {}{} on {}, {}\n\n", answer.shot, mode, answer.propagator,
                     fmt::join(answer.grid, "x"), shots, grouped(answer.steps), to_text(answer.time_step),
                     answer.precision, arithmetic, answer.target, counted(answer.threads, "thread"));
}

std::string of_available(const std::optional<Bytes>& available) {
  return available ? fmt::format(", {} are available", to_text(*available)) : "";
}

std::string text_of(const CommunicationPrediction& prediction) {
  std::string text = fmt::format(
      "on {}  {} ranks as {}, {}\n"
      "            halos take {} per step if nothing hides them: {} in {} messages, in {}\n",
      prediction.machine, grouped(prediction.ranks), fmt::join(prediction.processes, "x"), prediction.placement,
      to_text(prediction.exchange), to_text(prediction.sent), grouped(prediction.messages),
      counted(static_cast<std::int64_t>(prediction.exchanges.size()), "exchange"));
  return text + fmt::format("            a sum over all ranks, as for an energy, takes {} ({})\n",
                            to_text(prediction.sum), prediction.sum_algorithm);
}

}  // namespace

std::string text_report(const WavefieldAnswer& answer, const Style& /*style*/) {
  std::string text = title_of(answer);
  text += fmt::format("stability   the time step is {:.3g} of the largest stable one\n", answer.cfl);
  if (answer.points_per_wavelength > 0) {
    text += fmt::format("resolution  {:.1f} cells per wavelength at the slowest velocity and the source's frequency\n",
                        answer.points_per_wavelength);
  }
  text += fmt::format("memory      {}\n", to_text(answer.memory));
  text += fmt::format("time        {}, of which kernels {} ({:.3g} Gcell/s)\n", to_text(answer.total),
                      to_text(answer.kernels), answer.cells_per_second * 1e-9);
  if (answer.ranks > 1) {
    text += fmt::format("ranks       {}, which sent {} in {} messages to their neighbours\n", grouped(answer.ranks),
                        to_text(answer.sent), grouped(answer.messages));
  }
  text += fmt::format("wavefield   from {:.6g} to {:.6g}, norm {:.6g}, checksum {}\n", answer.least, answer.most,
                      answer.norm, answer.checksum);
  for (const std::string& output : answer.outputs) text += fmt::format("written     {}\n", output);
  for (const std::string& warning : answer.warnings) text += fmt::format("warning     {}\n", warning);
  return text;
}

std::string text_report(const WavefieldPlan& plan, const Style& /*style*/) {
  std::string text = title_of(plan);
  text += fmt::format("stability   the time step is {:.3g} of the largest stable one, {}; {:.4g} s in all\n", plan.cfl,
                      to_text(plan.longest_step), plan.duration.value());
  text += fmt::format("velocities  from {:g} to {:g} m/s\n", plan.slowest, plan.fastest);
  if (plan.frequency > 0) {
    text += fmt::format(
        "resolution  {:.2f} cells per wavelength at the slowest velocity and {:.4g} Hz, which must be at least 2.5; "
        "{:.2f} at "
        "{:.4g} Hz, the highest frequency that matters\n",
        plan.points_per_wavelength, plan.frequency, plan.points_per_wavelength_at_highest, plan.highest);
  }
  text += fmt::format("boundaries  {}; {:.0f}% of the cells are in layers\n", plan.layers, plan.layer_share * 100);
  text += fmt::format("memory      {}{}\n", to_text(plan.memory), of_available(plan.memory_available));
  text += fmt::format("disk        {}{}; a checkpoint has {}\n", to_text(plan.disk), of_available(plan.disk_available),
                      to_text(plan.checkpoint));
  text += fmt::format("time        about {} in kernels, by a trial on {} cells ({:.3g} Gcell/s)\n",
                      to_text(plan.estimate), fmt::join(plan.trial_grid, "x"), plan.cells_per_second * 1e-9);
  if (plan.prediction) text += text_of(*plan.prediction);
  for (const WavefieldPlan::Output& output : plan.outputs) {
    text += fmt::format("writes      {} ({})\n", output.path, to_text(output.size));
  }
  for (const std::string& refusal : plan.refusals) text += fmt::format("refused     {}\n", refusal);
  for (const std::string& warning : plan.warnings) text += fmt::format("warning     {}\n", warning);
  return text;
}

}  // namespace muster
