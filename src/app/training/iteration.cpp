// The order of an iteration: forward layer by layer, back in the reverse order, and the updates.
#include "app/training/iteration.h"

#include <map>

#include "app/training/families.h"
#include "base/error.h"
#include "base/index.h"
#include "result/time_base.h"
#include "schedule/arithmetic.h"

namespace muster::training {
namespace {

class Writer {
 public:
  Writer(const Workload& workload, const Machine& machine, double faster)
      : workload_(workload), machine_(machine), trainer_(trainer_for(machine)), faster_(faster) {}

  Iteration write() && {
    forward();
    backward();
    update();
    return std::move(iteration_);
  }

 private:
  using Begun = std::vector<std::int32_t>;

  void forward() {
    std::optional<std::int32_t> embedding;
    for (std::size_t i = 0; i < workload_.layers.size(); ++i) {
      if (embedding && workload_.joins_at == i) wait(*embedding, Share::model_wait);
      const Pass& pass = workload_.layers[i].forward;
      compute(pass, Share::forward);
      if (!pass.communication) continue;
      if (i == 0 && workload_.joins_at) {
        embedding = begin(*pass.communication, Urgency::soon);
      } else {
        wait(begin(*pass.communication, Urgency::now), wait_share(*pass.communication));
      }
    }
    if (embedding && workload_.joins_at == workload_.layers.size()) wait(*embedding, Share::model_wait);
  }

  /// What is only needed for the update is waited for behind all layers.
  void backward() {
    Begun gradients, embedding;
    const std::optional<std::size_t> join = workload_.joins_at;
    if (join == workload_.layers.size()) begin_into(embedding, workload_.layers[0].input_gradient);
    for (std::size_t i = workload_.layers.size(); i-- > 0;) {
      const Layer& layer = workload_.layers[i];
      if (layer.recomputes) {
        compute(layer.forward, Share::forward);
        begin_and_wait(layer.forward);
      }
      if (join && i == 0) {
        compute(layer.input_gradient, Share::input_gradient);
        weight_gradient(layer, gradients);
      } else {
        gradients_of(layer, gradients);
      }
      if (join == i) begin_into(embedding, workload_.layers[0].input_gradient);
    }
    for (const std::int32_t transfer : gradients) wait(transfer, Share::data_wait);
    for (const std::int32_t transfer : embedding) wait(transfer, Share::model_wait);
  }

  /// An input gradient that is communicated comes first, so that this overlaps with computing the weight gradient; else the
  /// weight gradient does, so that its communication begins early.
  void gradients_of(const Layer& layer, Begun& gradients) {
    const std::optional<Communication>& communication = layer.input_gradient.communication;
    if (!communication) {
      weight_gradient(layer, gradients);
      compute(layer.input_gradient, Share::input_gradient);
      return;
    }
    compute(layer.input_gradient, Share::input_gradient);
    const std::int32_t transfer = begin(*communication, Urgency::now);
    weight_gradient(layer, gradients);
    wait(transfer, wait_share(*communication));
  }

  void weight_gradient(const Layer& layer, Begun& gradients) {
    compute(layer.weight_gradient, Share::weight_gradient);
    begin_into(gradients, layer.weight_gradient);
  }

  void update() {
    Begun begun;
    for (const Layer& layer : workload_.layers) {
      compute(layer.update, Share::update);
      begin_into(begun, layer.update);
    }
    for (const std::int32_t transfer : begun) wait(transfer, Share::data_wait);
  }

  static Share wait_share(const Communication& c) {
    return c.scope == Scope::data ? Share::data_wait : Share::model_wait;
  }

  void compute(const Pass& pass, Share share) {
    const Ticks time = picoseconds(pass.compute.value() / faster_);
    if (time > Ticks(0)) iteration_.tasks.push_back({.kind = Task::Kind::compute, .share = share, .time = time});
  }

  void wait(std::int32_t transfer, Share share) {
    iteration_.tasks.push_back({.kind = Task::Kind::wait, .share = share, .time = Ticks(0), .transfer = transfer});
  }

  void begin_and_wait(const Pass& pass) {
    if (pass.communication) wait(begin(*pass.communication, Urgency::now), wait_share(*pass.communication));
  }

  void begin_into(Begun& begun, const Pass& pass) {
    if (pass.communication) begun.push_back(begin(*pass.communication, Urgency::end));
  }

  std::int32_t begin(const Communication& c, Urgency urgency) {
    const std::int32_t number = group_number(c);
    const std::int64_t members = iteration_.groups[at(number)].members;
    if (c.of_each && c.bytes.value() > kMostBytes / members) {
      reject("{}: an allgather of {} bytes from each of {} NPUs is more than {} bytes", workload_.file, c.bytes.value(),
             members, kMostBytes);
    }
    const std::int64_t bytes = c.of_each ? c.bytes.value() * members : c.bytes.value();
    const std::int64_t words = (bytes + std::int64_t{sizeof(Word)} - 1) / std::int64_t{sizeof(Word)};
    iteration_.transfers.push_back(
        {.collective = c.collective, .words = words, .group = number, .urgency = urgency, .ideal = Ticks(0)});
    const auto index = static_cast<std::int32_t>(iteration_.transfers.size()) - 1;
    iteration_.tasks.push_back({.kind = Task::Kind::begin, .transfer = index});
    return index;
  }

  std::int32_t group_number(const Communication& c) {
    const auto [found, is_new] = numbers_.try_emplace({c.scope, c.dimensions}, 0);
    if (is_new) {
      found->second = static_cast<std::int32_t>(iteration_.groups.size());
      iteration_.groups.push_back(trainer_.group_of(c, workload_, machine_));
    }
    return found->second;
  }

  const Workload& workload_;
  const Machine& machine_;
  Trainer trainer_;
  double faster_;
  Iteration iteration_;
  std::map<std::pair<Scope, std::vector<std::int32_t>>, std::int32_t> numbers_;
};

}  // namespace

Iteration iteration_of(const Workload& workload, const Machine& machine, double faster) {
  return Writer(workload, machine, faster).write();
}

}  // namespace muster::training
