#include "backend/torus/metalium/npe_workload.h"

#include <algorithm>

#include "backend/torus/processor.h"
#include "base/index.h"
#include "schedule/text_reader.h"

namespace muster::torus {
namespace {

constexpr std::int64_t kMostTransfers = 100'000;
constexpr std::int64_t kMostPackets = 1'000'000;  // of a transfer
constexpr std::int64_t kMostBytes = 1 << 20;      // of a packet
constexpr std::int64_t kLatest = std::int64_t{1} << 40;
constexpr Cycle kForever = Cycle{1} << 50;

/// The events of TT-Metalium's profiler that move data. A transfer without one is a write, or a read if it comes from DRAM.
struct Event {
  std::string name;
  TrafficKind kind;
  bool is_stateful = false;
};
const std::vector<Event> kEvents{
    {"READ", TrafficKind::read},
    {"READ_WITH_STATE", TrafficKind::read, true},
    {"READ_WITH_STATE_AND_TRID", TrafficKind::read, true},
    {"READ_DRAM_SHARDED_WITH_STATE", TrafficKind::read, true},
    {"WRITE_", TrafficKind::write},
    {"WRITE_INLINE", TrafficKind::write},
    {"WRITE_WITH_TRID", TrafficKind::write},
    {"WRITE_WITH_STATE", TrafficKind::write, true},
    {"WRITE_WITH_TRID_WITH_STATE", TrafficKind::write, true},
    {"WRITE_MULTICAST", TrafficKind::multicast},
    {"SEMAPHORE_INC", TrafficKind::atomic},
};

class WorkloadReader {
 public:
  explicit WorkloadReader(const Torus& torus) : torus_(torus), topology_(torus, 0) {}

  std::vector<TrafficRow> run(const JsonValue& document) && {
    document.require_keys({"phases", "golden_result"});
    const JsonValue phases = document.member("phases");
    if (phases.size() == 0) phases.refuse("there is no phase; write one, with all transfers");
    if (phases.size() != 1) {
      phases.refuse("{} phases; tt-npe does not order them, so put all transfers into one", phases.size());
    }
    const JsonValue phase = phases.item(0);
    phase.require_keys({"transfers"});
    const JsonValue transfers = phase.member("transfers");
    if (transfers.size() == 0) transfers.refuse("there are no transfers; write at least one");
    if (static_cast<std::int64_t>(transfers.size()) > kMostTransfers) {
      transfers.refuse("{} transfers; use at most {}", transfers.size(), kMostTransfers);
    }
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      const JsonValue transfer = transfers.item(i);
      rows_.push_back(row(transfer, i));
    }
    return std::move(rows_);
  }

 private:
  [[nodiscard]] TrafficRow row(const JsonValue& transfer, std::size_t number) const {
    transfer.require_keys({"packet_size", "num_packets", "src_x", "src_y", "src_device_id", "dst_x", "dst_y",
                           "dst_device_id", "mcast_start_x", "mcast_start_y", "mcast_end_x", "mcast_end_y",
                           "injection_rate", "phase_cycle_offset", "noc_type", "noc_event_type"});
    for (const char* const device : {"src_device_id", "dst_device_id"}) {
      if (transfer.has(device)) (void)transfer.member(device).integer(0, 0, "the only device, 0,");
    }
    TrafficRow row{.id = fmt::format("transfer {}", number)};
    row.bytes = static_cast<std::int32_t>(transfer.member("packet_size").integer(1, kMostBytes, "bytes of a packet"));
    row.count = transfer.member("num_packets").integer(1, kMostPackets, "packets");
    if (transfer.has("phase_cycle_offset")) {
      row.start = transfer.member("phase_cycle_offset").integer(0, kLatest, "a cycle");
    }
    row.noc = noc_of(transfer);
    const RouterId source = tile(transfer, "src_x", "src_y");
    row.kind = is_multicast(transfer)        ? TrafficKind::multicast
               : topology_.is_worker(source) ? TrafficKind::write
                                             : TrafficKind::read;
    if (transfer.has("noc_event_type")) read_event(transfer, row);
    if (row.kind == TrafficKind::multicast) return multicast(transfer, source, std::move(row));
    return unicast(transfer, source, std::move(row));
  }

  [[nodiscard]] static bool is_multicast(const JsonValue& transfer) { return transfer.has("mcast_start_x"); }

  static void read_event(const JsonValue& transfer, TrafficRow& row) {
    const JsonValue type = transfer.member("noc_event_type");
    const std::string name = type.string();
    const auto found =
        std::find_if(kEvents.begin(), kEvents.end(), [&](const Event& event) { return event.name == name; });
    if (found == kEvents.end()) {
      std::vector<std::string> names;
      for (const Event& event : kEvents) names.push_back(event.name);
      const bool is_near = !nearest_names(name, names).empty();
      type.refuse("'{}' is no event that moves data; {}use {}", name, is_near ? suggest(name, names) + " " : "",
                  fmt::join(names, ", "));
    }
    if ((found->kind == TrafficKind::multicast) != is_multicast(transfer)) {
      type.refuse("{} {}", name,
                  is_multicast(transfer)
                      ? "has one destination, and the transfer has mcast_start_x; use WRITE_MULTICAST"
                      : "needs mcast_start_x, mcast_start_y, mcast_end_x and mcast_end_y; add them");
    }
    row.kind = found->kind;
    row.is_stateful = found->is_stateful;
  }

  [[nodiscard]] static int noc_of(const JsonValue& transfer) {
    const JsonValue type = transfer.member("noc_type");
    const std::string name = type.string();
    if (name != "NOC_0" && name != "NOC_1") type.refuse("unknown NoC '{}'; use NOC_0 or NOC_1", name);
    return name == "NOC_1" ? 1 : 0;
  }

  [[nodiscard]] RouterId tile(const JsonValue& transfer, const char* x, const char* y) const {
    return topology_.at({.x = transfer.member(x).index(torus_.width, "a column of tiles"),
                         .y = transfer.member(y).index(torus_.height, "a row of tiles")});
  }

  [[nodiscard]] TrafficRow multicast(const JsonValue& transfer, RouterId source, TrafficRow row) const {
    row.source = source;
    row.area = {.first = topology_.coordinates(tile(transfer, "mcast_start_x", "mcast_start_y")),
                .last = topology_.coordinates(tile(transfer, "mcast_end_x", "mcast_end_y"))};
    if (row.area.last.x < row.area.first.x || row.area.last.y < row.area.first.y) {
      transfer.refuse("the multicast ends before it starts; name the north-west corner first");
    }
    for (const Coordinates corner : {row.area.first, row.area.last}) {
      if (!topology_.is_worker(topology_.at(corner))) {
        transfer.refuse("tile {}-{} is not a worker; the corners of a multicast's rectangle must be", corner.x,
                        corner.y);
      }
    }
    if (row.area.first == row.area.last && topology_.at(row.area.first) == source) {
      transfer.refuse("the multicast reaches nobody but its source; name another rectangle");
    }
    if (row.noc == 1) std::swap(row.area.first, row.area.last);  // the corner that NoC 1 reaches first
    if (!topology_.is_worker(source)) transfer.refuse("its source is not a worker and cannot issue transactions");
    return row;
  }

  [[nodiscard]] TrafficRow unicast(const JsonValue& transfer, RouterId source, TrafficRow row) const {
    const RouterId target = tile(transfer, "dst_x", "dst_y");
    const bool is_read = row.kind == TrafficKind::read;
    row.source = is_read ? target : source;
    const RouterId other = is_read ? source : target;
    row.destinations = {other};
    if (!topology_.is_worker(row.source)) {
      transfer.refuse("tile {} is not a worker and cannot issue transactions", text_of(row.source));
    }
    if (topology_.is_worker(other)) return row;
    const auto& banks = torus_.dram.banks;
    const auto bank = std::find(banks.begin(), banks.end(), topology_.coordinates(other));
    if (bank == banks.end()) transfer.refuse("tile {} is neither a worker nor a bank of DRAM", text_of(other));
    if (row.kind == TrafficKind::atomic) transfer.refuse("atomics act on the memories of tiles, not on DRAM");
    row.banks = {static_cast<std::int32_t>(bank - banks.begin())};
    return row;
  }

  [[nodiscard]] std::string text_of(RouterId tile) const {
    const Coordinates c = topology_.coordinates(tile);
    return fmt::format("{}-{}", c.x, c.y);
  }

  const Torus& torus_;
  Topology topology_;
  std::vector<TrafficRow> rows_;
};

/// Whether a request goes on where another one of equal size ended: the packets of one call.
bool continues(const IssuedRequest& before, const IssuedRequest& next) {
  const Request& a = before.request;
  const Request& b = next.request;
  return a.access == b.access && a.noc == b.noc && a.issuer == b.issuer && a.target == b.target && a.area == b.area &&
         a.bytes == b.bytes && a.access != Access::atomic;
}

std::string_view event_of(const Request& request) {
  if (request.area) return "WRITE_MULTICAST";
  switch (request.access) {
    case Access::write:
      return "WRITE_";
    case Access::read:
      return "READ";
    case Access::atomic:
      return "SEMAPHORE_INC";
  }
  return "";
}

/// A transfer as tt-npe has it; or why it has none.
Outcome<std::string> transfer_text(const Topology& topology, const IssuedRequest& issued, std::int64_t packets) {
  const Request& request = issued.request;
  const bool is_read = request.access == Access::read;
  const Coordinates from = topology.coordinates(is_read ? request.target : request.issuer);
  std::string to;
  if (request.area) {
    Rectangle area = *request.area;
    if (request.noc == 1) std::swap(area.first, area.last);
    if (area.last.x < area.first.x || area.last.y < area.first.y) {
      return Refusal{
          "a multicast goes around the edge of the grid, and tt-npe's rectangles do not; use another algorithm"};
    }
    to = fmt::format("\"mcast_start_x\": {}, \"mcast_start_y\": {}, \"mcast_end_x\": {}, \"mcast_end_y\": {}",
                     area.first.x, area.first.y, area.last.x, area.last.y);
  } else {
    const Coordinates target = topology.coordinates(is_read ? request.issuer : request.target);
    to = fmt::format("\"dst_x\": {}, \"dst_y\": {}", target.x, target.y);
  }
  return fmt::format(
      "    {{\"packet_size\": {}, \"num_packets\": {}, \"src_x\": {}, \"src_y\": {}, {}, \"injection_rate\": 0, "
      "\"phase_cycle_offset\": {}, \"noc_type\": \"NOC_{}\", \"noc_event_type\": \"{}\"}}",
      request.bytes, packets, from.x, from.y, to, issued.cycle, request.noc, event_of(request));
}

}  // namespace

bool is_npe_workload(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

std::vector<TrafficRow> read_npe_workload(const Torus& torus, const std::string& file, const std::string& text) {
  const JsonNode document = parse_json(text, file);
  return WorkloadReader(torus).run(JsonValue(document, file));
}

Outcome<std::string> npe_workload(const TorusProgram& program) {
  Chip chip(program.torus(), 1);
  std::vector<IssuedRequest> issued;
  chip.log_to(issued);
  Cores cores(program, chip, 1);
  cores.start();
  chip.run(kForever);
  if (!cores.stuck().empty()) return Refusal{"the program never ends, so it has no workload"};
  std::vector<std::string> transfers;
  // Requests of one processor follow each other.
  std::stable_sort(issued.begin(), issued.end(), [](const IssuedRequest& a, const IssuedRequest& b) {
    return std::pair(a.request.issuer, a.request.noc) < std::pair(b.request.issuer, b.request.noc);
  });
  for (std::size_t first = 0; first < issued.size();) {
    std::size_t end = first + 1;
    while (end < issued.size() && continues(issued[end - 1], issued[end])) ++end;
    auto text = transfer_text(chip.topology(0), issued[first], static_cast<std::int64_t>(end - first));
    if (!text) return Refusal{text.reason()};
    transfers.push_back(std::move(text).value());
    first = end;
  }
  return fmt::format("{{\n  \"phases\": [{{\"transfers\": [\n{}\n  ]}}]\n}}\n", fmt::join(transfers, ",\n"));
}

}  // namespace muster::torus
