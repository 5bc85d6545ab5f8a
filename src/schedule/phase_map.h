// Where a part's buffers and elements are in the expanded schedule: the inner half of expand().
#pragma once

#include <array>
#include <span>
#include <vector>

#include "schedule/builder.h"

namespace muster {

/// Where the elements of a part's buffers are in the expanded schedule.
struct Binding {
  Buffer from = Buffer::none;  ///< the part's buffer that is bound to the phase's input
  Buffer to = Buffer::none;    ///< and to its output
  std::array<std::int64_t, 1 + kBuffers>
      offset{};              ///< of the part's other buffers in scratch, from the group's base; of pages
  std::int64_t scratch = 0;  ///< elements of scratch that a group needs
};

/// Binds the buffers of a part that has a contract; only buffers that its steps use get scratch.
Binding bind(const Schedule& part);

/// The spans of a part as they are in the expanded schedule, for one phase, one `on` and one base of scratch. A model is mapped
/// as the vectors are.
class PhaseMap {
 public:
  PhaseMap(const Schedule& part, const Phase& phase, const Binding& binding, std::span<const Range> on,
           std::int64_t base);

  /// The buffer that stands for one of the part's.
  [[nodiscard]] Buffer buffer(Buffer of_part) const;

  /// A span of elements of a buffer of the part. Buffer::none: elements as streams and steps count them. Throws
  /// InputError if the part uses elements that its vector or its buffer does not have.
  SpanId span(ScheduleBuilder& builder, Buffer buffer, SpanId id);

 private:
  [[nodiscard]] std::vector<Range> map(Buffer buffer, std::span<const Range> ranges) const;
  void map_through_on(Range positions, std::vector<Range>& mapped) const;

  const Schedule& part_;
  const Phase& phase_;
  const Binding& binding_;
  std::span<const Range> on_;
  std::int64_t base_;
  std::vector<std::int64_t> starts_;  // position of on's ranges in the vector
  std::int64_t length_ = 0;
  std::int64_t behind_ = 0;                            // after all elements of `on`
  std::array<std::vector<SpanId>, 1 + kBuffers> ids_;  // by buffer; -1: not mapped yet
};

}  // namespace muster
