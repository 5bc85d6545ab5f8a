// Symbolic values: which ranks' elements have been combined into one. Up to a number of nodes they are kept exactly, as
// a set and the subset that occurs more than once; above it as fingerprints. Where contributions may be repeated (a
// barrier), fingerprints do not help: no short summary of two sets tells whether their union is everything. There, the
// schedule is executed once for each window of kWindow origins, with one bit for each: exact, but only the set. Where the order
// of ranks counts (a scan), a value is a run of neighbouring ranks: exact for any number of nodes. What was once combined
// in another order can never become such a run. Where steps have factors or a contract is a stencil, a value is the fingerprint of
// a linear combination, for any number of nodes (polynomials.h); the shift of elements is part of the value there.
//
// A fingerprint is the sum of a pseudo-random number r(origin) per contribution, modulo the prime p = 2^61 - 1, and
// the number of contributions. Two different collections of equally many contributions (fewer than p) have equal sums
// with probability at most 1 / p over the choice of r. The verifier compares values at the end, with what is owed, and
// wherever neighbouring pieces of equal value are joined to one; same() counts all of these comparisons, so that their
// number over p bounds the probability that any of them was wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "schedule/schedule.h"
#include "schedule/verifier/polynomials.h"
#include "schedule/verify.h"

namespace muster::verifier {

/// Exact: `print` numbers a set in the table. Otherwise a fingerprint. In a window: the bits of its origins. In order: the first
/// rank of the run, counted through all contracts. Of a linear combination, `print` and `count` are the two sums of
/// Polynomials::Value.
struct Value {
  std::uint64_t print = 0;
  std::uint64_t count = 0;  ///< of contributions; saturates. In a window: more bits
  bool operator==(const Value&) const = default;
};

class Contributions {
 public:
  static constexpr std::size_t kWindow = 128;

  /// Linear, if factors or contracts say so; in order, if contracts say so; else exact or fingerprints, as the number of nodes says.
  Contributions(const Schedule& schedule, const VerifyOptions& options);
  /// Only the origins of one window.
  static Contributions in_window(const Schedule& schedule, std::size_t window);
  static std::size_t windows(const Schedule& schedule);

  /// An element of `buffer` of `node`, as it was in the beginning.
  Value of(NodeId node, Buffer buffer);
  Value add(const Value& a, const Value& b) {
    if (kept_ != Kept::as_fingerprints || a.count + b.count < a.count) return add_any(a, b);
    const std::uint64_t sum = a.print + b.print;
    return {.print = sum >= kPrime ? sum - kPrime : sum, .count = a.count + b.count};
  }
  /// The sum of what next() gives: pointers to values, the last one null.
  template <class Next>
  Value sum(Value first, const Next& next) {
    if (kept_ != Kept::as_fingerprints) {
      while (const Value* value = next()) first = add_any(first, *value);
      return first;
    }
    std::uint64_t print = first.print, count = first.count;  // apart, so that they stay in registers
    while (const Value* value = next()) {
      print += value->print;
      print = print >= kPrime ? print - kPrime : print;
      count = count + value->count < count ? ~std::uint64_t{0} : count + value->count;
    }
    return {.print = print, .count = count};
  }
  /// Whether all contributions of `expected` are in `value`, perhaps repeated, and no others. Only when exact.
  [[nodiscard]] bool repeats(const Value& value, const Value& expected) const;
  [[nodiscard]] bool exact() const { return kept_ == Kept::exactly; }
  [[nodiscard]] bool linear() const { return kept_ == Kept::as_polynomials; }
  /// Of linear combinations alone: a value whose elements are counted from ones that are `by` lower; with a factor, an array only
  /// of `node`, or nothing where an array is in it already.
  Value shifted(const Value& value, std::int64_t by) { return value_of(polynomials_.shifted(sums_of(value), by)); }
  std::optional<Value> times(const Value& value, std::int32_t coefficient, bool is_array, NodeId node);
  void note_factors(std::int64_t factors) { polynomials_.note_factors(factors); }

  [[nodiscard]] bool windowed() const { return kept_ == Kept::in_window; }

  /// Whether the values are equal, with the error of fingerprints.
  bool same(const Value& a, const Value& b) {
    if (a.count != b.count) return false;
    ++comparisons_;
    return a.print == b.print;
  }
  /// A bound for the probability that two different values were taken for the same.
  [[nodiscard]] double error_probability() const {
    if (kept_ != Kept::as_fingerprints && !linear()) return 0;
    const double degree = linear() ? polynomials_.degree() : 1;
    return static_cast<double>(comparisons_) * degree / static_cast<double>(kPrime);
  }

 private:
  enum class Kept { exactly, as_fingerprints, in_window, in_order, as_polynomials };
  static Polynomials::Value sums_of(const Value& value) { return {value.print, value.count}; }
  static Value value_of(const Polynomials::Value& sums) { return {sums.plain, sums.with_array}; }
  static Kept kept_for(const Schedule& schedule, const VerifyOptions& options);
  Contributions(const Schedule& schedule, Kept kept);
  using Words = std::vector<std::uint64_t>;
  struct Hash {
    std::size_t operator()(const Words& words) const;
  };
  Value add_any(const Value& a, const Value& b);
  std::uint64_t number_of(Words words);
  [[nodiscard]] std::size_t bit_of(NodeId node, Buffer buffer) const;
  void number_ranks(const Schedule& schedule);

  Kept kept_;
  NodeId nodes_;
  std::uint64_t seed_ = 0;
  Polynomials polynomials_;
  std::size_t first_ = 0;  ///< origin of the window
  std::uint64_t comparisons_ = 0;
  std::vector<std::uint64_t> rank_of_;  ///< by origin, in order
  std::size_t words_ = 0;               ///< per plane of a set: present, then present more than once
  std::vector<const Words*> sets_;      ///< keys of numbers_
  std::unordered_map<Words, std::uint64_t, Hash> numbers_;
};

}  // namespace muster::verifier
