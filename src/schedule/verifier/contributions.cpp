// Sets of contributions and fingerprints.
#include "schedule/verifier/contributions.h"

#include <algorithm>
#include <limits>

#include "base/random.h"

namespace muster::verifier {
namespace {

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

constexpr std::size_t kBitsPerWord = 64;
constexpr std::size_t kBuffersOfVectors = 3;
/// Instead of a first rank: no run of neighbours.
constexpr std::uint64_t kDisordered = std::numeric_limits<std::uint64_t>::max();

/// Different contributions of one element: a node and a buffer that some contract holds it in.
std::size_t origins_of(const Schedule& schedule) {
  const bool beyond_input = std::any_of(schedule.contracts.begin(), schedule.contracts.end(), [](const Contract& c) {
    return c.from != Buffer::input || is_partly_in_place(c);
  });
  return static_cast<std::size_t>(schedule.node_count) * (beyond_input ? kBuffersOfVectors : 1);
}

}  // namespace

std::size_t Contributions::Hash::operator()(const Words& words) const {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : words) hash = random_bits(hash, word);
  return hash;
}

Contributions::Contributions(const Schedule& schedule, Kept kept) : kept_(kept), nodes_(schedule.node_count) {
  if (kept == Kept::exactly) words_ = (origins_of(schedule) + kBitsPerWord - 1) / kBitsPerWord;
}

Contributions::Contributions(const Schedule& schedule, const VerifyOptions& options)
    : Contributions(schedule, kept_for(schedule, options)) {
  seed_ = options.seed;
  if (linear()) polynomials_ = Polynomials(schedule, seed_);
  if (kept_ == Kept::in_order) number_ranks(schedule);
}

Contributions::Kept Contributions::kept_for(const Schedule& schedule, const VerifyOptions& options) {
  const auto is_stencil = [](const Contract& contract) { return contract.collective == Collective::stencil; };
  if (!schedule.factors.empty() || std::any_of(schedule.contracts.begin(), schedule.contracts.end(), is_stencil)) {
    return Kept::as_polynomials;
  }
  if (schedule.contracts.front().collective == Collective::scan) return Kept::in_order;
  return schedule.node_count <= options.exact_nodes ? Kept::exactly : Kept::as_fingerprints;
}

/// Two contracts do not become one run: a number is left out between them.
void Contributions::number_ranks(const Schedule& schedule) {
  rank_of_.assign(origins_of(schedule), kDisordered);
  std::uint64_t next = 0;
  for (const Contract& contract : schedule.contracts) {
    for (const NodeId node : contract.ranks) rank_of_[bit_of(node, contract.from)] = next++;
    ++next;
  }
}

Contributions Contributions::in_window(const Schedule& schedule, std::size_t window) {
  Contributions contributions(schedule, Kept::in_window);
  contributions.first_ = window * kWindow;
  return contributions;
}

std::size_t Contributions::windows(const Schedule& schedule) { return (origins_of(schedule) + kWindow - 1) / kWindow; }

std::size_t Contributions::bit_of(NodeId node, Buffer buffer) const {
  return (static_cast<std::size_t>(buffer) - 1) * static_cast<std::size_t>(nodes_) + static_cast<std::size_t>(node);
}

Value Contributions::of(NodeId node, Buffer buffer) {
  const std::size_t bit = bit_of(node, buffer);
  if (kept_ == Kept::as_fingerprints) return {.print = random_bits(seed_, bit) % kPrime, .count = 1};
  if (linear()) return value_of(polynomials_.of(node, buffer));
  if (kept_ == Kept::in_order) return {.print = rank_of_[bit], .count = 1};
  if (kept_ == Kept::in_window) {
    if (bit < first_ || bit >= first_ + kWindow) return {};
    const std::uint64_t mask = std::uint64_t{1} << (bit - first_) % kBitsPerWord;
    return bit < first_ + kBitsPerWord ? Value{.print = mask, .count = 0} : Value{.print = 0, .count = mask};
  }
  Words words(2 * words_);
  words[bit / kBitsPerWord] = std::uint64_t{1} << bit % kBitsPerWord;
  return {.print = number_of(std::move(words)), .count = 1};
}

Value Contributions::add_any(const Value& a, const Value& b) {
  if (linear()) return value_of(Polynomials::add(sums_of(a), sums_of(b)));
  if (kept_ == Kept::in_window) return {.print = a.print | b.print, .count = a.count | b.count};
  const std::uint64_t count = saturating_add(a.count, b.count);
  if (kept_ == Kept::in_order) {
    const bool follows = a.print != kDisordered && a.print + a.count == b.print;
    return {.print = follows ? a.print : kDisordered, .count = count};
  }
  if (kept_ == Kept::as_fingerprints) {
    const std::uint64_t sum = a.print + b.print;
    return {.print = sum >= kPrime ? sum - kPrime : sum, .count = count};
  }
  const Words& left = *sets_[a.print];
  const Words& right = *sets_[b.print];
  Words sum(2 * words_);
  for (std::size_t i = 0; i < words_; ++i) {
    sum[i] = left[i] | right[i];
    sum[words_ + i] = left[words_ + i] | right[words_ + i] | (left[i] & right[i]);
  }
  return {.print = number_of(std::move(sum)), .count = count};
}

std::optional<Value> Contributions::times(const Value& value, std::int32_t coefficient, bool is_array, NodeId node) {
  if (!is_array) return value_of(polynomials_.times(sums_of(value), coefficient));
  const auto product = polynomials_.times_array(sums_of(value), coefficient, node);
  return product ? std::optional(value_of(*product)) : std::nullopt;
}

bool Contributions::repeats(const Value& value, const Value& expected) const {
  const auto& present = *sets_[value.print];
  const auto& wanted = *sets_[expected.print];
  return std::equal(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(words_), present.begin());
}

std::uint64_t Contributions::number_of(Words words) {
  const auto [entry, is_new] = numbers_.try_emplace(std::move(words), sets_.size());
  if (is_new) sets_.push_back(&entry->first);
  return entry->second;
}

}  // namespace muster::verifier
