// What kernels send, read and increase.
#include <algorithm>

#include "backend/torus/metalium/kernel_processor.h"
#include "base/error.h"
#include "base/index.h"

namespace muster::torus {
namespace {

constexpr std::uint64_t kLocalMask = (std::uint64_t{1} << 36U) - 1;
Coordinates target_of(std::uint64_t address) {
  return {.x = static_cast<std::int32_t>((address >> 36U) & 63U),
          .y = static_cast<std::int32_t>((address >> 42U) & 63U)};
}
Coordinates first_of(std::uint64_t address) {
  return {.x = static_cast<std::int32_t>((address >> 48U) & 63U),
          .y = static_cast<std::int32_t>((address >> 54U) & 63U)};
}

}  // namespace

KernelProcessor::End KernelProcessor::end_of(std::uint64_t address) const {
  const Coordinates where = target_of(address);
  const Torus& torus = run_.torus();
  End end;
  if (outside_.contains(address) || where.x >= torus.width || where.y >= torus.height) return end;
  end.tile = run_.chip().topology(0).at(where);
  end.core = run_.core_at(end.tile);
  const auto& banks = torus.dram.banks;
  const auto bank = std::find(banks.begin(), banks.end(), where);
  if (bank != banks.end()) end.bank = static_cast<std::int32_t>(bank - banks.begin());
  return end;
}

std::string KernelProcessor::tile_text(std::uint64_t address) const {
  const auto outside = outside_.find(address);
  if (outside != outside_.end()) return fmt::format("{}-{}", outside->second.x, outside->second.y);
  const Coordinates where = target_of(address);
  return fmt::format("{}-{}", where.x, where.y);
}

void KernelProcessor::opens(Access access, std::uint32_t noc, bool is_posted, const Site& site) {
  last_[static_cast<std::size_t>(access)] = site;
  if (!is_posted) counters_[noc].open[static_cast<std::size_t>(access)] = site;
}

Cycles KernelProcessor::cost(Cycles call, RouterId target) {
  const bool turns = last_target_ >= 0 && target != last_target_;
  last_target_ = target;
  return turns ? call + run_.torus().issue.destination : call;
}

void KernelProcessor::issue(Request request, std::int64_t tag) {
  request.issuer = state().tile;
  request.observer = &run_;
  request.tag = tag;
  while (!run_.chip().accepts(request.noc, request.issuer)) {
    run_.chip().resume_when_accepted(*this, request.noc, request.issuer);
    fiber_.stop();
  }
  run_.chip().issue(request, now_);
}

void KernelProcessor::write(std::uint32_t source, std::uint64_t to, std::uint32_t bytes, std::uint32_t noc,
                            bool is_posted, Site site) {
  check_noc(noc, site);
  check_range(source, bytes, site);
  const End end = end_of(to);
  const std::uint64_t target = to & kLocalMask;
  if (end.core < 0 && end.bank < 0) {
    fail("bad address", site, fmt::format("tile {} has no memory to write to", tile_text(to)));
  }
  if (end.bank < 0) check_range(target, bytes, site);
  uses(source, bytes, site);
  opens(Access::write, noc, is_posted, site);
  const std::uint32_t origin = run_.new_origin(next_origin(TransferKind::write, noc, false, site));
  if (end.bank < 0) run_.mark(end.core, target, bytes, origin);
  const auto packet = static_cast<std::uint32_t>(run_.torus().packet.value());
  // A word may be a semaphore (noc_semaphore_set_remote).
  const auto known = bytes == 4 ? told() : nullptr;
  for (std::uint32_t offset = 0; offset < bytes; offset += packet) {
    takes(cost(run_.torus().issue.write, end.tile));
    const std::uint32_t size = std::min(packet, bytes - offset);
    ++counters_[noc].leaving;
    const std::int64_t tag = run_.begin({.access = Access::write,
                                         .core = core_,
                                         .source = source + offset,
                                         .target = target + offset,
                                         .bank = end.bank,
                                         .bytes = size,
                                         .origin = origin,
                                         .issuer = this,
                                         .known = known});
    issue({.access = Access::write,
           .noc = static_cast<std::uint8_t>(noc),
           .target = end.tile,
           .is_posted = is_posted,
           .bank = end.bank,
           .bytes = static_cast<std::int32_t>(size),
           .counter = counters_[noc].writes},
          tag);
  }
}

void KernelProcessor::read(std::uint64_t from, std::uint32_t target, std::uint32_t bytes, std::uint32_t noc,
                           Site site) {
  check_noc(noc, site);
  check_range(target, bytes, site);
  const End end = end_of(from);
  const std::uint64_t source = from & kLocalMask;
  if (end.core < 0 && end.bank < 0) {
    fail("bad address", site, fmt::format("tile {} has no memory to read from", tile_text(from)));
  }
  if (end.bank < 0) check_range(source, bytes, site);
  opens(Access::read, noc, false, site);
  const std::uint32_t origin = run_.new_origin(next_origin(TransferKind::read, noc, false, site));
  run_.mark(core_, target, bytes, origin);
  const auto packet = static_cast<std::uint32_t>(run_.torus().packet.value());
  for (std::uint32_t offset = 0; offset < bytes; offset += packet) {
    takes(cost(run_.torus().issue.read, end.tile));
    const std::uint32_t size = std::min(packet, bytes - offset);
    const std::int64_t tag = run_.begin({.access = Access::read,
                                         .core = core_,
                                         .source = source + offset,
                                         .target = target + offset,
                                         .bank = end.bank,
                                         .bytes = size,
                                         .origin = origin,
                                         .issuer = this});
    issue({.access = Access::read,
           .noc = static_cast<std::uint8_t>(noc),
           .target = end.tile,
           .bank = end.bank,
           .bytes = static_cast<std::int32_t>(size),
           .counter = counters_[noc].reads},
          tag);
  }
}

// NOLINTNEXTLINE(readability-function-size): a call of the stand-in
void KernelProcessor::multicast(std::uint32_t source, std::uint64_t to, std::uint32_t bytes, std::uint32_t cores,
                                bool is_linked, bool with_self, bool is_semaphore, std::uint32_t noc, Site site) {
  check_noc(noc, site);
  check_range(source, bytes, site);
  const std::uint64_t target = to & kLocalMask;
  check_range(target, bytes, site);
  if (outside_.contains(to)) fail("bad multicast", site, fmt::format("there is no tile {}", tile_text(to)));
  const Rectangle area{.first = first_of(to), .last = target_of(to)};
  const Topology& topology = run_.chip().topology(static_cast<int>(noc));
  std::vector<std::int32_t> receivers;
  for (RouterId tile = 0; tile < topology.routers(); ++tile) {
    if (!topology.is_worker(tile) || !topology.contains(area, tile)) continue;
    if (with_self || tile != state().tile) receivers.push_back(run_.core_at(tile));
  }
  if (cores != receivers.size() || receivers.empty()) {
    fail("bad multicast", site,
         fmt::format(
             "it says that {} cores receive it, and its rectangle {}-{}:{}-{} has {}; on the chip, barriers would "
             "never end or end too early",
             cores, area.first.x, area.first.y, area.last.x, area.last.y, receivers.size()));
  }
  uses(source, bytes, site);
  opens(Access::write, noc, false, site);
  const std::uint32_t origin = run_.new_origin(next_origin(TransferKind::write, noc, true, site));
  if (!is_semaphore) {
    for (const std::int32_t receiver : receivers) run_.mark(receiver, target, bytes, origin);
  }
  const auto packet = static_cast<std::uint32_t>(run_.torus().packet.value());
  const auto known = is_semaphore ? told() : nullptr;
  for (std::uint32_t offset = 0; offset < bytes; offset += packet) {
    takes(run_.torus().issue.multicast);
    const std::uint32_t size = std::min(packet, bytes - offset);
    ++counters_[noc].leaving;
    const std::int64_t tag = run_.begin({.access = Access::write,
                                         .core = core_,
                                         .source = source + offset,
                                         .target = target + offset,
                                         .bytes = size,
                                         .is_semaphore = is_semaphore,
                                         .copies = static_cast<std::int32_t>(receivers.size()),
                                         .origin = origin,
                                         .issuer = this,
                                         .known = known});
    issue({.access = Access::write,
           .noc = static_cast<std::uint8_t>(noc),
           .area = area,
           .skips_issuer = !with_self,
           .is_linked = is_linked,
           .bytes = static_cast<std::int32_t>(size),
           .counter = counters_[noc].writes},
          tag);
  }
}

void KernelProcessor::increment(std::uint64_t at, std::uint32_t by, std::uint32_t noc, bool is_posted, Site site) {
  check_noc(noc, site);
  const End end = end_of(at);
  const std::uint64_t target = at & kLocalMask;
  if (end.core < 0) fail("bad address", site, fmt::format("tile {} is no worker", tile_text(at)));
  check_range(target, 4, site);
  opens(Access::atomic, noc, is_posted, site);
  takes(cost(run_.torus().issue.atomic, end.tile));
  // It follows the writes that went the same way.
  const Origin latest{
      .processor = id(), .number = by_noc_[0][noc], .noc = static_cast<std::uint8_t>(noc), .site = site};
  ++run_.semaphore(end.core, static_cast<std::uint32_t>(target)).under_way;
  const std::int64_t tag = run_.begin({.access = Access::atomic,
                                       .core = core_,
                                       .target = target,
                                       .bytes = 4,
                                       .value = by,
                                       .origin = run_.new_origin(latest),
                                       .issuer = this,
                                       .known = told()});
  issue({.access = Access::atomic,
         .noc = static_cast<std::uint8_t>(noc),
         .target = end.tile,
         .is_posted = is_posted,
         .bytes = 4,
         .counter = counters_[noc].atomics},
        tag);
}

}  // namespace muster::torus
