#include "algorithms.h"

#include <numeric>

#include "bus.h"
#include "machine/routing.h"
#include "schedule/builder.h"

namespace muster::bus {
namespace {

std::vector<NodeId> all_ranks(const Request& request) {
  std::vector<NodeId> ranks(static_cast<std::size_t>(rank_count(request.machine)));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Cycles messages(const Request& request, std::int64_t count) {
  return (as<Bus>(request.machine)->start + Cycles(request.count)) * count;
}

Schedule make_reduce(const Request& request, const Parameters& /*parameters*/) {
  ScheduleBuilder b({.nodes = rank_count(request.machine), .count = request.count});
  const SpanId all = b.span({0, request.count});
  Buffer sum = Buffer::input;
  for (const NodeId rank : all_ranks(request)) {
    if (rank == request.root) continue;
    const StreamId message = b.stream(rank, request.root, all);
    b.step(rank, all).own(Buffer::input).push(message);
    b.step(request.root, all).take(message).own(sum).store(Buffer::output);
    sum = Buffer::output;
  }
  if (sum == Buffer::input) b.step(request.root, all).own(Buffer::input).store(Buffer::output);
  b.contract(
      {.collective = Collective::reduce, .ranks = all_ranks(request), .root = request.root, .count = request.count});
  return std::move(b).finish();
}

Schedule make_broadcast(const Request& request, const Parameters& /*parameters*/) {
  ScheduleBuilder b({.nodes = rank_count(request.machine), .count = request.count});
  const SpanId all = b.span({0, request.count});
  std::vector<NodeId> others = all_ranks(request);
  std::erase(others, request.root);
  if (others.empty()) {
    b.step(request.root, all).own(Buffer::input).store(Buffer::output);
  } else {
    const StreamId message = b.multicast(request.root, others, all);
    b.step(request.root, all).own(Buffer::input).store(Buffer::output).push(message);
    for (const NodeId rank : others) b.step(rank, all).take(message).store(Buffer::output);
  }
  b.contract(
      {.collective = Collective::broadcast, .ranks = all_ranks(request), .root = request.root, .count = request.count});
  return std::move(b).finish();
}

Algorithm base(Collective collective, std::string name, std::string summary) {
  return {.collective = collective,
          .name = std::move(name),
          .family = "bus",
          .summary = std::move(summary),
          .source = "docs/adding-a-family.md",
          .parameters = {},
          .unsupported = [](const Request&) { return std::nullopt; }};
}

}  // namespace

Algorithm reduce_in_turn() {
  Algorithm algorithm = base(Collective::reduce, "in-turn", "ranks send to the root one after another");
  algorithm.make = make_reduce;
  algorithm.cost = [](const Request& request, const Parameters&) {
    return messages(request, rank_count(request.machine) - 1);
  };
  return algorithm;
}

Algorithm broadcast_once() {
  Algorithm algorithm = base(Collective::broadcast, "once", "the root sends once, and all listen");
  algorithm.make = make_broadcast;
  algorithm.cost = [](const Request& request, const Parameters&) {
    return messages(request, rank_count(request.machine) > 1 ? 1 : 0);
  };
  return algorithm;
}

}  // namespace muster::bus
