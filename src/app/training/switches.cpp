// Transfers take what their algorithm is predicted to take, one after another.
#include "app/training/switches.h"

#include <algorithm>

#include "app/training/answers.h"
#include "app/training/carrier.h"
#include "collective/algorithm.h"
#include "machine/families.h"
#include "schedule/arithmetic.h"

namespace muster::training {
namespace {

/// What memory reads and writes of a vector.
double memory_bytes(const Transfer& transfer) { return 2.0 * static_cast<double>(transfer.words) * sizeof(Word); }

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
  Comparison(const Machine& machine, const Iteration& iteration) : machine_(machine), iteration_(iteration) {
    for (const Transfer& transfer : iteration.transfers) bytes_ += memory_bytes(transfer);
  }

  std::vector<IterationAnswer> answers() {
    std::vector<IterationAnswer> all{with("rabenseifner", false), with("in-network", false), with("in-network", true)};
    Iteration ideal = iteration_;
    for (Transfer& transfer : ideal.transfers) {
      transfer.ideal = picoseconds(memory_bytes(transfer) / machine_.hyperx()->memory_bandwidth.value());
    }
    all.push_back(answer("ideal", "", ideal));
    return all;
  }

 private:
  IterationAnswer with(const std::string& name, bool overlaps) {
    const Algorithm& algorithm = find_algorithm(Collective::allreduce, family_name(machine_), name);
    Iteration iteration = overlaps ? iteration_ : without_overlap(iteration_);
    for (Transfer& transfer : iteration.transfers) {
      const Request request{.machine = machine_, .collective = transfer.collective, .count = transfer.words};
      transfer.ideal = algorithm.cost(request, complete_parameters(algorithm, request, {}));
    }
    return answer(name, overlaps ? "overlapped" : "", iteration);
  }

  /// The carrier sends one transfer after another, for as long as each takes.
  [[nodiscard]] IterationAnswer answer(const std::string& name, const std::string& order,
                                       const Iteration& iteration) const {
    const std::unique_ptr<Carrier> carrier = ideal_carrier(iteration);
    return iteration_answer(
        {.scheduler = name, .order = order, .sent = bytes_, .bandwidth = machine_.hyperx()->memory_bandwidth},
        run(iteration, *carrier));
  }

  const Machine& machine_;
  const Iteration& iteration_;
  double bytes_ = 0;
};

}  // namespace

std::vector<IterationAnswer> iterations_on_switches(const Machine& machine, const Iteration& iteration) {
  return Comparison(machine, iteration).answers();
}

}  // namespace muster::training
