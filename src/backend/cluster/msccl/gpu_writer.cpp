// Three passes over the operations: join, place, order.
#include "backend/cluster/msccl/gpu_writer.h"

#include <algorithm>
#include <array>

#include "base/index.h"

namespace muster::msccl {
namespace {

/// Something about every chunk of the three buffers.
template <class Value>
class ChunkMap {
 public:
  Value& at_address(const Address& address, std::int32_t offset) {
    auto& buffer = values_[static_cast<std::size_t>(address.buffer)];
    const std::size_t chunk = at(address.chunk + offset);
    if (chunk >= buffer.size()) buffer.resize(std::max(chunk + 1, buffer.size() * 2));
    return buffer[chunk];
  }

 private:
  std::array<std::vector<Value>, 4> values_;
};

/// Steps of other thread blocks that must have ended: of each, the newest.
class Needs {
 public:
  void add(const Dependency& d) {
    const auto same = [&](const Dependency& other) { return other.block == d.block; };
    const auto found = std::find_if(all_.begin(), all_.end(), same);
    if (found == all_.end()) {
      all_.push_back(d);
    } else {
      found->step = std::max(found->step, d.step);
    }
  }
  [[nodiscard]] bool cover(const Dependency& d) const {
    return std::any_of(all_.begin(), all_.end(),
                       [&](const Dependency& other) { return other.block == d.block && other.step >= d.step; });
  }
  [[nodiscard]] const std::vector<Dependency>& all() const { return all_; }

 private:
  std::vector<Dependency> all_;
};

}  // namespace

void GpuWriter::send(const Address& source, std::int32_t count, const Peer& to) {
  operations_.push_back(
      {.step = {.type = Type::send, .source = source, .count = count, .dependency = {}}, .in = {}, .out = to});
}

void GpuWriter::receive(const Address& destination, std::int32_t count, const Peer& from,
                        const std::optional<Address>& reduce) {
  Step step{.type = reduce ? Type::receive_reduce_copy : Type::receive,
            .destination = destination,
            .count = count,
            .dependency = {}};
  if (reduce) step.source = *reduce;
  operations_.push_back({.step = step, .in = from, .out = {}});
}

void GpuWriter::copy(const Address& source, const Address& destination, std::int32_t count) {
  operations_.push_back(
      {.step = {.type = Type::copy, .source = source, .destination = destination, .count = count, .dependency = {}},
       .in = {},
       .out = {}});
}

Address GpuWriter::scratch(std::int32_t chunks) {
  const Address address{Buffer::scratch, scratch_};
  scratch_ += chunks;
  return address;
}

/// A connection shares its thread block with one other at most: the first that asks.
bool GpuWriter::may_share(const Peer& in, const Peer& out) const {
  const auto a = joined_in_.find(in);
  const auto b = joined_out_.find(out);
  return (a == joined_in_.end() || a->second == out) && (b == joined_out_.end() || b->second == in);
}

/// A send of exactly what an operation before has received goes with it, if no other message on that connection would be
/// overtaken.
void GpuWriter::join_sends() {
  ChunkMap<std::int32_t> stored_by;  // the operation's number + 1
  std::map<Peer, std::int32_t> last_send;
  std::vector<Operation> kept;
  const auto source_of = [&](const Step& send) {
    const std::int32_t first = stored_by.at_address(send.source, 0) - 1;
    for (std::int32_t i = 1; i < send.count; ++i) {
      if (stored_by.at_address(send.source, i) - 1 != first) return -1;
    }
    return first;
  };
  for (const Operation& operation : operations_) {
    const auto here = static_cast<std::int32_t>(kept.size());
    if (operation.step.type == Type::send) {
      const Peer& out = *operation.out;
      const std::int32_t source = source_of(operation.step);
      const auto last = last_send.find(out);
      const bool overtakes = last != last_send.end() && last->second >= source;
      if (source >= 0 && !overtakes) {
        Operation& before = kept[at(source)];
        const bool can = before.in && !before.out && before.in->second == out.second &&
                         before.step.destination == operation.step.source &&
                         before.step.count == operation.step.count && may_share(*before.in, out);
        if (can) {
          joined_in_[*before.in] = out;
          joined_out_[out] = *before.in;
          before.out = out;
          before.step.type =
              before.step.type == Type::receive ? Type::receive_copy_send : Type::receive_reduce_copy_send;
          last_send[out] = source;
          continue;
        }
      }
      last_send[out] = here;
    }
    if (stores(operation.step.type)) {
      for (std::int32_t i = 0; i < operation.step.count; ++i) {
        stored_by.at_address(operation.step.destination, i) = here + 1;
      }
    }
    kept.push_back(operation);
  }
  operations_ = std::move(kept);
}

/// What was kept in scratch only to be sent on need not be kept.
void GpuWriter::forget_unread_scratch() {
  std::vector<bool> is_read(at(scratch_), false), is_used(at(scratch_), false);
  const auto mark = [](std::vector<bool>& marks, const Address& address, std::int32_t count) {
    if (address.buffer == Buffer::scratch) std::fill_n(marks.begin() + address.chunk, count, true);
  };
  for (const Operation& o : operations_) {
    if (reads_source(o.step.type)) mark(is_read, o.step.source, o.step.count);
  }
  for (Operation& o : operations_) {
    const auto is_unread = [&](const Address& address) {
      if (address.buffer != Buffer::scratch) return false;
      const auto first = is_read.begin() + address.chunk;
      return std::find(first, first + o.step.count, true) == first + o.step.count;
    };
    if (o.step.type == Type::receive_reduce_copy_send && is_unread(o.step.destination)) {
      o.step.type = Type::receive_reduce_send;
      o.step.destination = {};
    }
    if (reads_source(o.step.type)) mark(is_used, o.step.source, o.step.count);
    if (stores(o.step.type)) mark(is_used, o.step.destination, o.step.count);
  }
  std::vector<std::int32_t> number;
  scratch_ = 0;
  for (const bool used : is_used) {
    number.push_back(scratch_);
    scratch_ += used ? 1 : 0;
  }
  for (Operation& o : operations_) {
    if (reads_source(o.step.type) && o.step.source.buffer == Buffer::scratch) {
      o.step.source.chunk = number[at(o.step.source.chunk)];
    }
    if (stores(o.step.type) && o.step.destination.buffer == Buffer::scratch) {
      o.step.destination.chunk = number[at(o.step.destination.chunk)];
    }
  }
}

/// Copies go to the first thread block.
std::vector<std::int32_t> GpuWriter::blocks_of_operations() {
  std::map<Peer, std::int32_t> receiver, sender;
  const auto block_at = [&](std::map<Peer, std::int32_t>& ends, const Peer& peer) {
    const auto [found, is_new] = ends.emplace(peer, static_cast<std::int32_t>(blocks_.size()));
    if (is_new) blocks_.push_back({.channel = peer.second, .steps = {}});
    return found->second;
  };
  std::vector<std::int32_t> block_of;
  for (const Operation& o : operations_) {
    if (!o.in && !o.out) {
      if (blocks_.empty()) blocks_.push_back({.channel = 0, .steps = {}});
      block_of.push_back(0);
      continue;
    }
    std::optional<Peer> in = o.in, out = o.out;
    if (!in && joined_out_.contains(*out)) in = joined_out_.at(*out);
    if (!out && joined_in_.contains(*in)) out = joined_in_.at(*in);
    const std::int32_t block = in ? block_at(receiver, *in) : block_at(sender, *out);
    if (in) blocks_[at(block)].receive = in->first;
    if (out) blocks_[at(block)].send = out->first;
    block_of.push_back(block);
  }
  return block_of;
}

/// A step waits for who stored what it reads, and for who stored or read what it stores over.
void GpuWriter::order(const std::vector<std::int32_t>& block_of) {
  struct Use {
    Dependency stored;
    Needs read;
  };
  ChunkMap<Use> uses;
  std::vector<Needs> known(blocks_.size());  // of each thread block: what has ended when its newest step begins
  for (std::size_t o = 0; o < operations_.size(); ++o) {
    const std::int32_t block = block_of[o];
    Step& step = operations_[o].step;
    Needs needs;
    const auto need = [&](const Dependency& d) {
      if (d.block != kNone && d.block != block && !known[at(block)].cover(d)) needs.add(d);
    };
    for (std::int32_t i = 0; i < step.count; ++i) {
      if (reads_source(step.type)) need(uses.at_address(step.source, i).stored);
      if (!stores(step.type)) continue;
      const Use& use = uses.at_address(step.destination, i);
      need(use.stored);
      for (const Dependency& d : use.read.all()) need(d);
    }
    std::vector<Step>& steps = blocks_[at(block)].steps;
    for (std::size_t n = 0; n < needs.all().size(); ++n) {
      const Dependency& d = needs.all()[n];
      blocks_[at(d.block)].steps[at(d.step)].has_dependents = true;
      known[at(block)].add(d);
      if (n + 1 < needs.all().size()) {
        steps.push_back({.type = Type::nop, .dependency = d});
      } else {
        step.dependency = d;
      }
    }
    const Dependency here{block, static_cast<std::int32_t>(steps.size())};
    for (std::int32_t i = 0; i < step.count; ++i) {
      if (reads_source(step.type)) uses.at_address(step.source, i).read.add(here);
      if (stores(step.type)) uses.at_address(step.destination, i) = {.stored = here, .read = {}};
    }
    steps.push_back(step);
  }
}

Gpu GpuWriter::finish(std::int32_t input_chunks, std::int32_t output_chunks) && {
  join_sends();
  forget_unread_scratch();
  order(blocks_of_operations());
  return {.input_chunks = input_chunks,
          .output_chunks = output_chunks,
          .scratch_chunks = scratch_,
          .blocks = std::move(blocks_)};
}

}  // namespace muster::msccl
