#include "app/seismic/traces.h"

#include <fmt/format.h>

#include "app/seismic/propagator_names.h"
#include "app/seismic/recorded.h"
#include "base/error.h"

namespace muster::seismic {
namespace {

Gather gather_of(const Shot& shot, const ReceiverSet& set, const std::string& field, std::int64_t number) {
  const std::optional<Recorded> what = recorded(describe_propagator(shot.propagator), field);
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
  gather.receivers.reserve(set.positions.size());
  for (const PerAxis<double>& position : set.positions) {
    gather.receivers.push_back(moved(position, shot.repetition.receiver_increment, number));
  }
  return gather;
}

}  // namespace

std::vector<Traces> receiver_traces(const Shot& shot, std::int64_t number) {
  std::vector<Traces> all;
  for (const ReceiverSet& set : shot.receivers) {
    for (const std::string& field : set.fields) {
      all.push_back({.name = fmt::format("{}-{}", set.name, field),
                     .set = set.name,
                     .every = set.every,
                     .gather = gather_of(shot, set, field, number)});
    }
  }
  return all;
}

std::vector<Traces> source_traces(const Shot& shot, std::int64_t number) {
  std::vector<Traces> all;
  for (const Source& source : shot.sources) {
    const PerAxis<double> position = moved(source.position, shot.repetition.source_increment, number);
    all.push_back({.name = fmt::format("source{}", all.size() + 1),
                   .set = {},
                   .every = 1,
                   .gather = {.field = "wavelet",
                              .shot = number,
                              .source = position,
                              .receivers = {position},
                              .start = 0,
                              .interval = shot.grid.time_step,
                              .samples = shot.steps + 1,
                              .values = {}}});
  }
  return all;
}

std::vector<Traces> written_traces(const Shot& shot, std::int64_t number) {
  return shot.mode == Mode::adjoint ? source_traces(shot, number) : receiver_traces(shot, number);
}

}  // namespace muster::seismic
