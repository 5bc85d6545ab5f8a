#include "backend/torus/metalium/emit.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "backend/torus/metalium/entries.h"
#include "backend/torus/metalium/test_programs.h"

namespace muster::torus {
namespace {

EmitOptions options() { return {.target = "metalium", .command = "muster emit --target metalium"}; }

std::string file_of(const TorusProgram& program, std::string_view name) {
  const auto files = emit_metalium(program, options());
  if (!files) return "refused: " + files.reason();
  for (const EmittedFile& file : files.value()) {
    if (file.name == name) return file.text;
  }
  return {};
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Compares with tests/golden/metalium/NAME, or writes it when MUSTER_UPDATE_GOLDEN is set.
void compare_with_golden(const std::string& name, const TorusProgram& program) {
  const std::filesystem::path folder = std::filesystem::path(source_dir()) / "tests/golden/metalium" / name;
  const auto files = emit_metalium(program, options());
  ASSERT_TRUE(files);
  for (const EmittedFile& file : files.value()) {
    if (std::getenv("MUSTER_UPDATE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe): nobody sets it
      std::filesystem::create_directories(folder);
      std::ofstream(folder / file.name) << file.text;
    }
    std::ifstream in(folder / file.name);
    std::ostringstream golden;
    golden << in.rdbuf();
    EXPECT_EQ(file.text, golden.str()) << folder / file.name;
  }
}

TEST(EmitMetalium, WritesTheGoldenFiles) {
  compare_with_golden("exchange-f32", exchange_of_two(sum_of("f32"), 1500));
  TorusProgram max = exchange_of_two(sum_of("bf16"), 512);
  max.arithmetic.op = Operator::max;
  compare_with_golden("exchange-bf16-max", max);
}

TEST(EmitMetalium, EveryCallIsAnEntryOfTheTable) {
  const TorusProgram program = exchange_of_two(sum_of("f32"), 1500);
  EXPECT_EQ(entries_of(program, 0, Processor::dataflow_0),
            (std::vector<std::string>{"write(core(1, 0), 0, 16384, 6000)", "increment(core(1, 0), 0)", "await(0, 1)",
                                      "post(kDataflow0, kCompute)", "write_barrier()", "atomic_barrier()"}));
  EXPECT_EQ(
      entries_of(program, 1, Processor::compute),
      (std::vector<std::string>{"expect(kDataflow0, kCompute)", "combine(0, 4, 2, 2)", "post(kCompute, kDataflow1)"}));
}

TEST(EmitMetalium, PackedTilesAreWaitedForBeforeTheyAreUnpacked) {
  TorusProgram program = exchange_of_two(sum_of("f32"), 1024);
  const Address tile = program.tile_bytes;
  program.cores[0].calls[2] = {Combine{.left = 0, .right = tile, .target = 2 * tile, .tiles = 1},
                               Combine{.left = 0, .right = tile, .target = tile, .tiles = 1},
                               Copy{.source = 2 * tile, .target = 0, .tiles = 1},
                               Copy{.source = tile, .target = 0, .tiles = 1}};
  EXPECT_EQ(entries_of(program, 0, Processor::compute),
            (std::vector<std::string>{"combine(0, 1, 2, 1)", "combine(0, 1, 1, 1)", "settle()", "copy(2, 0, 1)",
                                      "copy(1, 0, 1)"}));
}

TEST(EmitMetalium, BanksOfDramAndMulticasts) {
  TorusProgram program = exchange_of_two(sum_of("f32"), 1024);
  const Torus& torus = program.torus();
  const NodeId bank = node_at(torus, torus.dram.banks[3]);
  const Rectangle area{.first = {.x = 1, .y = 1}, .last = {.x = 4, .y = 2}};
  program.cores[0].calls[0] = {Read{.of = bank, .source = 64, .target = 128, .bytes = 4096},
                               Multicast{.area = area, .source = 0, .target = 32, .bytes = 4096},
                               SetEverywhere{.area = area, .includes_self = true, .counter = 2, .value = 7}};
  EXPECT_EQ(
      entries_of(program, 0, Processor::dataflow_0),
      (std::vector<std::string>{"read_bank(3, 64, 128, 4096)", "multicast(core(0, 0), core(3, 1), 7, 0, 32, 4096)",
                                "set_with_self(core(0, 0), core(3, 1), 8, 2, 7)"}));
}

TEST(EmitMetalium, TilesAreCombinedAsTheirTypeAllows) {
  const auto kernel = [](std::string_view type, Operator op) {
    TorusProgram program = exchange_of_two(sum_of(type), 1024);
    program.arithmetic.op = op;
    return file_of(program, kComputeFile);
  };
  EXPECT_TRUE(contains(kernel("f16", Operator::sum), "add_tiles(kMemoryIn, kMemoryIn, left + tile, right + tile, 0);"));
  EXPECT_TRUE(contains(kernel("bf16", Operator::prod), "mul_tiles_init(kMemoryIn, kMemoryIn);"));
  EXPECT_TRUE(contains(kernel("bf16", Operator::max), "binary_max_tile(0, 1, 0);"));
  EXPECT_TRUE(contains(kernel("f32", Operator::sum), "add_binary_tile(0, 1, 0);"));
  EXPECT_TRUE(contains(kernel("i32", Operator::sum), "add_int32_tile(0, 1, 0);"));
  EXPECT_TRUE(contains(kernel("i32", Operator::min), "binary_min_int32_tile(0, 1, 0);"));
}

TEST(EmitMetalium, CountersBeyondTheSemaphoresAreWordsOfMemory) {
  TorusProgram program = exchange_of_two(sum_of("f32"), 1024);
  program.cores[1].counters = 19;
  const std::string tables = file_of(program, kTablesFile);
  EXPECT_TRUE(contains(tables, "kSemaphores = 16;"));
  EXPECT_TRUE(contains(tables, "kCounterWords = 3;"));
}

TEST(EmitMetalium, WhatACoreHasNotIsRefused) {
  TorusProgram program = exchange_of_two(sum_of("f32"), 1024);
  program.memory_used = 1400 * 1024;
  EXPECT_TRUE(contains(emit_metalium(program, options()).reason(), " bytes of memory (1433600 for vectors, "))
      << emit_metalium(program, options()).reason();
  program.memory_used = 8192;
  program.arithmetic = {.type = ElementType::i32, .op = Operator::prod};
  EXPECT_EQ(emit_metalium(program, options()).reason(),
            "products of i32 are not written for TT-Metalium v0.62; use another operator or type");
}

}  // namespace
}  // namespace muster::torus
