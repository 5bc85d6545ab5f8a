// Arcs are half ellipses, as high as there is space for the longest.
#include "report/svg_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/counted.h"
#include "report/phrases.h"
#include "report/svg_document.h"

namespace muster {
namespace {

constexpr std::size_t kNamedProcessors = 64;
constexpr double kMargin = 100;
constexpr double kTop = 64;
constexpr double kMostBelow = 64;  // of the highest arc below the line
constexpr double kSmall = 9.5;
constexpr double kMostWidth = 1400;
constexpr double kTitle = 15;

const char* const kMuted = "#555555";

const std::array<const char*, 8> kColors{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                         "#e69f00", "#56b4e9", "#7b3fa0", "#777777"};

std::size_t length_of(const LinePicture::Message& message) {
  return message.from > message.to ? message.from - message.to : message.to - message.from;
}

class LineDrawing {
 public:
  explicit LineDrawing(const LinePicture& picture)
      : picture_(picture), processors_(std::max<std::size_t>(picture.names.size(), 1)) {
    std::set<int> channels;
    for (const auto& message : picture.messages) {
      channels.insert(message.channel);
      std::size_t& longest = message.multicast ? longest_below_ : longest_above_;
      longest = std::max(longest, length_of(message));
    }
    channels_.assign(channels.begin(), channels.end());
    const double wanted = is_named() ? 30 : 16;
    const auto gaps = static_cast<double>(std::max<std::size_t>(processors_ - 1, 1));
    step_ = std::min(wanted, (kMostWidth - 2 * kMargin) / gaps);
    if (is_named()) step_ = std::max(step_, 18.0);
    width_ = std::max(2 * kMargin + step_ * static_cast<double>(processors_ - 1),
                      svg_text_width(picture.title, kTitle) + 40);
    base_ = kTop + height_of(longest_above_) + 16;
  }

  std::string draw(const std::string& maker) {
    svg_.text({width_ / 2, 22}, picture_.title, {.size = kTitle, .bold = true});
    draw_legend();
    svg_.line({x(0), base_}, {x(processors_ - 1), base_}, {.color = "#bbbbbb", .width = 1});
    draw_messages();
    for (std::size_t i = 0; i < picture_.names.size(); ++i) draw_processor(i);
    draw_captions();
    const double below = names_at() + (is_named() ? 62 : 22);
    return svg_.finish(width_, below, picture_.title, maker);
  }

 private:
  [[nodiscard]] bool is_named() const { return processors_ <= kNamedProcessors; }
  [[nodiscard]] double x(std::size_t index) const {
    const double all = step_ * static_cast<double>(processors_ - 1);
    return (width_ - all) / 2 + step_ * static_cast<double>(index);
  }
  [[nodiscard]] double depth_of(std::size_t length) const { return std::min(height_of(length), kMostBelow); }
  /// Arcs grow with their length, but a long one only by its root, so that short ones stay visible.
  [[nodiscard]] double height_of(std::size_t length) const {
    if (length == 0) return 0;
    const double natural = 0.5 * step_ * static_cast<double>(length);
    return std::min(natural, 14 * std::sqrt(static_cast<double>(length)) + 4);
  }
  [[nodiscard]] double names_at() const {
    return base_ + (longest_below_ > 0 ? depth_of(longest_below_) + 12 : 0) + 10;
  }
  [[nodiscard]] std::string color_of(int channel) const {
    const auto position = std::find(channels_.begin(), channels_.end(), channel) - channels_.begin();
    return kColors[static_cast<std::size_t>(position) % kColors.size()];
  }

  void draw_messages() {
    std::vector<LinePicture::Message> all = picture_.messages;
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return length_of(a) > length_of(b); });
    const double thin = is_named() ? 1.8 : std::clamp(step_ / 3, 0.6, 1.4);
    for (const LinePicture::Message& message : all) {
      const double height = message.multicast ? -depth_of(length_of(message)) : height_of(length_of(message));
      const std::string color = color_of(message.channel);
      svg_.arc({x(message.from), base_}, {x(message.to), base_}, height, {.color = color, .width = thin});
      if (step_ >= 8) draw_arrow(message, color);
    }
  }

  /// A small triangle that points at the point where the message ends.
  void draw_arrow(const LinePicture::Message& message, const std::string& color) {
    const double side = message.from > message.to ? 1 : -1;
    const double up = message.multicast ? 1 : -1;
    const double tip_x = x(message.to) + side * 1.5, tip_y = base_ + up * 5;
    svg_.polygon({{tip_x, tip_y}, {tip_x + side * 6, tip_y + up * 4}, {tip_x + side * 0.5, tip_y + up * 8}}, color);
  }

  void draw_processor(std::size_t index) {
    const bool owes = std::find(picture_.owing.begin(), picture_.owing.end(), index) != picture_.owing.end();
    const double radius = std::clamp(step_ / 4, 1.0, 4.5);
    svg_.circle({x(index), base_}, owes ? radius + 1 : radius, owes ? "#111111" : "#888888");
    const double top = names_at();
    if (is_named()) {
      svg_.text({x(index), top + 4}, picture_.names[index], {.size = kSmall, .color = kMuted});
      const auto& end = picture_.ends[index];
      if (!end) return;
      svg_.text({x(index), top + 16}, grouped(end->value()),
                {.size = kSmall, .anchor = SvgText::Anchor::end, .bold = owes, .upright = true});
      return;
    }
    std::size_t every = 1;
    while (static_cast<double>(every) * step_ < 44) every *= 2;
    if (index % every == 0) svg_.text({x(index), top + 4}, picture_.names[index], {.size = 10, .color = kMuted});
  }

  void draw_captions() {
    const SvgText style{.size = kSmall, .anchor = SvgText::Anchor::end, .color = kMuted};
    svg_.text({x(0) - 16, names_at() + 4}, "PE", style);
    if (is_named()) svg_.text({x(0) - 16, names_at() + 26}, "done at cycle", style);
  }

  void draw_legend() {
    double total = 0;
    const auto entry_width = [](int channel) { return 34 + svg_text_width(fmt::format("color {}", channel), 12) + 18; };
    for (const int channel : channels_) total += entry_width(channel);
    double left = width_ / 2 - total / 2;
    for (const int channel : channels_) {
      svg_.line({left, 44}, {left + 26, 44}, {.color = color_of(channel), .width = 2.5});
      svg_.text({left + 34, 44}, fmt::format("color {}", channel), {.size = 12, .anchor = SvgText::Anchor::start});
      left += entry_width(channel);
    }
  }

  const LinePicture& picture_;
  std::size_t processors_;
  std::vector<int> channels_;
  std::size_t longest_above_ = 0, longest_below_ = 0;
  double step_ = 0, width_ = 0, base_ = 0;
  SvgDocument svg_;
};

}  // namespace

std::string svg_line(const LinePicture& picture, const std::string& maker) { return LineDrawing(picture).draw(maker); }

}  // namespace muster
