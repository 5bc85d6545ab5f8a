#include "backend/torus/repetition.h"

#include <algorithm>

#include "base/index.h"

namespace muster::torus {
namespace {

Address end_of_inputs(const TorusProgram& program) {
  Address end = 0;
  const auto& pieces = program.pieces.of(Buffer::input);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Address address = program.memory.of(Buffer::input, static_cast<std::int32_t>(i));
    if (address >= 0) end = std::max(end, address + whole_tiles(pieces[i].bytes(), program.tile_bytes));
  }
  return end;
}

/// Whether some message is written into the inputs of a core.
bool writes_inputs(const TorusProgram& program, Address input_end) {
  for (const Core& core : program.cores) {
    for (const auto& calls : core.calls) {
      for (const Call& call : calls) {
        const auto* const write = std::get_if<Write>(&call);
        if (write != nullptr && write->to < std::ssize(program.cores) && write->target < input_end) return true;
        const auto* const multicast = std::get_if<Multicast>(&call);
        if (multicast != nullptr && multicast->target < input_end) return true;
      }
    }
  }
  return false;
}

/// What a sender sets a counter to at the end of a call.
std::int64_t most_set(const std::vector<Call>& calls, const SetEverywhere& like) {
  std::int64_t most = 0;
  for (const Call& call : calls) {
    const auto* const set = std::get_if<SetEverywhere>(&call);
    if (set != nullptr && set->counter == like.counter && set->area == like.area) most = std::max(most, set->value);
  }
  return most;
}

}  // namespace

Repetition::Repetition(const TorusProgram& program) : program_(program), counters_(most_counters(program)) {
  if (!program.grants_all) {
    input_end_ = end_of_inputs(program);
    stride_ = program.memory_used - input_end_;
  }
  bank_stride_ = program.bank_memory.end;
  refuse_what_is_unsafe();
  count_messages();
}

void Repetition::refuse_what_is_unsafe() {
  const std::int64_t free = program_.torus().memory.value() - kReservedMemory.value();
  const bool is_in_place = std::any_of(program_.contracts.begin(), program_.contracts.end(),
                                       [](const Contract& contract) { return contract.from == contract.to; });
  const bool relies_on_all = !program_.grants_all || bank_stride_ > 0;
  if (!program_.grants_all && (is_in_place || writes_inputs(program_, input_end_))) {
    refusal_ = "results are written over inputs";
  } else if (relies_on_all && !program_.ends_after_all_began) {
    refusal_ = "a tile may end before others have begun, and --sync handshake would prevent that";
  } else if (!program_.lands_apart && !program_.grants_all) {
    refusal_ = "memory: tiles have no room for what arrives early, and --sync handshake would prevent that";
  } else if (memory() > free) {
    refusal_ = fmt::format("memory: a tile has {} free, and two calls need {}", to_text(Bytes(free)),
                           to_text(Bytes(memory())));
  }
}

void Repetition::count_messages() {
  const Torus& torus = program_.torus();
  counted_.assign(program_.cores.size(), std::vector<std::int64_t>(at(counters_)));
  const auto set_in = [&](const SetEverywhere& set, NodeId sender) {
    const auto [left, right] = std::minmax(set.area.first.x, set.area.last.x);
    const auto [top, bottom] = std::minmax(set.area.first.y, set.area.last.y);
    for (NodeId node = 0; node < std::ssize(program_.cores); ++node) {
      const Coordinates c = coordinates_of(torus, node);
      if (c.x < left || c.x > right || c.y < top || c.y > bottom || (node == sender && !set.includes_self)) continue;
      std::int64_t& value = counted_[at(node)][at(set.counter)];
      value = std::max(value, set.value);
    }
  };
  for (NodeId sender = 0; sender < std::ssize(program_.cores); ++sender) {
    for (const auto& calls : program_.cores[at(sender)].calls) {
      for (const Call& call : calls) {
        if (const auto* const increment = std::get_if<Increment>(&call)) {
          ++counted_[at(increment->at)][at(increment->counter)];
        } else if (const auto* const set = std::get_if<SetEverywhere>(&call)) {
          set_in(*set, sender);
        }
      }
    }
  }
}

void Repetition::move(Call& call, int k) const {
  const auto core = [&](Address& address) { address = moved(address, k); };
  const auto bank = [&](Address& address) { address = moved_in_bank(address, k); };
  const auto is_core = [&](NodeId node) { return node < std::ssize(program_.cores); };
  if (auto* const write = std::get_if<Write>(&call)) {
    core(write->source);
    is_core(write->to) ? core(write->target) : bank(write->target);
  } else if (auto* const read = std::get_if<Read>(&call)) {
    is_core(read->of) ? core(read->source) : bank(read->source);
    core(read->target);
  } else if (auto* const multicast = std::get_if<Multicast>(&call)) {
    core(multicast->source);
    core(multicast->target);
  } else if (auto* const words = std::get_if<CombineWords>(&call)) {
    for (Address* const address : {&words->left, &words->right, &words->target}) core(*address);
  } else if (auto* const combine = std::get_if<Combine>(&call)) {
    for (Address* const address : {&combine->left, &combine->right, &combine->target}) core(*address);
  } else if (auto* const copy = std::get_if<Copy>(&call)) {
    core(copy->source);
    core(copy->target);
  }
}

std::vector<Call> Repetition::calls(NodeId node, Processor processor, int k) const {
  const std::vector<Call>& first_calls = program_.cores[at(node)].calls[static_cast<std::size_t>(processor)];
  std::vector<Call> calls = first_calls;
  const int earlier = alternates() ? k / 2 : k;  // calls with the same counters
  const std::int32_t first = alternates() && k % 2 == 1 ? counters_ : 0;
  for (Call& call : calls) {
    move(call, k);
    if (auto* const await = std::get_if<Await>(&call)) {
      await->value += earlier * counted_[at(node)][at(await->counter)];
      await->counter += first;
    } else if (auto* const increment = std::get_if<Increment>(&call)) {
      increment->counter += first;
    } else if (auto* const set = std::get_if<SetEverywhere>(&call)) {
      set->value += earlier * most_set(first_calls, *set);
      set->counter += first;
    }
  }
  return calls;
}

}  // namespace muster::torus
