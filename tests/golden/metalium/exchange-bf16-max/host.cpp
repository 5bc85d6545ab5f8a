// Muster: the host's program for TT-Metalium v0.62, bf16 on wormhole-n150.
// Made by "muster emit --target metalium".
#include <tt-metalium/circular_buffer_constants.h>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "calls.h"
#include "tables.h"

using namespace tt;
using namespace tt::tt_metal;

// Numbers are small integers: whatever the order of operations, they are exact in every type, so results are compared bit by bit.
int64_t number(uint32_t rank, uint32_t element) {
    const uint32_t mixed = ((rank * 2654435761u) ^ (element * 2246822519u)) >> 11;
    return mixed % 256;
}

int64_t combined(int64_t a, int64_t b) { return std::max(a, b); }

constexpr uint32_t kNumbersPerWord = 2;
uint32_t bits_of(int64_t value) { return std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16; }
// A word of the numbers number_of(0), number_of(1), ...
template <class NumberOf>
uint32_t word_of(const NumberOf& number_of) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < kNumbersPerWord; ++i) {
        word |= bits_of(number_of(i)) << (16 * i);
    }
    return word;
}

uint32_t address_of(uint32_t buffer, uint32_t word) {
    for (const Piece& piece : kPieces) {
        if (piece.buffer == buffer && word >= piece.first && word < piece.first + piece.count) {
            return piece.address + 4 * (word - piece.first);
        }
    }
    return 0;
}

// The memories of all cores, one behind another, before the program runs.
std::vector<uint32_t> inputs() {
    std::vector<uint32_t> words(size_t{kRanks} * kMemoryBytes / 4);
    for (const Held& held : kHeld) {
        for (uint32_t word = held.first; word < held.first + held.count; ++word) {
            words[(size_t{held.rank} * kMemoryBytes + address_of(held.buffer, word)) / 4] =
                word_of([&](uint32_t half) { return number(held.rank, kNumbersPerWord * word + half); });
        }
    }
    return words;
}

// How many words are not what a core owes; the first of them is printed.
uint64_t wrong_words(const std::vector<uint32_t>& words) {
    uint64_t wrong = 0;
    for (const Owed& owed : kOwed) {
        for (uint32_t word = owed.first; word < owed.first + owed.count; ++word) {
            const uint32_t found = words[(size_t{owed.rank} * kMemoryBytes + address_of(owed.buffer, word)) / 4];
            const uint32_t expected = word_of([&](uint32_t half) {
                const uint32_t element = kNumbersPerWord * (word + owed.displacement) + half;
                int64_t all = number(kMembers[owed.first_member], element);
                for (uint32_t i = 1; i < owed.members; ++i) {
                    all = combined(all, number(kMembers[owed.first_member + i], element));
                }
                return all;
            });
            if (found != expected && wrong++ == 0) {
                std::printf("rank %u, word %u: 0x%08x instead of 0x%08x\n", owed.rank, word, found, expected);
            }
        }
    }
    return wrong;
}

// The tables of all cores, one behind another, `bytes` each, with cores as the NoC counts them.
std::vector<uint32_t> tables(distributed::MeshDevice& device, uint32_t bytes) {
    const auto translated = [&](uint32_t logical) {
        const CoreCoord noc = device.worker_core_from_logical_core(CoreCoord{x_of(logical), y_of(logical)});
        return core(noc.x, noc.y);
    };
    std::vector<uint32_t> words(size_t{kRanks} * bytes / 4);
    for (uint32_t rank = 0; rank < kRanks; ++rank) {
        size_t to = size_t{rank} * bytes / 4;
        for (uint32_t i = kFirstCall[kProcessors * rank]; i < kFirstCall[kProcessors * (rank + 1)]; ++i) {
            Call call = kCalls[i];
            const bool has_area = call.kind == kMulticast || call.kind == kMulticastWithSelf ||
                                  call.kind == kSetEverywhere || call.kind == kSetWithSelf;
            if (has_area || call.kind == kWrite || call.kind == kRead || call.kind == kIncrement) {
                call.core = translated(call.core);
            }
            if (has_area) {
                call.last = translated(call.last);
            }
            for (const uint32_t word :
                 {call.kind, call.core, call.last, call.count, call.value, call.source, call.target, call.other}) {
                words[to++] = word;
            }
        }
    }
    return words;
}

// A part of L1 at the same address of every core: page r is rank r's.
std::shared_ptr<distributed::MeshBuffer> in_every_core(
    distributed::MeshDevice& device, const CoreRangeSet& cores, uint32_t bytes) {
    const ShardSpecBuffer shards(cores, {1, 1}, ShardOrientation::ROW_MAJOR, {1, 1}, {kRanks, 1});
    const distributed::DeviceLocalBufferConfig local{
        .page_size = bytes,
        .buffer_type = BufferType::L1,
        .sharding_args = BufferShardingArgs(shards, TensorMemoryLayout::HEIGHT_SHARDED)};
    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = uint64_t{kRanks} * bytes}, local, &device);
}

// Whole rows of cores, and the beginning of one more.
CoreRangeSet cores_in_use() {
    std::vector<CoreRange> ranges;
    if (kRanks >= kColumns) {
        ranges.push_back(CoreRange(CoreCoord{0, 0}, CoreCoord{kColumns - 1, kRanks / kColumns - 1}));
    }
    if (kRanks % kColumns != 0) {
        ranges.push_back(CoreRange(
            CoreCoord{0, kRanks / kColumns}, CoreCoord{kRanks % kColumns - 1, kRanks / kColumns}));
    }
    return CoreRangeSet(ranges);
}

// Its argument: the folder of the kernels.
int main(int argc, char** argv) {
    const std::string folder = argc > 1 ? argv[1] : ".";
    std::shared_ptr<distributed::MeshDevice> device = distributed::MeshDevice::create_unit_mesh(0);
    distributed::MeshCommandQueue& queue = device->mesh_command_queue();
    Program program = CreateProgram();
    const CoreRangeSet cores = cores_in_use();

    uint32_t most_calls = 1;
    for (uint32_t rank = 0; rank < kRanks; ++rank) {
        most_calls = std::max(most_calls, kFirstCall[kProcessors * (rank + 1)] - kFirstCall[kProcessors * rank]);
    }
    const uint32_t table_bytes = most_calls * sizeof(Call);
    const auto memory = in_every_core(*device, cores, kMemoryBytes);
    const auto table = in_every_core(*device, cores, table_bytes);
    std::shared_ptr<distributed::MeshBuffer> banks;
    if (kBanks > 0) {
        banks = distributed::MeshBuffer::create(
            distributed::ReplicatedBufferConfig{.size = uint64_t{kBanks} * kBankBytes},
            distributed::DeviceLocalBufferConfig{.page_size = kBankBytes, .buffer_type = BufferType::DRAM},
            device.get());
    }

    for (uint32_t i = 0; i < kSemaphores; ++i) {
        CreateSemaphore(program, cores, 0);
    }
    std::shared_ptr<distributed::MeshBuffer> counters;
    if (kCounterWords > 0) {
        counters = in_every_core(*device, cores, kCounterWords * kCounterBytes);
    }
    CreateCircularBuffer(
        program,
        cores,
        CircularBufferConfig(kMemoryBytes, {{kMemoryIn, DataFormat::Float16_b}, {kMemoryOut, DataFormat::Float16_b}})
            .set_page_size(kMemoryIn, kTileBytes)
            .set_page_size(kMemoryOut, kTileBytes)
            .set_globally_allocated_address(*memory->get_backing_buffer()));
    const auto create_tokens = [&](const auto& where, uint32_t buffer, uint32_t pages) {
        constexpr uint32_t page_bytes = 16;
        CreateCircularBuffer(
            program,
            where,
            CircularBufferConfig(pages * page_bytes, {{buffer, DataFormat::UInt32}}).set_page_size(buffer, page_bytes));
    };
    CreateCircularBuffer(
        program, cores, CircularBufferConfig(kTileBytes, {{kSettled, DataFormat::Float16_b}}).set_page_size(kSettled, kTileBytes));

    const KernelHandle kernels[kProcessors] = {
        CreateKernel(
            program,
            folder + "/dataflow.cpp",
            cores,
            DataMovementConfig{.processor = DataMovementProcessor::RISCV_0, .noc = NOC::NOC_0}),
        CreateKernel(
            program,
            folder + "/dataflow.cpp",
            cores,
            DataMovementConfig{.processor = DataMovementProcessor::RISCV_1, .noc = NOC::NOC_1}),
        CreateKernel(
            program,
            folder + "/compute.cpp",
            cores,
            ComputeConfig{.math_fidelity = MathFidelity::HiFi4}),
    };

    for (uint32_t rank = 0; rank < kRanks; ++rank) {
        const CoreCoord where{rank % kColumns, rank / kColumns};
        const uint32_t* first = &kFirstCall[kProcessors * rank];
        for (uint32_t p = 0; p < kProcessors; ++p) {
            for (uint32_t to = 0; to < kProcessors; ++to) {
                if (kTokens[rank][p][to] > 0) {
                    create_tokens(where, tokens(p, to), kTokens[rank][p][to]);
                }
            }
            const uint32_t address = table->address() + (first[p] - first[0]) * sizeof(Call);
            const uint32_t calls = first[p + 1] - first[p];
            if (p == kCompute) {
                SetRuntimeArgs(program, kernels[p], where, {address, calls, kMemoryBytes / kTileBytes});
            } else {
                const uint32_t bank_memory = banks ? banks->address() : 0;
                const uint32_t counter_words = counters ? counters->address() : 0;
                SetRuntimeArgs(
                    program,
                    kernels[p],
                    where,
                    {address,
                      calls,
                      static_cast<uint32_t>(memory->address()),
                      bank_memory,
                      kSemaphores,
                      counter_words});
            }
        }
    }

    std::vector<uint32_t> words = inputs();
    std::vector<uint32_t> table_words = tables(*device, table_bytes);
    distributed::EnqueueWriteMeshBuffer(queue, memory, words, false);
    distributed::EnqueueWriteMeshBuffer(queue, table, table_words, false);
    std::vector<uint32_t> zeros(size_t{kRanks} * kCounterWords * kCounterBytes / 4);
    if (counters) {
        distributed::EnqueueWriteMeshBuffer(queue, counters, zeros, false);
    }
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
    distributed::EnqueueMeshWorkload(queue, workload, false);
    distributed::Finish(queue);
    distributed::EnqueueReadMeshBuffer(queue, words, memory, true);

    const uint64_t wrong = wrong_words(words);
    device->close();
    if (wrong > 0) {
        std::printf("%llu words are wrong\n", static_cast<unsigned long long>(wrong));
        return 1;
    }
    std::printf("all words are right\n");
    return 0;
}
