#include "app/seismic/large_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace muster::seismic {
namespace {

std::uintptr_t address_of(const LargeMemory& memory) { return reinterpret_cast<std::uintptr_t>(memory.data()); }

TEST(LargeMemory, BeginsAtLines) {
  EXPECT_EQ(LargeMemory(0).data(), nullptr);
  for (const std::size_t bytes : {1U, 1000U, 3U << 20U}) EXPECT_EQ(address_of(LargeMemory(bytes)) % 128, 0U);
}

TEST(LargeMemory, ArraysDoNotMeetInOneSetOfACache) {
  std::vector<LargeMemory> arrays;
  std::set<std::uintptr_t> sets;
  for (int i = 0; i < 32; ++i) sets.insert(address_of(arrays.emplace_back(3U << 20U)) % 4096);
  EXPECT_EQ(sets.size(), 32U);
}

TEST(LargeMemory, MovesWithoutACopy) {
  LargeMemory memory(3U << 20U);
  const std::uintptr_t address = address_of(memory);
  LargeMemory moved = std::move(memory);
  EXPECT_EQ(address_of(moved), address);
  LargeMemory assigned(10);
  assigned = std::move(moved);
  EXPECT_EQ(address_of(assigned), address);
}

}  // namespace
}  // namespace muster::seismic
