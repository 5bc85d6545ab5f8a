// Each test plants a fault into emitted files and expects that it is found, at its line.
#include <gtest/gtest.h>

#include <algorithm>

#include "backend/torus/metalium/run_test_support.h"
#include "backend/torus/metalium/test_programs.h"
#include "base/error.h"

namespace muster::torus {
namespace {

/// "data before credit at compute.cpp, core 0-0, compute"; without findings of other kinds.
std::vector<std::string> kinds_of(const KernelsRun& run) {
  std::vector<std::string> kinds;
  for (const Finding& finding : run.findings) {
    EXPECT_GT(finding.line, 0) << finding.message;
    EXPECT_FALSE(finding.core.empty());
    const std::string kind = fmt::format("{} at {}", finding.kind, finding.file);
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}
using Kinds = std::vector<std::string>;

TorusProgram exchange() { return exchange_of_two(sum_of("f32"), 1024); }

TEST(KernelRaces, ACreditThroughTheOtherNoCIsNoCredit) {
  const KernelsRun run =
      EmittedFolder(exchange())
          .change(kDataflowFile, "counter(call->other)), 1);", "counter(call->other)), 1, 1 - noc_index);")
          .run();
  EXPECT_EQ(kinds_of(run)[0], "data before credit at compute.cpp");
  EXPECT_NE(run.findings[0].message.find("core 1-0 on tile 2-1, dataflow 0 at dataflow.cpp:"), std::string::npos)
      << run.findings[0].message;
}

TEST(KernelRaces, ACreditOfTheOtherProcessorNeedsABarrier) {
  for (const bool has_barrier : {true, false}) {
    TorusProgram program = exchange();
    for (Core& core : program.cores) {
      std::vector<Call>& first = core.calls[0];
      const Call increment = first[1];
      first.erase(first.begin() + 1);
      if (has_barrier) first.insert(first.begin() + 1, WriteBarrier{});
      first.insert(first.begin() + 1 + (has_barrier ? 1 : 0), Post{.to = Processor::dataflow_1});
      core.calls[1].insert(core.calls[1].begin(), {Expect{.from = Processor::dataflow_0}, increment, AtomicBarrier{}});
      core.tokens[0][1] = 1;
    }
    const KernelsRun run = EmittedFolder(program).run();
    EXPECT_EQ(kinds_of(run), has_barrier ? Kinds{} : Kinds{"data before credit at compute.cpp"});
    EXPECT_FALSE(run.stuck);
  }
}

TEST(KernelRaces, AnAtomicInFlightAtExit) {
  TorusProgram program = exchange();
  for (Core& core : program.cores)
    std::erase_if(core.calls[0], [](const Call& c) { return std::holds_alternative<WriteBarrier>(c); });
  const KernelsRun run = EmittedFolder(program).change(kDataflowFile, "noc_async_atomic_barrier();", "").run();
  EXPECT_EQ(kinds_of(run)[0], "atomic in flight at exit at dataflow.cpp");
  EXPECT_GT(run.findings[0].cycle, 0);
}

/// The barrier that is left takes longer than the transactions of the other kind, which have been acknowledged by then.
template <class Barrier>
Kinds kinds_without() {
  TorusProgram program = exchange();
  for (Core& core : program.cores)
    std::erase_if(core.calls[0], [](const Call& call) { return std::holds_alternative<Barrier>(call); });
  return kinds_of(EmittedFolder(program).run());
}

TEST(KernelRaces, EitherFinalBarrierIsMissedWhateverHasArrived) {
  EXPECT_EQ(kinds_without<AtomicBarrier>(), Kinds{"atomic in flight at exit at dataflow.cpp"});
  EXPECT_EQ(kinds_without<WriteBarrier>(), Kinds{"write in flight at exit at dataflow.cpp"});
}

TEST(KernelRaces, ASemaphoreThatIsSetBackTooEarly) {
  TorusProgram program = exchange();
  for (Core& core : program.cores) {
    const Call increment = core.calls[0][1];
    core.calls[0].insert(core.calls[0].begin() + 2, increment);
  }
  const std::string wait = "call->value);\n                break;\n            case kFlush:";
  const KernelsRun run =
      EmittedFolder(program)
          .change(kDataflowFile, wait,
                  "call->value);\n                noc_semaphore_set(reinterpret_cast<volatile tt_l1_ptr "
                  "uint32_t*>(counter(call->other)), 0);\n                break;\n            case kFlush:")
          .run();
  EXPECT_EQ(kinds_of(run), Kinds{"semaphore reused too early at dataflow.cpp"});
}

TEST(KernelRaces, ASemaphoreThatChangesBeforeItWasSent) {
  TorusProgram program = exchange();
  const Rectangle area{.first = {.x = 2, .y = 1}, .last = {.x = 2, .y = 1}};
  program.cores[0].calls[0] = {SetEverywhere{.area = area, .counter = 0, .value = 1}, WriteBarrier{}};
  program.cores[0].calls[1] = program.cores[0].calls[2] = program.cores[1].calls[1] = program.cores[1].calls[2] = {};
  program.cores[1].calls[0] = {Await{.counter = 0, .value = 1}};
  const std::string value = "value_address,\n";
  const KernelsRun right = EmittedFolder(program).run();
  EXPECT_EQ(kinds_of(right), Kinds{});
  EXPECT_FALSE(right.stuck);
  const KernelsRun run =
      EmittedFolder(program)
          .change(kDataflowFile, "call->count);\n                break;\n            case kSetWithSelf:",
                  "call->count);\n                noc_semaphore_set(reinterpret_cast<volatile "
                  "uint32_t*>(value_address), 0);\n                break;\n            case kSetWithSelf:")
          .run();
  EXPECT_EQ(kinds_of(run), Kinds{"semaphore reused too early at dataflow.cpp"});
  ASSERT_TRUE(run.stuck);
  EXPECT_EQ(run.stuck->core, "core 1-0 on tile 2-1, dataflow 0");
  EXPECT_EQ(run.stuck->message, "it waits for semaphore 0 to be at least 1, and it is 0");
}

/// Both cores read each other's vector instead of writing theirs.
TorusProgram reading() {
  TorusProgram program = exchange();
  for (NodeId rank = 0; rank < 2; ++rank) {
    Core& core = program.cores[static_cast<std::size_t>(rank)];
    core.calls[0] = {Read{.of = 1 - rank, .source = 0, .target = 2 * program.tile_bytes, .bytes = 4096}, ReadBarrier{},
                     Post{.to = Processor::compute}};
  }
  return program;
}

TEST(KernelRaces, AMissingReadBarrier) {
  const KernelsRun right = EmittedFolder(reading()).run();
  EXPECT_EQ(kinds_of(right), Kinds{});
  EXPECT_EQ(right.output, "all words are right\n");
  const KernelsRun run = EmittedFolder(reading()).change(kDataflowFile, "noc_async_read_barrier();", "").run();
  const Kinds kinds = kinds_of(run);
  EXPECT_NE(std::find(kinds.begin(), kinds.end(), "missing read barrier at compute.cpp"), kinds.end());
  EXPECT_NE(run.output.find("words are wrong"), std::string::npos) << run.output;
  EXPECT_EQ(run.status, 1);
}

TEST(KernelRaces, CircularBuffersThatAreMisused) {
  const auto misused = [](std::string_view file, const std::string& old, const std::string& by) {
    const KernelsRun run = EmittedFolder(exchange()).change(file, old, by).run();
    return run.findings.empty() ? "nothing" : run.findings[0].kind + ": " + run.findings[0].message;
  };
  EXPECT_EQ(misused(kDataflowFile, "cb_reserve_back(core, 1);", ""),
            "circular buffer misused: it pushes 1 pages of circular buffer 5 and has reserved 0");
  EXPECT_EQ(misused(kDataflowFile, "cb_wait_front(core, 1);", ""),
            "circular buffer misused: it pops 1 pages of circular buffer 10 and has waited for 0");
  EXPECT_EQ(misused(kComputeFile, "cb_wait_front(kMemoryIn, memory_tiles);", ""),
            "circular buffer misused: it reads tile 0 of circular buffer 0 and has waited for 0");
  EXPECT_EQ(misused(kComputeFile, "cb_reserve_back(kMemoryOut, memory_tiles);", ""),
            "circular buffer misused: it packs tile 1 of circular buffer 1 and has reserved 0");
}

TEST(KernelRaces, TilesThatAreUnpackedWhileTheyArePacked) {
  TorusProgram program = exchange();
  const Address tile = program.tile_bytes;
  for (Core& core : program.cores) {
    core.calls[2][1] = Combine{.left = 0, .right = 2 * tile, .target = 2 * tile, .tiles = 1};
    core.calls[2].insert(core.calls[2].begin() + 2, Copy{.source = 2 * tile, .target = tile, .tiles = 1});
  }
  EXPECT_EQ(kinds_of(EmittedFolder(program).run()), Kinds{});
  const KernelsRun run = EmittedFolder(program)
                             .change(kComputeFile, "cb_wait_front(kSettled, 1);\n", "\n")
                             .change(kComputeFile, "cb_pop_front(kSettled, 1);\n", "\n")
                             .run();
  EXPECT_EQ(kinds_of(run), Kinds{"tile used before it was pushed at compute.cpp"});
}

TEST(KernelRaces, DataThatIsOverwrittenBeforeItWasSent) {
  TorusProgram program = exchange_of_two(sum_of("bf16"), 2048);
  // The compute processor overwrites the vector that is being sent.
  const Address result = 4 * program.tile_bytes;
  for (Core& core : program.cores) core.calls[2] = {Copy{.source = result, .target = 0, .tiles = 1}};
  for (Core& core : program.cores) core.calls[1] = {};
  const KernelsRun run = EmittedFolder(program).run();
  EXPECT_EQ(kinds_of(run), Kinds{"overwritten before it was sent at dataflow.cpp"});
}

TEST(KernelRaces, ProcessorsThatNeverEndSayWhatTheyWaitFor) {
  const KernelsRun run =
      EmittedFolder(exchange()).change(kDataflowFile, "counter(call->other)), 1);", "counter(call->other)), 0);").run();
  ASSERT_TRUE(run.stuck);
  EXPECT_EQ(run.stuck->kind, "deadlock");
  EXPECT_EQ(run.stuck->file, "dataflow.cpp");
  EXPECT_EQ(run.stuck->message, "it waits for semaphore 0 to be at least 1, and it is 0; 6 processors have not ended");
}

std::string rejection(EmittedFolder folder) {
  try {
    (void)folder.run();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(KernelRaces, WhatCannotBeSimulatedIsNamed) {
  EXPECT_EQ(rejection(EmittedFolder(exchange())
                          .change(kDataflowFile, "noc_async_writes_flushed();", "noc_asinc_writes_flushed();")),
            "dataflow.cpp:104: 'noc_asinc_writes_flushed' is no call that can be simulated; those that can are in "
            "share/metalium; did you mean 'noc_async_writes_flushed'?");
  EXPECT_EQ(
      rejection(
          EmittedFolder(exchange()).change(kComputeFile, "compute_kernel_api/common.h", "compute_kernel_api/matmul.h")),
      "compute.cpp:3: there is no header 'compute_kernel_api/matmul.h' among those that can be simulated, which are in "
      "share/metalium");
  EXPECT_EQ(
      rejection(EmittedFolder(exchange()).change(kHostFile, "CreateProgram()", "CreateProgramme()")),
      "host.cpp:143: 'CreateProgramme' is no call that can be simulated; those that can are in share/metalium; did "
      "you mean 'CreateProgram'?");
}

}  // namespace
}  // namespace muster::torus
