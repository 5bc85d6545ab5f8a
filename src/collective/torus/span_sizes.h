// What spans of a schedule take on a torus: wherever a step begins or ends, a new tile begins (backend/torus/layout.h), so that a span has
// padding, which is combined like data and sent along where that saves a call.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/torus.h"
#include "schedule/schedule.h"

namespace muster {

struct SpanSize {
  std::int64_t ranges = 0;
  std::int64_t tiles = 0;
  std::int64_t bytes = 0;    ///< that are sent for it
  std::int64_t packets = 0;  ///< of them
};

class SpanSizes {
 public:
  SpanSizes(const Schedule& flat, const Torus& torus, std::int64_t tile_words);
  [[nodiscard]] const SpanSize& of(SpanId span) const { return sizes_[static_cast<std::size_t>(span)]; }

 private:
  std::vector<SpanSize> sizes_;
};

}  // namespace muster
