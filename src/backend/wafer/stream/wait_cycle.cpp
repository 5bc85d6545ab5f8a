// Cycles of waits where buffers are finite: two processors that both send first and take afterwards get stuck if their
// vectors do not fit into the buffers of their paths. The trace cannot see that, since it lets every message run to its receiver.
//
// The argument is that of the verifier (docs/design.md, "How a schedule is proven"), on executions and messages instead of
// steps. Some needs are of the k-th element of another: a message needs its sender, who takes it needs the message, and,
// where a message does not fit into the buffers of its path, its sender needs the message to move, and the message whoever takes it. Others
// are of the other as a whole: the execution before in a lane, one that is waited for, the message before at a router. A
// cycle without one of the latter does no harm. So: strong components, and no need of a whole within one. This may find
// a cycle in a program that runs, since it forgets which elements are needed; it misses none.
#include <algorithm>
#include <map>

#include "backend/wafer/directions.h"
#include "backend/wafer/stream/trace.h"
#include "base/index.h"
#include "base/strong_components.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr std::size_t kMostShown = 8;

struct Need {
  std::int32_t from = 0;
  std::int32_t to = 0;
  bool whole = false;
};

/// A need of a known vertex, in four bytes: a whole wafer has ten million.
class KeptNeed {
 public:
  KeptNeed() = default;
  KeptNeed(std::int32_t to, bool whole) : packed_(2 * static_cast<std::uint32_t>(to) + (whole ? 1 : 0)) {}
  [[nodiscard]] std::int32_t to() const { return static_cast<std::int32_t>(packed_ / 2); }
  [[nodiscard]] bool whole() const { return packed_ % 2 == 1; }

 private:
  std::uint32_t packed_ = 0;
};

class WaitCycle {
 public:
  WaitCycle(const Cells& cells, const Trace& trace)
      : cells_(cells),
        trace_(trace),
        executions_(static_cast<std::int32_t>(trace.executions.size())),
        last_space_(mesh().router_buffer + mesh().ramp_queue + mesh().ramp_latency.value()) {}

  std::optional<Fault> find() {
    first_.assign(at(executions_) + trace_.messages.size() + 1, 0);
    add_takers();
    if (!some_do_not_fit_) return {};
    add_orders();
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    next_.assign(first_.begin(), first_.end() - 1);
    needs_.resize(first_.back());
    add_takers();
    add_orders();
    next_ = {};
    const auto components = strong_components(first_, [&](std::uint32_t need) { return needs_[need].to(); });
    for (std::int32_t from = 0; from + 1 < std::ssize(first_); ++from) {
      for (std::uint32_t n = first_[at(from)]; n < first_[at(from) + 1]; ++n) {
        const Need need{.from = from, .to = needs_[n].to(), .whole = needs_[n].whole()};
        const bool within = components.component[at(need.from)] == components.component[at(need.to)];
        if (need.whole && within) return fault(need, components.component);
      }
    }
    return {};
  }

 private:
  [[nodiscard]] const Mesh& mesh() const { return cells_.program().mesh(); }
  [[nodiscard]] std::int32_t message_vertex(std::int32_t message) const { return executions_ + message; }
  /// They are counted first, then stored in the order of vertices: a whole wafer has millions.
  void need(std::int32_t from, std::int32_t to, bool whole) {
    if (needs_.empty()) {
      ++first_[at(from) + 1];
    } else {
      needs_[next_[at(from)]++] = {to, whole};
    }
  }
  void add_orders() {
    add_order_of_processors();
    add_order_of_routers();
  }

  /// Messages need their senders and are needed by those who take them.
  void add_takers() {
    for (std::size_t m = 0; m < trace_.messages.size(); ++m) {
      need(message_vertex(static_cast<std::int32_t>(m)), trace_.messages[m].execution, false);
    }
    std::vector<std::int32_t> taken(trace_.transits.size(), 0);
    for (std::int32_t e = 0; e < executions_; ++e) {
      const Execution& execution = trace_.executions[at(e)];
      for (std::int32_t i = execution.first_take; i < execution.first_take + execution.take_count; ++i) {
        const std::int32_t transit = trace_.takes[at(i)];
        const std::int32_t message = trace_.transits[at(transit)].message;
        need(e, message_vertex(message), false);
        const std::int32_t left = trace_.messages[at(message)].wavelets() - taken[at(transit)];
        taken[at(transit)] += trace_.take_words[at(i)];
        add_lack_of_space(transit, e, left, space_of_path(transit));
      }
    }
  }

  /// The wavelets that fit between a transit's sender and this router's processor.
  [[nodiscard]] std::int64_t space_of_path(std::int32_t transit) const {
    return last_space_ + mesh().ramp_latency.value() + std::int64_t{trace_.hops[at(transit)]} * mesh().router_buffer;
  }

  /// Where a message does not fit into the buffers of its path, its sender needs whoever takes it; where it does not fit together with those
  /// that are delivered before it, whoever takes these.
  void add_lack_of_space(std::int32_t transit, std::int32_t taker, std::int64_t wavelets, std::int64_t space) {
    const std::int32_t message = trace_.transits[at(transit)].message;
    const std::int32_t in_the_way = wavelets > space ? transit : blocker(transit, space - wavelets);
    if (in_the_way == kNone) return;
    some_do_not_fit_ = true;
    need(trace_.messages[at(message)].execution, message_vertex(message), false);
    const bool itself = in_the_way == transit;
    need(message_vertex(message), itself ? taker : trace_.transits[at(in_the_way)].taker, !itself);
  }

  /// The last transit delivered before this one that must be taken before all but so many wavelets of these are; or kNone.
  [[nodiscard]] std::int32_t blocker(std::int32_t transit, std::int64_t space) const {
    std::int32_t before = trace_.transits[at(transit)].delivered_before;
    for (; before != kNone; before = trace_.transits[at(before)].delivered_before) {
      space -= trace_.messages[at(trace_.transits[at(before)].message)].wavelets();
      if (space < 0) return before;
    }
    return kNone;
  }

  /// An exchange takes beside its sending, so it follows what was before that; what follows it needs both.
  void add_order_of_processors() {
    std::map<std::pair<NodeId, std::int32_t>, std::int32_t> last;  // by operation, of those that are waited for
    for (std::int32_t e = 0; e < executions_; ++e) {
      const Execution& execution = trace_.executions[at(e)];
      const bool beside = execution.kind == Execution::Kind::take;
      const std::int32_t before = beside ? trace_.executions[at(execution.before)].before : execution.before;
      if (before != kNone) {
        need(e, before, true);
        if (trace_.executions[at(before)].kind == Execution::Kind::take) {
          need(e, trace_.executions[at(before)].before, true);
        }
      }
      const ClassShape& shape = cells_.shape(execution.node);
      if (!shape.has_waits) continue;
      for (const std::int32_t other : shape.operations[at(execution.operation)].operation->after) {
        need(e, last.at({execution.node, other}), true);
      }
      last[{execution.node, execution.operation}] = e;
    }
  }

  /// What passes a router later waits for what is before it; once for two messages that take the same path. And, unless that
  /// fits at the PE where it goes, for whoever takes it there.
  void add_order_of_routers() {
    std::vector<bool> is_waited_for(trace_.messages.size(), false);
    for (const auto& [message, before] : trace_.followers) {
      need(message_vertex(message), message_vertex(before), true);
      is_waited_for[at(before)] = true;
    }
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(trace_.transits.size()); ++t) {
      const Transit& transit = trace_.transits[at(t)];
      if (transit.taker == kNone || !is_waited_for[at(transit.message)]) continue;
      const std::int64_t left = last_space_ - trace_.messages[at(transit.message)].wavelets();
      const std::int32_t in_the_way = left < 0 ? t : blocker(t, left);
      if (in_the_way == kNone) continue;
      need(message_vertex(transit.message), trace_.transits[at(in_the_way)].taker, in_the_way != t);
    }
  }

  /// The needs that lead from one vertex to another of its component.
  [[nodiscard]] std::vector<Need> path(std::int32_t from, std::int32_t to,
                                       const std::vector<std::int32_t>& component) const {
    std::map<std::int32_t, Need> reached_by;
    std::vector<std::int32_t> ahead{from};
    for (std::size_t i = 0; i < ahead.size() && !reached_by.contains(to); ++i) {
      for (std::uint32_t n = first_[at(ahead[i])]; n < first_[at(ahead[i]) + 1]; ++n) {
        const Need need{.from = ahead[i], .to = needs_[n].to(), .whole = needs_[n].whole()};
        if (component[at(need.to)] != component[at(from)] || !reached_by.emplace(need.to, need).second) continue;
        ahead.push_back(need.to);
      }
    }
    std::vector<Need> back;
    for (std::int32_t v = to; back.empty() || v != from; v = back.back().from) back.push_back(reached_by.at(v));
    return {back.rbegin(), back.rend()};
  }

  [[nodiscard]] std::string name(std::int32_t vertex) const {
    if (vertex < executions_) {
      const Execution& execution = trace_.executions[at(vertex)];
      return fmt::format("operation {} of {}", execution.operation, pe_text(mesh(), execution.node));
    }
    const Message& message = trace_.messages[at(vertex - executions_)];
    return fmt::format("what {} sends on color {} ({} words)", name(message.execution),
                       cells_.program().colors[at(message.color)], message.words);
  }

  [[nodiscard]] Fault fault(const Need& whole, const std::vector<std::int32_t>& component) const {
    std::vector<Need> cycle{whole};
    if (whole.from != whole.to) {
      for (const Need& n : path(whole.to, whole.from, component)) cycle.push_back(n);
    }
    std::string text;
    for (std::size_t i = 0; i < cycle.size() && i < kMostShown; ++i) {
      text += fmt::format("{}{} waits {} {}", i == 0 ? "" : "\n", name(cycle[i].from),
                          cycle[i].whole ? "for the end of" : "for", name(cycle[i].to));
    }
    if (cycle.size() > kMostShown) text += "\nand more";
    std::int32_t at_fault = whole.from;
    if (at_fault >= executions_) at_fault = trace_.messages[at(at_fault - executions_)].execution;
    return {.kind = "wait-cycle",
            .location = pe_text(mesh(), trace_.executions[at(at_fault)].node),
            .cycle = Cycles(0),
            .message = text};
  }

  const Cells& cells_;
  const Trace& trace_;
  std::int32_t executions_;  ///< vertices: these, then messages
  std::int64_t last_space_;  ///< wavelets that fit between a router and its processor
  std::vector<KeptNeed> needs_;
  /// Of each vertex: its first need; while they are counted, how many the one before has.
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> next_;  ///< of each vertex: where its next need is stored
  bool some_do_not_fit_ = false;
};

}  // namespace

std::optional<Fault> find_message_cycle(const Cells& cells, const Trace& trace) {
  return WaitCycle(cells, trace).find();
}

}  // namespace muster::wafer
