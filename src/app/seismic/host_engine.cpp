#include "app/seismic/host_engine.h"

#include <algorithm>

#include "app/seismic/halos.h"

namespace muster::seismic {
namespace {

std::size_t at(int field) { return static_cast<std::size_t>(field); }

/// The cells of an extent at least `radius` away from every side with a neighbour.
Box inner_of(const Part& part, std::int64_t radius) {
  Box inner = whole(part.extent());
  for (const Axis axis : kAxes) {
    if (part.sides[axis].low == Boundary::neighbour) inner.first[axis] += radius;
    if (part.sides[axis].high == Boundary::neighbour) inner.last[axis] -= radius;
    inner.last[axis] = std::max(inner.last[axis], inner.first[axis]);
  }
  return inner;
}

/// The rest of a box around an inner one, as boxes that do not overlap.
std::vector<Box> around(Box outer, const Box& inner) {
  std::vector<Box> boxes;
  for (const Axis axis : kAxes) {
    Box low = outer;
    Box high = outer;
    low.last[axis] = inner.first[axis];
    high.first[axis] = inner.last[axis];
    for (const Box& box : {low, high}) {
      if (box.first[axis] < box.last[axis]) boxes.push_back(box);
    }
    outer.first[axis] = inner.first[axis];
    outer.last[axis] = inner.last[axis];
  }
  return boxes;
}

template <class Real>
Strip<Real> strip_of(Volume<Real>& volume, const Box& cells) {
  const Layout& layout = volume.layout();
  return {.origin = volume.data() + layout.offset(0, 0, 0),
          .stride = {layout.stride(Axis::x), layout.stride(Axis::y), layout.stride(Axis::z)},
          .cells = cells};
}

}  // namespace

template <class Real>
HostEngine<Real>::HostEngine(const Description& equation, State<Real> state, const Part& part,
                             std::unique_ptr<Kernels<Real>> kernels, std::unique_ptr<Exchange<Real>> exchange)
    : equation_(equation),
      part_(part),
      kernels_(std::move(kernels)),
      exchange_(std::move(exchange)),
      state_(std::move(state)),
      inner_(inner_of(part, state_.radius)),
      outer_(around(whole(part.extent()), inner_)) {}

template <class Real>
void HostEngine<Real>::run(std::size_t phase) {
  const PhaseDescription& description = equation_.phases[phase];
  for (const Read& read : description.reads) {
    fill_halo(state_.fields[at(read.field)], equation_.fields[at(read.field)], read, part_.sides);
  }
  const View<Real> view = state_.view();
  if (exchange_) {
    update_while_exchanging(view, phase);
  } else if (description.has_second) {
    kernels_->update_with_memory(view, phase, inner_);
  } else {
    kernels_->update(view, phase, inner_);
  }
  for (const int field : description.writes) {
    if (equation_.fields[at(field)].time_order == 2) std::swap(state_.fields[at(field)], state_.before[at(field)]);
  }
  settle_mirrors(state_, equation_, description.writes, part_.sides);
}

/// What the neighbours send is on its way while the inner cells are updated.
template <class Real>
void HostEngine<Real>::update_while_exchanging(const View<Real>& view, std::size_t phase) {
  const PhaseDescription& description = equation_.phases[phase];
  start_exchange(description);
  if (description.has_second) {
    kernels_->update_memory(view, phase, inner_);
    exchange_->finish();
    for (const Box& box : outer_) kernels_->update_memory(view, phase, box);
    start_memory_exchange(view, phase);
  }
  kernels_->update(view, phase, inner_);
  exchange_->finish();
  for (const Box& box : outer_) kernels_->update(view, phase, box);
}

template <class Real>
void HostEngine<Real>::start_exchange(const PhaseDescription& phase) {
  exchange_diagonals(phase);
  for (const Read& read : phase.reads) {
    if (!read.is_diagonal) add(read, transfers_of(read, part_, state_.radius));
  }
  exchange_->start();
}

/// One axis after another: what came along x goes on along y, and so reaches the neighbours across edges.
template <class Real>
void HostEngine<Real>::exchange_diagonals(const PhaseDescription& phase) {
  if (std::ranges::none_of(phase.reads, &Read::is_diagonal)) return;
  for (const Axis axis : kAxes) {
    for (const Read& read : phase.reads) {
      if (!read.is_diagonal) continue;
      std::vector<Transfer> transfers = transfers_of(read, part_, state_.radius);
      std::erase_if(transfers, [&](const Transfer& transfer) { return transfer.axis != axis; });
      add(read, transfers);
    }
    exchange_->start();
    exchange_->finish();
  }
}

template <class Real>
void HostEngine<Real>::add(const Read& read, const std::vector<Transfer>& transfers) {
  Volume<Real>& field = state_.fields[at(read.field)];
  for (const Transfer& transfer : transfers) {
    exchange_->add(transfer.axis, transfer.is_high, strip_of(field, transfer.send), strip_of(field, transfer.receive));
  }
}

/// psi of second derivatives, along their axis: where a layer goes on behind a side.
template <class Real>
void HostEngine<Real>::start_memory_exchange(const View<Real>& view, std::size_t phase) {
  for (std::size_t slot = 0; slot < equation_.items.size(); ++slot) {
    if (equation_.items[slot].phase != phase || equation_.items[slot].difference != Difference::second) continue;
    const Axis axis = equation_.items[slot].axis;
    const Layers<Real>& layers = state_.layers;
    for (const Transfer& transfer :
         memory_transfers(axis, layers.goes_on_low[axis], layers.goes_on_high[axis], part_, state_.radius)) {
      // Cells before the first and behind the last keep the shift of the side that they belong to.
      const std::int64_t edge = transfer.is_high ? part_.extent()[axis] - 1 : 0;
      const Slab& slab = view.axes[axis].slab;
      const std::int64_t shift = edge >= view.axes[axis].layer_low ? slab.high_shift : 0;
      const auto strip = [&](const Box& cells) {
        return Strip<Real>{.origin = view.psi[slot] + slab.first + shift, .stride = slab.stride, .cells = cells};
      };
      exchange_->add(axis, transfer.is_high, strip(transfer.send), strip(transfer.receive));
    }
  }
  exchange_->start();
}

template <class Real>
bool HostEngine<Real>::has(const Extent& cell) const {
  return std::ranges::all_of(
      kAxes, [&](Axis axis) { return cell[axis] >= part_.cells.first[axis] && cell[axis] < part_.cells.last[axis]; });
}

/// Whether a cut goes through the nodes.
template <class Real>
bool HostEngine<Real>::is_shared(const std::vector<NodeWeight>& nodes) const {
  return std::ranges::any_of(kAxes, [&](Axis axis) {
    return std::ranges::any_of(part_.cuts[axis], [&](std::int64_t cut) {
      return std::ranges::any_of(
          nodes, [&](const NodeWeight& node) { return (node.cell[axis] < cut) != (nodes.front().cell[axis] < cut); });
    });
  });
}

template <class Real>
std::size_t HostEngine<Real>::add(Points points) {
  LocalPoints local{.field = points.field, .taps = {}, .ends = {}, .is_shared = {}};
  const Extent& first = part_.cells.first;
  for (const std::vector<NodeWeight>& nodes : points.points) {
    for (const NodeWeight& node : nodes) {
      const Extent& cell = node.cell;
      const std::int64_t offset =
          has(cell) ? state_.layout.offset(cell.x - first.x, cell.y - first.y, cell.z - first.z) : -1;
      local.taps.push_back({.offset = offset, .weight = node.weight});
    }
    local.ends.push_back(local.taps.size());
    local.is_shared.push_back(is_shared(nodes));
  }
  points_.push_back(std::move(local));
  return points_.size() - 1;
}

template <class Real>
void HostEngine<Real>::inject(std::size_t points, std::span<const double> amplitudes) {
  const LocalPoints& local = points_[points];
  Real* field = state_.fields[at(local.field)].data();
  std::size_t tap = 0;
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    for (; tap < local.ends[i]; ++tap) {
      const Tap& to = local.taps[tap];
      if (to.offset >= 0) field[to.offset] += static_cast<Real>(to.weight * amplitudes[i]);
    }
  }
}

template <class Real>
void HostEngine<Real>::gather(std::size_t points, std::span<double> values) {
  const LocalPoints& local = points_[points];
  const Real* field = state_.fields[at(local.field)].data();
  // The products of points that several processes share are summed behind, in their order: so the bits do not depend on the parts.
  std::vector<double> shared;
  std::size_t tap = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double sum = 0;
    for (; tap < local.ends[i]; ++tap) {
      const Tap& from = local.taps[tap];
      const double product = from.offset < 0 ? 0 : from.weight * static_cast<double>(field[from.offset]);
      if (local.is_shared[i]) {
        shared.push_back(product);
      } else {
        sum += product;
      }
    }
    values[i] = sum;
  }
  if (!exchange_) return;
  exchange_->sum(values);
  exchange_->sum(shared);
  std::size_t next = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!local.is_shared[i]) continue;
    const std::size_t count = local.ends[i] - (i == 0 ? 0 : local.ends[i - 1]);
    for (std::size_t n = 0; n < count; ++n) values[i] += shared[next++];
  }
}

template class HostEngine<float>;
template class HostEngine<double>;

}  // namespace muster::seismic
