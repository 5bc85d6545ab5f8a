// Muster: what a call in a table is for TT-Metalium v0.62, bf16 on wormhole-n150.
// Made by "muster emit --target metalium".
#pragma once

#include <cstdint>

// An entry of a core's table: one call of a processor. Addresses count bytes from the start of the program's memory, for the compute
// processor tiles. Cores are logical coordinates in tables.h, and coordinates of the NoC once the host has translated them.
enum Kind : uint32_t {
    kWrite,
    kRead,
    kWriteBank,
    kReadBank,
    kMulticast,
    kMulticastWithSelf,
    kIncrement,
    kSetEverywhere,
    kSetWithSelf,
    kAwait,
    kFlush,
    kWriteBarrier,
    kReadBarrier,
    kAtomicBarrier,
    kPost,
    kExpect,
    kCombineWords,
    kCombine,
    kCopy,
    kSettle
};

struct Call {
    uint32_t kind;
    uint32_t core;    // the other core; the first corner of a multicast; a DRAM bank; a circular buffer
    uint32_t last;    // the last corner of a multicast
    uint32_t count;   // cores that a multicast reaches; tiles or words
    uint32_t value;   // bytes; the value of a counter: it is sent from here, and so begins at a multiple of 16 bytes
    uint32_t source;  // or the left tile
    uint32_t target;
    uint32_t other;  // a counter; or the right tile
};
static_assert(sizeof(Call) == 32);

enum Processor : uint32_t { kDataflow0, kDataflow1, kCompute, kProcessors };

constexpr uint32_t kCounterBytes = 16;  // of a counter that is a word of memory

// Circular buffers. Two of them span the whole memory of the program: tiles are unpacked from one and packed into the other. One says
// that tiles are packed. The others carry tokens from one processor to another.
constexpr uint32_t kMemoryIn = 0;
constexpr uint32_t kMemoryOut = 1;
constexpr uint32_t kSettled = 2;
constexpr uint32_t tokens(uint32_t from, uint32_t to) { return 3 + from * kProcessors + to; }

constexpr uint32_t core(uint32_t x, uint32_t y) { return x | (y << 16); }
constexpr uint32_t x_of(uint32_t core) { return core & 0xffff; }
constexpr uint32_t y_of(uint32_t core) { return core >> 16; }

// What tables.h is written in.
namespace calls {
constexpr Call write(uint32_t to, uint32_t source, uint32_t target, uint32_t bytes) {
    return {kWrite, to, 0, 0, bytes, source, target, 0};
}
constexpr Call read(uint32_t of, uint32_t source, uint32_t target, uint32_t bytes) {
    return {kRead, of, 0, 0, bytes, source, target, 0};
}
constexpr Call write_bank(uint32_t bank, uint32_t source, uint32_t target, uint32_t bytes) {
    return {kWriteBank, bank, 0, 0, bytes, source, target, 0};
}
constexpr Call read_bank(uint32_t bank, uint32_t source, uint32_t target, uint32_t bytes) {
    return {kReadBank, bank, 0, 0, bytes, source, target, 0};
}
constexpr Call multicast(
    uint32_t first, uint32_t last, uint32_t cores, uint32_t source, uint32_t target, uint32_t bytes) {
    return {kMulticast, first, last, cores, bytes, source, target, 0};
}
constexpr Call multicast_with_self(
    uint32_t first, uint32_t last, uint32_t cores, uint32_t source, uint32_t target, uint32_t bytes) {
    return {kMulticastWithSelf, first, last, cores, bytes, source, target, 0};
}
constexpr Call increment(uint32_t at, uint32_t counter) { return {kIncrement, at, 0, 0, 1, 0, 0, counter}; }
constexpr Call set_everywhere(uint32_t first, uint32_t last, uint32_t cores, uint32_t counter, uint32_t value) {
    return {kSetEverywhere, first, last, cores, value, 0, 0, counter};
}
constexpr Call set_with_self(uint32_t first, uint32_t last, uint32_t cores, uint32_t counter, uint32_t value) {
    return {kSetWithSelf, first, last, cores, value, 0, 0, counter};
}
constexpr Call await(uint32_t counter, uint32_t value) { return {kAwait, 0, 0, 0, value, 0, 0, counter}; }
constexpr Call flush() { return {kFlush, 0, 0, 0, 0, 0, 0, 0}; }
constexpr Call write_barrier() { return {kWriteBarrier, 0, 0, 0, 0, 0, 0, 0}; }
constexpr Call read_barrier() { return {kReadBarrier, 0, 0, 0, 0, 0, 0, 0}; }
constexpr Call atomic_barrier() { return {kAtomicBarrier, 0, 0, 0, 0, 0, 0, 0}; }
constexpr Call post(uint32_t from, uint32_t to) { return {kPost, tokens(from, to), 0, 0, 0, 0, 0, 0}; }
constexpr Call expect(uint32_t from, uint32_t to) { return {kExpect, tokens(from, to), 0, 0, 0, 0, 0, 0}; }
constexpr Call combine_words(uint32_t left, uint32_t right, uint32_t target, uint32_t words) {
    return {kCombineWords, 0, 0, words, 0, left, target, right};
}
constexpr Call combine(uint32_t left, uint32_t right, uint32_t target, uint32_t tiles) {
    return {kCombine, 0, 0, tiles, 0, left, target, right};
}
constexpr Call copy(uint32_t source, uint32_t target, uint32_t tiles) {
    return {kCopy, 0, 0, tiles, 0, source, target, 0};
}
constexpr Call settle() { return {kSettle, 0, 0, 0, 0, 0, 0, 0}; }
}  // namespace calls
