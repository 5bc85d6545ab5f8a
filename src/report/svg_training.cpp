// Bars stand on a common base line: computing first, waits above, so that equal parts of neighbours can be compared.
#include "report/svg_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/svg_document.h"

namespace muster {
namespace {

constexpr double kBar = 17;
constexpr double kGap = 18;  ///< between the bars of two machines
constexpr double kHeight = 190;
constexpr double kLeft = 58;
constexpr double kAbove = 46;        ///< of a panel: its title, and numbers above bars
constexpr double kLeastBelow = 84;   ///< of a panel: names of schedulers and machines
constexpr double kMachineName = 24;  ///< below the names of schedulers
constexpr double kTitle = 13;        ///< size of letters
constexpr double kLine = 20;         ///< of the head: titles and legend
constexpr double kRight = 24;
constexpr double kSmall = 10;
constexpr double kSmallest = 8.5;

struct PartStyle {
  const char* name;
  const char* color;
  Seconds (*value)(const IterationAnswer&);
};
constexpr std::array<PartStyle, 5> kParts{{
    {"forward", "#4c78a8", [](const IterationAnswer& iteration) { return iteration.forward; }},
    {"gradients", "#f0a04b",
     [](const IterationAnswer& iteration) { return iteration.input_gradient + iteration.weight_gradient; }},
    {"update", "#9a9a9a", [](const IterationAnswer& iteration) { return iteration.update; }},
    {"waiting: model-parallel", "#59a14f", [](const IterationAnswer& iteration) { return iteration.exposed_model; }},
    {"waiting: data-parallel", "#d1495b", [](const IterationAnswer& iteration) { return iteration.exposed_data; }},
}};

using Panel = std::vector<const TrainingAnswer*>;

std::vector<Panel> panels_of(const std::vector<TrainingAnswer>& answers) {
  std::vector<Panel> panels;
  for (const TrainingAnswer& training : answers) {
    if (panels.empty() || panels.back().front()->workload != training.workload) panels.emplace_back();
    panels.back().push_back(&training);
  }
  return panels;
}

double bars_width(const TrainingAnswer& answer) { return kBar * static_cast<double>(answer.iterations.size()); }

/// What is below a group of bars.
std::string group_name(const TrainingAnswer& answer) {
  return answer.batch > 0 ? fmt::format("{}, batch {}", answer.machine, answer.batch) : answer.machine;
}

/// Of the bars, or of the name below them.
double group_width(const TrainingAnswer& answer) {
  return std::max(bars_width(answer), svg_text_width(group_name(answer), kSmallest)) + kGap;
}

/// What the names below a panel's bars need.
double below_of(const Panel& panel) {
  double below = kLeastBelow;
  for (const TrainingAnswer* const training : panel) {
    for (const IterationAnswer& bar : training->iterations) {
      below = std::max(below, svg_text_width(bar.name(), kSmallest) + kMachineName);
    }
  }
  return below;
}

double panel_width(const Panel& panel) {
  double width = kLeft + kRight;
  for (const TrainingAnswer* const training : panel) width += group_width(*training);
  return width;
}

/// What a bar of the whole height stands for: the baseline, or more where a scheduler is slower.
double most_of(const Panel& panel) {
  double most = 1;
  for (const TrainingAnswer* const training : panel) {
    for (const IterationAnswer& bar : training->iterations) most = std::max(most, 1 / bar.speedup);
  }
  return most;
}

void draw_bar(SvgDocument& svg, SvgPoint foot, const IterationAnswer& bar, double scale) {
  double y = foot.y;
  for (const PartStyle& part : kParts) {
    const double height = scale * part.value(bar).value();
    if (height <= 0) continue;
    y -= height;
    svg.rectangle({foot.x + 1, y}, kBar - 2, height, part.color);
  }
  if (bar.speedup != 1) {
    svg.text({foot.x + kBar / 2, y - 14}, fmt::format("{:.2f}", bar.speedup), {.size = kSmallest, .upright = true});
  }
  svg.text({foot.x + kBar / 2, foot.y + 5}, bar.name(),
           {.size = kSmallest, .anchor = SvgText::Anchor::end, .upright = true});
}

void draw_axis(SvgDocument& svg, SvgPoint foot, double width, double height_of_unit) {
  for (const double tick : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double y = foot.y - tick * height_of_unit;
    svg.line({foot.x, y}, {foot.x + width, y}, {.color = "#d8d8d8", .width = 0.8});
    svg.text({foot.x - 6, y}, fmt::format("{:g}", tick), {.size = kSmall, .anchor = SvgText::Anchor::end});
  }
  svg.text({foot.x - 40, foot.y - kHeight / 2}, "time / baseline", {.size = kSmall, .upright = true});
}

void draw_panel(SvgDocument& svg, const Panel& panel, SvgPoint corner) {
  const SvgPoint foot{corner.x + kLeft, corner.y + kAbove + kHeight};
  const double height_of_unit = kHeight / most_of(panel);
  svg.text({foot.x, corner.y + 12}, panel.front()->workload,
           {.size = 14, .anchor = SvgText::Anchor::start, .bold = true});
  draw_axis(svg, foot, panel_width(panel) - kLeft - kRight, height_of_unit);
  double left = foot.x;
  for (const TrainingAnswer* const training : panel) {
    const double baseline = training->iterations.front().total.value();
    const double scale = baseline > 0 ? height_of_unit / baseline : 0;
    const double middle = left + group_width(*training) / 2;
    double x = middle - bars_width(*training) / 2;
    for (const IterationAnswer& bar : training->iterations) {
      draw_bar(svg, {x, foot.y}, bar, scale);
      x += kBar;
    }
    svg.text({middle, foot.y + below_of(panel) - 14}, group_name(*training), {.size = kSmallest});
    left += group_width(*training);
  }
  svg.line(foot, {corner.x + panel_width(panel) - kRight, foot.y}, {});
}

/// In as many lines as the width needs, the first at `y`; returns where the last one ends.
double draw_legend(SvgDocument& svg, double y, double width) {
  double x = kLeft;
  for (const PartStyle& part : kParts) {
    const double needed = 17 + svg_text_width(part.name, 11);
    if (x > kLeft && x + needed > width) {
      x = kLeft;
      y += kLine;
    }
    svg.rectangle({x, y - 6}, 11, 11, part.color);
    svg.text({x + 17, y}, part.name, {.size = 11, .anchor = SvgText::Anchor::start});
    x += needed + 23;
  }
  return y + kLine;
}

}  // namespace

std::string svg_training(const std::vector<TrainingAnswer>& answers, const std::string& title,
                         const std::string& maker) {
  SvgDocument svg;
  const std::vector<Panel> panels = panels_of(answers);
  const std::string note = "above each bar: speed-up over the baseline";
  double width = kLeft + std::max(svg_text_width(title, kTitle), svg_text_width(note, kSmall));
  for (const Panel& panel : panels) width = std::max(width, panel_width(panel));
  svg.text({kLeft, kLine - 2}, title, {.size = kTitle, .anchor = SvgText::Anchor::start});
  svg.text({kLeft, 2 * kLine - 2}, note, {.size = kSmall, .anchor = SvgText::Anchor::start});
  double y = draw_legend(svg, 3 * kLine - 2, width);
  for (const Panel& panel : panels) {
    draw_panel(svg, panel, {0, y});
    y += kAbove + kHeight + below_of(panel);
  }
  return svg.finish(width, y + 8, title, maker);
}

}  // namespace muster
