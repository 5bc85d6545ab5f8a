// Rows stand by switch, so those of a node stand together: nodes are compared by a hash first, then row by row.
#include "backend/hyperx/files/node_programs.h"

#include <algorithm>
#include <unordered_map>

#include "base/random.h"
#include "machine/hyperx.h"

namespace muster::hyperx {
namespace {

class Finder {
 public:
  explicit Finder(const HyperXProgram& program)
      : registers_(program.registers), first_switch_(rank_count(program.network())) {
    found_.of_node.assign(at(hyperx_nodes(program.network())), kNoProgram);
    per_node_ = switches_per_node(program.network());
  }

  NodePrograms run() && {
    const auto count = static_cast<std::int32_t>(registers_.rows.size());
    for (std::int32_t first = 0, end = 0; first < count; first = end) {
      const std::int32_t node = node_of(first);
      while (end < count && node_of(end) == node) ++end;
      found_.of_node[at(node)] = program_of({.first = first, .count = end - first});
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::int32_t node_of(std::int32_t row) const {
    return (registers_.rows[at(row)].at - first_switch_) / per_node_;
  }
  [[nodiscard]] std::int32_t switch_index(const Row& row) const { return (row.at - first_switch_) % per_node_; }

  std::int32_t program_of(Slice rows) {
    const std::uint64_t hash = hash_of(rows);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto known = first; known != last; ++known) {
      if (alike(found_.programs[at(known->second)], rows)) return known->second;
    }
    const auto number = static_cast<std::int32_t>(found_.programs.size());
    found_.programs.push_back(rows);
    by_hash_.emplace(hash, number);
    return number;
  }

  [[nodiscard]] std::uint64_t hash_of(Slice rows) const {
    std::uint64_t hash = random_bits(0, at(rows.count));
    const auto add = [&](std::int64_t value) { hash = random_bits(hash, static_cast<std::uint64_t>(value)); };
    for (std::int32_t i = rows.first; i < rows.first + rows.count; ++i) {
      const Row& row = registers_.rows[at(i)];
      add(switch_index(row));
      add(2 * std::int64_t{row.id} + (row.channel == Channel::response ? 1 : 0));
      add(row.inputs.count);
      for (const Port port : registers_.inputs_of(row)) add(port);
      for (const Port port : registers_.outputs_of(row)) add(port);
    }
    return hash;
  }

  [[nodiscard]] bool alike(Slice a, Slice b) const {
    if (a.count != b.count) return false;
    for (std::int32_t i = 0; i < a.count; ++i) {
      const Row& x = registers_.rows[at(a.first + i)];
      const Row& y = registers_.rows[at(b.first + i)];
      if (switch_index(x) != switch_index(y) || x.id != y.id || x.channel != y.channel ||
          !std::ranges::equal(registers_.inputs_of(x), registers_.inputs_of(y)) ||
          !std::ranges::equal(registers_.outputs_of(x), registers_.outputs_of(y))) {
        return false;
      }
    }
    return true;
  }

  const Registers& registers_;
  NodeId first_switch_;
  std::int32_t per_node_ = 1;
  NodePrograms found_;
  std::unordered_multimap<std::uint64_t, std::int32_t> by_hash_;
};

}  // namespace

NodePrograms find_node_programs(const HyperXProgram& program) { return Finder(program).run(); }

}  // namespace muster::hyperx
