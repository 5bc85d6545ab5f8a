#include "backend/torus/noc/flit_network.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/index.h"

namespace muster::torus {
namespace {

constexpr int kDateline = 8;  // of a virtual channel
constexpr int kBuddy = 1;

/// On its way to its rectangle a multicast takes the other channel than inside it, because both may use the same link.
int buddy_of(MulticastLeg leg) { return leg == MulticastLeg::approach || leg == MulticastLeg::descent ? kBuddy : 0; }

/// The first bit of `set` behind `last`, round robin.
int next_bit(std::uint64_t set, int last, int size) {
  const std::uint64_t behind = last + 1 >= size ? 0 : set >> (last + 1) << (last + 1);
  return std::countr_zero(behind != 0 ? behind : set);
}

template <class Set>
void set_bit(Set& set, int bit) {
  set = static_cast<Set>(set | (Set{1} << bit));
}
template <class Set>
void clear_bit(Set& set, int bit) {
  set = static_cast<Set>(set & ~(Set{1} << bit));
}
template <class Set>
bool has_bit(Set set, int bit) {
  return ((set >> bit) & 1U) != 0;
}

}  // namespace

FlitNetwork::FlitNetwork(const Torus& torus, int noc, std::uint64_t seed)
    : Network(torus, noc),
      credits_(torus.channel_flits),
      hand_over_(static_cast<std::int32_t>(torus.hand_over.value())),
      contended_flits_(torus.contended_flits),
      reservation_base_(torus.interface.reservation.value()),
      reservation_per_hop_(torus.interface.reservation_per_hop.value()),
      random_(seed) {
  const auto routers = at(topology_.routers());
  inputs_.resize(routers * kInputs * kChannels);
  links_.resize(routers * kOutputs);
  upstream_.resize(routers * 2);
  sinks_.resize(routers, nullptr);
  ejecting_.resize(routers * kChannels);
  has_path_.resize(routers, false);
  for (RouterId r = 0; r < topology_.routers(); ++r) {
    for (int output = 0; output < kOutputs; ++output) {
      Link& link = links_[link_index(r, output)];
      link.latency = (output < to_tile ? torus.hop_latency : torus.interface_latency).value();
      link.flying.resize(std::bit_ceil(at(link.latency)));
      link.owner.fill(-1);
    }
    for (const Port axis : {to_x, to_y}) upstream_[at(topology_.next(r, axis)) * 2 + axis] = r;
  }
}

void FlitNetwork::set_sink(RouterId tile, SlowSink* sink) { sinks_[at(tile)] = sink; }

std::int64_t FlitNetwork::flits_sent(RouterId router, Port port) const {
  return links_[link_index(router, port)].flits;
}

std::int64_t FlitNetwork::flits_inside() const {
  std::int64_t flits = 0;
  for (const Link& link : links_) {
    for (const std::int32_t used : link.used) flits += used;
  }
  return flits;
}

void FlitNetwork::activate(std::size_t link) {
  if (links_[link].is_active) return;
  links_[link].is_active = true;
  active_.push_back(link);
}

void FlitNetwork::send(const Packet& packet, Cycle now) {
  PacketIndex index = static_cast<PacketIndex>(packets_.size());
  if (free_packets_.empty()) {
    packets_.emplace_back();
  } else {
    index = free_packets_.back();
    free_packets_.pop_back();
  }
  Packet everywhere = packet;
  everywhere.skips_source = false;
  packets_[at(index)] = {.packet = packet, .copies = copies(everywhere)};
  last_progress_ = now;
  const int channel = static_cast<int>(packet.channel_class) * 2 + packet.buddy;
  Input& queue = input(packet.source, kQueue, channel);
  queue.packets.push_back({.packet = index, .flits = packet.flits, .leg = MulticastLeg::approach});
  if (queue.packets.size() == 1) {
    queue.next_flit = std::max(queue.next_flit, now * kPaceUnit);
    route(packet.source, kQueue, channel, now);
  }
}

void FlitNetwork::advance(Cycle now) {
  return_credits();
  if (!reserving_.empty()) reserve_paths(now);
  std::size_t arrived = 0;  // links become active meanwhile
  while (arrived < active_.size()) arrive(active_[arrived++], now);
  std::size_t sent = 0;
  while (sent < active_.size()) transmit(active_[sent++], now);
  std::erase_if(active_, [&](std::size_t index) {
    Link& link = links_[index];
    if (link.in_flight > 0 || link.ready != 0 || !link.releases.empty()) return false;
    link.is_active = false;
    return true;
  });
}

bool FlitNetwork::is_stuck(Cycle now) const {
  constexpr Cycle kPatience = 20'000;  // longer than software takes between the transactions of a linked multicast
  if (is_idle() || now - last_progress_ <= kPatience) return false;
  const bool is_timed =
      std::any_of(active_.begin(), active_.end(), [&](std::size_t i) { return !links_[i].releases.empty(); });
  // A path that was taken when nothing moved any more stays taken.
  const bool may_reserve = std::any_of(reserving_.begin(), reserving_.end(),
                                       [&](const Reservation& attempt) { return attempt.failed <= last_progress_; });
  return !is_timed && !may_reserve;
}

void FlitNetwork::arrive(std::size_t index, Cycle now) {
  Link& link = links_[index];
  const auto router = static_cast<RouterId>(index / kOutputs);
  const int output = static_cast<int>(index % kOutputs);
  while (!link.releases.empty() && link.releases.front().due <= now) {
    const Release done = link.releases.front();
    link.releases.pop_front();
    take_from_buffer(link, done.channel);
    if (done.delivered < 0) continue;
    deliveries_.push_back({.tag = packets_[at(done.delivered)].packet.tag, .tile = router});
    free_packets_.push_back(done.delivered);
  }
  if (link.in_flight == 0) return;
  Flit& slot = link.departed(now - link.latency);
  if (slot.packet < 0) return;
  const Flit flit = slot;
  slot.packet = -1;
  --link.in_flight;
  if (output == to_tile) return eject(index, flit, now);
  const RouterId to = output == kInject ? router : topology_.next(router, static_cast<Port>(output));
  const int in = output == kInject ? kFromTile : output;
  Input& buffer = input(to, in, flit.channel);
  if (flit.is_first) {
    buffer.packets.push_back({.packet = flit.packet, .flits = 1, .leg = flit.leg});
    if (buffer.packets.size() == 1) route(to, in, flit.channel, now);
    return;
  }
  ++buffer.packets.back().flits;
  if (buffer.packets.size() > 1) return;
  for (PortSet left = buffer.granted; left != 0; left &= static_cast<PortSet>(left - 1)) {
    const int port = std::countr_zero(left);
    const std::size_t out = link_index(to, port);
    set_bit(links_[out].ready, buffer.out_channel[at(port)]);
    activate(out);
  }
}

void FlitNetwork::eject(std::size_t index, const Flit& flit, Cycle now) {
  Link& link = links_[index];
  const auto tile = static_cast<RouterId>(index / kOutputs);
  Arrived& arriving = ejecting_[at(tile) * kChannels + flit.channel];
  if (flit.is_first) arriving = {.packet = flit.packet, .flits = 0, .leg = flit.leg};
  const Packet& packet = packets_[at(flit.packet)].packet;
  const bool is_last = ++arriving.flits == packet.flits;
  SlowSink* const sink = packet.flits > 1 ? sinks_[at(tile)] : nullptr;
  if (sink != nullptr) {
    const std::int64_t left =
        flit.is_first ? now * kPaceUnit : sink->take(now * kPaceUnit);  // the header is not stored
    link.releases.push_back(
        {.due = (left + kPaceUnit - 1) / kPaceUnit, .channel = flit.channel, .delivered = is_last ? flit.packet : -1});
    return;
  }
  take_from_buffer(link, flit.channel);
  if (!is_last) return;
  const bool is_left_out = packet.skips_source && tile == packet.source;  // it ends here, but is not delivered
  if (!is_left_out) deliveries_.push_back({.tag = packet.tag, .tile = tile});
  if (--packets_[at(flit.packet)].copies == 0) free_packets_.push_back(flit.packet);
}

std::uint16_t FlitNetwork::sendable(Link& link, std::size_t index, Cycle now) {
  for (std::uint16_t left = link.turning; left != 0; left &= static_cast<std::uint16_t>(left - 1)) {
    const int channel = std::countr_zero(left);
    if (link.handed_over[at(channel)] <= now) clear_bit(link.turning, channel);
  }
  auto channels = static_cast<std::uint16_t>(link.ready & ~link.full & ~link.turning);
  if (index % kOutputs != kInject) return channels;
  for (std::uint16_t left = channels; left != 0; left &= static_cast<std::uint16_t>(left - 1)) {
    const int channel = std::countr_zero(left);
    const int from = link.owner[at(channel)] % kChannels;
    const Input& queue = input(static_cast<RouterId>(index / kOutputs), kQueue, from);
    if (queue.next_flit > now * kPaceUnit) clear_bit(channels, channel);
  }
  return channels;
}

void FlitNetwork::transmit(std::size_t index, Cycle now) {
  Link& link = links_[index];
  if (link.ready == 0) return;
  const std::uint16_t channels = sendable(link, index, now);
  if (channels == 0) return;
  const int channel = next_bit(channels, link.last_sent, kChannels);
  link.last_sent = static_cast<std::uint8_t>(channel);
  const auto router = static_cast<RouterId>(index / kOutputs);
  const int output = static_cast<int>(index % kOutputs);
  const int from = link.owner[at(channel)];
  const int in = from / kChannels;
  Input& source = input(router, in, from % kChannels);
  const Arrived& front = source.packets.front();
  const PacketState& state = packets_[at(front.packet)];

  const std::int32_t number = source.sent[at(output)]++;
  const MulticastLeg leg = leg_behind(router, in, from % kChannels, output);
  link.departed(now) = {
      .packet = front.packet, .channel = static_cast<std::uint8_t>(channel), .is_first = number == 0, .leg = leg};
  ++link.in_flight;
  ++link.flits;
  last_progress_ = now;
  if (++link.used[at(channel)] == credits_) set_bit(link.full, channel);
  if (in == kQueue) source.next_flit = std::max(source.next_flit, (now - 1) * kPaceUnit) + state.packet.pace;

  const bool is_last = number + 1 == state.packet.flits;
  const bool is_wanted = link.waiting[at(channel)] != 0;
  if (is_wanted && contended_flits_ > 0 && (number + 1) % contended_flits_ == 0) {
    link.handed_over[at(channel)] = now + 2;
    set_bit(link.turning, channel);
  }
  if (number + 1 == front.flits) clear_bit(link.ready, channel);  // until the next one arrives
  // The buffer is free when the slowest branch has sent.
  std::int32_t least = source.sent[at(output)];
  for (PortSet left = source.ports; left != 0; left &= static_cast<PortSet>(left - 1)) {
    least = std::min(least, source.sent[static_cast<std::size_t>(std::countr_zero(left))]);
  }
  if (least == number + 1 && in != kQueue) free_flit(router, in, from % kChannels);
  if (!is_last) return;
  if (state.packet.area && !state.packet.is_linked) link.reserved_by[at(channel & kBuddy)] = -1;
  clear_bit(source.ports, output);
  clear_bit(source.granted, output);
  release(index, channel, now);
  if (source.ports == 0) finish_front(router, in, from % kChannels, now);
}

void FlitNetwork::free_flit(RouterId router, int in, int channel) {
  const std::size_t index =
      in == kFromTile ? link_index(router, kInject) : link_index(upstream_[at(router) * 2 + at(in)], in);
  credits_due_.push_back({.link = index, .channel = channel});
}

void FlitNetwork::return_credits() {
  for (const Credit& credit : credits_due_) take_from_buffer(links_[credit.link], credit.channel);
  credits_due_.clear();
}

void FlitNetwork::take_from_buffer(Link& link, int channel) {
  --link.used[at(channel)];
  clear_bit(link.full, channel);
}

void FlitNetwork::finish_front(RouterId router, int in, int channel, Cycle now) {
  Input& buffer = input(router, in, channel);
  const PacketIndex done = buffer.packets.front().packet;
  buffer.packets.pop_front();
  if (in == kQueue) {
    const Packet& packet = packets_[at(done)].packet;
    departures_.push_back(packet.tag);
    if (packet.area && !packet.is_linked) has_path_[at(router)] = false;
  }
  if (!buffer.packets.empty()) route(router, in, channel, now + 1);
}

MulticastLeg FlitNetwork::leg_behind(RouterId router, int in, int channel, int output) const {
  const Arrived& front = input(router, in, channel).packets.front();
  const Packet& packet = packets_[at(front.packet)].packet;
  if (!packet.area || output >= to_tile) return front.leg;
  return topology_.next_leg(router, front.leg, static_cast<Port>(output), *packet.area);
}

int FlitNetwork::out_channel(RouterId router, int in, int channel, int output) const {
  if (output == kInject) return channel;
  const Packet& packet = packets_[at(input(router, in, channel).packets.front().packet)].packet;
  if (output == to_tile) return packet.area ? channel & ~kBuddy : channel;
  int dateline = in == output ? channel & kDateline : 0;
  if (topology_.wraps(router, static_cast<Port>(output))) dateline ^= kDateline;
  const int buddy = packet.area ? buddy_of(leg_behind(router, in, channel, output)) : channel & kBuddy;
  return (channel & ~(kDateline | kBuddy)) | dateline | buddy;
}

void FlitNetwork::route(RouterId router, int in, int channel, Cycle ready) {
  Input& buffer = input(router, in, channel);
  const Arrived& front = buffer.packets.front();
  const Packet& packet = packets_[at(front.packet)].packet;
  buffer.sent.fill(0);
  if (in == kQueue) {
    if (packet.area && !has_path_[at(router)]) return start_reservation(router, ready);
    buffer.ports = static_cast<PortSet>(1U << kInject);
  } else if (packet.area) {
    buffer.ports = topology_.branches(router, front.leg, *packet.area);
  } else {
    buffer.ports = static_cast<PortSet>(1U << topology_.toward(router, packet.destination));
  }
  buffer.granted = 0;
  for (PortSet left = buffer.ports; left != 0; left &= static_cast<PortSet>(left - 1)) {
    request(router, in, channel, std::countr_zero(left), ready);
  }
}

void FlitNetwork::request(RouterId router, int in, int channel, int output, Cycle ready) {
  const std::size_t index = link_index(router, output);
  Link& link = links_[index];
  const Packet& packet = packets_[at(input(router, in, channel).packets.front().packet)].packet;
  const int wanted = out_channel(router, in, channel, output);
  if (link.owner[at(wanted)] < 0) return grant(index, wanted, in, channel, ready);
  const int buddy = wanted ^ 1;
  if (!packet.is_static && link.owner[at(buddy)] < 0) return grant(index, buddy, in, channel, ready);
  set_bit(link.waiting[at(wanted)], in * kChannels + channel);
  if (!packet.is_static) set_bit(link.waiting[at(buddy)], in * kChannels + channel);
}

void FlitNetwork::grant(std::size_t index, int out_channel, int in, int channel, Cycle ready) {
  Link& link = links_[index];
  const auto router = static_cast<RouterId>(index / kOutputs);
  const int output = static_cast<int>(index % kOutputs);
  link.owner[at(out_channel)] = in * kChannels + channel;
  link.last_granted[at(out_channel)] = static_cast<std::uint8_t>(in * kChannels + channel);
  Input& buffer = input(router, in, channel);
  buffer.out_channel[at(output)] = static_cast<std::uint8_t>(out_channel);
  set_bit(buffer.granted, output);
  set_bit(link.ready, out_channel);
  link.handed_over[at(out_channel)] = ready;
  set_bit(link.turning, out_channel);
  activate(index);
}

void FlitNetwork::release(std::size_t index, int out_channel, Cycle now) {
  Link& link = links_[index];
  link.owner[at(out_channel)] = -1;
  clear_bit(link.ready, out_channel);
  const std::uint64_t waiting = link.waiting[at(out_channel)];
  if (waiting == 0) return;
  const int next = next_bit(waiting, link.last_granted[at(out_channel)], 64);
  clear_bit(link.waiting[at(out_channel)], next);
  clear_bit(link.waiting[at(out_channel ^ 1)], next);
  const Input& taker = input(static_cast<RouterId>(index / kOutputs), next / kChannels, next % kChannels);
  const bool is_static = packets_[at(taker.packets.front().packet)].packet.is_static;
  grant(index, out_channel, next / kChannels, next % kChannels, now + (is_static ? hand_over_ : 1));
}

void FlitNetwork::start_reservation(RouterId source, Cycle now) {
  const int channel = static_cast<int>(ChannelClass::multicast) * 2;
  const Packet& packet = packets_[at(input(source, kQueue, channel).packets.front().packet)].packet;
  const Cycle round_trip = reservation_base_ + reservation_per_hop_ * topology_.depth(source, *packet.area);
  reserving_.push_back({.source = source, .due = now + round_trip});
  last_progress_ = std::max(last_progress_, now);
}

void FlitNetwork::reserve_paths(Cycle now) {
  constexpr int kMostTries = 10;  // of the exponential backoff; after that it stays
  for (std::size_t i = 0; i < reserving_.size();) {
    Reservation& attempt = reserving_[i];
    if (attempt.due > now) {
      ++i;
      continue;
    }
    const RouterId source = attempt.source;
    const int channel = static_cast<int>(ChannelClass::multicast) * 2;
    const Packet packet = packets_[at(input(source, kQueue, channel).packets.front().packet)].packet;
    if (!try_reserve(source, packet)) {
      attempt.failed = now;
      attempt.tries = std::min(attempt.tries + 1, kMostTries);
      const Cycle round_trip = reservation_base_ + reservation_per_hop_ * topology_.depth(source, *packet.area);
      attempt.due = now + round_trip + static_cast<Cycle>(random_.below(std::uint64_t{16} << attempt.tries));
      ++i;
      continue;
    }
    reserving_.erase(reserving_.begin() + static_cast<std::ptrdiff_t>(i));
    has_path_[at(source)] = true;
    last_progress_ = now;
    input(source, kQueue, channel).next_flit = now * kPaceUnit;
    route(source, kQueue, channel, now);
  }
}

template <class Visit>
bool FlitNetwork::visit_tree(RouterId at_router, MulticastLeg leg, const Packet& packet, Visit visit) const {
  const PortSet ports = topology_.branches(at_router, leg, *packet.area);
  bool all = !has_bit(ports, to_tile) || visit(link_index(at_router, to_tile), 0);
  for (const Port port : {to_x, to_y}) {
    if (!has_bit(ports, port)) continue;
    const MulticastLeg next = topology_.next_leg(at_router, leg, port, *packet.area);
    all = all && visit(link_index(at_router, port), buddy_of(next)) &&
          visit_tree(topology_.next(at_router, port), next, packet, visit);
  }
  return all;
}

bool FlitNetwork::try_reserve(RouterId source, const Packet& packet) {
  const bool is_free = visit_tree(source, MulticastLeg::approach, packet,
                                  [&](std::size_t link, int buddy) { return links_[link].reserved_by[at(buddy)] < 0; });
  if (!is_free) return false;
  visit_tree(source, MulticastLeg::approach, packet, [&](std::size_t link, int buddy) {
    links_[link].reserved_by[at(buddy)] = source;
    return true;
  });
  return true;
}

}  // namespace muster::torus
