// How many bytes the messages of one step send over one link.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "machine/torus.h"
#include "schedule/index.h"

namespace muster {

class LinkLoads {
 public:
  LinkLoads(const Schedule& flat, const ScheduleIndex& index, const Torus& torus, bool swapped);

  /// The NoC that a stream takes.
  [[nodiscard]] int noc(StreamId stream) const;
  /// Bytes on its busiest link, its own and those of the streams that are sent in the same step of the same lane of other nodes; its own if it
  /// goes to several sinks.
  [[nodiscard]] std::int64_t busiest(StreamId stream) const { return busiest_[at(stream)]; }
  [[nodiscard]] std::int64_t bytes(StreamId stream) const;

 private:
  template <class Visit>
  void for_each_link(StreamId stream, Visit visit) const;

  const Schedule& flat_;
  const Torus& torus_;
  bool swapped_;
  std::vector<Coordinates> tiles_;  ///< by node
  std::vector<std::int64_t> busiest_;
};

}  // namespace muster
