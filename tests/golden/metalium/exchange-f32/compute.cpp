// Muster: the kernel of the compute processor for TT-Metalium v0.62, f32 on wormhole-n150.
// Made by "muster emit --target metalium".
#include "compute_kernel_api/common.h"
#include "compute_kernel_api/eltwise_binary.h"
#include "compute_kernel_api/tile_move_copy.h"
#include "compute_kernel_api/eltwise_binary_sfpu.h"

#include "calls.h"

// Run-time arguments: the address and the length of this processor's table, and the tiles of the program's memory. The three
// processors behind this kernel walk the table side by side: one unpacks, one computes, one packs.
namespace NAMESPACE {
void MAIN {
    const uint32_t table = get_arg_val<uint32_t>(0);
    const uint32_t calls = get_arg_val<uint32_t>(1);
    const uint32_t memory_tiles = get_arg_val<uint32_t>(2);

    binary_op_init_common(kMemoryIn, kMemoryIn, kMemoryOut);
    // All tiles can be unpacked from one buffer and packed into the other, at all times. Tokens say which ones hold data.
    cb_reserve_back(kMemoryIn, memory_tiles);
    cb_push_back(kMemoryIn, memory_tiles);
    cb_wait_front(kMemoryIn, memory_tiles);
    cb_reserve_back(kMemoryOut, memory_tiles);

    for (uint32_t i = 0; i < calls; ++i) {
        volatile tt_l1_ptr Call* call = reinterpret_cast<volatile tt_l1_ptr Call*>(table + i * sizeof(Call));
        const uint32_t left = call->source;
        const uint32_t right = call->other;
        const uint32_t target = call->target;
        const uint32_t tiles = call->count;

        switch (call->kind) {
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
                copy_tile_to_dst_init_short(kMemoryIn);
                add_binary_tile_init();
                for (uint32_t tile = 0; tile < tiles; ++tile) {
                    tile_regs_acquire();
                    copy_tile(kMemoryIn, left + tile, 0);
                    copy_tile(kMemoryIn, right + tile, 1);
                    add_binary_tile(0, 1, 0);
                    tile_regs_commit();
                    tile_regs_wait();
                    pack_tile<true>(0, kMemoryOut, target + tile);
                    tile_regs_release();
                }
                break;
            case kCopy:
                copy_tile_to_dst_init_short(kMemoryIn);
                for (uint32_t tile = 0; tile < tiles; ++tile) {
                    tile_regs_acquire();
                    copy_tile(kMemoryIn, left + tile, 0);
                    tile_regs_commit();
                    tile_regs_wait();
                    pack_tile<true>(0, kMemoryOut, target + tile);
                    tile_regs_release();
                }
                break;
        }
    }
}
}  // namespace NAMESPACE
