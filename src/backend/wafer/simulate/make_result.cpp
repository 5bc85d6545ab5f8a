// What a simulation measured.
#include "backend/wafer/simulate/make_result.h"

#include <algorithm>
#include <iterator>

#include "machine/mesh.h"

namespace muster::wafer {
namespace {

/// Sum and maximum of one counter over all processors.
struct Load {
  std::int64_t total = 0;
  std::int64_t most = 0;
  std::int64_t instances = 0;  ///< where there is such a resource
  void add(std::int64_t value) {
    total += value;
    most = std::max(most, value);
    ++instances;
  }
};

/// Moves the values behind others.
template <class Value>
void append(std::vector<Value>& all, std::vector<Value>& some) {
  if (all.empty()) {
    all = std::move(some);
  } else {
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
}

class ResultWriter {
 public:
  explicit ResultWriter(const Measured& measured)
      : measured_(measured), mesh_(measured.program.mesh()), cycles_(measured.call_ends.back().value()) {}

  std::vector<Resource> resources() {
    std::vector<Resource> list;
    for (int d = 0; d < kDirections - 1; ++d) {
      const Load load = link_load(direction_at(d));
      if (load.total > 0) list.push_back(resource(fmt::format("links {}", direction_name(direction_at(d))), load));
    }
    list.push_back(resource("ramp in", node_load([](const Traffic& t) { return t.ramp_in; })));
    list.push_back(resource("ramp out", node_load([](const Traffic& t) { return t.ramp_out; })));
    list.push_back(resource("processor", node_load([](const Traffic& t) { return t.busy + t.waits; })));
    list.back().bytes = mesh_.wavelet * node_load([](const Traffic& t) { return t.busy; }).total;
    return list;
  }

  [[nodiscard]] double link_utilization() const {
    std::int64_t links = 0;
    for (int d = 0; d < kDirections - 1; ++d) links += link_load(direction_at(d)).instances;
    if (links == 0 || cycles_ == 0) return 0;
    return static_cast<double>(measured_.hops) / (static_cast<double>(links) * static_cast<double>(cycles_));
  }

 private:
  [[nodiscard]] Load link_load(Direction d) const {
    Load load;
    for (NodeId node = 0; node < static_cast<NodeId>(measured_.traffic.size()); ++node) {
      if (neighbour(mesh_, node, d) == kOutside) continue;
      load.add(measured_.traffic[static_cast<std::size_t>(node)].link[static_cast<std::size_t>(d)]);
    }
    return load;
  }

  template <class Counter>
  [[nodiscard]] Load node_load(Counter counter) const {
    Load load;
    for (const Traffic& t : measured_.traffic) load.add(counter(t));
    return load;
  }

  [[nodiscard]] Resource resource(std::string name, const Load& load) const {
    const double capacity = static_cast<double>(load.instances) * static_cast<double>(cycles_);
    return {.name = std::move(name),
            .bytes = mesh_.wavelet * load.total,
            .busy = to_seconds(Cycles(load.most), mesh_.clock),
            .utilization = capacity > 0 ? static_cast<double>(load.total) / capacity : 0};
  }

  const Measured& measured_;
  const Mesh& mesh_;
  std::int64_t cycles_;
};

}  // namespace

Result make_result(const Measured& measured) {
  Result result;
  result.call_cycles = measured.call_ends;
  result.cycles = measured.call_ends.front();
  result.seconds = to_seconds(*result.cycles, measured.program.mesh().clock);
  result.hops = measured.hops;
  result.channels = static_cast<int>(measured.program.colors.size());
  for (const Traffic& t : measured.traffic) {
    result.max_port_load = std::max({result.max_port_load, t.data_in, t.data_out});
  }
  ResultWriter writer(measured);
  result.utilization = writer.link_utilization();
  result.resources = writer.resources();
  return result;
}

std::int64_t data_hops(std::span<const Traffic> traffic) {
  std::int64_t all = 0;
  for (const Traffic& t : traffic) {
    for (const std::int64_t link : t.link) all += link;
    all -= t.control_hops;
  }
  return all;
}

Result make_result(const Simulated& simulated, std::optional<Fault> fault) {
  const auto& [fabric, strips, traffic, skipped] = simulated;
  std::vector<Cycles> call_ends(strips.front()->processors.call_ends.size());
  Result data;
  data.node_times.resize(call_ends.size());
  data.outputs.resize(call_ends.size());
  for (const auto& strip : strips) {
    Processors& processors = strip->processors;
    for (std::size_t call = 0; call < call_ends.size(); ++call) {
      call_ends[call] = std::max(call_ends[call], processors.call_ends[call]);
      append(data.node_times[call], processors.node_times[call]);
      append(data.outputs[call], processors.outputs[call]);
    }
  }
  const Cycles left_out(skipped.cycles);  // in the only call, if at all
  const auto later = [&](Cycles& time) { time = time.value() > 0 ? time + left_out : time; };
  for (Cycles& end : call_ends) later(end);
  for (auto& call : data.node_times) {
    for (NodeTimes& times : call) {
      later(times.owed);
      later(times.finished);
    }
  }
  Result result = make_result(Measured{
      .program = fabric.program, .traffic = traffic, .hops = data_hops(traffic), .call_ends = std::move(call_ends)});
  result.engine = "cycle";
  result.fault = std::move(fault);
  if (result.fault) result.cycles.reset();
  result.node_times = std::move(data.node_times);
  if (skipped.steps == 0) result.outputs = std::move(data.outputs);
  return result;
}

}  // namespace muster::wafer
