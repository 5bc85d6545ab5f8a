#include "app/seismic/recorder.h"

#include <cmath>

#include "app/seismic/injections.h"
#include "app/seismic/propagators.h"
#include "base/error.h"
#include "base/saturating.h"

namespace muster::seismic {
namespace {

constexpr std::size_t kLatest = 32;  // samples of each receiver

}  // namespace

Recorder::Recorder(const Shot& shot, const Description& equation, const Layout& layout, std::int64_t number) {
  for (const ReceiverSet& set : shot.receivers) {
    for (const std::string& field : set.fields) {
      const std::optional<Recorded> what = recorded(equation, field);
      MUSTER_ASSERT(what.has_value(), "{} cannot be recorded", field);
      const double step = shot.grid.time_step;
      Gather gather{.field = field,
                    .shot = number,
                    .source = {},
                    .receivers = {},
                    .start = what->steps_later * step,
                    .interval = static_cast<double>(set.every) * step,
                    .samples = samples_of(set, shot.steps),
                    .values = {}};
      if (!shot.sources.empty()) {
        gather.source = moved(shot.sources.front().position, shot.repetition.source_increment, number);
      }
      Channel channel{.every = set.every, .taps = {}, .ends = {}, .latest = {}, .first = 0};
      for (const PerAxis<double>& position : set.positions) {
        gather.receivers.push_back(moved(position, shot.repetition.receiver_increment, number));
        for (const FieldShare& share : what->shares) {
          const Location location = equation.fields[share.field].location;
          for (const NodeWeight& node : weights_at(shot.grid, gather.receivers.back(), location)) {
            channel.taps.push_back({.field = share.field,
                                    .offset = layout.offset(node.cell.x, node.cell.y, node.cell.z),
                                    .weight = share.share * node.weight});
          }
        }
        channel.ends.push_back(channel.taps.size());
      }
      gather.values.resize(gather.receivers.size() * static_cast<std::size_t>(gather.samples));
      gathers_.push_back(std::move(gather));
      channels_.push_back(std::move(channel));
    }
  }
}

template <class Real>
void Recorder::record(const Simulation<Real>& simulation) {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    Channel& channel = channels_[i];
    if (simulation.steps() % channel.every != 0) continue;
    if (channel.latest.empty()) channel.first = simulation.steps() / channel.every;
    std::size_t tap = 0;
    for (const std::size_t end : channel.ends) {
      double sum = 0;
      for (; tap < end; ++tap) {
        const Real* values = simulation.state().fields[channel.taps[tap].field].data();
        sum += channel.taps[tap].weight * static_cast<double>(values[channel.taps[tap].offset]);
      }
      channel.latest.push_back(sum);
    }
    if (channel.latest.size() >= kLatest * channel.ends.size()) store(channel, gathers_[i]);
  }
}

void Recorder::store(Channel& channel, Gather& gather) {
  const std::size_t receivers = channel.ends.size();
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
  constexpr std::int64_t kTapBytes = 24;
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

template void Recorder::record(const Simulation<float>&);
template void Recorder::record(const Simulation<double>&);

}  // namespace muster::seismic
