// The thread blocks of one GPU, from what it does, one after another.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "backend/cluster/msccl/algo.h"

namespace muster::msccl {

class GpuWriter {
 public:
  /// The other end of a connection, and its channel.
  using Peer = std::pair<std::int32_t, std::int32_t>;

  /// A send, a receive (with `reduce`: combined with `source`), or a copy, after everything added before.
  void send(const Address& source, std::int32_t count, const Peer& to);
  void receive(const Address& destination, std::int32_t count, const Peer& from, const std::optional<Address>& reduce);
  void copy(const Address& source, const Address& destination, std::int32_t count);

  /// This many chunks of scratch that nothing else uses.
  Address scratch(std::int32_t chunks);

  /// Fuses a receive with the send that forwards it, gives every connection a thread block, and orders steps of different thread
  /// blocks that touch the same chunks.
  Gpu finish(std::int32_t input_chunks, std::int32_t output_chunks) &&;

 private:
  struct Operation {
    Step step;
    std::optional<Peer> in, out;
  };

  [[nodiscard]] bool may_share(const Peer& in, const Peer& out) const;
  void join_sends();
  void forget_unread_scratch();
  std::vector<std::int32_t> blocks_of_operations();
  void order(const std::vector<std::int32_t>& block_of);

  std::vector<Operation> operations_;
  std::map<Peer, Peer> joined_in_, joined_out_;  ///< connections that share a thread block: in → out, out → in
  std::vector<ThreadBlock> blocks_;
  std::int32_t scratch_ = 0;
};

}  // namespace muster::msccl
