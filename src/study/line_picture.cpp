// Who sends to whom is in the schedule, on which color in the program, and when in the timeline.
#include "study/line_picture.h"

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "machine/family.h"
#include "machine/routing.h"
#include "plan/job.h"
#include "plan/stages.h"
#include "schedule/joined_lanes.h"
#include "schedule/phase.h"

namespace muster {

namespace {

/// The streams that carry something, of each node in the order of its steps: the order in which its program has them.
std::vector<std::vector<StreamId>> streams_by_node(const Schedule& flat) {
  std::vector<std::vector<StreamId>> streams(at(flat.node_count));
  const std::vector<NodeId> nodes = step_nodes(flat);
  for (std::size_t step = 0; step < flat.steps.size(); ++step) {
    for (const StreamId stream : flat.outputs_of(flat.steps[step])) {
      if (flat.spans.count(flat.streams[at(stream)].elements) > 0) streams[at(nodes[step])].push_back(stream);
    }
  }
  return streams;
}

/// An arc to every sink of a message; of a multicast to the last sink on each hand.
void add_arcs(const Schedule& flat, StreamId id, int channel, LinePicture& picture) {
  const Stream& stream = flat.streams[at(id)];
  const auto sinks = flat.sinks_of(stream);
  const auto [first, last] = std::minmax_element(sinks.begin(), sinks.end());
  const auto add = [&](NodeId to) {
    picture.messages.push_back(
        {.from = at(stream.source), .to = at(to), .channel = channel, .multicast = sinks.size() > 1});
  };
  if (*first < stream.source || first == last) add(*first);
  if (*last > stream.source && first != last) add(*last);
}

/// When the last operation of each processor ended, by its tracks.
std::vector<std::optional<Ticks>> ends_of(const Job& job, const Timeline& timeline) {
  std::map<std::string, Ticks> ends;
  for (const TimelineSpan& span : timeline.spans) {
    const std::string& track = timeline.tracks[at(span.track)].name;
    Ticks& end = ends[track.substr(0, track.find(" lane "))];
    end = std::max(end, span.end);
  }
  std::vector<std::optional<Ticks>> all;
  for (NodeId node = 0; node < rank_count(job.machine); ++node) {
    const auto found = ends.find(node_text(job.machine, node));
    all.push_back(found == ends.end() ? std::nullopt : std::optional(found->second));
  }
  return all;
}

std::vector<std::size_t> owing_processors(const Schedule& flat) {
  std::vector<std::size_t> owing;
  for (const Contract& contract : flat.contracts) {
    for (std::size_t rank = 0; rank < contract.ranks.size(); ++rank) {
      const bool owes = !owed_after(contract, static_cast<std::int32_t>(rank)).empty();
      if (owes) owing.push_back(at(contract.ranks[rank]));
    }
  }
  return owing;
}

/// The times in the picture are those of the last call (ends_of), the cycles of an answer those of the first.
std::string title_of(const SimulationAnswer& answer) {
  const Question& question = answer.question;
  const std::string what = fmt::format("{} of {} elements by {}, {}", question.collective, grouped(question.count),
                                       answer.algorithm, question.shape.with_unit);
  const std::vector<Ticks>& ends = answer.result.call_cycles;
  if (answer.calls > 1 && !ends.empty()) {
    return fmt::format("{}: call {} of {}, ending at cycle {}", what, ends.size(), answer.calls,
                       grouped(ends.back().value()));
  }
  return fmt::format("{}: {} cycles", what, answer.result.cycles ? grouped(answer.result.cycles->value()) : "no");
}

}  // namespace

void check_line(const Job& job) {
  if (job.machine.family().is_line(job.machine.network)) return;
  reject("--svg draws a row or a column, got {}; use e.g. --grid 64x1", shape_text(job.machine));
}

LinePicture line_picture(const Job& job, const Schedule& schedule, const SimulationAnswer& answer) {
  MUSTER_ASSERT(answer.result.timeline.has_value(), "a picture was asked for without a timeline");
  const Schedule flat = expand_in_lanes(schedule);
  const auto program = lower_for(job, flat);
  if (!program) reject("{}", program.reason());

  LinePicture picture{.title = title_of(answer)};
  picture.ends = ends_of(job, *answer.result.timeline);
  picture.owing = owing_processors(flat);
  for (NodeId node = 0; node < rank_count(job.machine); ++node) picture.names.push_back(std::to_string(node));
  const auto streams = streams_by_node(flat);
  for (NodeId node = 0; node < flat.node_count; ++node) {
    const std::vector<int> channels = program.value()->channels_sent(node);
    MUSTER_ASSERT(channels.size() == streams[at(node)].size(),
                  "{} sends {} streams in its schedule and {} in its program", node_text(job.machine, node),
                  streams[at(node)].size(), channels.size());
    for (std::size_t i = 0; i < channels.size(); ++i) add_arcs(flat, streams[at(node)][i], channels[i], picture);
  }
  return picture;
}

}  // namespace muster
