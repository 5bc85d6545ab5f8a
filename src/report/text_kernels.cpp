// A run of kernels, as text.
#include <fmt/format.h>

#include "base/counted.h"
#include "base/text_table.h"
#include "base/time_unit.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {

std::string text_report(const KernelsAnswer& answer, const Style& style) {
  constexpr auto right = TextTable::Align::right;
  std::string text = fmt::format("kernels on {}: {} with kernels on {}, {} engine\n\n", answer.machine,
                                 counted(answer.programs, "program"),
                                 counted(static_cast<std::int64_t>(answer.cores.size()), "core"), answer.engine);
  TextTable links({{"resource"}, {"bytes", right}, {"utilization", right}, {"busiest"}, {"busy", right}});
  bool has_links = false;
  for (const Resource& resource : answer.resources) {
    if (resource.bytes.value() == 0) continue;
    has_links = true;
    const double busy = answer.seconds.value() > 0 ? resource.busy.value() / answer.seconds.value() : 0;
    links.add({resource.name, grouped(resource.bytes.value()), share_text(resource.utilization), resource.busiest,
               share_text(busy)});
  }
  if (has_links) text += links.text(style) + "\n";
  text += fmt::format("total   {} cycles ({})\n", grouped(answer.cycles.value()), time_text(answer.seconds));
  text += fmt::format("host    exits with {}\n", answer.host_status);
  for (std::size_t begin = 0; begin < answer.host_output.size();) {
    const std::size_t end = std::min(answer.host_output.find('\n', begin), answer.host_output.size());
    text += fmt::format("        {}\n", answer.host_output.substr(begin, end - begin));
    begin = end + 1;
  }
  text += fmt::format("races   {}\n",
                      answer.findings.empty()
                          ? "none found"
                          : counted(static_cast<std::int64_t>(answer.findings.size()), "line") + " with one");
  for (const KernelFinding& found : answer.findings) {
    text += fmt::format("        {}:{}: {} ({}, cycle {}{}): {}\n", found.file, found.line, found.kind, found.location,
                        grouped(found.cycle.value()),
                        found.times > 1 ? fmt::format(", {} times", grouped(found.times)) : "", found.message);
  }
  if (answer.fault) {
    text += fmt::format("{} at {}, cycle {}: {}\n", answer.fault->kind, answer.fault->location,
                        grouped(answer.fault->cycle.value()), answer.fault->message);
  }
  return text;
}

}  // namespace muster
