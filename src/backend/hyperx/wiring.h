// Who is at the other end of every port that registers name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backend/hyperx/program.h"

namespace muster::hyperx {

/// Instead of a row: the memory of the core; or no row uses the other end of the link or of the loop.
inline constexpr std::int32_t kMemory = -1;
inline constexpr std::int32_t kUnconnected = -2;

/// What a row does with the memory of its core.
struct MemoryUse {
  bool reads : 1 = false;
  bool writes : 1 = false;
  bool shares : 1 = false;  ///< rows of its switch and id do both
};

/// A link joins rows of one channel, the loop the two rows of a switch. The registers have passed check_form().
/// Port indices are those of Registers::ports.
class Wiring {
 public:
  explicit Wiring(const HyperXProgram& program);

  /// At an input: the row that sends. At an output: the row that takes.
  [[nodiscard]] std::int32_t row(std::int32_t port_index) const { return row_[at(port_index)]; }
  /// The index of the port at the other end, or of the port at which an unread link begins.
  [[nodiscard]] std::int32_t peer(std::int32_t port_index) const { return peer_[at(port_index)]; }
  [[nodiscard]] MemoryUse memory(std::int32_t row) const { return memory_[at(row)]; }
  /// The rows of a switch.
  [[nodiscard]] std::span<const Row> rows_of(NodeId at) const;

  /// "switch of core 5, id 0, request", and with a port.
  [[nodiscard]] std::string text(const Row& row) const;
  [[nodiscard]] std::string text(const Row& row, Port port) const;

  [[nodiscard]] const HyperXProgram& program() const { return program_; }
  [[nodiscard]] const Registers& registers() const { return program_.registers; }
  [[nodiscard]] const Ports& ports() const { return ports_; }

 private:
  void find_switches();
  void note_memory();
  void join(std::int32_t row);
  void join(const Row& from, std::int32_t port_index);
  [[nodiscard]] std::int32_t find(NodeId at, std::int16_t id, Channel channel) const;

  const HyperXProgram& program_;
  Ports ports_;
  NodeId ranks_ = 0;
  std::vector<std::int32_t> first_;  ///< the switch of rank r has rows [first_[r], first_[r + 1])
  std::vector<std::int32_t> row_;
  std::vector<std::int32_t> peer_;
  std::vector<MemoryUse> memory_;
};

/// All rows, lower ids first; within an id, each row after those that feed it. Rows in a cycle are left out.
struct RowOrder {
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> first;  ///< id j has rows[first[j]] up to rows[first[j + 1]]
  [[nodiscard]] std::span<const std::int32_t> of(std::size_t id) const {
    return std::span(rows).subspan(at(first[id]), at(first[id + 1] - first[id]));
  }
};
RowOrder order_of(const Wiring& wiring);

}  // namespace muster::hyperx
