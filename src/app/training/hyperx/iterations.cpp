// Transfers take what their algorithm is predicted to take, one after another.
#include "app/training/hyperx/iterations.h"

#include <algorithm>
#include <limits>

#include "app/training/answers.h"
#include "app/training/carrier.h"
#include "app/training/limits.h"
#include "base/error.h"
#include "collective/algorithm.h"
#include "collective/bounds/bound.h"
#include "machine/hyperx.h"
#include "machine/routing.h"
#include "result/time_base.h"
#include "schedule/arithmetic.h"

namespace muster::training {
namespace {

/// What memory reads and writes of a vector.
double memory_bytes(const Transfer& transfer) { return 2.0 * static_cast<double>(transfer.words) * sizeof(Word); }

/// What memory or links need for all transfers one after another, with the copies that cores make of a message.
double longest_time(const TrainRequest& request, const Iteration& iteration) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  double passes = 2;  // memory reads and writes a vector once
  // Rabenseifner's algorithm sends and takes up to four vectors and combines two, where the cores are no power of two.
  if (!request.options.of<HyperXOptions>().vector_per_node && hyperx.host) {
    passes = std::max(passes, 4.0 * hyperx.host->message_passes + 2.0 * hyperx.host->reduction_passes);
  }
  const double per_byte = std::max(passes / hyperx.memory_bandwidth.value(), 1 / hyperx.link_bandwidth.value());
  double seconds = 0;
  for (const Transfer& transfer : iteration.transfers) {
    const double packet = static_cast<double>(hyperx.packet.value());
    seconds += (static_cast<double>(transfer.words) * sizeof(Word) + packet) * per_byte;
  }
  return seconds;
}

/// Gradients are combined when all of them are there.
Iteration without_overlap(Iteration iteration) {
  const auto is_late = [&](const Task& task) {
    return task.kind == Task::Kind::begin &&
           iteration.transfers[static_cast<std::size_t>(task.transfer)].urgency == Urgency::end;
  };
  std::vector<Task> late, tasks;
  std::copy_if(iteration.tasks.begin(), iteration.tasks.end(), std::back_inserter(late), is_late);
  std::copy_if(iteration.tasks.begin(), iteration.tasks.end(), std::back_inserter(tasks),
               [&](const Task& task) { return !is_late(task); });
  const auto first_wait = std::find_if(tasks.begin(), tasks.end(), [&](const Task& task) {
    return task.kind == Task::Kind::wait &&
           iteration.transfers[static_cast<std::size_t>(task.transfer)].urgency == Urgency::end;
  });
  tasks.insert(first_wait, late.begin(), late.end());
  iteration.tasks = std::move(tasks);
  return iteration;
}

class Comparison {
 public:
  Comparison(const TrainRequest& request, const Iteration& iteration)
      : request_(request),
        machine_(request.machine),
        vector_per_node_(request.options.of<HyperXOptions>().vector_per_node),
        iteration_(iteration) {
    for (const Transfer& transfer : iteration.transfers) bytes_ += memory_bytes(transfer);
  }

  std::vector<IterationAnswer> with_vectors_of_cores() {
    check_supported("in-network", request_for(1));
    check_baseline();
    std::vector<IterationAnswer> all{with({.name = "rabenseifner"}), with({.name = "in-network"}),
                                     with({.name = "in-network", .overlaps = true})};
    Iteration ideal = iteration_;
    for (Transfer& transfer : ideal.transfers) {
      transfer.ideal = picoseconds(memory_bytes(transfer) / as<HyperX>(machine_)->memory_bandwidth.value());
    }
    all.push_back(answer({.name = "ideal"}, ideal));
    return all;
  }

  std::vector<IterationAnswer> with_vectors_of_nodes() {
    const std::string name = "in-network-trees";
    const Request longest = request_for(std::numeric_limits<std::int32_t>::max());
    const Algorithm& algorithm = check_supported(name, longest);
    const std::int64_t most = complete_parameters(algorithm, longest, {}).at("trees");
    std::vector<IterationAnswer> all{with({.name = name, .trees = 1})};
    if (most > 1) all.push_back(with({.name = name, .trees = most}));
    all.push_back(with({.name = name, .trees = most, .overlaps = true}));
    Iteration ideal = iteration_;
    for (Transfer& transfer : ideal.transfers) {
      transfer.ideal = Ticks(0);
      for (const Bound& bound : lower_bounds(request_for(transfer.words))) {
        transfer.ideal = std::max(transfer.ideal, bound.cycles);
      }
    }
    all.push_back(answer({.name = "ideal"}, ideal));
    return all;
  }

 private:
  struct Variant {
    std::string name;
    std::int64_t trees = 0;  ///< 0: the algorithm knows none
    bool overlaps = false;
  };

  [[nodiscard]] Request request_for(std::int64_t words) const {
    return {.machine = machine_,
            .collective = Collective::allreduce,
            .count = words,
            .options = HyperXOptions{.vector_per_node = vector_per_node_}};
  }

  const Algorithm& check_supported(const std::string& name, const Request& request) const {
    const Algorithm& algorithm = find_algorithm(Collective::allreduce, family_name(machine_), name);
    if (const auto reason = algorithm.unsupported(request)) reject("algorithm '{}' {}", name, *reason);
    return algorithm;
  }

  /// Not by what Rabenseifner's algorithm supports: it is written out for few cores, but timed for any number.
  void check_baseline() const {
    constexpr const char* kWayOut = "use --vectors node, which does not need it";
    if (!as<HyperX>(machine_)->host) {
      reject("{}: the baseline 'rabenseifner' needs a [host] table with the cost of a round; add it, or {}",
             machine_.name, kWayOut);
    }
    if (has_failures(*as<HyperX>(machine_))) {
      reject("{}: the baseline 'rabenseifner' uses default routes, which may cross failed nodes or links; {}",
             machine_.name, kWayOut);
    }
  }

  IterationAnswer with(const Variant& variant) {
    const Algorithm& algorithm = find_algorithm(Collective::allreduce, family_name(machine_), variant.name);
    Iteration iteration = variant.overlaps ? iteration_ : without_overlap(iteration_);
    double seconds = 0;
    for (Transfer& transfer : iteration.transfers) {
      const Request request = request_for(transfer.words);
      // A vector with fewer words than trees has as many pieces as words.
      const Parameters given =
          variant.trees > 0 ? Parameters{{"trees", std::min(variant.trees, transfer.words)}} : Parameters();
      transfer.ideal = algorithm.cost(request, complete_parameters(algorithm, request, given));
      seconds += to_seconds(transfer.ideal, kPicoseconds).value();
    }
    check_duration(request_, iteration, seconds);
    return answer(variant, iteration);
  }

  /// The carrier sends one transfer after another, for as long as each takes.
  [[nodiscard]] IterationAnswer answer(const Variant& variant, const Iteration& iteration) const {
    std::vector<std::string> order;
    if (variant.trees > 0) order.push_back(fmt::format("trees={}", variant.trees));
    if (variant.overlaps) order.emplace_back("overlapped");
    const HyperX& hyperx = *as<HyperX>(machine_);
    const std::unique_ptr<Carrier> carrier = ideal_carrier(iteration);
    return iteration_answer({.scheduler = variant.name,
                             .order = fmt::format("{}", fmt::join(order, " ")),
                             .sent = bytes_,
                             .bandwidth = hyperx.memory_bandwidth * (vector_per_node_ ? switches_per_node(hyperx) : 1)},
                            run(iteration, *carrier));
  }

  const TrainRequest& request_;
  const Machine& machine_;
  bool vector_per_node_;
  const Iteration& iteration_;
  double bytes_ = 0;
};

/// All nodes combine gradients; nothing else is known.
void check_communication(const Communication& c, const Workload& workload, const Machine& machine) {
  if (c.collective != Collective::allreduce) {
    reject("{}:{}: {} has no {} for training; only allreduce", workload.file, c.line, machine.name,
           collective_name(c.collective));
  }
  if (c.scope == Scope::dimensions || c.scope == Scope::model || workload.model_npus > 1) {
    reject("{}:{}: on {}, all nodes hold copies of the model; use scope = \"all\" or \"data\"", workload.file, c.line,
           machine.name);
  }
}

}  // namespace

Group group_on_hyperx(const Communication& communication, const Workload& workload, const Machine& machine) {
  check_communication(communication, workload, machine);
  return {.members = rank_count(machine), .part = {}};
}

void describe_on_hyperx(const TrainRequest& request, TrainingAnswer& answer) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  answer.shape.assign(hyperx.shape.begin(), hyperx.shape.end());
  answer.vectors = request.options.of<HyperXOptions>().vector_per_node ? "node" : "core";
}

std::vector<IterationAnswer> iterations_on_hyperx(const TrainRequest& request, const Iteration& iteration) {
  check_duration(request, iteration, longest_time(request, iteration));
  Comparison comparison(request, iteration);
  return request.options.of<HyperXOptions>().vector_per_node ? comparison.with_vectors_of_nodes()
                                                             : comparison.with_vectors_of_cores();
}

}  // namespace muster::training
