// Records a timeline of a simulation on request: operations of processors, and when links were busy.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/wafer/simulate/fabric.h"
#include "backend/wafer/simulate/processor_code.h"
#include "result/timeline.h"

namespace muster::wafer {

class Recorder {
 public:
  explicit Recorder(const WaferProgram& program);

  /// Wavelets leave a router in cycle `now`.
  void moves(NodeId router, Directions to, Tick now);
  /// An operation acted first in cycle `begin` and has ended before `end`.
  void operation(NodeId node, const Operation& operation, Tick begin, Tick end);

  /// Adds what another one has seen of other routers and nodes.
  void add(Recorder&& other);
  [[nodiscard]] Timeline finish() &&;

 private:
  struct Busy {
    std::int32_t link = 0;
    Tick begin = 0;
    Tick end = 0;
  };
  struct Done {
    NodeId node = 0;
    const Operation* operation = nullptr;
    Tick begin = 0;
    Tick end = 0;
  };
  void close();
  void add_operations(Timeline& timeline);
  void add_links(Timeline& timeline);
  [[nodiscard]] std::string label(const Operation& operation) const;
  [[nodiscard]] std::string color(std::int8_t color) const;

  const WaferProgram& program_;
  std::vector<Busy> open_;  ///< of each router and direction: the interval that is not over
  std::vector<Busy> busy_;
  std::vector<Done> done_;
};

}  // namespace muster::wafer
