// Events in order of time: operations become ready at an NPU, and dimensions become free. All events of one time are processed
// before the next operation is chosen.
#include "backend/cluster/each_npu.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <tuple>

#include "backend/cluster/cluster.h"
#include "backend/cluster/operation_names.h"
#include "backend/cluster/timeline.h"
#include "base/index.h"
#include "base/random.h"
#include "machine/cluster.h"
#include "machine/cluster_rounds.h"
#include "machine/routing.h"
#include "result/time_base.h"

namespace muster::cluster {
namespace {

using std::int32_t;

/// An operation in one of its groups.
struct Meeting {
  int32_t operation = 0;
  std::span<const NodeId> members;  ///< NPUs; a switch serves whatever comes
  int32_t present = 0;              ///< members that are at it
  bool has_begun = false;
  Ticks begin;  ///< of sending
  Ticks end;
};

/// How it ended.
struct Times {
  Ticks end;
  NodeId last = 0;  ///< the NPU that was last
  std::vector<Meeting> meetings = {};
  std::optional<Fault> fault = {};
};

class Run {
 public:
  Run(const ClusterProgram& program, const ClusterOptions& asked)
      : program_(program),
        asked_(asked),
        dimensions_(static_cast<int32_t>(program.cluster().dimensions.size())),
        npus_(at(rank_count(program.machine))) {
    for (Npu& npu : npus_) npu.lines.resize(at(dimensions_));
    for (int32_t o = 0; o < static_cast<int32_t>(program.operations.size()); ++o) add_meetings(o);
    for (NodeId n = 0; n < static_cast<NodeId>(npus_.size()); ++n) {
      for (const Visit& visit : npus_[at(n)].visits) {
        if (visit.missing == 0) events_.push({Ticks(0), n, visit.meeting});
      }
    }
  }

  Times run() && {
    while (!events_.empty()) {
      now_ = events_.top().time;
      std::set<std::pair<NodeId, int32_t>> moved;  // NPUs and dimensions that may decide now
      for (; !events_.empty() && events_.top().time == now_; events_.pop()) {
        const Event& e = events_.top();
        if (e.meeting < 0) {
          moved.insert({e.npu, -e.meeting - 1});
        } else {
          const int32_t d = operation(e.meeting).dimension;
          Line& line = npus_[at(e.npu)].lines[at(d)];
          line.possible.push_back(e.meeting);
          moved.insert({e.npu, d});
        }
      }
      for (const auto& [npu, dimension] : moved) decide(npu, dimension);
    }
    Times times{.end = end_ + closing_time(program_.cluster()), .last = last_};
    const bool all = std::all_of(meetings_.begin(), meetings_.end(), [](const Meeting& m) { return m.has_begun; });
    if (!all) times.fault = deadlock();
    times.meetings = std::move(meetings_);
    return times;
  }

 private:
  /// One dimension of an NPU.
  struct Line {
    std::vector<int32_t> enforced;  ///< meetings in the order of the program
    std::size_t done = 0;           ///< of those
    std::vector<int32_t> possible;  ///< meetings whose operations before have arrived, in the order in which they did
    int32_t at_meeting = -1;
    Ticks free;
  };
  struct Visit {
    int32_t meeting = 0;
    int32_t missing = 0;             ///< operations before it that have not arrived
    Ticks ready;                     ///< when the latest of those that have did
    std::vector<std::size_t> after;  ///< visits of this NPU that wait for it
  };
  struct Npu {
    std::vector<Line> lines;
    std::vector<Visit> visits;
    std::map<int32_t, std::size_t> visit_of;  ///< by operation
  };
  /// A meeting becomes possible at an NPU, or (negative: -1 - dimension) a dimension becomes free.
  struct Event {
    Ticks time;
    NodeId npu = 0;
    int32_t meeting = 0;
    bool operator>(const Event& other) const {
      return std::tie(time, npu, meeting) > std::tie(other.time, other.npu, other.meeting);
    }
  };

  [[nodiscard]] const Operation& operation(int32_t meeting) const {
    return program_.operations[at(meetings_[at(meeting)].operation)];
  }

  void add_meetings(int32_t o) {
    const Operation& operation = program_.operations[at(o)];
    for (const int32_t p : operation.phases) {
      const Phase& phase = program_.schedule.phases[at(p)];
      const std::size_t npus = program_.schedule.parts[at(phase.part)].contracts.front().ranks.size();
      for (const Group& group : groups_of(program_.schedule, phase)) {
        const auto meeting = static_cast<int32_t>(meetings_.size());
        meetings_.push_back({.operation = o, .members = std::span(group.members).first(npus)});
        for (const NodeId member : meetings_.back().members) add_visit(member, o, meeting);
      }
    }
  }
  void add_visit(NodeId member, int32_t o, int32_t meeting) {
    Npu& npu = npus_[at(member)];
    Visit visit{.meeting = meeting, .missing = 0, .ready = {}, .after = {}};
    for (const int32_t earlier : program_.operations[at(o)].after) {
      const auto found = npu.visit_of.find(earlier);
      if (found == npu.visit_of.end()) continue;
      ++visit.missing;
      npu.visits[found->second].after.push_back(npu.visits.size());
    }
    npu.visit_of[o] = npu.visits.size();
    npu.visits.push_back(std::move(visit));
    npu.lines[at(program_.operations[at(o)].dimension)].enforced.push_back(meeting);
  }

  void decide(NodeId n, int32_t dimension) {
    Line& line = npus_[at(n)].lines[at(dimension)];
    if (line.at_meeting >= 0 || line.free > now_ || line.possible.empty()) return;
    auto next = line.possible.begin();
    if (asked_.order == SendOrder::enforced) {
      next = std::find(line.possible.begin(), line.possible.end(), line.enforced[line.done]);
      if (next == line.possible.end()) return;
    }
    line.at_meeting = *next;
    line.possible.erase(next);
    ++line.done;
    Meeting& meeting = meetings_[at(line.at_meeting)];
    if (++meeting.present == static_cast<int32_t>(meeting.members.size())) begin(line.at_meeting);
  }

  void begin(int32_t m) {
    Meeting& meeting = meetings_[at(m)];
    meeting.has_begun = true;
    const Operation& o = operation(m);
    const Ticks sending(static_cast<std::int64_t>(static_cast<double>(o.sending.value()) * slowness(meeting.members)));
    meeting.begin = now_;
    meeting.end = now_ + sending;
    for (const NodeId member : meeting.members) {
      Line& line = npus_[at(member)].lines[at(o.dimension)];
      line.at_meeting = -1;
      line.free = now_ + sending;
      events_.push({line.free, member, -1 - o.dimension});
      arrive(member, meeting.operation, line.free + o.delay + late(member, m, o.sending));
    }
  }

  /// How many times as long a group takes to send. Who is in a group with both ends of a link uses it.
  [[nodiscard]] double slowness(std::span<const NodeId> members) const {
    double slowest = 1;
    for (const NodeId member : members) {
      const auto slow = asked_.slow.find(member);
      if (slow != asked_.slow.end()) slowest = std::max(slowest, slow->second);
    }
    const auto is_member = [&](NodeId npu) { return std::find(members.begin(), members.end(), npu) != members.end(); };
    for (const SlowLink& link : asked_.slow_links) {
      if (is_member(link.a) && is_member(link.b)) slowest = std::max(slowest, link.factor);
    }
    return slowest;
  }

  [[nodiscard]] Ticks late(NodeId member, int32_t meeting, Ticks sending) const {
    if (asked_.jitter == 0) return Ticks(0);
    const std::uint64_t bits =
        random_bits(asked_.seed, static_cast<std::uint64_t>(member), static_cast<std::uint64_t>(meeting));
    const double part = asked_.jitter * static_cast<double>(bits >> 11U) * 0x1p-53;
    return Ticks(static_cast<std::int64_t>(part * static_cast<double>(sending.value())));
  }

  void arrive(NodeId member, int32_t o, Ticks time) {
    if (time > end_) {
      end_ = time;
      last_ = member;
    }
    Npu& npu = npus_[at(member)];
    for (const std::size_t next : npu.visits[npu.visit_of.at(o)].after) {
      Visit& visit = npu.visits[next];
      visit.ready = std::max(visit.ready, time);
      if (--visit.missing == 0) events_.push({visit.ready, member, visit.meeting});
    }
  }

  /// From an NPU that is at an operation, to a member of its group that is at another one, and so on.
  [[nodiscard]] Fault deadlock() const {
    for (NodeId n = 0; n < static_cast<NodeId>(npus_.size()); ++n) {
      for (int32_t d = 0; d < dimensions_; ++d) {
        if (npus_[at(n)].lines[at(d)].at_meeting >= 0) return wait_cycle_from(n, d);
      }
    }
    return {.kind = "deadlock", .location = "", .cycle = now_, .message = "no NPU can start what is left"};
  }
  [[nodiscard]] Fault wait_cycle_from(NodeId n, int32_t d) const {
    const OperationNames names(program_);
    std::string message;
    std::set<NodeId> seen;
    const NodeId first = n;
    while (seen.insert(n).second) {
      const int32_t meeting = npus_[at(n)].lines[at(d)].at_meeting;
      const auto& members = meetings_[at(meeting)].members;
      const auto absent = std::find_if(members.begin(), members.end(), [&](NodeId member) {
        return npus_[at(member)].lines[at(d)].at_meeting != meeting;
      });
      message += fmt::format("{}NPU {} is at the {} in dimension {} and waits for NPU {}", message.empty() ? "" : "; ",
                             n, names.name(operation(meeting)), d + 1, *absent);
      n = *absent;
      if (npus_[at(n)].lines[at(d)].at_meeting < 0) {
        message += fmt::format(", which is at none");
        break;
      }
    }
    return {.kind = "deadlock",
            .location = fmt::format("NPU {}, dimension {}", first, d + 1),
            .cycle = now_,
            .message = message};
  }

  const ClusterProgram& program_;
  const ClusterOptions& asked_;
  int32_t dimensions_;
  std::vector<Npu> npus_;
  std::vector<Meeting> meetings_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Ticks now_, end_;
  NodeId last_ = 0;
};

/// A picture shows all NPUs of a small cluster; of others the first, those that differ and the last.
constexpr NodeId kMostShown = 16;

std::set<NodeId> shown_npus(const ClusterProgram& program, const ClusterOptions& asked, NodeId last) {
  std::set<NodeId> shown{0, last};
  if (rank_count(program.machine) <= kMostShown) {
    for (NodeId n = 0; n < rank_count(program.machine); ++n) shown.insert(n);
  }
  for (const auto& [npu, factor] : asked.slow) shown.insert(npu);
  for (const SlowLink& link : asked.slow_links) shown.insert({link.a, link.b});
  return shown;
}

std::vector<SentByGroup> sent_by_groups(const std::vector<Meeting>& meetings) {
  std::vector<SentByGroup> sent;
  for (const Meeting& m : meetings) {
    if (m.has_begun) sent.push_back({.operation = m.operation, .members = m.members, .begin = m.begin, .end = m.end});
  }
  return sent;
}

/// How long the busiest NPU sends in each dimension.
std::vector<Ticks> busiest(const ClusterProgram& program, const std::vector<Meeting>& meetings) {
  const std::size_t dimensions = program.cluster().dimensions.size();
  std::vector<Ticks> of_npus(at(rank_count(program.machine)) * dimensions);
  std::vector<Ticks> most(dimensions);
  for (const Meeting& meeting : meetings) {
    const std::size_t d = at(program.operations[at(meeting.operation)].dimension);
    for (const NodeId member : meeting.members) {
      Ticks& busy = of_npus[at(member) * dimensions + d];
      busy += meeting.end - meeting.begin;
      most[d] = std::max(most[d], busy);
    }
  }
  return most;
}

}  // namespace

Result simulate_each(const ClusterProgram& program, const ClusterOptions& asked, const SimulateOptions& options) {
  Result result = simulate(program, options);  // the data does not depend on the times
  const Times times = Run(program, asked).run();
  const double longer = static_cast<double>(times.end.value()) /
                        static_cast<double>(std::max<std::int64_t>(1, result.cycles ? result.cycles->value() : 1));
  result.engine = "phases, NPU by NPU";
  result.cycles = times.end;
  result.seconds = to_seconds(times.end, kPicoseconds);
  result.fault = times.fault;
  if (options.timeline) {
    result.timeline = timeline_of_npus(program, shown_npus(program, asked, times.last), sent_by_groups(times.meetings));
  }
  if (longer > 0) result.utilization /= longer;
  const std::vector<Ticks> busy = busiest(program, times.meetings);
  for (std::size_t d = 0; d < result.resources.size(); ++d) {
    Resource& resource = result.resources[d];
    resource.busy = to_seconds(busy[d], kPicoseconds);
    if (longer > 0) resource.utilization /= longer;
  }
  if (times.fault) {
    result.fault->time = to_seconds(times.fault->cycle, kPicoseconds);
    result.outputs.clear();
    result.utilization = 0;
    result.resources.clear();  // the traffic up to the fault is not known
  }
  return result;
}

}  // namespace muster::cluster
