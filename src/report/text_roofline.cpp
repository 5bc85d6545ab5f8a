// A machine's peaks and the propagators below them, as a table.
#include <fmt/format.h>

#include "base/counted.h"
#include "report/text_report.h"

namespace muster {

std::string text_report(const RooflineAnswer& answer, const Style& style) {
  std::string text =
      fmt::format("{}, order {}, {}\n\n", answer.precision, answer.order, counted(answer.threads, "thread"));
  text += fmt::format("memory      {:.1f} GB/s; one thread {:.1f}\n", answer.bandwidth.value() * 1e-9,
                      answer.bandwidth_of_one.value() * 1e-9);
  text += fmt::format("arithmetic  {:.4g} GFLOP/s; one thread {:.4g}\n", answer.operations * 1e-9,
                      answer.operations_of_one * 1e-9);
  text += fmt::format("ridge       {:.3g} operations per byte\n\n", answer.operations / answer.bandwidth.value());
  constexpr auto kRight = TextTable::Align::right;
  TextTable table({{"propagator"},
                   {"grid"},
                   {"flop/cell", kRight},
                   {"B/cell", kRight},
                   {"flop/B", kRight},
                   {"Gcell/s", kRight},
                   {"GFLOP/s", kRight},
                   {"bound by"},
                   {"share", kRight}});
  for (const RooflineAnswer::Propagator& propagator : answer.propagators) {
    table.add({propagator.name, fmt::format("{}", fmt::join(propagator.grid, "x")),
               fmt::format("{:g}", propagator.operations), fmt::format("{:g}", propagator.bytes),
               fmt::format("{:.2f}", propagator.intensity()), fmt::format("{:.4f}", propagator.cells_per_second * 1e-9),
               fmt::format("{:.1f}", propagator.cells_per_second * propagator.operations * 1e-9),
               propagator.is_bound_by_memory ? "memory" : "arithmetic",
               fmt::format("{:.0f}%", propagator.share() * 100)});
  }
  return text + table.text(style);
}

}  // namespace muster
