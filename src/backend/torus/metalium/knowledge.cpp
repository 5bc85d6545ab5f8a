#include "backend/torus/metalium/knowledge.h"

#include <algorithm>

#include "base/index.h"

namespace muster::torus {

Knowledge::Knowledge(ProcessorId processors)
    : done_(std::make_shared<const std::vector<TransferNumber>>(2 * at(processors))) {}

std::vector<TransferNumber>& Knowledge::own_done() {
  auto copy = std::make_shared<std::vector<TransferNumber>>(*done_);
  std::vector<TransferNumber>& values = *copy;
  done_ = std::move(copy);
  return values;
}

void Knowledge::learn_done(ProcessorId processor, TransferKind kind, TransferNumber number) {
  const std::size_t i = index(processor, kind);
  if ((*done_)[i] < number) own_done()[i] = number;
}

void Knowledge::learn_in_order(const Origin& latest) {
  for (InOrder& known : in_order_) {
    if (known.processor == latest.processor && known.noc == latest.noc && known.is_multicast == latest.is_multicast) {
      known.number = std::max(known.number, latest.number);
      return;
    }
  }
  in_order_.push_back({latest.processor, latest.noc, latest.is_multicast, latest.number});
}

void Knowledge::join_done(const Knowledge& other) {
  if (done_ == other.done_) return;
  const std::vector<TransferNumber>& theirs = *other.done_;
  const std::vector<TransferNumber>& ours = *done_;
  bool more = false;
  bool fewer = false;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    more = more || theirs[i] > ours[i];
    fewer = fewer || theirs[i] < ours[i];
  }
  if (!more) return;
  if (!fewer) {
    done_ = other.done_;
    return;
  }
  std::vector<TransferNumber>& values = own_done();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], theirs[i]);
}

void Knowledge::join(const Knowledge& other) {
  join_done(other);
  for (const InOrder& theirs : other.in_order_) {
    learn_in_order({.processor = theirs.processor,
                    .number = theirs.number,
                    .noc = theirs.noc,
                    .is_multicast = theirs.is_multicast});
  }
}

bool Knowledge::covers(const Origin& origin) const {
  if ((*done_)[index(origin.processor, origin.kind)] >= origin.number) return true;
  if (origin.kind != TransferKind::write) return false;
  return std::any_of(in_order_.begin(), in_order_.end(), [&](const InOrder& known) {
    return known.processor == origin.processor && known.noc == origin.noc &&
           known.is_multicast == origin.is_multicast && known.number >= origin.number;
  });
}

}  // namespace muster::torus
