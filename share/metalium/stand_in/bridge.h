// Between files that were written for TT-Metalium and Muster, which runs them on a simulated chip: what the stand-in's headers call.
// Written from TT-Metalium's public documentation; nothing here is a part of it.
//
// A file is compiled into a shared object, which exports muster_attach(). Muster calls it once, and then main() of a host file or
// kernel_main() of a kernel. Only these calls take simulated time.
#pragma once

#include <cstdint>

namespace muster_stand_in {

/// Where a kernel calls.
struct Site {
    const char* file = "";
    int line = 0;
};

enum class Barrier : uint8_t { writes, writes_left, reads, atomics, all };
enum class Until : uint8_t { equal, at_least };
enum class Combination : uint8_t { add, multiply, subtract, maximum, minimum };

/// A tile as a kernel names it.
struct TileName {
    uint32_t x = 0;
    uint32_t y = 0;
};

/// What kernels ask for. The caller's processor is the one that runs.
class Processor {
public:
    virtual ~Processor() = default;
    // Arguments, places.
    virtual uint32_t argument_address(uint32_t index, bool is_common, Site site) = 0;
    virtual uint32_t semaphore_address(uint32_t id, Site site) = 0;
    virtual uint64_t tile_address(TileName tile, TileName first, uint32_t address) = 0;  // first: of a multicast
    virtual uint64_t bank_address(bool in_dram, uint32_t bank, uint32_t address, Site site) = 0;
    virtual const uint8_t* coordinates(bool is_y) = 0;          // [noc]
    virtual const uint8_t* logical_coordinates() = 0;           // x, y
    virtual uint32_t banks(bool in_dram) = 0;
    // Transactions.
    virtual void write(uint32_t source, uint64_t to, uint32_t bytes, uint32_t noc, bool is_posted, Site site) = 0;
    virtual void read(uint64_t from, uint32_t target, uint32_t bytes, uint32_t noc, Site site) = 0;
    virtual void multicast(
        uint32_t source, uint64_t to, uint32_t bytes, uint32_t cores, bool is_linked, bool with_self, bool is_semaphore,
        uint32_t noc, Site site) = 0;
    virtual void increment(uint64_t at, uint32_t by, uint32_t noc, bool is_posted, Site site) = 0;
    virtual void wait_for(Barrier what, uint32_t noc, Site site) = 0;
    // Semaphores.
    virtual void wait_semaphore(uint32_t address, Until until, uint32_t value, Site site) = 0;
    virtual void set_semaphore(uint32_t address, uint32_t value, Site site) = 0;
    // Circular buffers.
    virtual void reserve(uint32_t buffer, uint32_t pages, Site site) = 0;
    virtual void push(uint32_t buffer, uint32_t pages, Site site) = 0;
    virtual void wait(uint32_t buffer, uint32_t pages, Site site) = 0;
    virtual void pop(uint32_t buffer, uint32_t pages, Site site) = 0;
    virtual bool has_pages(uint32_t buffer, uint32_t pages, bool at_back, Site site) = 0;
    virtual uint32_t write_pointer(uint32_t buffer, Site site) = 0;
    virtual uint32_t read_pointer(uint32_t buffer, Site site) = 0;
    virtual uint32_t page_bytes(uint32_t buffer, Site site) = 0;
    // Tiles, of the compute processor.
    virtual void set_up(Site site) = 0;
    virtual void acquire_registers(Site site) = 0;
    virtual void commit_registers(Site site) = 0;
    virtual void wait_registers(Site site) = 0;
    virtual void release_registers(Site site) = 0;
    virtual void unpack(uint32_t buffer, uint32_t tile, uint32_t reg, Site site) = 0;
    virtual void combine_tiles(
        Combination how, uint32_t left, uint32_t right, uint32_t left_tile, uint32_t right_tile, uint32_t reg,
        Site site) = 0;
    virtual void combine_registers(Combination how, uint32_t left, uint32_t right, uint32_t result, Site site) = 0;
    /// `tile` counts from the buffer's write pointer; negative: the next one.
    virtual void pack(uint32_t reg, uint32_t buffer, int64_t tile, Site site) = 0;
    // What only the stand-in has.
    virtual void combine_words(uint32_t left, uint32_t right, uint32_t target, uint32_t words, Site site) = 0;
    virtual void take_cycles(uint32_t cycles, Site site) = 0;
};

struct CoreName {
    uint32_t x = 0;  // logical
    uint32_t y = 0;
};

enum class Format : uint8_t { float32, float16, bfloat16, int32, uint32, uint16, other };

struct CircularBufferName {
    uint32_t index = 0;
    uint32_t page_bytes = 0;
    Format format = Format::other;
};

/// What a program consists of: the host file's calls, one after another.
class Host {
public:
    virtual ~Host() = default;
    virtual CoreName grid() = 0;
    virtual CoreName noc_coordinates(CoreName logical) = 0;
    virtual uint32_t dram_banks() = 0;
    /// An address that is free in the L1 of all cores, or in all DRAM banks.
    virtual uint64_t allocate(bool in_dram, uint64_t bytes_per_bank) = 0;
    virtual void free(bool in_dram, uint64_t address) = 0;
    virtual void write_core(CoreName core, uint64_t address, const void* bytes, uint64_t count) = 0;
    virtual void read_core(CoreName core, uint64_t address, void* bytes, uint64_t count) = 0;
    virtual void write_bank(uint32_t bank, uint64_t address, const void* bytes, uint64_t count) = 0;
    virtual void read_bank(uint32_t bank, uint64_t address, void* bytes, uint64_t count) = 0;

    virtual uint32_t new_program() = 0;
    virtual void add_semaphore(uint32_t program, CoreName core, uint32_t id, uint32_t value) = 0;
    /// `address`: 0: wherever there is space.
    virtual void add_circular_buffer(
        uint32_t program, const CoreName* cores, uint32_t core_count, uint64_t bytes, uint64_t address,
        const CircularBufferName* buffers, uint32_t count) = 0;
    /// `processor`: 0 and 1 dataflow, 2 compute. `defines`: "A=1\nB=2". The kernel's number.
    virtual uint32_t add_kernel(
        uint32_t program, const char* file, bool is_text, const CoreName* cores, uint32_t core_count, uint32_t processor,
        uint32_t noc, const uint32_t* arguments, uint32_t argument_count, const char* defines) = 0;
    virtual void set_arguments(
        uint32_t program, uint32_t kernel, CoreName core, bool is_common, const uint32_t* values, uint32_t count) = 0;
    /// Runs it to its end.
    virtual void run(uint32_t program) = 0;
    /// Ends the host's program with a message. Does not return.
    virtual void fail(const char* message) = 0;
};

}  // namespace muster_stand_in
