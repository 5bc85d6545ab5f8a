#include "backend/torus/chip.h"

#include <algorithm>
#include <cmath>

#include "backend/torus/noc/flit_network.h"
#include "backend/torus/noc/flow_network.h"
#include "base/error.h"
#include "base/index.h"

namespace muster::torus {
namespace {

/// How long a memory takes for a flit at a rate in bytes per cycle.
Pace pace_of(const Torus& torus, double rate) {
  return static_cast<Pace>(std::lround(static_cast<double>(torus.flit.value()) / rate * kPaceUnit));
}

std::int32_t data_flits(const Torus& torus, std::int32_t bytes) {
  const auto flit = static_cast<std::int32_t>(torus.flit.value());
  return (bytes + flit - 1) / flit;
}

constexpr Cycle kLook = 1024;                // how often a deadlock is looked for
constexpr std::int32_t kQueuedRequests = 2;  // an interface takes a request while it sends another

/// The controller that a tile of DRAM belongs to.
std::size_t controller_of(const Torus& torus, Coordinates tile) {
  const auto& controllers = torus.dram.controllers;
  for (std::size_t i = 0; i < controllers.size(); ++i) {
    if (std::find(controllers[i].begin(), controllers[i].end(), tile) != controllers[i].end()) return i;
  }
  return 0;
}

}  // namespace

Chip::Chip(const Torus& torus, std::uint64_t seed, Detail detail)
    : torus_(torus),
      write_pace_(pace_of(torus, torus.interface.write_rate)),
      read_pace_(pace_of(torus, torus.interface.read_rate)),
      dram_pace_(pace_of(torus, torus.dram.rate)) {
  for (int noc = 0; noc < 2; ++noc) {
    if (detail == Detail::flows) {
      networks_[at(noc)] = std::make_unique<FlowNetwork>(torus_, noc);
    } else {
      networks_[at(noc)] =
          std::make_unique<FlitNetwork>(torus_, noc, random_bits(seed, static_cast<std::uint64_t>(noc)));
    }
  }
  const auto tiles = at(topology(0).routers());
  atomic_free_.resize(tiles);
  pending_.resize(2 * tiles);
  waits_for_interface_.resize(2 * tiles);
  const std::int32_t buffer = data_flits(torus_, static_cast<std::int32_t>(torus_.dram.buffer.value()));
  ingress_.resize(std::max(torus_.dram.controllers.size(), std::size_t{1}));
  for (Ingress& ingress : ingress_) ingress.pace = pace_of(torus_, torus_.dram.interface_rate);
  for (const Coordinates& bank : torus_.dram.banks) {
    banks_.push_back(std::make_unique<SlowSink>(ingress_[controller_of(torus_, bank)], dram_pace_, buffer));
    for (const auto& network : networks_) network->set_sink(topology(0).at(bank), banks_.back().get());
  }
}

void Chip::schedule(Cycle due, What what, Actor* actor, std::int64_t message) {
  events_.add(due, {.what = what, .actor = actor, .message = message});
}

void Chip::resume_at(Actor& actor, Cycle when) { schedule(when, What::resume, &actor, 0); }

CounterId Chip::new_counter() {
  counters_.emplace_back();
  return static_cast<CounterId>(counters_.size() - 1);
}

void Chip::resume_when_done(Actor& actor, CounterId counter) {
  Counter& waited_for = counters_[at(counter)];
  if (waited_for.outstanding == 0) return resume_at(actor, std::max(waited_for.done, now_));
  waited_for.waits = &actor;
}

bool Chip::accepts(int noc, RouterId tile) const { return pending_[interface_index(noc, tile)] < kQueuedRequests; }

void Chip::resume_when_accepted(Actor& actor, int noc, RouterId tile) {
  waits_for_interface_[interface_index(noc, tile)].push_back(&actor);
}

std::int64_t Chip::new_message(const Message& message) {
  if (free_messages_.empty()) {
    messages_.push_back(message);
    return std::ssize(messages_) - 1;
  }
  const std::int64_t index = free_messages_.back();
  free_messages_.pop_back();
  messages_[at(index)] = message;
  return index;
}

Packet Chip::packet_of(const Message& message) const {
  const Request& request = message.request;
  const bool is_response = message.stage == Stage::response;
  const bool has_data = is_response ? request.access == Access::read : request.access == Access::write;
  Packet packet;
  packet.source = is_response ? message.from : request.issuer;
  packet.destination = is_response ? request.issuer : request.target;
  packet.flits = 1 + (has_data ? data_flits(torus_, request.bytes) : 0);
  packet.pace = is_response ? read_pace_ : write_pace_;
  if (is_response) {
    packet.channel_class = ChannelClass::response;
    packet.is_static = false;
    if (request.in_dram() && has_data) packet.pace = std::max(packet.pace, dram_pace_);
  } else if (request.area) {
    packet.channel_class = ChannelClass::multicast;
    packet.area = request.area;
    packet.skips_source = request.skips_issuer;
    packet.is_linked = request.is_linked;
  } else {
    packet.buddy = 1;
  }
  return packet;
}

void Chip::issue(const Request& request, Cycle now) {
  if (log_ != nullptr) log_->push_back({.cycle = now, .request = request});
  Message message{.request = request, .stage = Stage::request, .from = request.issuer};
  message.left = network(request.noc).copies(packet_of(message));
  counters_[at(request.counter)].outstanding += request.is_posted ? 1 : message.left;
  ++pending_[interface_index(request.noc, request.issuer)];
  const Cycle leaves = now + torus_.interface.memory_latency.value();
  if (networks_[request.noc]->sends_ahead()) {
    send(new_message(message), leaves);
  } else {
    schedule(leaves, What::send, nullptr, new_message(message));
  }
}

void Chip::send(std::int64_t message, Cycle when) {
  Packet packet = packet_of(messages_[at(message)]);
  packet.tag = message;
  networks_[messages_[at(message)].request.noc]->send(packet, when);
}

void Chip::handle(const Event& event) {
  switch (event.what) {
    case What::resume:
      event.actor->resume(*this, now_);
      return;
    case What::send:
      send(event.message, now_);
      return;
  }
}

void Chip::finish(CounterId counter, Cycle when) {
  Counter& finished = counters_[at(counter)];
  finished.done = std::max(finished.done, when);
  if (--finished.outstanding > 0) return;
  if (Actor* const actor = std::exchange(finished.waits, nullptr)) resume_at(*actor, finished.done);
}

Cycle Chip::respond(const Message& message, RouterId from) {
  Message response = message;
  response.stage = Stage::response;
  response.from = from;
  const Request& request = response.request;
  Cycle ready = now_;
  Cycle visible = now_;
  if (request.access == Access::write) {
    if (request.in_dram()) {
      SlowSink& bank = *banks_[at(request.bank)];
      ready = std::max(ready, bank.done_at() / kPaceUnit) + torus_.dram.latency.value();
    }
    ready += torus_.interface.acknowledge.value();
  } else if (request.access == Access::atomic) {
    Cycle& free = atomic_free_[at(from)];
    ready = std::max(ready, free) + torus_.atomic_latency.value();
    free = visible = ready;
    ready += torus_.interface.acknowledge.value();
  } else {
    ready += torus_.interface.memory_latency.value();
    if (request.in_dram()) {
      SlowSink& bank = *banks_[at(request.bank)];
      const std::int64_t begin =
          bank.occupy(ready * kPaceUnit, std::int64_t{bank.pace()} * data_flits(torus_, request.bytes));
      ready = begin / kPaceUnit + torus_.dram.latency.value();
    }
  }
  if (request.access != Access::read) {
    if (const auto arrival = networks_[request.noc]->acknowledge(packet_of(response), ready)) {
      finish(request.counter, *arrival + torus_.interface.acknowledge.value());
      return visible;
    }
  }
  schedule(ready, What::send, nullptr, new_message(response));
  return visible;
}

void Chip::depart(std::int64_t message) {
  const Message& left = messages_[at(message)];
  if (left.stage == Stage::response) return;
  if (left.request.is_posted) finish(left.request.counter, now_);
  const Request request = left.request;
  const std::size_t index = interface_index(request.noc, request.issuer);
  --pending_[index];
  if (request.observer != nullptr) request.observer->departed(*this, request.tag);
  resumed_.swap(waits_for_interface_[index]);
  for (Actor* const actor : resumed_) actor->resume(*this, now_);
  resumed_.clear();
}

void Chip::deliver(const Delivery& delivery) {
  const Message message = messages_[at(delivery.tag)];
  const Request& request = message.request;
  if (message.stage == Stage::response) {
    free_messages_.push_back(delivery.tag);
    if (request.observer != nullptr && request.access == Access::read) request.observer->returned(*this, request.tag);
    finish(request.counter, now_ + torus_.interface.acknowledge.value());
    return;
  }
  if (--messages_[at(delivery.tag)].left == 0) free_messages_.push_back(delivery.tag);
  if (request.access == Access::write && request.in_dram() && Bytes(request.bytes) < torus_.dram.burst) {
    SlowSink& bank = *banks_[at(request.bank)];
    const std::int64_t extra =
        torus_.dram.short_write.value() * kPaceUnit - std::int64_t{bank.pace()} * data_flits(torus_, request.bytes);
    bank.occupy(0, std::max<std::int64_t>(extra, 0));
  }
  const Cycle visible = request.is_posted ? now_ : respond(message, delivery.tile);
  if (request.observer != nullptr) request.observer->delivered(*this, request.tag, delivery.tile, visible);
}

void Chip::run(Cycle limit) {
  std::vector<Delivery> arrived;
  std::vector<std::int64_t> departed;
  while (now_ < limit) {
    const Cycle next = std::min(networks_[0]->next(now_ - 1), networks_[1]->next(now_ - 1));
    const Cycle due = events_.next();
    if (std::min(next, due) == Network::kNever) return;
    now_ = std::max(now_, std::min(next, due));
    while (events_.next() <= now_) handle(events_.take());
    for (int noc = 0; noc < 2; ++noc) {
      Network& net = *networks_[at(noc)];
      if (net.is_idle()) continue;
      net.advance(now_);
      arrived.swap(net.deliveries());
      for (const Delivery& delivery : arrived) deliver(delivery);
      arrived.clear();
      departed.swap(net.departures());
      for (const std::int64_t message : departed) depart(message);
      departed.clear();
    }
    if (now_ % kLook == 0 && is_stuck()) return;
    ++now_;
  }
}

bool Chip::is_stuck() const {
  return std::any_of(networks_.begin(), networks_.end(), [&](const auto& net) { return net->is_stuck(now_); });
}

}  // namespace muster::torus
