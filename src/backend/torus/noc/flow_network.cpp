#include "backend/torus/noc/flow_network.h"

#include <algorithm>

#include "base/index.h"

namespace muster::torus {

FlowNetwork::FlowNetwork(const Torus& torus, int noc)
    : Network(torus, noc),
      hop_(torus.hop_latency.value()),
      hand_over_(torus.hand_over.value()),
      contended_flits_(torus.contended_flits),
      interface_(torus.interface_latency.value()),
      reservation_(torus.interface.reservation.value()),
      reservation_per_hop_(torus.interface.reservation_per_hop.value()),
      free_(at(topology_.routers()) * kLinks),
      last_(free_.size()),
      flits_(free_.size()),
      sinks_(at(topology_.routers())),
      has_path_(at(topology_.routers())),
      paths_(at(topology_.routers()) * at(topology_.routers())) {}

std::span<const std::uint32_t> FlowNetwork::path(RouterId from, RouterId to) {
  Path& path = paths_[at(from) * at(topology_.routers()) + at(to)];
  if (!path.is_known) {
    path = {.first = static_cast<std::uint32_t>(path_links_.size()), .count = 0, .is_known = true};
    for (RouterId router = from; router != to; ++path.count) {
      const Port port = topology_.toward(router, to);
      path_links_.push_back(static_cast<std::uint32_t>(link(router, port)));
      router = topology_.next(router, port);
    }
  }
  return std::span(path_links_).subspan(path.first, path.count);
}

std::optional<Cycle> FlowNetwork::acknowledge(const Packet& packet, Cycle now) {
  const auto links = path(packet.source, packet.destination);
  for (const std::uint32_t taken : links) flits_[taken] += packet.flits;
  flits_[link(packet.source, kInject)] += packet.flits;
  flits_[link(packet.destination, to_tile)] += packet.flits;
  return now + 2 * interface_ + hop_ * std::ssize(links) + packet.flits;
}

void FlowNetwork::send(const Packet& packet, Cycle now) {
  packet.area ? send_to_area(packet, now) : send_to_one(packet, now);
}

Cycle FlowNetwork::pass(std::size_t taken, Cycle first, Cycle duration, const Packet& packet) {
  flits_[taken] += packet.flits;
  Cycle& free = free_[taken];
  const bool is_slow = taken == link(packet.destination, to_tile) && sinks_[at(packet.destination)] != nullptr;
  if (free > first && last_[taken] != packet.source && !is_slow) {
    free += hand_over_;
    if (contended_flits_ > 0) free += std::max<Cycle>(packet.flits + packet.flits / contended_flits_ - duration, 0);
  }
  last_[taken] = packet.source;
  first = std::max(first, free);
  // Two responses share a link, each on a virtual channel.
  const bool is_shared = packet.channel_class == ChannelClass::response;
  free = first + (is_shared ? std::max<Cycle>(packet.flits, duration / 2) : duration);
  return first;
}

void FlowNetwork::send_to_one(const Packet& packet, Cycle now) {
  const Cycle duration = duration_of(packet);
  Cycle first = pass(link(packet.source, kInject), now, duration, packet);
  add(first + duration, packet.tag, kDeparted);
  first += interface_;
  for (const std::uint32_t taken : path(packet.source, packet.destination)) {
    first = pass(taken, first, duration, packet) + hop_;
  }
  first = pass(link(packet.destination, to_tile), first, duration, packet) + interface_;
  Cycle last = first + duration;
  if (SlowSink* const sink = sinks_[at(packet.destination)]; sink != nullptr && packet.flits > 1) {
    last = std::max(last, sink->take((first + 1) * kPaceUnit, packet.flits - 1) / kPaceUnit);
    free_[link(packet.destination, to_tile)] = std::max(free_[link(packet.destination, to_tile)], last - interface_);
  }
  add(last, packet.tag, packet.destination);
}

/// visit(link, hops from the source, tile or kDeparted)
template <class Visit>
void FlowNetwork::visit_tree(RouterId router, MulticastLeg leg, std::int32_t hops, const Packet& packet,
                             Visit visit) const {
  const PortSet ports = topology_.branches(router, leg, *packet.area);
  if (((ports >> to_tile) & 1U) != 0) visit(link(router, to_tile), hops, router);
  for (const Port port : {to_x, to_y}) {
    if (((ports >> port) & 1U) == 0) continue;
    visit(link(router, port), hops, kDeparted);
    visit_tree(topology_.next(router, port), topology_.next_leg(router, leg, port, *packet.area), hops + 1, packet,
               visit);
  }
}

void FlowNetwork::send_to_area(const Packet& packet, Cycle now) {
  const Cycle duration = duration_of(packet);
  Cycle start = std::max(now, free_[link(packet.source, kInject)]);
  const bool has_path = has_path_[at(packet.source)];
  has_path_[at(packet.source)] = packet.is_linked;
  const auto delay = [&](std::int32_t hops) { return interface_ + hops * hop_; };
  visit_tree(packet.source, MulticastLeg::approach, 0, packet,
             [&](std::size_t l, std::int32_t hops, RouterId) { start = std::max(start, free_[l] - delay(hops)); });
  if (!has_path) {  // a path that is taken is tried again and again: it is found free half a try later
    const Cycle round_trip = reservation_ + reservation_per_hop_ * topology_.depth(packet.source, *packet.area);
    start = std::max(now + round_trip, start + round_trip / 2);
  }
  free_[link(packet.source, kInject)] = start + duration;
  add(start + duration, packet.tag, kDeparted);
  visit_tree(packet.source, MulticastLeg::approach, 0, packet, [&](std::size_t l, std::int32_t hops, RouterId tile) {
    flits_[l] += packet.flits;
    free_[l] = std::max(free_[l], start + delay(hops) + duration);
    const bool is_left_out = packet.skips_source && tile == packet.source;
    if (tile != kDeparted && !is_left_out && topology_.is_worker(tile)) {
      add(start + delay(hops) + interface_ + duration, packet.tag, tile);
    }
  });
}

void FlowNetwork::advance(Cycle now) {
  while (events_.next() <= now) {
    const Event event = events_.take();
    if (event.tile == kDeparted) {
      departures_.push_back(event.tag);
    } else {
      deliveries_.push_back({.tag = event.tag, .tile = event.tile});
    }
  }
}

}  // namespace muster::torus
