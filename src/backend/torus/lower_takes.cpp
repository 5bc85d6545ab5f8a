#include <algorithm>

#include "backend/torus/lowerer.h"
#include "base/index.h"

namespace muster::torus {

void Lowerer::know_before(NodeId node, Processor processor, StepId step) {
  for (const StepId wait : flat_.waits_of(flat_.steps[at(step)])) writer(node).know(processor, done_[at(wait)]);
  const StepId before = index_.before(step);
  if (!keeps_lanes_ || before == kNoStep) return;
  writer(node).know(processor, done_[at(before)]);
  writer(node).know(processor, sent_[at(before)]);
}

/// The step's stream comes from DRAM: its core reads it.
void Lowerer::read_from_bank(StepId step, StreamId stream) {
  const Stream& s = flat_.streams[at(stream)];
  const NodeId node = index_.node_of[at(step)];
  const Processor processor = processor_of(stream);
  const Step& pusher = flat_.steps[at(index_.producer[at(stream)])];
  const bool sends_old = pusher.is_exchange();
  const Buffer buffer = sends_old ? pusher.sent : pusher.own;
  std::vector<Address> from;
  for (const std::int32_t piece : pieces_.in(flat_, buffer, sends_old ? pusher.sent_elements : pusher.own_elements)) {
    from.push_back(program_->bank_memory.of(buffer, piece));
  }
  settle_banks(node, processor);
  know_before(node, processor, step);
  // Its own core writes it: what came before in the lane is over.
  const Step& taker = flat_.steps[at(step)];
  Landing& landing =
      land(stream, node, taker.operands.count == 1 && taker.store != Buffer::none, landing_end_[at(node)]);
  const auto all = labels(s.elements);
  for (const Run& run : runs_of(all, from, from, landing.addresses, false)) {
    if (landing.is_direct) settle_sends(node, run.target, run.target + run.bytes, processor);
    writer(node).call(processor, Read{.of = s.source, .source = run.left, .target = run.target, .bytes = run.bytes});
  }
  writer(node).call(processor, ReadBarrier{});
  landing.arrival = writer(node).done(processor);
}

void Lowerer::take(StepId step) {
  const Step& s = flat_.steps[at(step)];
  const NodeId node = index_.node_of[at(step)];
  if (!is_core(node)) return;
  const Processor listener = listener_of(step);
  for (const StreamId stream : flat_.operands_of(s)) {
    if (stream == kOwn || !carries_data(flat_, stream)) continue;
    if (!is_core(flat_.streams[at(stream)].source)) read_from_bank(step, stream);
    arrivals_[at(stream)].at(node).arrival.listener = listener;
  }
  const std::vector<std::int32_t> stores =
      s.store == Buffer::none ? std::vector<std::int32_t>{} : pieces_.in(flat_, s.store, s.store_elements);
  const auto operands = flat_.operands_of(s);
  if (flat_.spans.count(s.elements) == 0) return;
  if (operands.size() == 1 && operands[0] != kOwn) {
    const Landing& landing = arrivals_[at(operands[0])].at(node);
    if (landing.is_direct) {
      for (std::size_t i = 0; i < stores.size(); ++i) {
        value(node, s.store, stores[i]) = {.address = landing.addresses[i], .ready = landing.arrival};
        results_[at(step)].push_back(value(node, s.store, stores[i]));
      }
      done_[at(step)] = landing.arrival;
      return;
    }
  }
  combine(step, stores);
}

std::vector<Lowerer::Operand> Lowerer::operands_of(StepId step) {
  const Step& s = flat_.steps[at(step)];
  const NodeId node = index_.node_of[at(step)];
  std::vector<Operand> operands;
  for (const StreamId stream : flat_.operands_of(s)) {
    Operand& operand = operands.emplace_back();
    if (stream == kOwn) {
      for (const std::int32_t piece : pieces_.in(flat_, s.own, s.own_elements)) {
        operand.addresses.push_back(value(node, s.own, piece).address);
        operand.ready.push_back(value(node, s.own, piece).ready);
      }
    } else {
      const Landing& landing = arrivals_[at(stream)].at(node);
      operand = {.addresses = landing.addresses, .ready = {landing.arrival}, .has_arrived = true};
    }
  }
  return operands;
}

/// A result that is not the last one stays where data has landed: there, nothing waits to be sent.
std::vector<Address> Lowerer::targets_of(StepId step, const std::vector<std::int32_t>& stores,
                                         const std::vector<Address>* landed, const Operand& first) const {
  const Step& s = flat_.steps[at(step)];
  std::vector<Address> targets;
  for (std::size_t i = 0; i < first.addresses.size(); ++i) {
    const bool is_last =
        s.store != Buffer::none && dependences_.last_store(index_.node_of[at(step)], s.store, stores[i]) == step;
    const bool stays = s.store == Buffer::none || (lands_apart_ && !is_last && landed != nullptr);
    if (stays) {
      targets.push_back(landed != nullptr ? (*landed)[i] : first.addresses[i]);
    } else {
      targets.push_back(program_->memory.of(s.store, stores[i]));
    }
  }
  return targets;
}

/// The calls that combine operands pairwise, or copy the only one. Intermediate results stay where the first of them landed: one of the
/// first two operands did.
void Lowerer::call_combine(CoreWriter& core, Processor by, const std::vector<std::int32_t>& all,
                           const std::vector<Operand>& operands, const std::vector<Address>* landed,
                           const std::vector<Address>& target) const {
  const auto tiles = [&](const Run& run) {
    return whole_tiles(run.bytes, program_->tile_bytes) / program_->tile_bytes;
  };
  if (operands.size() == 1) {
    for (const Run& run : runs_of(all, operands[0].addresses, operands[0].addresses, target, true)) {
      core.call(by, Copy{.source = run.left, .target = run.target, .tiles = tiles(run)});
    }
  }
  for (std::size_t k = 1; k < operands.size(); ++k) {
    const std::vector<Address>& left = k == 1 ? operands[0].addresses : *landed;
    const std::vector<Address>& result = k + 1 == operands.size() ? target : *landed;
    for (const Run& run : runs_of(all, left, operands[k].addresses, result, by == Processor::compute)) {
      if (by == Processor::compute) {
        core.call(by, Combine{.left = run.left, .right = run.right, .target = run.target, .tiles = tiles(run)});
      } else {
        core.call(by, CombineWords{
                          .left = run.left, .right = run.right, .target = run.target, .words = run.bytes / kWordBytes});
      }
    }
  }
}

/// Combines the operands of a step, or copies its only one, unless it can stay where it is.
void Lowerer::combine(StepId step, const std::vector<std::int32_t>& stores) {
  const Step& s = flat_.steps[at(step)];
  const NodeId node = index_.node_of[at(step)];
  CoreWriter& core = writer(node);
  const std::vector<std::int32_t> all = labels(s.elements);
  const std::vector<Operand> operands = operands_of(step);
  const auto arrived = std::find_if(operands.begin(), operands.end(), [](const Operand& o) { return o.has_arrived; });
  const std::vector<Address>* const landed = arrived == operands.end() ? nullptr : &arrived->addresses;
  const std::vector<Address> target = targets_of(step, stores, landed, operands[0]);
  const bool is_copy = operands.size() == 1;
  const bool moves = !is_copy || target != operands[0].addresses;
  Fact done;
  if (moves) {
    const bool is_short = flat_.spans.count(s.elements) <= kWordsInSoftware;
    const Processor by = !is_copy && is_short ? listener_of(step) : Processor::compute;
    know_before(node, by, step);
    for (const Operand& operand : operands) {
      for (const Fact& fact : operand.ready) core.know(by, fact);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      settle_sends(node, target[i], target[i] + label(all[i]).bytes(), by);
    }
    call_combine(core, by, all, operands, landed, target);
    done = core.done(by);
  } else if (!operands[0].ready.empty()) {
    done = operands[0].ready.front();
  }
  done_[at(step)] = done;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Fact ready = done;
    if (!moves) ready = operands[0].ready[std::min(i, operands[0].ready.size() - 1)];
    const Value result{.address = target[i], .ready = ready};
    if (s.store != Buffer::none) value(node, s.store, stores[i]) = result;
    results_[at(step)].push_back(result);
    if (!lands_apart_) consumed_[at(node)][at(all[i])] = done;
  }
}

}  // namespace muster::torus
