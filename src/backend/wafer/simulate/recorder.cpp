// What was written down during a simulation, as tracks and spans.
#include "backend/wafer/simulate/recorder.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/index.h"

namespace muster::wafer {
namespace {

constexpr std::int32_t kLinks = kDirections - 1;  ///< of a router, without the ramp

}  // namespace

Recorder::Recorder(const WaferProgram& program) : program_(program), open_(program.class_of.size() * at(kLinks)) {
  for (std::size_t i = 0; i < open_.size(); ++i) open_[i].link = static_cast<std::int32_t>(i);
}

void Recorder::moves(NodeId router, Directions to, Tick now) {
  for (unsigned left = to & ~set_of(Direction::ramp); left != 0; left &= left - 1) {
    Busy& open = open_[at(router * kLinks + std::countr_zero(left))];
    if (open.end != now) {
      if (open.end > open.begin) busy_.push_back(open);
      open.begin = now;
    }
    open.end = now + 1;
  }
}

void Recorder::operation(NodeId node, const Operation& operation, Tick begin, Tick end) {
  done_.push_back({.node = node, .operation = &operation, .begin = begin, .end = end});
}

/// Ends the intervals that are not over.
void Recorder::close() {
  for (Busy& open : open_) {
    if (open.end > open.begin) busy_.push_back(open);
    open.begin = open.end;
  }
}

void Recorder::add(Recorder&& other) {
  other.close();
  busy_.insert(busy_.end(), other.busy_.begin(), other.busy_.end());
  done_.insert(done_.end(), other.done_.begin(), other.done_.end());
}

Timeline Recorder::finish() && {
  close();
  Timeline timeline;
  add_operations(timeline);
  add_links(timeline);
  return timeline;
}

void Recorder::add_operations(Timeline& timeline) {
  const auto key = [](const Done& d) { return std::tuple(d.node, d.operation->lane, d.begin, d.end); };
  std::stable_sort(done_.begin(), done_.end(), [&](const Done& a, const Done& b) { return key(a) < key(b); });
  const Done* last = nullptr;
  for (const Done& d : done_) {
    const std::int32_t lane = d.operation->lane;
    if (last == nullptr || last->node != d.node || last->operation->lane != lane) {
      std::string name = pe_text(program_.mesh(), d.node);
      if (lane > 0) name += fmt::format(" lane {}", lane);
      timeline.tracks.push_back({.group = "PE", .name = std::move(name)});
    }
    timeline.spans.push_back({.track = static_cast<std::int32_t>(timeline.tracks.size()) - 1,
                              .begin = Cycles(d.begin),
                              .end = Cycles(d.end),
                              .label = label(*d.operation)});
    last = &d;
  }
}

void Recorder::add_links(Timeline& timeline) {
  std::sort(busy_.begin(), busy_.end(),
            [](const Busy& a, const Busy& b) { return std::tie(a.link, a.begin) < std::tie(b.link, b.begin); });
  std::int32_t last = -1;
  for (const Busy& b : busy_) {
    if (b.link != last) {
      timeline.tracks.push_back({.group = "link",
                                 .name = fmt::format("{} to {}", pe_text(program_.mesh(), b.link / kLinks),
                                                     direction_name(direction_at(b.link % kLinks)))});
    }
    last = b.link;
    timeline.spans.push_back({.track = static_cast<std::int32_t>(timeline.tracks.size()) - 1,
                              .begin = Cycles(b.begin),
                              .end = Cycles(b.end),
                              .label = "busy"});
  }
}

/// "takes color 3, stores output, sends color 1".
std::string Recorder::label(const Operation& operation) const {
  std::string text;
  const auto add = [&](std::string_view verb, const std::string& what) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", verb, what);
  };
  for (const std::int8_t operand : operation.operands) {
    operand == kOwnOperand ? add("reads", std::string(buffer_name(operation.own))) : add("takes", color(operand));
  }
  if (operation.store != Buffer::none) add("stores", std::string(buffer_name(operation.store)));
  for (const Output& output : operation.outputs) add("sends", color(output.color));
  return text.empty() ? "nothing" : text;
}

std::string Recorder::color(std::int8_t color) const { return fmt::format("color {}", program_.colors[at(color)]); }

}  // namespace muster::wafer
