#include "backend/torus/traffic.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>

#include "backend/torus/link_load.h"
#include "base/error.h"
#include "base/index.h"
#include "base/saturating.h"

namespace muster::torus {
namespace {

constexpr Cycle kForever = Cycle{1} << 50;

class Run;

/// A row in progress: resumed when it may begin, and when its transactions are done.
class Row : public Actor {
 public:
  Row(Run& run, std::int32_t number, const TrafficRow& row, CounterId its_counter)
      : what(row),
        counter(its_counter),
        unmet(static_cast<std::int32_t>(row.after.size())),
        run_(run),
        number_(number) {}
  void resume(Chip& chip, Cycle now) override;

  const TrafficRow& what;
  const CounterId counter;
  TrafficRun::Times times;
  std::int32_t unmet;  ///< rows before it that have not ended
  std::vector<std::int32_t> next;

 private:
  Run& run_;
  std::int32_t number_;
  bool has_begun_ = false;
};

/// The processor of a tile that drives one NoC.
class Issuer : public Actor {
 public:
  Issuer(int noc, RouterId tile) : noc_(noc), tile_(tile) {}
  void begin(Chip& chip, Row& row, Cycle now);
  void resume(Chip& chip, Cycle now) override;

 private:
  void issue_packet(Chip& chip, Cycle now);
  [[nodiscard]] Cycle cost(const Torus& torus, const TrafficRow& row) const;

  int noc_;
  RouterId tile_;
  std::deque<Row*> rows_;    ///< that may begin; the first one is being issued
  bool is_charged_ = false;  ///< the software for the next packet was charged
  std::size_t destination_ = 0;
  std::int64_t transaction_ = 0;
  std::int32_t offset_ = 0;  ///< bytes of the transaction that were issued
};

class Run {
 public:
  Run(const Torus& torus, const std::vector<TrafficRow>& rows, std::uint64_t seed) : chip_(torus, seed) {
    for (const TrafficRow& row : rows) {
      rows_.push_back(std::make_unique<Row>(*this, static_cast<std::int32_t>(rows_.size()), row, chip_.new_counter()));
      auto& issuer = issuers_[{row.noc, row.source}];
      if (!issuer) issuer = std::make_unique<Issuer>(row.noc, row.source);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const std::int32_t before : rows[i].after) rows_[at(before)]->next.push_back(static_cast<std::int32_t>(i));
      if (rows[i].after.empty()) chip_.resume_at(*rows_[i], rows[i].start);
    }
  }

  TrafficRun run() {
    chip_.run(kForever);
    TrafficRun done;
    done.stopped = chip_.now();
    for (const auto& row : rows_) {
      done.rows.push_back(row->times);
      done.end = std::max(done.end, row->times.end.value_or(0));
    }
    for (int noc = 0; noc < 2; ++noc) done.resources.push_back(link_load(chip_, noc, done.end));
    return done;
  }

  Issuer& issuer_of(const TrafficRow& row) { return *issuers_.at({row.noc, row.source}); }
  void end(std::int32_t number, Cycle now) {
    Row& row = *rows_[at(number)];
    const Cycle returned = now + chip_.torus().issue.barrier.value();
    row.times.end = returned;
    for (const std::int32_t next : row.next) {
      if (--rows_[at(next)]->unmet == 0)
        chip_.resume_at(*rows_[at(next)], std::max(returned, rows_[at(next)]->what.start));
    }
  }

 private:
  Chip chip_;
  std::vector<std::unique_ptr<Row>> rows_;
  std::map<std::pair<int, RouterId>, std::unique_ptr<Issuer>> issuers_;
};

void Row::resume(Chip& chip, Cycle now) {
  if (has_begun_) return run_.end(number_, now);
  has_begun_ = true;
  run_.issuer_of(what).begin(chip, *this, now);
}

Cycle Issuer::cost(const Torus& torus, const TrafficRow& row) const {
  const bool is_new_destination = transaction_ == 0 && offset_ == 0;
  Cycle cycles = 0;
  if (is_new_destination && destination_ > 0) {
    cycles += (row.banks.empty() ? torus.issue.destination : torus.issue.bank).value();
  }
  if (is_new_destination && row.is_stateful) cycles += torus.issue.state.value();
  switch (row.kind) {
    case TrafficKind::read:
      return cycles + (row.is_stateful ? torus.issue.stateful_read : torus.issue.read).value();
    case TrafficKind::write:
      return cycles + (row.is_stateful ? torus.issue.stateful_write : torus.issue.write).value();
    case TrafficKind::multicast:
    case TrafficKind::multicast_linked:
      return cycles + torus.issue.multicast.value();
    case TrafficKind::atomic:
      return cycles + torus.issue.atomic.value();
  }
  return cycles;
}

void Issuer::issue_packet(Chip& chip, Cycle now) {
  const TrafficRow& row = rows_.front()->what;
  const auto packet = static_cast<std::int32_t>(chip.torus().packet.value());
  Request request;
  request.access = row.kind == TrafficKind::read     ? Access::read
                   : row.kind == TrafficKind::atomic ? Access::atomic
                                                     : Access::write;
  request.noc = static_cast<std::uint8_t>(noc_);
  request.issuer = tile_;
  if (is_multicast(row.kind)) {
    request.area = row.area;
    request.skips_issuer = !row.is_loopback;
    // The last transaction gives the path back.
    request.is_linked = row.kind == TrafficKind::multicast_linked && transaction_ + 1 < row.count;
  } else {
    request.target = row.destinations[destination_];
    if (!row.banks.empty()) request.bank = row.banks[destination_];
  }
  request.is_posted = row.is_posted;
  request.bytes = std::min(packet, row.bytes - offset_);
  request.counter = rows_.front()->counter;
  chip.issue(request, now);

  offset_ += request.bytes;
  if (offset_ < row.bytes) return;
  offset_ = 0;
  if (++transaction_ < row.count) return;
  transaction_ = 0;
  ++destination_;
}

void Issuer::begin(Chip& chip, Row& row, Cycle now) {
  rows_.push_back(&row);
  if (rows_.size() == 1) resume(chip, now);
}

void Issuer::resume(Chip& chip, Cycle now) {
  if (rows_.empty()) return;
  Row& row = *rows_.front();
  if (!is_charged_) {
    if (destination_ == 0 && transaction_ == 0 && offset_ == 0) row.times.start = now;
    is_charged_ = true;
    return chip.resume_at(*this, now + cost(chip.torus(), row.what));
  }
  if (!chip.accepts(noc_, tile_)) return chip.resume_when_accepted(*this, noc_, tile_);
  issue_packet(chip, now);
  is_charged_ = false;
  const std::size_t destinations = is_multicast(row.what.kind) ? 1 : row.what.destinations.size();
  if (destination_ == destinations) {
    chip.resume_when_done(row, row.counter);
    destination_ = 0;
    rows_.pop_front();
  }
  resume(chip, now);
}

}  // namespace

std::int64_t flit_hops(const Torus& torus, const TrafficRow& row) {
  const Topology topology(torus, row.noc);
  const std::int64_t packets = (row.bytes + torus.packet.value() - 1) / torus.packet.value();
  const std::int64_t data = packets + (row.bytes + torus.flit.value() - 1) / torus.flit.value();
  const bool is_read = row.kind == TrafficKind::read;
  const std::int64_t there = is_read ? packets : data;
  const std::int64_t back = is_read ? data : row.is_posted ? 0 : packets;
  std::int64_t once = 0;
  if (is_multicast(row.kind)) {
    // To the farthest tile and through all the others; each acknowledges over as many hops at most.
    std::int64_t tiles = 0;
    for (RouterId tile = 0; tile < topology.routers(); ++tile) tiles += topology.contains(row.area, tile) ? 1 : 0;
    const std::int64_t depth = topology.depth(row.source, row.area);
    once = there * (depth + tiles) + back * tiles * (torus.width + torus.height - depth);
  }
  for (const RouterId destination : row.destinations) {
    once = saturating_sum(
        once, there * topology.hops(row.source, destination) + back * topology.hops(destination, row.source));
  }
  return saturating_product(std::max<std::int64_t>(once, 1), row.count);
}

TrafficRun run_traffic(const Torus& torus, const std::vector<TrafficRow>& rows, std::uint64_t seed) {
  return Run(torus, rows, seed).run();
}

}  // namespace muster::torus
