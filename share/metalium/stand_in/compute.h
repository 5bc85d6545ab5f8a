// The stand-in for TT-Metalium's compute API (v0.62): the calls that Muster simulates. Other calls do not compile.
//
// The three processors behind a compute kernel are run as one, which unpacks, computes and packs in the order of the calls. So it
// cannot run ahead of itself; instead, a tile that was packed and is unpacked before a circular buffer has said so is reported.
#pragma once

#include "stand_in/kernel.h"

#define NAMESPACE chlkc_math
#define MAIN math_main()
#define MAIN_NAME math_main
#define MUSTER_COMPUTE 1

namespace ckernel {
using muster_stand_in::Combination;

inline void binary_op_init_common(uint32_t /*left*/, uint32_t /*right*/, uint32_t /*out*/) {}
inline void unary_op_init_common(uint32_t /*in*/, uint32_t /*out*/) {}
inline void init_sfpu(uint32_t /*in*/, uint32_t /*out*/) {}
inline void copy_tile_init(uint32_t /*in*/, MUSTER_SITE) { muster_processor->set_up(site); }
inline void copy_tile_to_dst_init_short(uint32_t /*in*/, uint32_t /*transpose*/ = 0, MUSTER_SITE) {
    muster_processor->set_up(site);
}
inline void copy_tile(uint32_t buffer, uint32_t tile, uint32_t reg, MUSTER_SITE) {
    muster_processor->unpack(buffer, tile, reg, site);
}

inline void tile_regs_acquire(MUSTER_SITE) { muster_processor->acquire_registers(site); }
inline void tile_regs_commit(MUSTER_SITE) { muster_processor->commit_registers(site); }
inline void tile_regs_wait(MUSTER_SITE) { muster_processor->wait_registers(site); }
inline void tile_regs_release(MUSTER_SITE) { muster_processor->release_registers(site); }

template <bool out_of_order_output = false>
void pack_tile(uint32_t reg, uint32_t buffer, uint32_t tile = 0, MUSTER_SITE) {
    muster_processor->pack(reg, buffer, out_of_order_output ? int64_t{tile} : int64_t{-1}, site);
}

// Of two tiles in circular buffers.
#define MUSTER_TILES(name, how)                                                                                         \
    inline void name##_init(uint32_t /*left*/, uint32_t /*right*/, bool /*to_register*/ = false, MUSTER_SITE) {         \
        muster_processor->set_up(site);                                                                                 \
    }                                                                                                                   \
    inline void name(                                                                                                   \
        uint32_t left, uint32_t right, uint32_t left_tile, uint32_t right_tile, uint32_t reg, MUSTER_SITE) {            \
        muster_processor->combine_tiles(Combination::how, left, right, left_tile, right_tile, reg, site);               \
    }
MUSTER_TILES(add_tiles, add)
MUSTER_TILES(sub_tiles, subtract)
MUSTER_TILES(mul_tiles, multiply)
#undef MUSTER_TILES

// Of two tiles in registers.
#define MUSTER_REGISTERS(name, how)                                                              \
    inline void name##_init(MUSTER_SITE) { muster_processor->set_up(site); }                     \
    inline void name(uint32_t left, uint32_t right, uint32_t result, MUSTER_SITE) {              \
        muster_processor->combine_registers(Combination::how, left, right, result, site);        \
    }
MUSTER_REGISTERS(add_binary_tile, add)
MUSTER_REGISTERS(sub_binary_tile, subtract)
MUSTER_REGISTERS(mul_binary_tile, multiply)
MUSTER_REGISTERS(binary_max_tile, maximum)
MUSTER_REGISTERS(binary_min_tile, minimum)
MUSTER_REGISTERS(binary_max_int32_tile, maximum)
MUSTER_REGISTERS(binary_min_int32_tile, minimum)
MUSTER_REGISTERS(add_int32_tile, add)
#undef MUSTER_REGISTERS
}  // namespace ckernel

using namespace ckernel;
