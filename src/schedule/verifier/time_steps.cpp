// A time step on segments: every term's vector is shifted and multiplied, then all are added piece by piece.
#include "schedule/verifier/time_steps.h"

#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "base/index.h"

namespace muster::verifier {

TimeSteps::TimeSteps(const Schedule& schedule, const Contract& contract, Contributions& contributions)
    : contract_(contract), contributions_(contributions), schedule_(schedule) {
  for (const StencilTerm& term : contract.terms) {
    coefficient_.push_back(number_of(term.coefficient));
    array_.push_back(number_of(term.array));
  }
  contributions_.note_factors(contract.steps);
  for (const StencilPoints& source : contract.sources) sources_.emplace(source.rank, source);
  for (std::int64_t step = 1; step < contract.steps; ++step) {
    std::vector<Segments> next;
    std::vector<Segments> before;
    for (std::int32_t rank = 0; rank < std::ssize(contract.ranks); ++rank) {
      next.push_back(advanced(rank));
      before.push_back(before_last(rank, true));
    }
    newest_ = std::move(next);
    previous_ = std::move(before);
  }
}

std::int32_t TimeSteps::number_of(const std::string& name) const {
  if (name.empty()) return kOne;
  const auto& all = schedule_.coefficients;
  const auto known = std::find_if(all.begin(), all.end(), [&](const Coefficient& c) { return c.name == name; });
  MUSTER_ASSERT(known != all.end(), "no coefficient '{}'", name);
  return static_cast<std::int32_t>(known - all.begin());
}

Segments TimeSteps::before_last(std::int32_t rank, bool is_newest) {
  if (!newest_.empty()) return is_newest ? newest_[at(rank)] : previous_[at(rank)];
  const Buffer buffer = is_newest ? newest_before(contract_) : previous_before(contract_);
  const Segment vector{contract_.count, {.value = contributions_.of(node(rank), buffer)}};
  if (contract_.margin == 0) return {vector};
  const Segment zeros{contract_.margin, {}};
  return {zeros, vector, zeros};
}

/// A term over the rank's elements [margin, margin + count); nothing if its neighbour is outside the grid.
Segments TimeSteps::scaled(std::int32_t rank, std::size_t index) {
  const StencilTerm& term = contract_.terms[index];
  const std::int32_t other = rank_beside(contract_, rank, term.dx, term.dy);
  if (other < 0) return {};
  Segments segments =
      cut_segments(before_last(other, term.buffer == contract_.from), {contract_.margin + term.dz, contract_.count});
  for (Segment& segment : segments) {
    Value& value = segment.content.value;
    value = contributions_.shifted(value, term.dz);
    if (coefficient_[index] != kOne) value = *contributions_.times(value, coefficient_[index], false, node(rank));
    if (array_[index] == kOne) continue;
    const auto product = contributions_.times(value, array_[index], true, node(rank));
    MUSTER_ASSERT(product.has_value(), "term {} multiplies two arrays", index);
    value = *product;
  }
  return segments;
}

/// What a source adds, over its rank's elements [margin, margin + count).
Segments TimeSteps::added(const StencilPoints& source) {
  const std::int64_t before = source.elements.first - contract_.margin;
  const Value series = contributions_.of(node(source.rank), Buffer::series);
  Segments segments;
  if (before > 0) segments.push_back({before, {}});
  segments.push_back(
      {source.elements.count, {.value = contributions_.shifted(series, source.first - source.elements.first)}});
  return segments;
}

Segments TimeSteps::recorded(const StencilPoints& receiver) {
  Segments segments = cut_segments(newest(receiver.rank), receiver.elements);
  for (Segment& segment : segments) {
    segment.content.value = contributions_.shifted(segment.content.value, receiver.elements.first - receiver.first);
  }
  return segments;
}

Segments TimeSteps::advanced(std::int32_t rank) {
  std::vector<Segments> terms;
  std::vector<std::int64_t> cuts = {0, contract_.count};
  for (std::size_t i = 0; i < contract_.terms.size(); ++i) terms.push_back(scaled(rank, i));
  const auto [first_source, end_source] = sources_.equal_range(rank);
  for (auto source = first_source; source != end_source; ++source) terms.push_back(added(source->second));
  for (const Segments& term : terms) {
    std::int64_t end = 0;
    for (const Segment& segment : term) cuts.push_back(end += segment.count);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());

  Segments sums;
  const Segment zeros{contract_.margin, {}};
  if (contract_.margin > 0) sums.push_back(zeros);
  for (std::size_t i = 1; i < cuts.size(); ++i) sums.push_back({cuts[i] - cuts[i - 1], {}});
  const std::size_t first = contract_.margin > 0 ? 1 : 0;
  for (const Segments& term : terms) {
    std::size_t piece = 0;
    std::int64_t end = 0;
    for (const Segment& segment : term) {
      end += segment.count;
      for (; piece + 1 < cuts.size() && cuts[piece + 1] <= end; ++piece) {
        Value& sum = sums[first + piece].content.value;
        sum = contributions_.add(sum, segment.content.value);
      }
    }
  }
  if (contract_.margin > 0) sums.push_back(zeros);
  return sums;
}

/// From the last step back to the first: what is wanted of the vectors before it.
Products TimeSteps::products(std::int32_t rank, bool is_newest, std::int64_t element) const {
  using Place = std::tuple<std::int32_t, bool, std::int64_t>;  // rank, whether of the newest vector, element
  std::map<Place, Weights> wanted = {{{rank, is_newest, element}, {{Product{}, 1}}}};
  Products products;
  for (std::int64_t step = contract_.steps; step > 0; --step) {
    std::map<Place, Weights> before;
    for (const auto& [place, weights] : wanted) {
      const auto& [of, newest, e] = place;
      if (!newest) add_weights(before[{of, true, e}], weights);
      const auto [first_source, end_source] = sources_.equal_range(of);
      for (auto source = first_source; newest && source != end_source; ++source) {
        const auto& [of_rank, elements, first] = source->second;
        if (e < elements.first || e >= elements.end()) continue;
        add_weights(products[{node(of_rank), Buffer::series, e - elements.first + first}], weights);
      }
      for (std::size_t i = 0; newest && is_inside(e) && i < contract_.terms.size(); ++i) {
        const StencilTerm& term = contract_.terms[i];
        const std::int32_t other = rank_beside(contract_, of, term.dx, term.dy);
        if (other < 0) continue;
        Weights product = weights;
        if (coefficient_[i] != kOne) product = multiplied(product, coefficient_[i], false, node(of), e);
        if (array_[i] != kOne) product = multiplied(product, array_[i], true, node(of), e);
        add_weights(before[{other, term.buffer == contract_.from, e + term.dz}], product);
      }
    }
    wanted = std::move(before);
  }
  for (const auto& [place, weights] : wanted) {
    const auto& [of, newest, e] = place;
    if (!is_inside(e)) continue;
    products[{node(of), newest ? newest_before(contract_) : previous_before(contract_), e}] = weights;
  }
  return products;
}

}  // namespace muster::verifier
