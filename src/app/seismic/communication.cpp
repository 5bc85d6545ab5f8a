#include "app/seismic/communication.h"

#include <algorithm>

namespace muster::seismic {
namespace {

/// The cells of a box from `first` up to `last` along an axis.
Box slice(Box box, Axis axis, std::int64_t first, std::int64_t last) {
  box.first[axis] = first;
  box.last[axis] = last;
  return box;
}

/// Adds up what leaves together: one message per side.
class Messages {
 public:
  explicit Messages(std::size_t bytes_of_real) : bytes_of_real_(static_cast<std::int64_t>(bytes_of_real)) {}

  void add(const std::vector<Transfer>& transfers) {
    for (const Transfer& transfer : transfers) {
      const Box& box = transfer.send;
      waiting_[transfer.axis][static_cast<std::size_t>(transfer.is_high)] +=
          cells_of({box.last.x - box.first.x, box.last.y - box.first.y, box.last.z - box.first.z});
    }
  }

  /// Nothing is sent where nothing waits.
  void send(std::vector<SideTraffic>& exchanges) {
    SideTraffic traffic{};
    for (const Axis axis : kAxes) {
      for (std::size_t side = 0; side < 2; ++side) {
        const std::int64_t values = waiting_[axis][side];
        if (values > 0) traffic[axis][side] = {.bytes = values * bytes_of_real_, .messages = 1};
      }
    }
    if (traffic != SideTraffic{}) exchanges.push_back(traffic);
    waiting_ = {};
  }

 private:
  std::int64_t bytes_of_real_;
  PerAxis<std::array<std::int64_t, 2>> waiting_{};
};

}  // namespace

std::vector<Transfer> transfers_of(const Read& read, const Part& part, std::int64_t radius) {
  std::vector<Transfer> transfers;
  for (const Axis axis : kAxes) {
    if (!read.reach[axis].any()) continue;
    Box box = whole(part.extent());
    for (const Axis other : kAxes) {
      if (!read.is_diagonal || other == axis) continue;
      box.first[other] -= radius;
      box.last[other] += radius;
    }
    const std::int64_t last = part.extent()[axis];
    const std::int64_t low = read.reach[axis].low.with(radius);
    const std::int64_t high = read.reach[axis].high.with(radius);
    if (part.sides[axis].low == Boundary::neighbour) {
      transfers.push_back({axis, false, slice(box, axis, 0, high), slice(box, axis, -low, 0)});
    }
    if (part.sides[axis].high == Boundary::neighbour) {
      transfers.push_back({axis, true, slice(box, axis, last - low, last), slice(box, axis, last, last + high)});
    }
  }
  return transfers;
}

std::vector<Transfer> memory_transfers(Axis axis, bool goes_on_low, bool goes_on_high, const Part& part,
                                       std::int64_t radius) {
  std::vector<Transfer> transfers;
  const Box box = whole(part.extent());
  const std::int64_t last = part.extent()[axis];
  if (goes_on_low) transfers.push_back({axis, false, slice(box, axis, 0, radius), slice(box, axis, -radius, 0)});
  if (goes_on_high) {
    transfers.push_back({axis, true, slice(box, axis, last - radius, last), slice(box, axis, last, last + radius)});
  }
  return transfers;
}

Traffic& Traffic::operator+=(const Traffic& other) {
  bytes += other.bytes;
  messages += other.messages;
  return *this;
}

std::vector<SideTraffic> exchanges_of(const Description& equation, const GridOptions& options, const Part& part,
                                      std::size_t bytes_of_real) {
  const std::int64_t radius = options.order / 2;
  const PerAxis<Thickness> layers = layer_thickness(equation, options);
  Messages messages(bytes_of_real);
  std::vector<SideTraffic> exchanges;
  for (std::size_t phase = 0; phase < equation.phases.size(); ++phase) {
    for (const Axis axis : kAxes) {
      for (const Read& read : equation.phases[phase].reads) {
        if (!read.is_diagonal) continue;
        std::vector<Transfer> transfers = transfers_of(read, part, radius);
        std::erase_if(transfers, [&](const Transfer& transfer) { return transfer.axis != axis; });
        messages.add(transfers);
      }
      messages.send(exchanges);
    }
    for (const Read& read : equation.phases[phase].reads) {
      if (!read.is_diagonal) messages.add(transfers_of(read, part, radius));
    }
    messages.send(exchanges);
    for (const ItemDescription& item : equation.items) {
      if (item.phase != phase || item.difference != Difference::second) continue;
      const Axis axis = item.axis;
      const std::int64_t extent = options.extent[axis];
      messages.add(memory_transfers(axis, goes_across(layers[axis], extent, part.cells.first[axis]),
                                    goes_across(layers[axis], extent, part.cells.last[axis]), part, radius));
    }
    messages.send(exchanges);
  }
  return exchanges;
}

Traffic sum_of(const std::vector<SideTraffic>& exchanges) {
  Traffic sum;
  for (const SideTraffic& sides : exchanges) {
    for (const Axis axis : kAxes) {
      for (const Traffic& side : sides[axis]) sum += side;
    }
  }
  return sum;
}

}  // namespace muster::seismic
