// Muster: the kernel of both dataflow processors for TT-Metalium v0.62, f32 on wormhole-n150.
// Made by "muster emit --target metalium".
#include "dataflow_api.h"

#include "calls.h"

// Two numbers in software.
inline uint32_t combined_floats(uint32_t left, uint32_t right) {
    float a;
    float b;
    __builtin_memcpy(&a, &left, sizeof(a));
    __builtin_memcpy(&b, &right, sizeof(b));
    const float result = a + b;
    uint32_t bits;
    __builtin_memcpy(&bits, &result, sizeof(bits));
    return bits;
}
inline uint32_t combined(uint32_t left, uint32_t right) { return combined_floats(left, right); }
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
