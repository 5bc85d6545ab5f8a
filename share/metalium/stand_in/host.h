// The stand-in for TT-Metalium's host API (v0.62, one device through the Mesh API): what Muster simulates. Other calls do not compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "stand_in/bridge.h"

#define MUSTER_STAND_IN 1

inline muster_stand_in::Host* muster_host = nullptr;
extern "C" inline void __attribute__((used, visibility("default"))) muster_attach(muster_stand_in::Host* host) {
    muster_host = host;
}

constexpr uint32_t NUM_CIRCULAR_BUFFERS = 32;
enum class UnpackToDestMode : uint8_t { Default, UnpackToDestFp32 };
enum class MathFidelity : uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4, Invalid = 255 };

namespace tt {

enum class DataFormat : uint8_t { Float32, Float16, Float16_b, Int32, UInt32, UInt16, UInt8, RawUInt32 };
inline uint32_t datum_size(DataFormat format) {
    switch (format) {
        case DataFormat::Float16:
        case DataFormat::Float16_b:
        case DataFormat::UInt16: return 2;
        case DataFormat::UInt8: return 1;
        default: return 4;
    }
}
namespace constants {
constexpr uint32_t TILE_HEIGHT = 32;
constexpr uint32_t TILE_WIDTH = 32;
constexpr uint32_t TILE_HW = 1024;
}  // namespace constants

enum CBIndex : uint8_t {
    c_0, c_1, c_2, c_3, c_4, c_5, c_6, c_7, c_8, c_9, c_10, c_11, c_12, c_13, c_14, c_15,
    c_16, c_17, c_18, c_19, c_20, c_21, c_22, c_23, c_24, c_25, c_26, c_27, c_28, c_29, c_30, c_31
};

namespace tt_metal {

using DeviceAddr = uint64_t;

struct CoreCoord {
    size_t x = 0;
    size_t y = 0;
    bool operator==(const CoreCoord&) const = default;
};
struct CoreRange {
    CoreRange(const CoreCoord& core) : start_coord(core), end_coord(core) {}
    CoreRange(const CoreCoord& start, const CoreCoord& end) : start_coord(start), end_coord(end) {}
    CoreCoord start_coord;
    CoreCoord end_coord;
};
class CoreRangeSet {
public:
    CoreRangeSet() = default;
    CoreRangeSet(const CoreCoord& core) : ranges_{CoreRange(core)} {}
    CoreRangeSet(const CoreRange& range) : ranges_{range} {}
    explicit CoreRangeSet(std::vector<CoreRange> ranges) : ranges_(std::move(ranges)) {}
    const std::vector<CoreRange>& ranges() const { return ranges_; }
    /// Range by range, row by row.
    std::vector<muster_stand_in::CoreName> cores() const {
        std::vector<muster_stand_in::CoreName> all;
        for (const CoreRange& range : ranges_) {
            for (size_t y = range.start_coord.y; y <= range.end_coord.y; ++y) {
                for (size_t x = range.start_coord.x; x <= range.end_coord.x; ++x) {
                    all.push_back({static_cast<uint32_t>(x), static_cast<uint32_t>(y)});
                }
            }
        }
        return all;
    }
    uint32_t num_cores() const { return static_cast<uint32_t>(cores().size()); }

private:
    std::vector<CoreRange> ranges_;
};
using CoreSpec = std::variant<CoreCoord, CoreRange, CoreRangeSet>;
inline std::vector<muster_stand_in::CoreName> muster_cores(const CoreSpec& where) {
    return std::visit([](const auto& cores) { return CoreRangeSet(cores).cores(); }, where);
}
inline muster_stand_in::CoreName muster_core(const CoreCoord& core) {
    return {static_cast<uint32_t>(core.x), static_cast<uint32_t>(core.y)};
}

// Buffers.
enum class BufferType : uint8_t { DRAM, L1 };
enum class TensorMemoryLayout : uint8_t { INTERLEAVED, HEIGHT_SHARDED, WIDTH_SHARDED, BLOCK_SHARDED };
enum class ShardOrientation : uint8_t { ROW_MAJOR, COL_MAJOR };

struct ShardSpecBuffer {
    ShardSpecBuffer(
        const CoreRangeSet& cores, std::array<uint32_t, 2> shard, ShardOrientation orientation,
        std::array<uint32_t, 2> page, std::array<uint32_t, 2> pages) :
        grid(cores), shard_shape(shard), order(orientation), page_shape(page), shape_in_pages(pages) {}
    CoreRangeSet grid;
    std::array<uint32_t, 2> shard_shape;
    ShardOrientation order;
    std::array<uint32_t, 2> page_shape;
    std::array<uint32_t, 2> shape_in_pages;
    uint32_t pages_per_shard() const {
        return (shard_shape[0] / page_shape[0]) * (shard_shape[1] / page_shape[1]);
    }
};
class BufferShardingArgs {
public:
    BufferShardingArgs() = default;
    BufferShardingArgs(std::optional<ShardSpecBuffer> shards, TensorMemoryLayout layout) :
        shards_(std::move(shards)), layout_(layout) {}
    const std::optional<ShardSpecBuffer>& shards() const { return shards_; }
    TensorMemoryLayout layout() const { return layout_; }

private:
    std::optional<ShardSpecBuffer> shards_;
    TensorMemoryLayout layout_ = TensorMemoryLayout::INTERLEAVED;
};

class Buffer {
public:
    Buffer(uint64_t size, uint64_t page_size, BufferType type, BufferShardingArgs sharding) :
        size_(size), page_size_(page_size), type_(type), sharding_(std::move(sharding)) {
        if (page_size == 0 || size % page_size != 0) {
            muster_host->fail("a buffer's size must be a multiple of its page size");
        }
        const bool in_dram = type == BufferType::DRAM;
        if (sharding_.shards()) {
            if (in_dram || sharding_.layout() != TensorMemoryLayout::HEIGHT_SHARDED ||
                sharding_.shards()->order != ShardOrientation::ROW_MAJOR) {
                muster_host->fail("sharded buffers must be HEIGHT_SHARDED and ROW_MAJOR in L1");
            }
            cores_ = sharding_.shards()->grid.cores();
            pages_per_bank_ = sharding_.shards()->pages_per_shard();
            if (pages_per_bank_ * cores_.size() * page_size < size) muster_host->fail("a buffer has more pages than its shards");
        } else {
            if (!in_dram) {
                const muster_stand_in::CoreName grid = muster_host->grid();
                cores_ = CoreRangeSet(CoreRange({0, 0}, {grid.x - 1, grid.y - 1})).cores();
            }
            const uint64_t banks = in_dram ? muster_host->dram_banks() : cores_.size();
            pages_per_bank_ = (size / page_size + banks - 1) / banks;
        }
        address_ = muster_host->allocate(in_dram, pages_per_bank_ * page_size);
    }
    ~Buffer() { muster_host->free(type_ == BufferType::DRAM, address_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    uint32_t address() const { return static_cast<uint32_t>(address_); }
    uint64_t size() const { return size_; }
    uint64_t page_size() const { return page_size_; }
    BufferType buffer_type() const { return type_; }

    void write(const uint8_t* bytes) const {
        pages([&](uint64_t page, uint64_t bank, uint64_t at) {
            const uint8_t* from = bytes + page * page_size_;
            if (type_ == BufferType::DRAM) {
                muster_host->write_bank(static_cast<uint32_t>(bank), at, from, page_size_);
            } else {
                muster_host->write_core(cores_[bank], at, from, page_size_);
            }
        });
    }
    void read(uint8_t* bytes) const {
        pages([&](uint64_t page, uint64_t bank, uint64_t at) {
            uint8_t* to = bytes + page * page_size_;
            if (type_ == BufferType::DRAM) {
                muster_host->read_bank(static_cast<uint32_t>(bank), at, to, page_size_);
            } else {
                muster_host->read_core(cores_[bank], at, to, page_size_);
            }
        });
    }

private:
    template <class Visit>
    void pages(const Visit& visit) const {
        const uint64_t banks = type_ == BufferType::DRAM ? muster_host->dram_banks() : cores_.size();
        for (uint64_t page = 0; page < size_ / page_size_; ++page) {
            const bool is_sharded = sharding_.shards().has_value();
            const uint64_t bank = is_sharded ? page / pages_per_bank_ : page % banks;
            const uint64_t row = is_sharded ? page % pages_per_bank_ : page / banks;
            visit(page, bank, address_ + row * page_size_);
        }
    }
    uint64_t size_;
    uint64_t page_size_;
    BufferType type_;
    BufferShardingArgs sharding_;
    std::vector<muster_stand_in::CoreName> cores_;
    uint64_t pages_per_bank_ = 0;
    uint64_t address_ = 0;
};

class CircularBufferConfig {
public:
    CircularBufferConfig(uint32_t size, const std::map<uint8_t, DataFormat>& formats) : size_(size), formats_(formats) {}
    CircularBufferConfig& set_page_size(uint8_t index, uint32_t bytes) {
        page_sizes_[index] = bytes;
        return *this;
    }
    CircularBufferConfig& set_globally_allocated_address(const Buffer& buffer) {
        address_ = buffer.address();
        return *this;
    }
    uint32_t size() const { return size_; }
    uint64_t address() const { return address_; }
    std::vector<muster_stand_in::CircularBufferName> buffers() const {
        std::vector<muster_stand_in::CircularBufferName> all;
        for (const auto& [index, format] : formats_) {
            const auto page = page_sizes_.find(index);
            if (page == page_sizes_.end()) muster_host->fail("a circular buffer has no page size");
            all.push_back({index, page->second, name_of(format)});
        }
        return all;
    }

private:
    static muster_stand_in::Format name_of(DataFormat format) {
        switch (format) {
            case DataFormat::Float32: return muster_stand_in::Format::float32;
            case DataFormat::Float16: return muster_stand_in::Format::float16;
            case DataFormat::Float16_b: return muster_stand_in::Format::bfloat16;
            case DataFormat::Int32: return muster_stand_in::Format::int32;
            case DataFormat::UInt32: return muster_stand_in::Format::uint32;
            case DataFormat::UInt16: return muster_stand_in::Format::uint16;
            default: return muster_stand_in::Format::other;
        }
    }
    uint32_t size_;
    uint64_t address_ = 0;
    std::map<uint8_t, DataFormat> formats_;
    std::map<uint8_t, uint32_t> page_sizes_;
};

// Kernels.
enum class DataMovementProcessor : uint8_t { RISCV_0 = 0, RISCV_1 = 1 };
enum NOC : uint8_t { RISCV_0_default = 0, RISCV_1_default = 1, NOC_0 = 0, NOC_1 = 1 };
struct DataMovementConfig {
    DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
    NOC noc = NOC::RISCV_0_default;
    std::vector<uint32_t> compile_args = {};
    std::map<std::string, std::string> defines = {};
};
struct ReaderDataMovementConfig : DataMovementConfig {
    ReaderDataMovementConfig(std::vector<uint32_t> arguments = {}, std::map<std::string, std::string> given = {}) {
        processor = DataMovementProcessor::RISCV_1;
        noc = NOC::RISCV_1_default;
        compile_args = std::move(arguments);
        defines = std::move(given);
    }
};
struct WriterDataMovementConfig : DataMovementConfig {
    WriterDataMovementConfig(std::vector<uint32_t> arguments = {}, std::map<std::string, std::string> given = {}) {
        compile_args = std::move(arguments);
        defines = std::move(given);
    }
};
struct ComputeConfig {
    MathFidelity math_fidelity = MathFidelity::HiFi4;
    bool fp32_dest_acc_en = false;
    bool dst_full_sync_en = false;
    std::vector<UnpackToDestMode> unpack_to_dest_mode = {};
    bool bfp8_pack_precise = false;
    bool math_approx_mode = false;
    std::vector<uint32_t> compile_args = {};
    std::map<std::string, std::string> defines = {};
};

class Program {
public:
    Program() : number(muster_host->new_program()) {}
    uint32_t number;
    uint32_t semaphores = 0;
};
inline Program CreateProgram() { return Program(); }
using KernelHandle = uint32_t;
using CBHandle = uint32_t;

inline uint32_t CreateSemaphore(Program& program, const CoreSpec& where, uint32_t value) {
    for (const auto& core : muster_cores(where)) muster_host->add_semaphore(program.number, core, program.semaphores, value);
    return program.semaphores++;
}
inline CBHandle CreateCircularBuffer(Program& program, const CoreSpec& where, const CircularBufferConfig& config) {
    const auto cores = muster_cores(where);
    const auto buffers = config.buffers();
    muster_host->add_circular_buffer(
        program.number, cores.data(), static_cast<uint32_t>(cores.size()), config.size(), config.address(),
        buffers.data(), static_cast<uint32_t>(buffers.size()));
    return 0;
}
inline KernelHandle muster_kernel(
    Program& program, const std::string& file, bool is_text, const CoreSpec& where, uint32_t processor, uint32_t noc,
    const std::vector<uint32_t>& arguments, const std::map<std::string, std::string>& defines) {
    const auto cores = muster_cores(where);
    std::string lines;
    for (const auto& [name, value] : defines) lines += name + "=" + value + "\n";
    return muster_host->add_kernel(
        program.number, file.c_str(), is_text, cores.data(), static_cast<uint32_t>(cores.size()), processor, noc,
        arguments.data(), static_cast<uint32_t>(arguments.size()), lines.c_str());
}
inline KernelHandle CreateKernel(
    Program& program, const std::string& file, const CoreSpec& where, const DataMovementConfig& config) {
    return muster_kernel(
        program, file, false, where, static_cast<uint32_t>(config.processor), config.noc, config.compile_args,
        config.defines);
}
inline KernelHandle CreateKernel(
    Program& program, const std::string& file, const CoreSpec& where, const ComputeConfig& config) {
    return muster_kernel(program, file, false, where, 2, 0, config.compile_args, config.defines);
}
inline KernelHandle CreateKernelFromString(
    Program& program, const std::string& text, const CoreSpec& where, const DataMovementConfig& config) {
    return muster_kernel(
        program, text, true, where, static_cast<uint32_t>(config.processor), config.noc, config.compile_args,
        config.defines);
}
inline KernelHandle CreateKernelFromString(
    Program& program, const std::string& text, const CoreSpec& where, const ComputeConfig& config) {
    return muster_kernel(program, text, true, where, 2, 0, config.compile_args, config.defines);
}
inline void SetRuntimeArgs(
    const Program& program, KernelHandle kernel, const CoreSpec& where, const std::vector<uint32_t>& values) {
    for (const auto& core : muster_cores(where)) {
        muster_host->set_arguments(
            program.number, kernel, core, false, values.data(), static_cast<uint32_t>(values.size()));
    }
}
inline void SetCommonRuntimeArgs(const Program& program, KernelHandle kernel, const std::vector<uint32_t>& values) {
    muster_host->set_arguments(program.number, kernel, {}, true, values.data(), static_cast<uint32_t>(values.size()));
}

namespace distributed {

struct MeshShape {
    uint32_t rows = 1;
    uint32_t columns = 1;
};
struct MeshCoordinateRange {
    explicit MeshCoordinateRange(const MeshShape& /*all*/) {}
};
struct MeshCoordinate {
    MeshCoordinate(uint32_t /*row*/, uint32_t /*column*/) {}
};

class MeshCommandQueue {};

class MeshDevice {
public:
    static std::shared_ptr<MeshDevice> create_unit_mesh(int /*device*/) { return std::make_shared<MeshDevice>(); }
    MeshCommandQueue& mesh_command_queue(size_t /*id*/ = 0) { return queue_; }
    MeshShape shape() const { return {}; }
    CoreCoord worker_core_from_logical_core(const CoreCoord& core) const {
        const muster_stand_in::CoreName found = muster_host->noc_coordinates(muster_core(core));
        return {found.x, found.y};
    }
    CoreCoord compute_with_storage_grid_size() const {
        const muster_stand_in::CoreName grid = muster_host->grid();
        return {grid.x, grid.y};
    }
    bool close() { return true; }

private:
    MeshCommandQueue queue_;
};

struct ReplicatedBufferConfig {
    DeviceAddr size = 0;
};
struct DeviceLocalBufferConfig {
    DeviceAddr page_size = 0;
    BufferType buffer_type = BufferType::DRAM;
    BufferShardingArgs sharding_args = {};
    std::optional<bool> bottom_up = {};
};
class MeshBuffer {
public:
    static std::shared_ptr<MeshBuffer> create(
        const ReplicatedBufferConfig& mesh, const DeviceLocalBufferConfig& local, MeshDevice* /*device*/) {
        return std::make_shared<MeshBuffer>(mesh, local);
    }
    MeshBuffer(const ReplicatedBufferConfig& mesh, const DeviceLocalBufferConfig& local) :
        buffer_(mesh.size, local.page_size, local.buffer_type, local.sharding_args) {}
    uint32_t address() const { return buffer_.address(); }
    DeviceAddr size() const { return buffer_.size(); }
    Buffer* get_backing_buffer() { return &buffer_; }
    Buffer* get_reference_buffer() { return &buffer_; }

private:
    Buffer buffer_;
};

template <class T>
void EnqueueWriteMeshBuffer(
    MeshCommandQueue& /*queue*/, const std::shared_ptr<MeshBuffer>& buffer, const std::vector<T>& values,
    bool /*blocking*/ = false) {
    std::vector<uint8_t> bytes(buffer->size());
    std::memcpy(bytes.data(), values.data(), std::min<size_t>(bytes.size(), values.size() * sizeof(T)));
    buffer->get_backing_buffer()->write(bytes.data());
}
template <class T>
void EnqueueReadMeshBuffer(
    MeshCommandQueue& /*queue*/, std::vector<T>& values, const std::shared_ptr<MeshBuffer>& buffer,
    bool /*blocking*/ = true) {
    values.resize(buffer->size() / sizeof(T));
    buffer->get_backing_buffer()->read(reinterpret_cast<uint8_t*>(values.data()));
}

class MeshWorkload {
public:
    void add_program(const MeshCoordinateRange& /*where*/, Program&& program) { programs.push_back(program.number); }
    std::vector<uint32_t> programs;
};
inline void EnqueueMeshWorkload(MeshCommandQueue& /*queue*/, MeshWorkload& workload, bool /*blocking*/) {
    for (const uint32_t program : workload.programs) muster_host->run(program);
}
inline void Finish(MeshCommandQueue& /*queue*/) {}

}  // namespace distributed
}  // namespace tt_metal
}  // namespace tt
