// The stand-in for TT-Metalium's dataflow API (v0.62): the calls that Muster simulates. Other calls do not compile.
#pragma once

#include "stand_in/kernel.h"

#ifndef NOC_INDEX
#define NOC_INDEX 0
#endif
constexpr uint8_t noc_index = NOC_INDEX;

constexpr uint32_t NOC_MAX_BURST_SIZE = 8192;
#define my_x (muster_processor->coordinates(false))
#define my_y (muster_processor->coordinates(true))

// Addresses: 36 bits of a local address, then x and y; of a multicast, the last corner, then the first.
inline uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address, uint8_t /*noc*/ = noc_index) {
    return muster_processor->tile_address({x, y}, {}, address);
}
inline uint64_t get_noc_addr(uint32_t address, uint8_t noc = noc_index) {
    return get_noc_addr(my_x[noc], my_y[noc], address, noc);
}
inline uint64_t get_noc_multicast_addr(
    uint32_t first_x, uint32_t first_y, uint32_t last_x, uint32_t last_y, uint32_t address, uint8_t /*noc*/ = noc_index) {
    return muster_processor->tile_address({last_x, last_y}, {first_x, first_y}, address);
}
template <bool DRAM>
uint64_t get_noc_addr_from_bank_id(uint32_t bank, uint32_t address, uint8_t /*noc*/ = noc_index, MUSTER_SITE) {
    return muster_processor->bank_address(DRAM, bank, address, site);
}

inline uint8_t get_absolute_logical_x() { return muster_processor->logical_coordinates()[0]; }
inline uint8_t get_absolute_logical_y() { return muster_processor->logical_coordinates()[1]; }
inline uint32_t get_semaphore(uint32_t id, MUSTER_SITE) { return muster_processor->semaphore_address(id, site); }

inline void noc_async_write(uint32_t source, uint64_t to, uint32_t bytes, uint8_t noc = noc_index, MUSTER_SITE) {
    muster_processor->write(source, to, bytes, noc, false, site);
}
inline void noc_async_read(uint64_t from, uint32_t target, uint32_t bytes, uint8_t noc = noc_index, MUSTER_SITE) {
    muster_processor->read(from, target, bytes, noc, site);
}
inline void noc_async_write_multicast(
    uint32_t source, uint64_t to, uint32_t bytes, uint32_t cores, bool linked = false, uint8_t noc = noc_index,
    MUSTER_SITE) {
    muster_processor->multicast(source, to, bytes, cores, linked, false, false, noc, site);
}
inline void noc_async_write_multicast_loopback_src(
    uint32_t source, uint64_t to, uint32_t bytes, uint32_t cores, bool linked = false, uint8_t noc = noc_index,
    MUSTER_SITE) {
    muster_processor->multicast(source, to, bytes, cores, linked, true, false, noc, site);
}
inline void noc_semaphore_set_multicast(
    uint32_t source, uint64_t to, uint32_t cores, bool linked = false, uint8_t noc = noc_index, MUSTER_SITE) {
    muster_processor->multicast(source, to, 4, cores, linked, false, true, noc, site);
}
inline void noc_semaphore_set_multicast_loopback_src(
    uint32_t source, uint64_t to, uint32_t cores, bool linked = false, uint8_t noc = noc_index, MUSTER_SITE) {
    muster_processor->multicast(source, to, 4, cores, linked, true, true, noc, site);
}
inline void noc_semaphore_set_remote(uint32_t source, uint64_t to, uint8_t noc = noc_index, MUSTER_SITE) {
    muster_processor->write(source, to, 4, noc, false, site);
}
template <bool posted = false>
void noc_semaphore_inc(uint64_t at, uint32_t by, uint8_t noc = noc_index, MUSTER_SITE) {
    muster_processor->increment(at, by, noc, posted, site);
}
inline void noc_semaphore_set(volatile uint32_t* semaphore, uint32_t value, MUSTER_SITE) {
    muster_processor->set_semaphore(static_cast<uint32_t>(reinterpret_cast<uintptr_t>(semaphore)), value, site);
}
inline void noc_semaphore_wait(volatile uint32_t* semaphore, uint32_t value, MUSTER_SITE) {
    muster_processor->wait_semaphore(
        static_cast<uint32_t>(reinterpret_cast<uintptr_t>(semaphore)), muster_stand_in::Until::equal, value, site);
}
inline void noc_semaphore_wait_min(volatile uint32_t* semaphore, uint32_t value, MUSTER_SITE) {
    muster_processor->wait_semaphore(
        static_cast<uint32_t>(reinterpret_cast<uintptr_t>(semaphore)), muster_stand_in::Until::at_least, value, site);
}
inline void noc_async_write_barrier(uint8_t noc = noc_index, MUSTER_SITE) {
    muster_processor->wait_for(muster_stand_in::Barrier::writes, noc, site);
}
inline void noc_async_writes_flushed(uint8_t noc = noc_index, MUSTER_SITE) {
    muster_processor->wait_for(muster_stand_in::Barrier::writes_left, noc, site);
}
inline void noc_async_read_barrier(uint8_t noc = noc_index, MUSTER_SITE) {
    muster_processor->wait_for(muster_stand_in::Barrier::reads, noc, site);
}
inline void noc_async_atomic_barrier(uint8_t noc = noc_index, MUSTER_SITE) {
    muster_processor->wait_for(muster_stand_in::Barrier::atomics, noc, site);
}
inline void noc_async_full_barrier(uint8_t noc = noc_index, MUSTER_SITE) {
    muster_processor->wait_for(muster_stand_in::Barrier::all, noc, site);
}

inline bool cb_pages_reservable_at_back(uint32_t buffer, uint32_t pages, MUSTER_SITE) {
    return muster_processor->has_pages(buffer, pages, true, site);
}
inline bool cb_pages_available_at_front(uint32_t buffer, uint32_t pages, MUSTER_SITE) {
    return muster_processor->has_pages(buffer, pages, false, site);
}
inline uint32_t get_write_ptr(uint32_t buffer, MUSTER_SITE) { return muster_processor->write_pointer(buffer, site); }
inline uint32_t get_read_ptr(uint32_t buffer, MUSTER_SITE) { return muster_processor->read_pointer(buffer, site); }
inline uint32_t get_tile_size(uint32_t buffer, MUSTER_SITE) { return muster_processor->page_bytes(buffer, site); }

// Pages of an interleaved buffer, one bank after another.
template <bool DRAM>
struct InterleavedAddrGen {
    uint32_t bank_base_address;
    uint32_t page_size;
};
template <bool DRAM>
uint64_t get_noc_addr(
    uint32_t page, const InterleavedAddrGen<DRAM>& pages, uint32_t offset = 0, uint8_t noc = noc_index, MUSTER_SITE) {
    const uint32_t banks = muster_processor->banks(DRAM);
    return get_noc_addr_from_bank_id<DRAM>(
        page % banks, pages.bank_base_address + page / banks * pages.page_size + offset, noc, site);
}
template <bool DRAM>
void noc_async_read_page(
    uint32_t page, const InterleavedAddrGen<DRAM>& pages, uint32_t target, uint32_t offset = 0, uint8_t noc = noc_index,
    MUSTER_SITE) {
    noc_async_read(get_noc_addr(page, pages, offset, noc, site), target, pages.page_size, noc, site);
}
template <bool DRAM>
void noc_async_write_page(
    uint32_t page, const InterleavedAddrGen<DRAM>& pages, uint32_t source, uint32_t offset = 0, uint8_t noc = noc_index,
    MUSTER_SITE) {
    noc_async_write(source, get_noc_addr(page, pages, offset, noc, site), pages.page_size, noc, site);
}

// The same for tiles. Formats are only handed on: a page says its size.
enum class DataFormat : uint8_t { Float32, Float16, Float16_b, Int32, UInt32, UInt16 };
inline DataFormat get_dataformat(uint32_t /*buffer*/) { return DataFormat::Float16_b; }
template <bool DRAM>
struct InterleavedAddrGenFast {
  uint32_t bank_base_address;
  uint32_t page_size;
  DataFormat data_format;
};
template <bool DRAM>
void noc_async_read_tile(uint32_t tile, const InterleavedAddrGenFast<DRAM>& tiles, uint32_t target, uint32_t offset = 0,
                         uint8_t noc = noc_index, MUSTER_SITE) {
  noc_async_read_page(tile, InterleavedAddrGen<DRAM>{tiles.bank_base_address, tiles.page_size}, target, offset, noc,
                      site);
}
template <bool DRAM>
void noc_async_write_tile(uint32_t tile, const InterleavedAddrGenFast<DRAM>& tiles, uint32_t source,
                          uint8_t noc = noc_index, MUSTER_SITE) {
  noc_async_write_page(tile, InterleavedAddrGen<DRAM>{tiles.bank_base_address, tiles.page_size}, source, 0, noc, site);
}
