// Sets of contributions and fingerprints.
#include "schedule/verifier/contributions.h"

#include <algorithm>
#include <limits>

namespace muster::verifier {
namespace {

/// A bijection of 64-bit words that leaves no pattern of its argument (the finalizer of SplitMix64).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

constexpr std::size_t kBitsPerWord = 64;
constexpr std::size_t kBuffers = 3;
constexpr NodeId kExactBarrierNodes = 4096;

}  // namespace

std::size_t Contributions::Hash::operator()(const Words& words) const {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : words) hash = mix(hash + 0x9e3779b97f4a7c15ULL + word);
  return hash;
}

Contributions::Contributions(const Schedule& schedule, const VerifyOptions& options)
    : nodes_(schedule.node_count), seed_(mix(options.seed)), exact_(schedule.node_count <= options.exact_nodes) {
  bool beyond_input = false;
  for (const Contract& contract : schedule.contracts) {
    beyond_input |= contract.from != Buffer::input;
    // Fingerprints cannot tell "at least once", so a barrier stays exact for longer.
    exact_ |= contract.collective == Collective::barrier && nodes_ <= kExactBarrierNodes;
  }
  const std::size_t bits = static_cast<std::size_t>(nodes_) * (beyond_input ? kBuffers : 1);
  if (exact_) words_ = (bits + kBitsPerWord - 1) / kBitsPerWord;
}

std::size_t Contributions::bit_of(NodeId node, Buffer buffer) const {
  return (static_cast<std::size_t>(buffer) - 1) * static_cast<std::size_t>(nodes_) + static_cast<std::size_t>(node);
}

Value Contributions::of(NodeId node, Buffer buffer) {
  const std::size_t bit = bit_of(node, buffer);
  if (!exact_) return {.print = mix(seed_ + mix(bit + 1)) % kPrime, .count = 1};
  Words words(2 * words_);
  words[bit / kBitsPerWord] = std::uint64_t{1} << bit % kBitsPerWord;
  return {.print = number_of(std::move(words)), .count = 1};
}

Value Contributions::add(const Value& a, const Value& b) {
  const std::uint64_t count = saturating_add(a.count, b.count);
  if (!exact_) {
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
