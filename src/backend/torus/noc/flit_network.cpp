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

FlitNetwork::Flying::Flying(Cycle latency) : latency_(latency), by_departure_(std::bit_ceil(at(latency))) {}

FlitNetwork::FlitNetwork(const Torus& torus, int noc, std::uint64_t seed)
    : Network(torus, noc),
      credits_(torus.channel_flits),
      hand_over_(static_cast<std::int32_t>(torus.hand_over.value())),
      contended_flits_(torus.contended_flits),
      reservation_base_(torus.interface.reservation.value()),
      reservation_per_hop_(torus.interface.reservation_per_hop.value()),
      random_(seed),
      between_routers_(torus.hop_latency.value()),
      from_tiles_(torus.interface_latency.value()),
      to_tiles_(torus.interface_latency.value()) {
  const auto routers = at(topology_.routers());
  inputs_.resize(routers * kInputs * kChannels);
  links_.resize(routers * kOutputs);
  channels_.resize(routers * kOutputs);
  upstream_.resize(routers * 2);
  sinks_.resize(routers, nullptr);
  ejecting_.resize(routers * kChannels);
  has_path_.resize(routers, false);
  for (RouterId r = 0; r < topology_.routers(); ++r) {
    for (int output = 0; output < kOutputs; ++output) {
      const LinkIndex index = link_index(r, output);
      link(index).leads_to = output < to_tile ? topology_.next(r, static_cast<Port>(output)) : r;
      channels(index).owner.fill(kNobody);
    }
    for (const Port axis : {to_x, to_y}) upstream_[at(topology_.next(r, axis)) * 2 + axis] = r;
  }
}

void FlitNetwork::set_sink(RouterId tile, SlowSink* sink) { sinks_[at(tile)] = sink; }

std::int64_t FlitNetwork::flits_sent(RouterId router, Port port) const {
  return channels(link_index(router, port)).flits;
}

std::int64_t FlitNetwork::flits_inside() const {
  std::int64_t flits = 0;
  for (const Channels& all : channels_) {
    for (const std::int32_t used : all.used) flits += used;
  }
  return flits;
}

void FlitNetwork::activate(LinkIndex index) {
  Link& activated = link(index);
  if (activated.is_active) return;
  activated.is_active = true;
  activated.order = activations_++;
  active_.push_back(index);
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
  queue.packets.push_back(
      {.packet = index, .flits = packet.flits, .all_flits = packet.flits, .leg = MulticastLeg::approach});
  if (queue.packets.size() == 1) {
    queue.next_flit = std::max(queue.next_flit, now * kPaceUnit);
    route(packet.source, kQueue, channel, now);
  }
}

void FlitNetwork::advance(Cycle now) {
  return_credits();
  if (!reserving_.empty()) reserve_paths(now);
  arrive_at_routers(now);
  arrive_at_tiles(now);
  bool has_idle = false;
  for (std::size_t i = 0; i < active_.size(); ++i) {  // NOLINT(modernize-loop-convert): links become active meanwhile
    const Link& sender = link(active_[i]);
    if ((sender.ready & ~sender.full) != 0) transmit(active_[i], now);
    has_idle = has_idle || (sender.ready == 0 && sender.in_flight == 0);
  }
  if (has_idle) std::erase_if(active_, [&](LinkIndex i) { return !(link(i).is_active = !is_at_rest(i)); });
}

bool FlitNetwork::is_at_rest(LinkIndex index) const {
  const Link& looked_at = links_[at(index)];
  return looked_at.ready == 0 && looked_at.in_flight == 0 && channels(index).releases.empty();
}

void FlitNetwork::arrive_at_routers(Cycle now) {
  std::vector<Flit>& near = from_tiles_.arriving(now);
  std::vector<Flit>& far = between_routers_.arriving(now);
  auto next = near.begin();
  for (const Flit& flit : far) {
    const std::int64_t order = link(flit.link).order;
    for (; next != near.end() && link(next->link).order < order; ++next) arrive(*next, now);
    arrive(flit, now);
  }
  for (; next != near.end(); ++next) arrive(*next, now);
  near.clear();
  far.clear();
}

void FlitNetwork::arrive_at_tiles(Cycle now) {
  const auto is_before = [&](LinkIndex a, LinkIndex b) { return link(a).order < link(b).order; };
  std::vector<LinkIndex> drained;
  for (const LinkIndex index : draining_) {
    if (channels(index).releases.front().due <= now) drained.push_back(index);
  }
  std::sort(drained.begin(), drained.end(), is_before);
  auto next = drained.begin();
  std::vector<Flit>& flits = to_tiles_.arriving(now);
  for (const Flit& flit : flits) {  // a link's buffer is drained first
    for (; next != drained.end() && !is_before(flit.link, *next); ++next) drain(*next, now);
    eject(flit, now);
  }
  for (; next != drained.end(); ++next) drain(*next, now);
  flits.clear();
}

bool FlitNetwork::is_stuck(Cycle now) const {
  constexpr Cycle kPatience = 20'000;  // longer than software takes between the transactions of a linked multicast
  if (is_idle() || now - last_progress_ <= kPatience) return false;
  // A path that was taken when nothing moved any more stays taken.
  const bool may_reserve = std::any_of(reserving_.begin(), reserving_.end(),
                                       [&](const Reservation& attempt) { return attempt.failed <= last_progress_; });
  return draining_.empty() && !may_reserve;
}

void FlitNetwork::drain(LinkIndex index, Cycle now) {
  std::deque<Release>& releases = channels(index).releases;
  while (!releases.empty() && releases.front().due <= now) {
    const Release done = releases.front();
    releases.pop_front();
    take_from_buffer(index, done.channel);
    if (done.delivered < 0) continue;
    deliveries_.push_back({.tag = packets_[at(done.delivered)].packet.tag, .tile = link(index).leads_to});
    free_packets_.push_back(done.delivered);
  }
  if (releases.empty()) std::erase(draining_, index);
}

void FlitNetwork::arrive(const Flit& flit, Cycle now) {
  Link& over = link(flit.link);
  --over.in_flight;
  const int output = flit.link % kOutputs;
  const RouterId to = over.leads_to;
  const int in = output == kInject ? kFromTile : output;
  Input& buffer = input(to, in, flit.channel);
  if (flit.is_first) {
    buffer.packets.push_back(
        {.packet = flit.packet, .flits = 1, .all_flits = packets_[at(flit.packet)].packet.flits, .leg = flit.leg});
    if (buffer.packets.size() == 1) route(to, in, flit.channel, now);
    return;
  }
  ++buffer.packets.back().flits;
  if (buffer.packets.size() > 1) return;
  for (PortSet left = buffer.granted; left != 0; left &= static_cast<PortSet>(left - 1)) {
    const int port = std::countr_zero(left);
    const LinkIndex out = link_index(to, port);
    set_bit(link(out).ready, buffer.out_channel[at(port)]);
    activate(out);
  }
}

void FlitNetwork::eject(const Flit& flit, Cycle now) {
  --link(flit.link).in_flight;
  const RouterId tile = link(flit.link).leads_to;
  Arrived& arriving = ejecting_[at(tile) * kChannels + flit.channel];
  if (flit.is_first) {
    const std::int32_t flits = packets_[at(flit.packet)].packet.flits;
    arriving = {.packet = flit.packet, .flits = 0, .all_flits = flits, .leg = flit.leg};
  }
  const bool is_last = ++arriving.flits == arriving.all_flits;
  SlowSink* const sink = arriving.all_flits > 1 ? sinks_[at(tile)] : nullptr;
  if (sink != nullptr) {
    const std::int64_t left =
        flit.is_first ? now * kPaceUnit : sink->take(now * kPaceUnit);  // the header is not stored
    std::deque<Release>& releases = channels(flit.link).releases;
    if (releases.empty()) draining_.push_back(flit.link);
    releases.push_back(
        {.due = (left + kPaceUnit - 1) / kPaceUnit, .channel = flit.channel, .delivered = is_last ? flit.packet : -1});
    return;
  }
  take_from_buffer(flit.link, flit.channel);
  if (!is_last) return;
  PacketState& state = packets_[at(flit.packet)];
  const bool is_left_out =
      state.packet.skips_source && tile == state.packet.source;  // it ends here, but is not delivered
  if (!is_left_out) deliveries_.push_back({.tag = state.packet.tag, .tile = tile});
  if (--state.copies == 0) free_packets_.push_back(flit.packet);
}

void FlitNetwork::end_turns(LinkIndex index, Cycle now) {
  Link& over = link(index);
  for (std::uint16_t left = over.turning; left != 0; left &= static_cast<std::uint16_t>(left - 1)) {
    const int channel = std::countr_zero(left);
    if (channels(index).handed_over[at(channel)] <= now) clear_bit(over.turning, channel);
  }
}

std::uint16_t FlitNetwork::supplied(LinkIndex index, std::uint16_t set, Cycle now) const {
  for (std::uint16_t left = set; left != 0; left &= static_cast<std::uint16_t>(left - 1)) {
    const int channel = std::countr_zero(left);
    const int from = channels(index).owner[at(channel)] % kChannels;
    if (input(index / kOutputs, kQueue, from).next_flit > now * kPaceUnit) clear_bit(set, channel);
  }
  return set;
}

void FlitNetwork::transmit(LinkIndex index, Cycle now) {
  Link& over = link(index);
  if (over.turning != 0) end_turns(index, now);
  auto set = static_cast<std::uint16_t>(over.ready & ~over.full & ~over.turning);
  if (index % kOutputs == kInject) set = supplied(index, set, now);
  if (set == 0) return;
  Channels& its = channels(index);
  const int channel = next_bit(set, over.last_sent, kChannels);
  over.last_sent = static_cast<std::uint8_t>(channel);
  const RouterId router = index / kOutputs;
  const int output = index % kOutputs;
  const int from = its.owner[at(channel)];
  const int in = from / kChannels;
  Input& source = input(router, in, from % kChannels);
  const Arrived& front = source.packets.front();

  const std::int32_t number = source.sent[at(output)]++;
  const bool is_first = number == 0;
  Flying& flying = output < to_tile ? between_routers_ : output == to_tile ? to_tiles_ : from_tiles_;
  flying.departed(now).push_back({.link = index,
                                  .packet = front.packet,
                                  .channel = static_cast<std::uint8_t>(channel),
                                  .is_first = is_first,
                                  .leg = is_first ? leg_behind(router, in, from % kChannels, output) : front.leg});
  ++over.in_flight;
  ++its.flits;
  last_progress_ = now;
  if (++its.used[at(channel)] == credits_) set_bit(over.full, channel);
  if (in == kQueue) {
    source.next_flit = std::max(source.next_flit, (now - 1) * kPaceUnit) + packets_[at(front.packet)].packet.pace;
  }

  const bool is_last = number + 1 == front.all_flits;
  const bool is_wanted = has_bit(its.wanted, channel);
  if (is_wanted && contended_flits_ > 0 && (number + 1) % contended_flits_ == 0) {
    its.handed_over[at(channel)] = now + 2;
    set_bit(over.turning, channel);
  }
  if (number + 1 == front.flits) clear_bit(over.ready, channel);  // until the next one arrives
  // The buffer is free when the slowest branch has sent.
  std::int32_t least = source.sent[at(output)];
  for (PortSet left = source.ports; left != 0; left &= static_cast<PortSet>(left - 1)) {
    least = std::min(least, source.sent[static_cast<std::size_t>(std::countr_zero(left))]);
  }
  if (least == number + 1 && in != kQueue) free_flit(router, in, from % kChannels);
  if (!is_last) return;
  const Packet& packet = packets_[at(front.packet)].packet;
  if (packet.area && !packet.is_linked) its.reserved_by[at(channel & kBuddy)] = -1;
  clear_bit(source.ports, output);
  clear_bit(source.granted, output);
  release(index, channel, now);
  if (source.ports == 0) finish_front(router, in, from % kChannels, now);
}

void FlitNetwork::free_flit(RouterId router, int in, int channel) {
  const LinkIndex index =
      in == kFromTile ? link_index(router, kInject) : link_index(upstream_[at(router) * 2 + at(in)], in);
  credits_due_.push_back({.link = index, .channel = channel});
}

void FlitNetwork::return_credits() {
  for (const Credit& credit : credits_due_) take_from_buffer(credit.link, credit.channel);
  credits_due_.clear();
}

void FlitNetwork::take_from_buffer(LinkIndex index, int channel) {
  --channels(index).used[at(channel)];
  clear_bit(link(index).full, channel);
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
  const LinkIndex index = link_index(router, output);
  Channels& out = channels(index);
  const Packet& packet = packets_[at(input(router, in, channel).packets.front().packet)].packet;
  const int wanted = out_channel(router, in, channel, output);
  if (out.owner[at(wanted)] == kNobody) return grant(index, wanted, in, channel, ready);
  const int buddy = wanted ^ 1;
  if (!packet.is_static && out.owner[at(buddy)] == kNobody) return grant(index, buddy, in, channel, ready);
  for (const int each : {wanted, buddy}) {
    if (each == buddy && packet.is_static) continue;
    set_bit(out.waiting[at(each)], in * kChannels + channel);
    set_bit(out.wanted, each);
  }
}

void FlitNetwork::grant(LinkIndex index, int out_channel, int in, int channel, Cycle ready) {
  const int output = index % kOutputs;
  const auto taker = static_cast<std::uint8_t>(in * kChannels + channel);
  Channels& its = channels(index);
  its.owner[at(out_channel)] = taker;
  its.last_granted[at(out_channel)] = taker;
  its.handed_over[at(out_channel)] = ready;
  set_bit(link(index).ready, out_channel);
  set_bit(link(index).turning, out_channel);
  Input& buffer = input(index / kOutputs, in, channel);
  buffer.out_channel[at(output)] = static_cast<std::uint8_t>(out_channel);
  set_bit(buffer.granted, output);
  activate(index);
}

void FlitNetwork::release(LinkIndex index, int out_channel, Cycle now) {
  Channels& its = channels(index);
  its.owner[at(out_channel)] = kNobody;
  clear_bit(link(index).ready, out_channel);
  const std::uint64_t waiting = its.waiting[at(out_channel)];
  if (waiting == 0) return;
  const int next = next_bit(waiting, its.last_granted[at(out_channel)], 64);
  for (const int each : {out_channel, out_channel ^ 1}) {
    clear_bit(its.waiting[at(each)], next);
    if (its.waiting[at(each)] == 0) clear_bit(its.wanted, each);
  }
  const Input& taker = input(index / kOutputs, next / kChannels, next % kChannels);
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
  const bool is_free = visit_tree(source, MulticastLeg::approach, packet, [&](LinkIndex index, int buddy) {
    return channels(index).reserved_by[at(buddy)] < 0;
  });
  if (!is_free) return false;
  visit_tree(source, MulticastLeg::approach, packet, [&](LinkIndex index, int buddy) {
    channels(index).reserved_by[at(buddy)] = source;
    return true;
  });
  return true;
}

}  // namespace muster::torus
