// The schedulers of a cluster as algorithms.
#include "collective/algorithms.h"

#include <algorithm>
#include <bit>

#include "base/counted.h"
#include "base/saturating.h"
#include "collective/dimensions/chunked_schedule.h"
#include "machine/cluster.h"
#include "machine/routing.h"
#include "schedule/arithmetic.h"

namespace muster {
namespace {

constexpr std::int64_t kChunks = 64;
constexpr std::int64_t kMostMessages = 2'000'000;  ///< of one collective along one dimension
const std::string kPaper = "Themis (ISCA 2022), ";

/// Of what can be cut: words, or words of every NPU's block.
std::int64_t most_chunks(const Request& request) {
  const std::int64_t pieces =
      is_sliced(request.collective) ? request.count / rank_count(request.machine) : request.count;
  return std::clamp<std::int64_t>(pieces, 1, most_chunks(*as<Cluster>(request.machine)));
}

ParameterSpec chunks_parameter() {
  return {.name = "chunks",
          .summary = "number of chunks; each visits the dimensions one by one; default: 64",
          .by_default = [](const Request& r) { return std::min(kChunks, most_chunks(r)); },
          .least = [](const Request&) { return std::int64_t{1}; },
          .most = most_chunks};
}

ParameterSpec order_parameter() {
  return {
      .name = "order",
      .summary = "which waiting chunk a dimension sends first: the oldest (fifo) or the smallest (scf); default: scf",
      .by_default = [](const Request&) { return std::int64_t{1}; },
      .least = [](const Request&) { return std::int64_t{0}; },
      .most = [](const Request&) { return std::int64_t{1}; },
      .names = {"fifo", "scf"}};
}

/// Every pair sends along a ring or where all are linked; through a switch, partners do; to a switch that reduces, every
/// member sends the block of every other member. Messages of an all-to-all around a ring are forwarded, by up to all
/// others.
std::int64_t messages_along(const Cluster::Dimension& d, Collective collective) {
  if (collective == Collective::all_to_all) {
    const std::int64_t hops = d.kind != Cluster::Kind::ring ? 1 : d.links > 1 ? d.size / 4 + 1 : d.size / 2 + 1;
    return saturating_product(std::int64_t{d.size} * (d.size - 1), hops);
  }
  if (d.reduces) return std::int64_t{d.size} * d.size;
  const std::int64_t others = d.kind == Cluster::Kind::switched ? std::bit_width(static_cast<std::uint32_t>(d.size)) + 1
                                                                : std::int64_t{d.size} - 1;
  return d.size * others;
}

/// Bytes one after another in every dimension, both ways, and all delays: more than any order of chunks takes. Times are counted
/// in picoseconds, of which 64 bits hold months.
double longest_seconds(const Request& request) {
  double seconds = 0;
  for (const Cluster::Dimension& d : as<Cluster>(request.machine)->dimensions) {
    const double bytes = static_cast<double>(request.count) * static_cast<double>(sizeof(Word));
    seconds += 2 * bytes / d.bandwidth().value() + 2.0 * d.size * d.latency.value();
  }
  return seconds;
}

constexpr double kMostSeconds = 500'000;

std::optional<std::string> unsupported(const Request& request) {
  if (const double seconds = longest_seconds(request); seconds > kMostSeconds) {
    return fmt::format("may take {:.3g} s, and at most {:.0f} s are simulated; use fewer bytes or faster links",
                       seconds, kMostSeconds);
  }
  const bool astra = as<Cluster>(request.machine)->accounting == Cluster::Accounting::astra;
  if (astra && request.collective == Collective::all_to_all) {
    return "does not support all-to-all with ASTRA-sim's accounting; use --accounting paper";
  }
  for (const Cluster::Dimension& d : as<Cluster>(request.machine)->dimensions) {
    const std::int64_t messages = messages_along(d, request.collective);
    if (messages <= kMostMessages) continue;
    return fmt::format("would send {} messages along a dimension of {} NPUs, more than {}", messages, d.size,
                       kMostMessages);
  }
  if (astra && has_reducing_switch(*as<Cluster>(request.machine))) {
    return "does not support switches that reduce with ASTRA-sim's accounting; use --accounting paper";
  }
  const NodeId ranks = rank_count(request.machine);
  if (!is_sliced(request.collective) || request.count % ranks == 0) return std::nullopt;
  const UserCount user = request.user_count.value_or(UserCount{.count = request.count});
  const std::int64_t step = ranks * user.block_unit, low = user.count / step * step;
  const std::string nearest =
      low == 0 ? "least is " + grouped(step) : fmt::format("nearest are {} and {}", grouped(low), grouped(low + step));
  return fmt::format("needs a multiple of {} {}, one block per NPU; the {}", grouped(step), user.unit, nearest);
}

ChunkedCollective cut(const Request& request, const Parameters& parameters, OperationTimes& times) {
  return {.times = times,
          .collective = request.collective,
          .chunks = chunk_words(times.cluster(), request.collective, request.count, parameters.at("chunks"))};
}

/// What all schedulers share. The order counts where there is one to choose.
Algorithm scheduler(Collective collective, Algorithm named) {
  const auto plan = [name = named.name](const ChunkedCollective& chunks, const Parameters& parameters) {
    const auto order = parameters.find("order");
    const bool arrived = order != parameters.end() && order->second == 0;
    return plan_by(name, chunks, arrived ? SendFirst::arrived : SendFirst::smallest);
  };
  named.collective = collective;
  named.family = "cluster";
  named.unsupported = unsupported;
  named.make = [plan](const Request& request, const Parameters& parameters) {
    OperationTimes times(*as<Cluster>(request.machine));
    const ChunkedCollective chunks = cut(request, parameters, times);
    return chunked_schedule(chunks, plan(chunks, parameters));
  };
  named.cost = [plan](const Request& request, const Parameters& parameters) {
    OperationTimes times(*as<Cluster>(request.machine));
    return plan(cut(request, parameters, times), parameters).table.end;
  };
  return named;
}

}  // namespace

Algorithm hierarchical(Collective collective) {
  return scheduler(collective,
                   {.name = "hierarchical",
                    .summary = collective == Collective::allgather
                                   ? "every chunk visits the last dimension first, then the one before, and so on"
                               : collective != Collective::allreduce
                                   ? "every chunk visits dimension 1 first, then 2, and so on"
                                   : "every chunk visits dimension 1 first, then 2, and so on, and back",
                    .source = kPaper + "§2.3",
                    .parameters = {chunks_parameter()}});
}

Algorithm themis(Collective collective) {
  return scheduler(collective, {.name = "themis",
                                .summary = "every chunk visits the least loaded dimension first",
                                .source = kPaper + "Algorithm 1",
                                .parameters = {chunks_parameter(), order_parameter()}});
}

Algorithm balanced(Collective collective) {
  return scheduler(collective,
                   {.name = "balanced",
                    .summary = "mixes orders so that all dimensions are equally loaded, and keeps each of them busy",
                    .source = "ours",
                    .parameters = {chunks_parameter()}});
}

}  // namespace muster
