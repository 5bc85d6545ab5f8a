// Answers about a stencil as text: those of plan and simulate, and below them what a PE's memory holds.
#include <fmt/format.h>

#include "base/counted.h"
#include "base/text_table.h"
#include "report/phrases.h"
#include "report/text_report.h"

namespace muster {
namespace {

constexpr auto kRight = TextTable::Align::right;

std::string medium_line(const StencilFacts& facts) {
  return labelled("medium", fmt::format("{:g} m/s on cells of {:g} m; a time step of {:.4g} ms, {:.3g} of the largest "
                                        "stable one",
                                        facts.velocity, facts.spacing, facts.time_step.value() * 1e3, facts.cfl));
}

std::string rate_line(const StencilRate& rate) {
  return labelled("rate", fmt::format("{:.1f} cycles per step, {:.5g} Gcell/s", rate.cycles_per_step,
                                      rate.cells_per_second * 1e-9));
}

std::string memory_line(const StencilFacts& facts) {
  return labelled("memory",
                  fmt::format("{} of a PE's {} with {} of {}; at most {} cells along z fit", to_text(facts.memory_used),
                              to_text(facts.memory_available), counted(facts.blocks, "block"),
                              counted(facts.block, "cell"), grouped(facts.most_cells)));
}

std::string memory_table(const StencilFacts& facts, const Style& style) {
  TextTable table({{"memory of a PE"}, {"bytes", kRight}});
  for (const StencilFacts::Part& part : facts.memory) table.add({part.name, grouped(part.size.value())});
  return table.text(style);
}

std::string small_grid_line(const SmallGrid& small) {
  if (!small.fault.empty()) return labelled("small grid", fmt::format("{}: {}", small.grid, small.fault));
  return labelled("small grid",
                  fmt::format("{} cells, with the same columns and neighbourhoods: {} simulated, {} predicted; the "
                              "result {}",
                              small.grid, counted(small.cycles->value(), "cycle"), grouped(small.predicted.value()),
                              small.result_correct ? "equals the reference" : "is WRONG"));
}

std::string proof_of(const SmallGrid& small) {
  if (!small.verified) return fmt::format("not as a whole; 'small grid' says why not in part");
  return fmt::format("not as a whole; the schedule of a small grid, {}, is proven {}", small.grid,
                     proof_text(small.error_probability));
}

/// Rates and memory stand before what is to be typed next.
std::string with_lines(const std::string& text, const std::string& lines) {
  const std::size_t next = text.find("\nnext ");
  return next == std::string::npos ? text + lines : text.substr(0, next + 1) + lines + text.substr(next + 1);
}

}  // namespace

std::string text_report(const StencilPlanAnswer& answer, const Style& style) {
  PlanAnswer plan = answer.plan;
  if (answer.small_grid) plan.proof = proof_of(*answer.small_grid);
  std::string lines = answer.small_grid ? small_grid_line(*answer.small_grid) : "";
  lines += rate_line(answer.rate) + medium_line(answer.facts) + memory_line(answer.facts);
  return with_lines(text_report(plan, style), lines) + "\n" + memory_table(answer.facts, style);
}

std::string text_report(const StencilRunAnswer& answer, const Style& style) {
  std::string text = text_report(answer.run, style);
  if (!answer.run.result.cycles) return text;
  return text + "\n" + rate_line(answer.rate) +
         labelled("busy",
                  fmt::format("the datapath of a PE works in {} of the cycles, in the mean", share_text(answer.busy))) +
         medium_line(answer.facts) + memory_line(answer.facts);
}

namespace {

std::string work_table(const StencilExplainAnswer& answer, const Style& style) {
  TextTable table({{"work of a PE"}, {"slots per cell", kRight}, {"of its cycles", kRight}, {"what"}});
  for (const StencilExplainAnswer::Work& work : answer.work) {
    table.add({work.name, work.slots > 0 ? grouped(work.slots) : "-", share_text(work.share), work.what});
  }
  return table.text(style);
}

std::string counts_table(const StencilExplainAnswer& answer, const Style& style) {
  TextTable table({{"counts per cell of an inner PE"},
                   {"instructions", kRight},
                   {"operations", kRight},
                   {"loads and stores", kRight},
                   {"words in", kRight},
                   {"words out", kRight}});
  for (const StencilExplainAnswer::CountsRow& row : answer.counts) {
    table.add({row.name, fmt::format("{:g}", row.arithmetic), fmt::format("{:g}", row.operations),
               fmt::format("{:.4g}", row.accesses), fmt::format("{:g}", row.received), fmt::format("{:g}", row.sent)});
  }
  return table.text(style);
}

std::string occupancy_table(const StencilExplainAnswer& answer, const Style& style) {
  TextTable table({{"resource"}, {"bytes", kRight}, {"utilization", kRight}});
  for (const Resource& r : answer.resources) {
    table.add({r.name, grouped(r.bytes.value()), share_text(r.utilization)});
  }
  return table.text(style);
}

}  // namespace

std::string text_report(const StencilExplainAnswer& answer, const Style& style) {
  std::string text = question_text(answer.question) + "\n\n";
  text += work_table(answer, style) + "\n" + occupancy_table(answer, style) + "\n" + counts_table(answer, style) + "\n";
  text +=
      labelled("simulated", fmt::format("{} cells: {}", answer.measured_on, counted(answer.cycles.value(), "cycle")));
  text += rate_line(answer.rate);
  if (!answer.waits.empty()) text += labelled("waits", answer.waits);
  for (const BoundAnswer& bound : answer.bounds) {
    text += labelled(bound.for_pipeline ? "bound" : "in model",
                     fmt::format("{} ({}): {}", counted(bound.cycles->value(), "cycle"), bound.name, bound.proves));
  }
  return text + medium_line(answer.facts) + memory_line(answer.facts);
}

}  // namespace muster
