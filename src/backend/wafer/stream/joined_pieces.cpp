#include "backend/wafer/stream/joined_pieces.h"

#include <algorithm>
#include <span>

#include "base/index.h"

namespace muster::wafer {
namespace {

/// Whether it does nothing but take streams and store them, or nothing but send its own elements.
bool only_takes_or_sends(const Operation& o) {
  const bool has_own = o.own != Buffer::none;
  const bool takes = !has_own && o.outputs.empty();
  const bool sends = has_own && o.operands.size() == 1 && o.store == Buffer::none;
  return o.sent == Buffer::none && o.times == 1 && (takes || sends);
}

class Joiner {
 public:
  explicit Joiner(SpanTable& spans) : spans_(spans) {}

  std::vector<Operation> join(std::span<const Operation> operations) {
    std::vector<Operation> joined;
    std::vector<std::int32_t> index;  // of each operation: the one that has it
    for (std::size_t first = 0, end = 0; first < operations.size(); first = end) {
      end = first + 1;
      while (end < operations.size() && operations[end].continues && only_takes_or_sends(operations[end])) ++end;
      index.insert(index.end(), end - first, static_cast<std::int32_t>(joined.size()));
      joined.push_back(one_of(operations.subspan(first, end - first)));
    }
    for (Operation& o : joined) {
      for (std::int32_t& before : o.after) before = index[at(before)];
    }
    return joined;
  }

 private:
  /// The first piece says what it waits for, the last one what follows.
  Operation one_of(std::span<const Operation> pieces) {
    Operation one = pieces.front();
    if (pieces.size() == 1) return one;
    one.outputs = pieces.back().outputs;
    if (one.own != Buffer::none) one.elements = one.own_elements = of_all(pieces, &Operation::own_elements);
    if (one.store != Buffer::none) one.elements = one.store_elements = of_all(pieces, &Operation::store_elements);
    return one;
  }

  SpanId of_all(std::span<const Operation> pieces, SpanId Operation::*elements) {
    std::vector<Range> ranges;
    for (const Operation& piece : pieces) {
      const auto own = spans_.ranges(piece.*elements);
      ranges.insert(ranges.end(), own.begin(), own.end());
    }
    return spans_.add(ranges);
  }

  SpanTable& spans_;
};

bool has_pieces(const ProcessorClass& c) {
  return std::ranges::any_of(c.operations, [](const Operation& o) { return o.continues && only_takes_or_sends(o); });
}

}  // namespace

std::optional<WaferProgram> with_joined_pieces(const WaferProgram& program) {
  if (std::ranges::none_of(program.classes, has_pieces)) return std::nullopt;
  WaferProgram joined = program;
  Joiner joiner(joined.spans);
  for (ProcessorClass& c : joined.classes) c.operations = joiner.join(c.operations);
  return joined;
}

}  // namespace muster::wafer
