#include "backend/torus/capabilities.h"

#include "backend/torus/traffic.h"
#include "backend/torus/traffic_reader.h"
#include "machine/torus.h"
#include "result/time_base.h"

namespace muster::torus {
namespace {

class FlitTraffic final : public TrafficSimulator {
 public:
  [[nodiscard]] TrafficAnswer simulate(const Machine& machine, const EmittedFile& file,
                                       std::uint64_t seed) const override {
    const Torus& torus = *as<Torus>(machine);
    const std::vector<TrafficRow> rows = read_traffic(torus, file.name, file.text);
    TrafficRun run = run_traffic(torus, rows, seed);
    const TimeBase base{.ticks_per_second = torus.clock.value(), .is_clock = true};
    TrafficAnswer answer{.machine = machine.name,
                         .engine = "flit",
                         .cycles = Ticks(run.end),
                         .seconds = to_seconds(Ticks(run.end), base),
                         .transactions = {},
                         .resources = std::move(run.resources),
                         .fault = {}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const TrafficRun::Times& times = run.rows[i];
      if (times.end) {
        answer.transactions.push_back({.id = rows[i].id, .start = Ticks(times.start), .end = Ticks(*times.end)});
      } else if (!answer.fault) {
        answer.fault = Fault{.kind = "deadlock",
                             .location = fmt::format("row '{}'", rows[i].id),
                             .cycle = Ticks(run.stopped),
                             .message = "it never ends: packets wait for each other"};
      }
    }
    return answer;
  }
};

const FlitTraffic kFlitTraffic;

}  // namespace

const TrafficSimulator& traffic_simulator() { return kFlitTraffic; }

}  // namespace muster::torus
