// Muster: the calls of every core for TT-Metalium v0.62, bf16 on wormhole-n150.
// Made by "muster emit --target metalium".
#pragma once

#include <cstdint>

#include "calls.h"

constexpr uint32_t kRanks = 2;  // cores in use, row by row
constexpr uint32_t kColumns = 2;  // of the cores in use
constexpr uint32_t kTileBytes = 2048;  // of the type
constexpr uint32_t kMemoryBytes = 6144;  // of the program's memory in every core
constexpr uint32_t kBanks = 0;  // of DRAM in use
constexpr uint32_t kBankBytes = 0;  // of the program's memory in every bank
constexpr uint32_t kSemaphores = 1;  // per core, each a counter
constexpr uint32_t kCounterWords = 0;  // words of memory that are counters, beyond the semaphores

// Circular buffers for tokens of rank r: kTokens[r][from][to] pages.
constexpr uint16_t kTokens[kRanks][kProcessors][kProcessors] = {
    {{0, 0, 1}, {0, 0, 0}, {0, 1, 0}},
    {{0, 0, 1}, {0, 0, 0}, {0, 1, 0}},
};

// The calls of rank r's processor p are kCalls[kFirstCall[3 r + p]] up to kCalls[kFirstCall[3 r + p + 1]].
using namespace calls;
constexpr Call kCalls[] = {
    // core(0, 0), rank 0: dataflow 0
    write(core(1, 0), 0, 4096, 2048),
    increment(core(1, 0), 0),
    await(0, 1),
    post(kDataflow0, kCompute),
    write_barrier(),
    atomic_barrier(),
    // core(0, 0), rank 0: dataflow 1
    expect(kCompute, kDataflow1),
    // core(0, 0), rank 0: compute
    expect(kDataflow0, kCompute),
    combine(0, 2, 1, 1),
    post(kCompute, kDataflow1),
    // core(1, 0), rank 1: dataflow 0
    write(core(0, 0), 0, 4096, 2048),
    increment(core(0, 0), 0),
    await(0, 1),
    post(kDataflow0, kCompute),
    write_barrier(),
    atomic_barrier(),
    // core(1, 0), rank 1: dataflow 1
    expect(kCompute, kDataflow1),
    // core(1, 0), rank 1: compute
    expect(kDataflow0, kCompute),
    combine(0, 2, 1, 1),
    post(kCompute, kDataflow1),
    settle(),  // not used: the end
};
constexpr uint32_t kFirstCall[] = {0, 6, 7, 10, 16, 17, 20};

// Where words of 32 bits lie in a core's memory: `count` words of a buffer from `first` on are at byte `address`. Pieces
// begin with a tile, and what is left of their last tile is padding.
struct Piece {
    uint32_t buffer;
    uint32_t first;
    uint32_t count;
    uint32_t address;
};
constexpr Piece kPieces[] = {
    {0, 0, 512, 0},
    {1, 0, 512, 2048},
};

// Before, a rank holds `count` words of a buffer from `first` on.
struct Held {
    uint32_t rank;
    uint32_t buffer;
    uint32_t first;
    uint32_t count;
};
constexpr Held kHeld[] = {
    {0, 0, 0, 512},
    {1, 0, 0, 512},
};

// After, word w of a rank's buffer is the combination of word w + displacement of `members` ranks, from
// kMembers[first_member] on.
struct Owed {
    uint32_t rank;
    uint32_t buffer;
    uint32_t first;
    uint32_t count;
    uint32_t first_member;
    uint32_t members;
    int32_t displacement;
};
constexpr Owed kOwed[] = {
    {0, 1, 0, 512, 0, 2, 0},
    {1, 1, 0, 512, 0, 2, 0},
};

constexpr uint32_t kMembers[] = {0, 1};
