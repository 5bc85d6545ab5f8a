// Whole vectors from row to row, in an order along data.
#include "backend/hyperx/data.h"

#include <algorithm>

#include "backend/hyperx/memories.h"
#include "machine/routing.h"

namespace muster::hyperx {
namespace {

class IdData {
 public:
  IdData(const Wiring& wiring, std::span<const std::int32_t> rows, const Segment& segment, Memories& memories)
      : wiring_(wiring),
        registers_(wiring.registers()),
        rows_(rows),
        segment_(segment),
        memories_(memories),
        ranks_(rank_count(wiring.program().machine)) {}

  /// `results` has space for the elements of each row; `index_of` says where a row's are.
  void run(std::vector<Word>& results, std::vector<std::int32_t>& index_of) {
    for (std::size_t i = 0; i < rows_.size(); ++i) index_of[at(rows_[i])] = static_cast<std::int32_t>(i);
    const auto words_of = [&](std::int32_t row) {
      return std::span(results).subspan(at(index_of[at(row)]) * at(segment_.elements.count),
                                        at(segment_.elements.count));
    };
    for (const std::int32_t row : rows_) combine(row, words_of);
    for (const std::int32_t row : rows_) {
      if (wiring_.memory(row).writes)
        memories_.write(rank_of(row), segment_.to, segment_.elements.first, words_of(row));
    }
  }

 private:
  [[nodiscard]] NodeId rank_of(std::int32_t row) const { return registers_.rows[at(row)].at - ranks_; }

  template <class WordsOf>
  void combine(std::int32_t row, WordsOf words_of) const {
    const std::span<Word> result = words_of(row);
    const Slice inputs = registers_.rows[at(row)].inputs;
    for (std::int32_t i = 0; i < inputs.count; ++i) {
      const std::int32_t from = wiring_.row(inputs.first + i);
      const std::span<const Word> words =
          from == kMemory ? memories_.read(rank_of(row), segment_.from, segment_.elements) : words_of(from);
      if (i == 0) {
        std::ranges::copy(words, result.begin());
      } else {
        wiring_.program().arithmetic.combine(result, words);
      }
    }
  }

  const Wiring& wiring_;
  const Registers& registers_;
  std::span<const std::int32_t> rows_;
  const Segment& segment_;
  Memories& memories_;
  NodeId ranks_ = 0;
};

}  // namespace

Outputs compute_data(const Wiring& wiring, const RowOrder& order, std::uint64_t seed) {
  const Registers& registers = wiring.registers();
  Memories memories(wiring.program(), seed);
  std::vector<std::int32_t> index_of(registers.rows.size());
  std::vector<Word> results;
  for (std::size_t id = 0; id < registers.segments.size(); ++id) {
    const Segment& segment = registers.segments[id];
    results.resize(std::max(results.size(), order.of(id).size() * at(segment.elements.count)));
    IdData(wiring, order.of(id), segment, memories).run(results, index_of);
  }
  return memories.outputs();
}

}  // namespace muster::hyperx
