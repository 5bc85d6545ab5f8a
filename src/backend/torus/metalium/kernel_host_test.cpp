#include "backend/torus/metalium/kernel_host.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "backend/torus/metalium/run_test_support.h"
#include "backend/torus/metalium/test_programs.h"
#include "backend/torus/run_program.h"
#include "base/error.h"

namespace muster::torus {
namespace {

Cycle simulated(const TorusProgram& program) {
  const Result result = run_program(program, {}, Chip::Detail::flits);
  EXPECT_FALSE(result.fault) << result.fault->message;
  Ticks last(0);
  for (const auto& times : result.node_times.at(0)) last = std::max(last, times.finished);
  return last.value();
}

void expect_right(const TorusProgram& program) {
  const KernelsRun run = EmittedFolder(program).run();
  EXPECT_EQ(run.output, "all words are right\n");
  EXPECT_EQ(run.status, 0);
  for (const Finding& finding : run.findings) ADD_FAILURE() << finding.kind << ": " << finding.message;
  EXPECT_FALSE(run.stuck) << run.stuck->message;
  EXPECT_EQ(run.cycles, simulated(program));
}

TEST(Kernels, EmittedProgramsComputeTheRightNumbersInTheSimulatedTime) {
  expect_right(exchange_of_two(sum_of("f32"), 1500));
  expect_right(exchange_of_two(sum_of("bf16"), 512));
  expect_right(exchange_of_two({.type = ElementType::i32, .op = Operator::max}, 100));
}

// A program as users write it: tiles come from DRAM, are added and go back, through circular buffers of two tiles.
constexpr const char* kOwnHost = R"(#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <cstdio>
using namespace tt;
using namespace tt::tt_metal;
int main() {
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  auto& queue = device->mesh_command_queue();
  Program program = CreateProgram();
  constexpr CoreCoord core = {2, 3};
  constexpr uint32_t tiles = 20, bytes = 2048;
  const distributed::DeviceLocalBufferConfig local{.page_size = bytes, .buffer_type = BufferType::DRAM};
  const distributed::ReplicatedBufferConfig all{.size = tiles * bytes};
  auto a = distributed::MeshBuffer::create(all, local, device.get());
  auto b = distributed::MeshBuffer::create(all, local, device.get());
  auto c = distributed::MeshBuffer::create(all, local, device.get());
  for (uint32_t cb : {CBIndex::c_0, CBIndex::c_1, CBIndex::c_16}) {
    CreateCircularBuffer(program, core, CircularBufferConfig(2 * bytes, {{cb, DataFormat::Float16_b}}).set_page_size(cb, bytes));
  }
  auto reader = CreateKernel(program, "reader.cpp", core, ReaderDataMovementConfig{});
  auto writer = CreateKernel(program, "writer.cpp", core, WriterDataMovementConfig{});
  auto compute = CreateKernel(program, "compute.cpp", core, ComputeConfig{.compile_args = {tiles}});
  SetRuntimeArgs(program, reader, core, {a->address(), b->address(), tiles});
  SetRuntimeArgs(program, writer, core, {c->address(), tiles});
  std::vector<uint16_t> ones(tiles * 1024, 0x3f80), twos(tiles * 1024, 0x4000), sum;
  distributed::EnqueueWriteMeshBuffer(queue, a, ones, false);
  distributed::EnqueueWriteMeshBuffer(queue, b, twos, false);
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
  distributed::EnqueueMeshWorkload(queue, workload, false);
  distributed::EnqueueReadMeshBuffer(queue, sum, c, true);
  for (uint16_t value : sum) {
    if (value != 0x4040) return 1;
  }
  std::printf("three\n");
}
)";
constexpr const char* kOwnReader = R"(#include "dataflow_api.h"
void kernel_main() {
  const uint32_t bytes = get_tile_size(tt::CBIndex::c_0);
  const InterleavedAddrGenFast<true> a{get_arg_val<uint32_t>(0), bytes, get_dataformat(0)};
  const InterleavedAddrGenFast<true> b{get_arg_val<uint32_t>(1), bytes, get_dataformat(1)};
  for (uint32_t i = 0; i < get_arg_val<uint32_t>(2); ++i) {
    cb_reserve_back(0, 1);
    cb_reserve_back(1, 1);
    noc_async_read_tile(i, a, get_write_ptr(0));
    noc_async_read_tile(i, b, get_write_ptr(1));
    noc_async_read_barrier();
    cb_push_back(0, 1);
    cb_push_back(1, 1);
  }
}
)";
constexpr const char* kOwnWriter = R"(#include "dataflow_api.h"
void kernel_main() {
  const InterleavedAddrGenFast<true> c{get_arg_val<uint32_t>(0), get_tile_size(16), get_dataformat(16)};
  for (uint32_t i = 0; i < get_arg_val<uint32_t>(1); ++i) {
    cb_wait_front(16, 1);
    noc_async_write_tile(i, c, get_read_ptr(16));
    noc_async_write_barrier();
    cb_pop_front(16, 1);
  }
}
)";
constexpr const char* kOwnCompute = R"(#include "compute_kernel_api/eltwise_binary.h"
namespace NAMESPACE {
void MAIN {
  binary_op_init_common(0, 1, 16);
  add_tiles_init(0, 1);
  for (uint32_t i = 0; i < get_compile_time_arg_val(0); ++i) {
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    tile_regs_acquire();
    add_tiles(0, 1, 0, 0, 0);
    tile_regs_commit();
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
  }
}
}  // namespace NAMESPACE
)";

EmittedFolder own_program() {
  const Machine machine = two_workers();
  return {
      *as<Torus>(machine),
      {{"host.cpp", kOwnHost}, {"reader.cpp", kOwnReader}, {"writer.cpp", kOwnWriter}, {"compute.cpp", kOwnCompute}}};
}

TEST(Kernels, ProgramsOfUsersRun) {
  const KernelsRun run = own_program().run();
  EXPECT_EQ(run.output, "three\n");
  EXPECT_EQ(run.status, 0);
  for (const Finding& finding : run.findings) ADD_FAILURE() << finding.kind << ": " << finding.message;
  EXPECT_GT(run.cycles, 20 * 64);
}

TEST(Kernels, RacesOfUsersAreFound) {
  const KernelsRun run = own_program().change("reader.cpp", "noc_async_read_barrier();", "").run();
  ASSERT_FALSE(run.findings.empty());
  EXPECT_EQ(run.findings[0].kind, "missing read barrier");
  EXPECT_EQ(run.findings[0].file, "compute.cpp");
}

}  // namespace
}  // namespace muster::torus
