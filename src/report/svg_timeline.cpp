// Boxes that are too narrow for their mark have none; those narrower than a line are drawn together.
#include "report/svg_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/time_unit.h"
#include "report/phrases.h"
#include "report/svg_document.h"
#include "report/svg_scale.h"
#include "result/time_base.h"

namespace muster {
namespace {

constexpr double kLeft = 150;    // where time begins
constexpr double kRight = 1050;  // where it ends
constexpr double kWidth = 1150;
constexpr double kTop = 86;
constexpr std::size_t kFew = 12;  // tracks that have high rows
constexpr double kRow = 46;
constexpr double kBox = 34;
constexpr double kLowRow = 22;  // where there are more
constexpr double kLowBox = 16;
constexpr double kMark = 11;
constexpr double kEdge = 7;   // boxes below this have no space for a gap beside them
constexpr double kGap = 1.5;  // more than a pixel: edges are drawn on whole ones
constexpr double kRun = 3;    // boxes that are drawn together are no wider

const char* const kMuted = "#555555";
const char* const kIdle = "#eeeeee";
const std::array<const char*, 4> kFills{"#0072b2", "#e69f00", "#009e73", "#cc79a7"};

std::string fill_of(std::int32_t kind) { return kFills[static_cast<std::size_t>(std::max(kind, 0)) % kFills.size()]; }

/// Of the timeline's ticks: picoseconds, or cycles of a clock, as many as the run took in its seconds.
TimeBase time_base_of(const SimulationAnswer& answer) {
  if (answer.result.timeline->in_picoseconds || !answer.result.cycles) return kPicoseconds;
  return {.ticks_per_second = static_cast<double>(answer.result.cycles->value()) / answer.result.seconds.value(),
          .is_clock = true};
}

class TimelineDrawing {
 public:
  explicit TimelineDrawing(const SimulationAnswer& answer)
      : answer_(answer),
        timeline_(*answer.result.timeline),
        base_(time_base_of(answer)),
        row_(timeline_.tracks.size() <= kFew ? kRow : kLowRow),
        box_(timeline_.tracks.size() <= kFew ? kBox : kLowBox),
        end_(answer.result.seconds.value() * 1e6),
        scale_({.title = "us"}, 0, end_, kLeft, kRight) {}

  std::string draw(const std::string& settings, const std::string& maker) {
    const std::string title = fmt::format("{}{}{}", algorithm_text(answer_.algorithm, answer_.parameters),
                                          settings.empty() ? "" : ", ", settings);
    svg_.text({kWidth / 2, 20}, question_text(answer_.question), {.size = 15, .bold = true});
    svg_.text({kWidth / 2, 41},
              fmt::format("{}: {}, {} of the bandwidth", title, time_text(answer_.result.seconds),
                          share_text(answer_.result.utilization)),
              {.size = 13});
    draw_legend();
    for (std::size_t t = 0; t < timeline_.tracks.size(); ++t) draw_row(t);
    draw_spans();
    draw_axis();
    return svg_.finish(kWidth, bottom() + 50, question_text(answer_.question), maker);
  }

 private:
  [[nodiscard]] double x(Ticks time) const { return scale_.position(to_microseconds(time, base_)); }
  [[nodiscard]] double top_of(std::size_t track) const { return kTop + row_ * static_cast<double>(track); }
  [[nodiscard]] double bottom() const { return top_of(timeline_.tracks.size()); }

  void draw_row(std::size_t track) {
    const double middle = top_of(track) + box_ / 2;
    svg_.rectangle({kLeft, top_of(track)}, kRight - kLeft, box_, kIdle);
    svg_.text({kLeft - 12, middle}, timeline_.tracks[track].name, {.size = 12, .anchor = SvgText::Anchor::end});
    Ticks busy;
    for (const TimelineSpan& span : timeline_.spans) {
      if (span.track == static_cast<std::int32_t>(track)) busy += span.in_use();
    }
    svg_.text({kRight + 10, middle}, fmt::format("{:.1f}% busy", 100 * to_microseconds(busy, base_) / end_),
              {.size = 12, .anchor = SvgText::Anchor::start, .color = kMuted});
  }

  /// A run of boxes that are drawn as one.
  struct Run {
    const TimelineSpan* first = nullptr;
    double from = 0, to = 0;
    int boxes = 0;
  };

  void draw_spans() {
    Run run;
    for (const TimelineSpan& span : timeline_.spans) {
      const double from = x(span.begin), to = x(span.end);
      const bool joins = run.boxes > 0 && span.track == run.first->track && span.kind == run.first->kind &&
                         to - from < 1 && from - run.to < 0.25 && run.to - run.from < kRun;
      if (joins) {
        run.to = to;
        ++run.boxes;
        continue;
      }
      draw_run(run);
      run = {.first = &span, .from = from, .to = to, .boxes = 1};
    }
    draw_run(run);
  }

  void draw_run(const Run& run) {
    if (run.boxes == 0) return;
    const double width = run.to - run.from;
    const double gap = width < kEdge ? 0 : kGap;
    const double top = top_of(static_cast<std::size_t>(run.first->track));
    svg_.rectangle({run.from, top}, width - gap, box_, fill_of(run.first->kind));
    if (run.boxes > 1 || svg_text_width(run.first->mark, kMark) + 3 > width) return;
    svg_.text({run.from + (width - gap) / 2, top + box_ / 2}, run.first->mark, {.size = kMark, .color = "#ffffff"});
  }

  void draw_axis() {
    const double y = bottom();
    svg_.line({kLeft, y}, {kRight, y}, {.color = kMuted});
    for (const SvgScale::Tick& tick : scale_.ticks(11, SvgScale::Along::width)) {
      svg_.line({tick.position, y}, {tick.position, y + (tick.label.empty() ? 3.0 : 5.0)}, {.color = kMuted});
      if (!tick.label.empty()) svg_.text({tick.position, y + 14}, tick.label, {.size = 11, .color = kMuted});
    }
    svg_.text({(kLeft + kRight) / 2, y + 34}, "time in us", {.size = 12});
    svg_.line({kRight, kTop - 8}, {kRight, y}, {.color = "#222222", .width = 1, .dashes = "4 3"});
  }

  /// A box of every kind that occurs, and one of idle time.
  void draw_legend() {
    std::vector<std::pair<std::string, std::string>> entries;
    const std::string what = timeline_.done_to.empty() ? "" : " of " + timeline_.done_to;
    for (std::size_t k = 0; k < timeline_.kinds.size(); ++k) {
      entries.emplace_back(fill_of(static_cast<std::int32_t>(k)), timeline_.kinds[k] + what);
    }
    entries.emplace_back(kIdle, "idle");
    double total = 0;
    const auto width_of = [](const std::string& words) { return 22 + svg_text_width(words, 12) + 22; };
    for (const auto& [fill, words] : entries) total += width_of(words);
    double left = kWidth / 2 - total / 2;
    for (const auto& [fill, words] : entries) {
      svg_.rectangle({left, 57}, 16, 12, fill);
      svg_.text({left + 22, 63}, words, {.size = 12, .anchor = SvgText::Anchor::start});
      left += width_of(words);
    }
  }

  const SimulationAnswer& answer_;
  const Timeline& timeline_;
  TimeBase base_;
  double row_;
  double box_;
  double end_;  // in microseconds
  SvgScale scale_;
  SvgDocument svg_;
};

}  // namespace

std::string svg_timeline(const SimulationAnswer& answer, const std::string& settings, const std::string& maker) {
  return TimelineDrawing(answer).draw(settings, maker);
}

}  // namespace muster
