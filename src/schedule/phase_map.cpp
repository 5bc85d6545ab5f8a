// The mapping of a part's spans, each made once and remembered.
#include "schedule/phase_map.h"

#include <algorithm>

#include "base/error.h"

namespace muster {

Binding bind(const Schedule& part) {
  Binding binding{.from = part.contracts.front().from, .to = part.contracts.front().to};
  std::array<bool, 1 + kBuffers> used{};
  for (const Step& step : part.steps) {
    for (const Buffer buffer : {step.own, step.store, step.sent}) used[static_cast<std::size_t>(buffer)] = true;
  }
  for (const Term& term : part.terms) used[static_cast<std::size_t>(term.buffer)] = true;
  for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
    const auto b = static_cast<std::size_t>(buffer);
    if (!used[b] || buffer == binding.from || buffer == binding.to) continue;
    if (part.extent_of(buffer) > kMostElements - binding.scratch) reject("scratch of a part is beyond 2^62 elements");
    binding.offset[b] = binding.scratch;
    binding.scratch += part.extent_of(buffer);
  }
  return binding;
}

PhaseMap::PhaseMap(const Schedule& part, const Phase& phase, const Binding& binding, std::span<const Range> on,
                   std::int64_t base)
    : part_(part), phase_(phase), binding_(binding), on_(on), base_(base) {
  for (const Range& range : on_) {
    starts_.push_back(length_);
    length_ += range.count;
    behind_ = std::max(behind_, range.end());
  }
  for (auto& ids : ids_) ids.assign(static_cast<std::size_t>(part.spans.size()), -1);
}

Buffer PhaseMap::buffer(Buffer of_part) const {
  if (of_part == Buffer::none) return Buffer::none;
  if (of_part == binding_.from) return phase_.input;
  if (of_part >= Buffer::model) return of_part;
  return of_part == binding_.to ? phase_.output : Buffer::scratch;
}

SpanId PhaseMap::span(ScheduleBuilder& builder, Buffer buffer, SpanId id) {
  SpanId& mapped = ids_[static_cast<std::size_t>(buffer)].at(static_cast<std::size_t>(id));
  if (mapped < 0) mapped = builder.span(map(buffer, part_.spans.ranges(id)));
  return mapped;
}

std::vector<Range> PhaseMap::map(Buffer buffer, std::span<const Range> ranges) const {
  std::vector<Range> mapped;
  const bool bound = buffer == binding_.from || buffer == binding_.to || buffer == Buffer::model;
  for (const Range& range : ranges) {
    if (bound || buffer == Buffer::none) {
      map_through_on({range.first, std::min(range.end(), length_) - range.first}, mapped);
      const std::int64_t rest = std::max(range.first, length_);
      if (rest >= range.end()) continue;
      if (bound) reject("uses element {} of a vector of {}", range.end() - 1, length_);
      // Numbers that no element of the vector has; they only have to differ.
      mapped.push_back({behind_ + rest, range.end() - rest});
    } else {
      if (range.end() > part_.extent_of(buffer)) {
        reject("uses element {} of {}, which has {}", range.end() - 1, buffer_name(buffer), part_.extent_of(buffer));
      }
      const std::int64_t base = buffer < Buffer::model ? base_ : 0;
      mapped.push_back({base + binding_.offset[static_cast<std::size_t>(buffer)] + range.first, range.count});
    }
  }
  return mapped;
}

void PhaseMap::map_through_on(Range positions, std::vector<Range>& mapped) const {
  if (positions.count <= 0) return;
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), positions.first);
  for (auto i = static_cast<std::size_t>(next - starts_.begin()) - 1; positions.count > 0; ++i) {
    const std::int64_t skipped = positions.first - starts_[i];
    const std::int64_t count = std::min(positions.count, on_[i].count - skipped);
    mapped.push_back({on_[i].first + skipped, count});
    positions = {positions.first + count, positions.count - count};
  }
}

}  // namespace muster
