// What dataflow and compute kernels have in common.
#pragma once

#include <cstdint>

#include "stand_in/bridge.h"

#define MUSTER_STAND_IN 1

inline muster_stand_in::Processor* muster_processor = nullptr;
extern "C" inline void __attribute__((used, visibility("default")))
muster_attach(muster_stand_in::Processor* processor) {
    muster_processor = processor;
}

// The last parameter of every call: where it stands in the kernel.
#define MUSTER_SITE muster_stand_in::Site site = {__builtin_FILE(), __builtin_LINE()}

#define FORCE_INLINE inline __attribute__((always_inline))
#define ALWI inline __attribute__((always_inline))
#define tt_l1_ptr
#define tt_reg_ptr
#define UNPACK(...) __VA_ARGS__
#define MATH(...) __VA_ARGS__
#define PACK(...) __VA_ARGS__
#define ASSERT(...)
#define WAYPOINT(...)
#define DPRINT muster_stand_in::NoPrint()
#define ENDL() 0
#define DeviceZoneScopedN(name)
#define DeviceZoneScopedMainN(name)

namespace muster_stand_in {
struct NoPrint {
    template <class Anything>
    const NoPrint& operator<<(const Anything&) const {
        return *this;
    }
};
inline constexpr uint32_t kCompileTimeArguments[] = {
#ifdef KERNEL_COMPILE_TIME_ARGS
    KERNEL_COMPILE_TIME_ARGS,
#endif
    0};
}  // namespace muster_stand_in

namespace tt {
enum CBIndex : uint8_t {
    c_0, c_1, c_2, c_3, c_4, c_5, c_6, c_7, c_8, c_9, c_10, c_11, c_12, c_13, c_14, c_15,
    c_16, c_17, c_18, c_19, c_20, c_21, c_22, c_23, c_24, c_25, c_26, c_27, c_28, c_29, c_30, c_31
};
}  // namespace tt

#define get_compile_time_arg_val(index) (muster_stand_in::kCompileTimeArguments[index])

inline uint32_t get_arg_addr(int index, MUSTER_SITE) {
    return muster_processor->argument_address(static_cast<uint32_t>(index), false, site);
}
inline uint32_t get_common_arg_addr(int index, MUSTER_SITE) {
    return muster_processor->argument_address(static_cast<uint32_t>(index), true, site);
}
template <class T>
T get_arg_val(int index, MUSTER_SITE) {
    static_assert(sizeof(T) == 4, "run-time arguments have 4 bytes");
    return *reinterpret_cast<volatile T*>(static_cast<uintptr_t>(get_arg_addr(index, site)));
}
template <class T>
T get_common_arg_val(int index, MUSTER_SITE) {
    static_assert(sizeof(T) == 4, "run-time arguments have 4 bytes");
    return *reinterpret_cast<volatile T*>(static_cast<uintptr_t>(get_common_arg_addr(index, site)));
}

inline void cb_reserve_back(uint32_t buffer, uint32_t pages, MUSTER_SITE) { muster_processor->reserve(buffer, pages, site); }
inline void cb_push_back(uint32_t buffer, uint32_t pages, MUSTER_SITE) { muster_processor->push(buffer, pages, site); }
inline void cb_wait_front(uint32_t buffer, uint32_t pages, MUSTER_SITE) { muster_processor->wait(buffer, pages, site); }
inline void cb_pop_front(uint32_t buffer, uint32_t pages, MUSTER_SITE) { muster_processor->pop(buffer, pages, site); }

// The stand-in's own calls. Code between calls takes no time, unless it says so.
inline void muster_takes_cycles(uint32_t cycles, MUSTER_SITE) { muster_processor->take_cycles(cycles, site); }
inline void muster_combines_words(uint32_t left, uint32_t right, uint32_t target, uint32_t words, MUSTER_SITE) {
    muster_processor->combine_words(left, right, target, words, site);
}
