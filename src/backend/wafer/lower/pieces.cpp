// Lowering, last stage: what works on scattered elements, piece by piece.
#include <algorithm>

#include "backend/wafer/lower/lower.h"
#include "base/index.h"

namespace muster::wafer {

namespace {

bool reads_own(const Operation& o) {
  return std::find(o.operands.begin(), o.operands.end(), kOwnOperand) != o.operands.end();
}

class Cutter {
 public:
  explicit Cutter(SpanTable& spans) : spans_(spans) {}

  std::vector<Operation> cut(const std::vector<Operation>& operations) {
    done_.clear();
    std::vector<std::int32_t> last;  // the index of each operation's last piece
    for (const Operation& operation : operations) {
      write(operation, pieces(plain(operation)));
      last.push_back(static_cast<std::int32_t>(done_.size()) - 1);
    }
    for (Operation& operation : done_) {
      for (std::int32_t& before : operation.after) before = last[at(before)];
    }
    return std::move(done_);
  }

 private:
  /// `times` of an operation that became several is written out.
  void write(const Operation& operation, std::vector<Operation> parts) {
    if (parts.size() == 1) {
      done_.push_back(std::move(parts[0]));
      return;
    }
    for (std::int32_t t = 0; t < operation.times; ++t) {
      for (std::size_t p = 0; p < parts.size(); ++p) {
        Operation& part = done_.emplace_back(parts[p]);
        part.times = 1;
        part.continues = p > 0;
        if (t > 0 || p > 0) part.after.clear();
      }
    }
  }

  /// An exchange that sends nothing, or takes nothing, is none.
  [[nodiscard]] Operation plain(Operation operation) const {
    if (operation.sent == Buffer::none) return operation;
    if (spans_.count(operation.sent_elements) == 0) {
      operation.sent = Buffer::none;
    } else if (operation.operands.empty() || spans_.count(operation.elements) == 0) {
      operation.elements = operation.own_elements = operation.sent_elements;
      operation.own = operation.sent;
      operation.operands = {kOwnOperand};
      operation.store = operation.sent = Buffer::none;
    }
    return operation;
  }

  [[nodiscard]] bool scattered(SpanId span) const { return spans_.ranges(span).size() > 1; }

  /// Where the ranges of a span end, counted in elements of the span.
  void add_ends(SpanId span, std::vector<std::int64_t>& ends) const {
    std::int64_t end = 0;
    for (const Range& range : spans_.ranges(span)) ends.push_back(end += range.count);
  }

  std::vector<Operation> pieces(const Operation& operation) {
    const bool own = reads_own(operation) && scattered(operation.own_elements);
    const bool store = operation.store != Buffer::none && scattered(operation.store_elements);
    if (operation.sent != Buffer::none || (!own && !store)) return {operation};
    std::vector<std::int64_t> ends;
    if (own) add_ends(operation.own_elements, ends);
    if (store) add_ends(operation.store_elements, ends);
    ends.push_back(spans_.count(operation.elements));
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<Operation> parts;
    std::int64_t first = 0;
    for (const std::int64_t end : ends) {
      Operation& part = parts.emplace_back(operation);
      const auto cut = [&](SpanId span) { return spans_.add(Range{spans_.element(span, first), end - first}); };
      part.elements = spans_.add(Range{0, end - first});
      if (reads_own(operation)) part.elements = part.own_elements = cut(operation.own_elements);
      if (operation.store != Buffer::none) part.elements = part.store_elements = cut(operation.store_elements);
      if (end != ends.back()) {
        for (Output& output : part.outputs) output.ending = Ending::nothing;
      }
      first = end;
    }
    return parts;
  }

  SpanTable& spans_;
  std::vector<Operation> done_;
};

}  // namespace

void cut_into_pieces(WaferProgram& program) {
  Cutter cutter(program.spans);
  for (ProcessorClass& c : program.classes) c.operations = cutter.cut(c.operations);
}

}  // namespace muster::wafer
