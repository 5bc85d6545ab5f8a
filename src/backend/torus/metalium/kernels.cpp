// The kernels and the header that they share with the host: the same text for every program, but for how two tiles are combined.
#include "backend/torus/metalium/text.h"
#include "base/error.h"

namespace muster::torus {
namespace {

constexpr std::string_view kCalls = R"(#pragma once

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
)";

constexpr std::string_view kDataflow = R"(@COMBINE@
void combine_words(uint32_t left, uint32_t right, uint32_t target, uint32_t words) {
#ifdef MUSTER_STAND_IN
    muster_combines_words(left, right, target, words);  // what follows takes time, which a simulator of calls cannot see
#endif
    volatile tt_l1_ptr uint32_t* a = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(left);
    volatile tt_l1_ptr uint32_t* b = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(right);
    volatile tt_l1_ptr uint32_t* to = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(target);
    for (uint32_t i = 0; i < words; ++i) {
        to[i] = combined(a[i], b[i]);
    }
}

// Run-time arguments: the address and the length of this processor's table; where the program's memory begins in the L1 of every
// core and in every DRAM bank; how many counters are semaphores, and where the others lie, as words in the L1 of every core. Every entry
// is one call.
void kernel_main() {
    const uint32_t table = get_arg_val<uint32_t>(0);
    const uint32_t calls = get_arg_val<uint32_t>(1);
    const uint32_t memory = get_arg_val<uint32_t>(2);
    const uint32_t bank_memory = get_arg_val<uint32_t>(3);
    const uint32_t semaphores = get_arg_val<uint32_t>(4);
    const uint32_t counter_words = get_arg_val<uint32_t>(5);
    const auto counter = [&](uint32_t number) {
        return number < semaphores ? get_semaphore(number) : counter_words + kCounterBytes * (number - semaphores);
    };

    for (uint32_t i = 0; i < calls; ++i) {
        const uint32_t entry = table + i * sizeof(Call);
        volatile tt_l1_ptr Call* call = reinterpret_cast<volatile tt_l1_ptr Call*>(entry);
        const uint32_t value_address = entry + 4 * sizeof(uint32_t);
        const uint32_t core = call->core;
        const uint32_t last = call->last;
        const uint32_t source = call->source;
        const uint32_t target = call->target;
        const uint32_t bytes = call->value;

        switch (call->kind) {
            case kWrite:
                noc_async_write(memory + source, get_noc_addr(x_of(core), y_of(core), memory + target), bytes);
                break;
            case kRead:
                noc_async_read(get_noc_addr(x_of(core), y_of(core), memory + source), memory + target, bytes);
                break;
            case kWriteBank:
                noc_async_write(memory + source, get_noc_addr_from_bank_id<true>(core, bank_memory + target), bytes);
                break;
            case kReadBank:
                noc_async_read(get_noc_addr_from_bank_id<true>(core, bank_memory + source), memory + target, bytes);
                break;
            case kMulticast:
                noc_async_write_multicast(
                    memory + source,
                    get_noc_multicast_addr(x_of(core), y_of(core), x_of(last), y_of(last), memory + target),
                    bytes,
                    call->count,
                    true);  // linked: the semaphore that is set next goes the same way and gives it back
                break;
            case kMulticastWithSelf:
                noc_async_write_multicast_loopback_src(
                    memory + source,
                    get_noc_multicast_addr(x_of(core), y_of(core), x_of(last), y_of(last), memory + target),
                    bytes,
                    call->count,
                    true);  // linked: the semaphore that is set next goes the same way and gives it back
                break;
            case kIncrement:
                noc_semaphore_inc(get_noc_addr(x_of(core), y_of(core), counter(call->other)), 1);
                break;
            case kSetEverywhere:
                noc_semaphore_set_multicast(
                    value_address,
                    get_noc_multicast_addr(x_of(core), y_of(core), x_of(last), y_of(last), counter(call->other)),
                    call->count);
                break;
            case kSetWithSelf:
                noc_semaphore_set_multicast_loopback_src(
                    value_address,
                    get_noc_multicast_addr(x_of(core), y_of(core), x_of(last), y_of(last), counter(call->other)),
                    call->count);
                break;
            case kAwait:
                noc_semaphore_wait_min(
                    reinterpret_cast<volatile tt_l1_ptr uint32_t*>(counter(call->other)), call->value);
                break;
            case kFlush:
                noc_async_writes_flushed();
                break;
            case kWriteBarrier:
                noc_async_write_barrier();
                break;
            case kReadBarrier:
                noc_async_read_barrier();
                break;
            case kAtomicBarrier:
                noc_async_atomic_barrier();
                break;
            case kPost:
                cb_reserve_back(core, 1);
                cb_push_back(core, 1);
                break;
            case kExpect:
                cb_wait_front(core, 1);
                cb_pop_front(core, 1);
                break;
            case kCombineWords:
                combine_words(memory + source, memory + call->other, memory + target, call->count);
                break;
        }
    }
}
)";

// {0}: includes; {1}: how two tiles become one in register 0, indented; {2}: set up before tiles are combined.
constexpr std::string_view kCompute = R"({0}
// Run-time arguments: the address and the length of this processor's table, and the tiles of the program's memory. The three
// processors behind this kernel walk the table side by side: one unpacks, one computes, one packs.
namespace NAMESPACE {{
void MAIN {{
    const uint32_t table = get_arg_val<uint32_t>(0);
    const uint32_t calls = get_arg_val<uint32_t>(1);
    const uint32_t memory_tiles = get_arg_val<uint32_t>(2);

    binary_op_init_common(kMemoryIn, kMemoryIn, kMemoryOut);
    // All tiles can be unpacked from one buffer and packed into the other, at all times. Tokens say which ones hold data.
    cb_reserve_back(kMemoryIn, memory_tiles);
    cb_push_back(kMemoryIn, memory_tiles);
    cb_wait_front(kMemoryIn, memory_tiles);
    cb_reserve_back(kMemoryOut, memory_tiles);

    for (uint32_t i = 0; i < calls; ++i) {{
        volatile tt_l1_ptr Call* call = reinterpret_cast<volatile tt_l1_ptr Call*>(table + i * sizeof(Call));
        const uint32_t left = call->source;
        const uint32_t right = call->other;
        const uint32_t target = call->target;
        const uint32_t tiles = call->count;

        switch (call->kind) {{
            case kPost:
                cb_reserve_back(call->core, 1);
                cb_push_back(call->core, 1);
                break;
            case kExpect:
                cb_wait_front(call->core, 1);
                cb_pop_front(call->core, 1);
                break;
            case kSettle:
                cb_reserve_back(kSettled, 1);
                cb_push_back(kSettled, 1);
                cb_wait_front(kSettled, 1);
                cb_pop_front(kSettled, 1);
                break;
            case kCombine:
{2}                for (uint32_t tile = 0; tile < tiles; ++tile) {{
                    tile_regs_acquire();
{1}                    tile_regs_commit();
                    tile_regs_wait();
                    pack_tile<true>(0, kMemoryOut, target + tile);
                    tile_regs_release();
                }}
                break;
            case kCopy:
                copy_tile_to_dst_init_short(kMemoryIn);
                for (uint32_t tile = 0; tile < tiles; ++tile) {{
                    tile_regs_acquire();
                    copy_tile(kMemoryIn, left + tile, 0);
                    tile_regs_commit();
                    tile_regs_wait();
                    pack_tile<true>(0, kMemoryOut, target + tile);
                    tile_regs_release();
                }}
                break;
        }}
    }}
}}
}}  // namespace NAMESPACE
)";

std::string include(std::string_view file) { return fmt::format("#include \"{}\"\n", file); }

/// Two words combined in software: functions of dataflow.cpp.
std::string combined_words(const Arithmetic& arithmetic) {
  constexpr std::string_view values[] = {"a + b", "a > b ? a : b", "a < b ? a : b", "a * b"};
  const std::string_view value = values[static_cast<std::size_t>(arithmetic.op)];
  const std::string_view type = type_name(arithmetic.type);
  if (type == "i32") {
    return fmt::format(
        "// Two words in software. The product of an i32 wraps around.\n"
        "inline uint32_t combined(uint32_t left, uint32_t right) {{\n"
        "    const int32_t a = static_cast<int32_t>(left);\n"
        "    const int32_t b = static_cast<int32_t>(right);\n"
        "    return static_cast<uint32_t>({});\n}}\n",
        arithmetic.op == Operator::sum    ? "left + right"
        : arithmetic.op == Operator::prod ? "left * right"
                                          : value);
  }
  const std::string floats = fmt::format(
      "// Two numbers in software.\n"
      "inline uint32_t combined_floats(uint32_t left, uint32_t right) {{\n"
      "    float a;\n    float b;\n"
      "    __builtin_memcpy(&a, &left, sizeof(a));\n    __builtin_memcpy(&b, &right, sizeof(b));\n"
      "    const float result = {};\n"
      "    uint32_t bits;\n    __builtin_memcpy(&bits, &result, sizeof(bits));\n    return bits;\n}}\n",
      value);
  if (type != "bf16") {
    return floats +
           "inline uint32_t combined(uint32_t left, uint32_t right) { return combined_floats(left, right); }\n";
  }
  return floats +
         "// To the nearest bf16, ties to even.\n"
         "inline uint32_t rounded(uint32_t bits) { return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16; }\n"
         "inline uint32_t combined(uint32_t left, uint32_t right) {\n"
         "    return rounded(combined_floats(left << 16, right << 16)) |\n"
         "           (rounded(combined_floats(left & 0xffff0000, right & 0xffff0000)) << 16);\n}\n";
}

/// How a type's tiles are combined by an operator.
struct Combining {
  std::string_view header;   ///< of compute_kernel_api
  std::string_view call;     ///< its arguments follow
  bool from_memory = false;  ///< it takes tiles from circular buffers; otherwise from registers 0 and 1
};

Combining combining_of(const Arithmetic& arithmetic) {
  const bool is_integer = arithmetic.type == ElementType::i32;
  const bool is_wide = needs_wide_registers(arithmetic.type);
  switch (arithmetic.op) {
    case Operator::sum:
      if (is_integer) return {"add_int_sfpu.h", "add_int32_tile"};
      return is_wide ? Combining{"eltwise_binary_sfpu.h", "add_binary_tile"}
                     : Combining{"eltwise_binary.h", "add_tiles", true};
    case Operator::prod:
      return is_wide ? Combining{"eltwise_binary_sfpu.h", "mul_binary_tile"}
                     : Combining{"eltwise_binary.h", "mul_tiles", true};
    case Operator::max:
      return {"binary_max_min.h", is_integer ? "binary_max_int32_tile" : "binary_max_tile"};
    case Operator::min:
      return {"binary_max_min.h", is_integer ? "binary_min_int32_tile" : "binary_min_tile"};
  }
  return {};
}

}  // namespace

bool needs_wide_registers(ElementType type) { return elements_per_word(type) == 1; }

std::string calls_text(const std::string& head) { return head + std::string(kCalls); }

std::string dataflow_text(const std::string& head, const Arithmetic& arithmetic) {
  constexpr std::string_view mark = "@COMBINE@\n";
  std::string text(kDataflow);
  return head + include("dataflow_api.h") + "\n" + include("calls.h") + "\n" +
         text.replace(text.find(mark), mark.size(), combined_words(arithmetic));
}

std::string compute_text(const std::string& head, const Arithmetic& arithmetic) {
  const Combining how = combining_of(arithmetic);
  std::string includes;
  for (const std::string_view file : {"common.h", "eltwise_binary.h", "tile_move_copy.h"}) {
    includes += include(fmt::format("compute_kernel_api/{}", file));
  }
  if (how.header != "eltwise_binary.h") includes += include(fmt::format("compute_kernel_api/{}", how.header));
  includes += "\n" + include("calls.h");
  const std::string indent(20, ' ');
  const std::string setup_indent(16, ' ');
  std::string body;
  std::string setup;
  if (how.from_memory) {
    body = fmt::format("{}{}(kMemoryIn, kMemoryIn, left + tile, right + tile, 0);\n", indent, how.call);
    setup = fmt::format("{}{}_init(kMemoryIn, kMemoryIn);\n", setup_indent, how.call);
  } else {
    body = fmt::format(
        "{0}copy_tile(kMemoryIn, left + tile, 0);\n{0}copy_tile(kMemoryIn, right + tile, 1);\n{0}{1}(0, 1, 0);\n",
        indent, how.call);
    setup = fmt::format("{0}copy_tile_to_dst_init_short(kMemoryIn);\n{0}{1}_init();\n", setup_indent, how.call);
  }
  return head + fmt::format(kCompute, includes, body, setup);
}

}  // namespace muster::torus
