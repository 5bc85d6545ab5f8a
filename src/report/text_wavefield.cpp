// A run of a wave propagation, in a few lines.
#include <fmt/format.h>

#include "base/counted.h"
#include "report/text_report.h"

namespace muster {

std::string text_report(const WavefieldAnswer& answer, const Style& /*style*/) {
  std::string text = fmt::format("{}: {} on {} cells, {} steps of {}, {} on {}, {}\n\n", answer.shot, answer.propagator,
                                 fmt::join(answer.grid, "x"), grouped(answer.steps), to_text(answer.time_step),
                                 answer.precision, answer.target, counted(answer.threads, "thread"));
  text += fmt::format("stability   the time step is {:.3g} of the largest stable one\n", answer.cfl);
  if (answer.points_per_wavelength > 0) {
    text += fmt::format("resolution  {:.1f} cells per wavelength at the slowest velocity and the source's frequency\n",
                        answer.points_per_wavelength);
  }
  text += fmt::format("memory      {}\n", to_text(answer.memory));
  text += fmt::format("time        {}, of which kernels {} ({:.3g} Gcell/s)\n", to_text(answer.total),
                      to_text(answer.kernels), answer.cells_per_second * 1e-9);
  text += fmt::format("wavefield   from {:.6g} to {:.6g}, norm {:.6g}, checksum {}\n", answer.least, answer.most,
                      answer.norm, answer.checksum);
  for (const std::string& output : answer.outputs) text += fmt::format("written     {}\n", output);
  return text;
}

}  // namespace muster
