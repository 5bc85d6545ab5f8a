// Elements in chunks: a step of MSCCL works on at most kMostChunksPerStep chunks in a row.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "schedule/schedule.h"

namespace muster::msccl {

/// Chunks [first, first + count) of a span, by position.
struct Piece {
  std::int64_t first = 0;
  std::int32_t count = 0;
};

class ChunkGrid {
 public:
  /// The largest chunk of which all spans consist, or why there is none that is worth it, said in elements of which a word has
  /// so many.
  static Outcome<ChunkGrid> of(const Schedule& flat, std::int64_t per_word = 1);

  [[nodiscard]] std::int64_t words() const { return words_; }
  [[nodiscard]] std::int64_t chunks(std::int64_t elements) const { return elements / words_; }
  /// The pieces in which steps and messages over the span are cut: each lies in a row in every buffer that a step with this
  /// span reads or stores.
  [[nodiscard]] const std::vector<Piece>& pieces(SpanId elements) const;
  /// The chunk at position `chunk` of a span.
  [[nodiscard]] std::int32_t chunk(SpanId span, std::int64_t position) const;

 private:
  ChunkGrid(const Schedule& flat, std::int64_t words) : flat_(&flat), words_(words) {}
  void cut(const Schedule& flat);

  const Schedule* flat_;
  std::int64_t words_;
  std::vector<std::vector<Piece>> pieces_;  ///< of each span
};

}  // namespace muster::msccl
