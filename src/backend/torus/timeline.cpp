#include "backend/torus/timeline.h"

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "base/index.h"
#include "machine/routing.h"

namespace muster::torus {
namespace {

constexpr std::size_t kMostTracks = 32;
constexpr const char* kNames[] = {"dataflow 0", "dataflow 1", "compute"};
enum Kind : std::int32_t { software, combining };

class CallTexts {
 public:
  explicit CallTexts(const TorusProgram& program) : program_(program) {}

  [[nodiscard]] std::string processor(std::int32_t number) const {
    return fmt::format("{}, {}", tile(number / kProcessors), kNames[number % kProcessors]);
  }
  [[nodiscard]] std::string tile(NodeId node) const { return node_text(program_.machine, node); }
  [[nodiscard]] const Call& call(CallNumber number) const {
    return program_.cores[at(number.processor / kProcessors)]
        .calls[at(number.processor % kProcessors)][at(number.call)];
  }
  [[nodiscard]] std::string text(CallNumber number) const {
    const Call& what = call(number);
    if (const auto* const c = std::get_if<Write>(&what)) {
      return fmt::format("writes {} to {}", to_text(Bytes(c->bytes)), tile(c->to));
    }
    if (const auto* const c = std::get_if<Read>(&what)) {
      return fmt::format("reads {} of {}", to_text(Bytes(c->bytes)), tile(c->of));
    }
    if (const auto* const c = std::get_if<Multicast>(&what)) {
      return fmt::format("multicasts {}", to_text(Bytes(c->bytes)));
    }
    if (const auto* const c = std::get_if<Increment>(&what)) return fmt::format("tells {}", tile(c->at));
    if (std::holds_alternative<SetEverywhere>(what)) return "tells a rectangle of tiles";
    if (const auto* const c = std::get_if<Await>(&what)) {
      return fmt::format("waits until counter {} is {}", c->counter, c->value);
    }
    if (const auto* const c = std::get_if<Combine>(&what)) return fmt::format("combines {}", counted(c->tiles, "tile"));
    if (const auto* const c = std::get_if<Copy>(&what)) return fmt::format("copies {}", counted(c->tiles, "tile"));
    if (const auto* const c = std::get_if<CombineWords>(&what)) {
      return fmt::format("combines {}", counted(c->words, "word"));
    }
    if (const auto* const c = std::get_if<Post>(&what)) {
      return fmt::format("hands over to {}", kNames[static_cast<std::size_t>(c->to)]);
    }
    if (const auto* const c = std::get_if<Expect>(&what)) {
      return fmt::format("takes over from {}", kNames[static_cast<std::size_t>(c->from)]);
    }
    if (std::holds_alternative<Flush>(what)) return "waits until its writes have left";
    return "waits for acknowledgements";
  }
  [[nodiscard]] Kind kind(CallNumber number) const {
    const Call& what = call(number);
    const bool combines = std::holds_alternative<Combine>(what) || std::holds_alternative<CombineWords>(what) ||
                          std::holds_alternative<Copy>(what);
    return combines ? combining : software;
  }

 private:
  const TorusProgram& program_;
};

/// Back from the last call: over its wait to the call that ended it, or to the call before it.
class CriticalPath {
 public:
  CriticalPath(const CallTexts& texts, const CallLog& log, CallNumber last) : texts_(texts) {
    CallNumber here = last;
    while (true) {
      const CallRecord& record = log[at(here.processor)][at(here.call)];
      add_call(here, record);
      if (record.cause.processor >= 0 && record.start > record.begin) {
        const CallRecord& cause = log[at(record.cause.processor)][at(record.cause.call)];
        add_wait(here, record, cause);
        here = record.cause;
        continue;
      }
      // A wait for acknowledgements: nobody else is to blame.
      if (record.start > record.begin) network_ += record.start - record.begin;
      if (here.call == 0) break;
      --here.call;
    }
    finish_group();
    std::reverse(lines_.begin(), lines_.end());
  }

  [[nodiscard]] const std::vector<PathLine>& lines() const { return lines_; }
  /// In the order of the path.
  [[nodiscard]] std::vector<std::int32_t> processors() const { return {seen_.rbegin(), seen_.rend()}; }
  [[nodiscard]] std::vector<PathPart> parts() const {
    return {{.name = "network",
             .time = Ticks(network_),
             .meaning = "from a signal's call until it is seen, with the data before it"},
            {.name = "combining", .time = Ticks(combining_), .meaning = "tiles and words"},
            {.name = "software", .time = Ticks(software_), .meaning = "calls of the processors"}};
  }

 private:
  void add_call(CallNumber here, const CallRecord& record) {
    const Cycle time = record.end - record.start;
    (texts_.kind(here) == combining ? combining_ : software_) += time;
    if (group_processor_ != here.processor) {
      finish_group();
      group_processor_ = here.processor;
      group_end_ = record.end;
      longest_ = -1;
    }
    group_begin_ = record.start;
    if (time > longest_) {
      longest_ = time;
      longest_call_ = here;
    }
    if (std::find(seen_.begin(), seen_.end(), here.processor) == seen_.end()) seen_.push_back(here.processor);
  }

  void add_wait(CallNumber here, const CallRecord& record, const CallRecord& cause) {
    const bool is_elsewhere = here.processor / kProcessors != record.cause.processor / kProcessors;
    const Cycle time = std::max<Cycle>(record.start - cause.end, 0);
    (is_elsewhere ? network_ : software_) += time;
    if (!is_elsewhere || time == 0) return;
    finish_group();
    lines_.push_back({.begin = Ticks(cause.end),
                      .end = Ticks(record.start),
                      .what = fmt::format("network: {} to {}", texts_.tile(record.cause.processor / kProcessors),
                                          texts_.tile(here.processor / kProcessors))});
  }

  void finish_group() {
    if (group_processor_ < 0) return;
    lines_.push_back({.begin = Ticks(group_begin_),
                      .end = Ticks(group_end_),
                      .what = fmt::format("{} {}", texts_.processor(group_processor_), texts_.text(longest_call_))});
    group_processor_ = -1;
  }

  const CallTexts& texts_;
  std::vector<PathLine> lines_;  ///< the last one first
  std::vector<std::int32_t> seen_;
  // Calls of one processor that follow each other are one line.
  std::int32_t group_processor_ = -1;
  Cycle group_begin_ = 0, group_end_ = 0, longest_ = -1;
  CallNumber longest_call_;
  Cycle network_ = 0, combining_ = 0, software_ = 0;
};

}  // namespace

Timeline timeline_of(const TorusProgram& program, const CallLog& log, CallNumber last) {
  const CallTexts texts(program);
  const CriticalPath path(texts, log, last);
  // Behind it, processors only wait for acknowledgements.
  const Cycle end = log[at(last.processor)][at(last.call)].end;
  Timeline timeline{.kinds = {"software", "combining"}, .tracks = {}, .spans = {}};
  std::vector<std::int32_t> shown = path.processors();
  if (shown.size() > kMostTracks) shown.resize(kMostTracks);
  for (std::int32_t i = 0; i < std::ssize(log) && shown.size() < kMostTracks; ++i) {
    if (!log[at(i)].empty() && std::find(shown.begin(), shown.end(), i) == shown.end()) shown.push_back(i);
  }
  for (std::int32_t track = 0; track < std::ssize(shown); ++track) {
    const std::int32_t processor = shown[at(track)];
    timeline.tracks.push_back({.group = "processor", .name = texts.processor(processor)});
    const auto& calls = log[at(processor)];
    for (std::int32_t i = 0; i < std::ssize(calls); ++i) {
      const Cycle stop = std::min(calls[at(i)].end, end);
      if (stop <= calls[at(i)].start) continue;
      const CallNumber number{.processor = processor, .call = i};
      timeline.spans.push_back({.track = track,
                                .begin = Ticks(calls[at(i)].start),
                                .end = Ticks(stop),
                                .label = texts.text(number),
                                .kind = texts.kind(number)});
    }
  }
  timeline.path = path.lines();
  timeline.path_parts = path.parts();
  return timeline;
}

}  // namespace muster::torus
