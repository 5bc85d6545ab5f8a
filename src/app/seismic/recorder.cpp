#include "app/seismic/recorder.h"

#include <cmath>

#include "app/seismic/injections.h"
#include "app/seismic/propagators.h"
#include "app/seismic/recorded.h"
#include "base/error.h"
#include "base/saturating.h"

namespace muster::seismic {
namespace {

constexpr std::size_t kLatest = 32;  // samples of each receiver

/// The share of a field at all receivers.
Points points_of(const Shot& shot, const Description& equation, const FieldShare& share,
                 std::span<const PerAxis<double>> receivers) {
  Points points{.field = static_cast<int>(share.field), .points = {}};
  for (const PerAxis<double>& position : receivers) {
    std::vector<NodeWeight> nodes = weights_at(shot.grid, position, equation, points.field);
    for (NodeWeight& node : nodes) node.weight *= share.share;
    points.points.push_back(std::move(nodes));
  }
  return points;
}

}  // namespace

std::vector<Points> receiver_points(const Shot& shot, const Description& equation, const Gather& gather) {
  const std::optional<Recorded> what = recorded(equation, gather.field);
  MUSTER_ASSERT(what.has_value(), "{} cannot be recorded", gather.field);
  std::vector<Points> all;
  for (const FieldShare& share : what->shares) all.push_back(points_of(shot, equation, share, gather.receivers));
  return all;
}

template <class Real>
Recorder::Recorder(const Shot& shot, Simulation<Real>& simulation, std::int64_t number) {
  for (Traces& traces : receiver_traces(shot, number)) {
    Gather& gather = traces.gather;
    Channel channel{
        .every = traces.every, .points = {}, .receivers = gather.receivers.size(), .latest = {}, .first = 0};
    for (Points& points : receiver_points(shot, simulation.equation(), gather)) {
      channel.points.push_back(simulation.engine().add(std::move(points)));
    }
    gather.values.resize(gather.receivers.size() * static_cast<std::size_t>(gather.samples));
    gathers_.push_back(std::move(gather));
    channels_.push_back(std::move(channel));
  }
}

template <class Real>
void Recorder::record(Simulation<Real>& simulation) {
  std::vector<double> values;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    Channel& channel = channels_[i];
    if (simulation.steps() % channel.every != 0) continue;
    if (channel.latest.empty()) channel.first = simulation.steps() / channel.every;
    const std::size_t begin = channel.latest.size();
    channel.latest.resize(begin + channel.receivers);
    const std::span<double> latest = std::span(channel.latest).subspan(begin);
    values.resize(channel.receivers);
    for (const std::size_t points : channel.points) {
      simulation.engine().gather(points, values);
      for (std::size_t r = 0; r < values.size(); ++r) latest[r] += values[r];
    }
    if (channel.latest.size() >= kLatest * channel.receivers) store(channel, gathers_[i]);
  }
}

void Recorder::store(Channel& channel, Gather& gather) {
  const std::size_t receivers = channel.receivers;
  for (std::size_t i = 0; i < receivers; ++i) {
    std::size_t at = i * static_cast<std::size_t>(gather.samples) + static_cast<std::size_t>(channel.first);
    for (std::size_t from = i; from < channel.latest.size(); from += receivers) {
      gather.values[at++] = channel.latest[from];
    }
  }
  channel.latest.clear();
}

std::vector<Gather>& Recorder::gathers() {
  for (std::size_t i = 0; i < channels_.size(); ++i) store(channels_[i], gathers_[i]);
  return gathers_;
}

std::int64_t recorder_bytes(const Shot& shot) {
  const Description equation = describe_propagator(shot.propagator);
  constexpr std::int64_t kTapBytes = sizeof(NodeWeight);
  std::int64_t bytes = 0;
  for (const ReceiverSet& set : shot.receivers) {
    for (const std::string& field : set.fields) {
      const Recorded what = *recorded(equation, field);
      for (const PerAxis<double>& position : set.positions) {
        const PerAxis<double> at = coordinates(position, shot.grid);
        std::int64_t taps = 0;
        for (const FieldShare& share : what.shares) {
          std::int64_t of_field = 1;
          for (const Axis axis : kAxes) {
            const double shifted = at[axis] - (equation.fields[share.field].location.is_half(axis) ? 0.5 : 0);
            if (shifted != std::floor(shifted)) of_field *= 8;
          }
          taps += of_field;
        }
        const std::int64_t samples = samples_of(set, shot.steps) + static_cast<std::int64_t>(kLatest);
        bytes = saturating_sum(bytes, taps * kTapBytes + samples * static_cast<std::int64_t>(sizeof(double)));
      }
    }
  }
  return bytes;
}

template Recorder::Recorder(const Shot&, Simulation<float>&, std::int64_t);
template Recorder::Recorder(const Shot&, Simulation<double>&, std::int64_t);
template void Recorder::record(Simulation<float>&);
template void Recorder::record(Simulation<double>&);

}  // namespace muster::seismic
