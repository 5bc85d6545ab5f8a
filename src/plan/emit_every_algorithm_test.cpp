// Every registered algorithm, with no further code: what is emitted and read back is the program that is simulated, as a
// whole program and as a module with its example.
#include <gtest/gtest.h>

#include "collective/algorithm.h"
#include "machine/mesh.h"
#include "plan/job.h"
#include "plan/plan_test_support.h"
#include "plan/stages.h"

namespace muster {
namespace {

/// What became of a program on its way through its text.
struct Passage {
  std::string refusal;  ///< why the machine has no space for it
  std::string fault;    ///< why it is not written, or what was lost
};

Passage passage_of(const Job& job, const Algorithm& algorithm) {
  const Choice choice = choose_with_defaults(job, algorithm.name, {});
  const auto program = lower_for(job, make_schedule(job, algorithm, choice.parameters));
  if (!program) return {.refusal = program.reason(), .fault = ""};
  const Reader& reader = reader_of("csl");
  for (const Target& form : emitters_for(job.machine)[0]->forms()) {
    const auto files = emitters_for(job.machine)[0]->emit(*program.value(),
                                                          {.target = "csl", .form = form.name, .elements = job.count});
    if (!files) return {.refusal = "", .fault = form.name + ": " + files.reason()};
    const FileContents read = reader.read(files.value(), &job.machine, {});
    if (const auto lost = reader.difference(*program.value(), *read.program)) {
      return {.refusal = "", .fault = form.name + ": " + *lost};
    }
  }
  return {};
}

struct Tally {
  int written = 0;
  int refused = 0;
};

/// Counts the programs of one algorithm on one machine.
Tally check(const Algorithm& algorithm, const std::string& machine) {
  Tally tally;
  for (const auto& [width, height] :
       {std::pair{1, 1}, {2, 1}, {7, 1}, {1, 6}, {16, 1}, {4, 3}, {2, 6}, {5, 8}, {9, 8}}) {
    for (const NodeId root : {0, width * height / 2}) {
      if (root > 0 && !has_root(algorithm.collective)) continue;
      Job job{.machine = with_grid(shipped_machine(machine), width, height), .count = 23, .root = root};
      job = sized_for(job, algorithm.collective);
      if (algorithm.unsupported(request_of(job))) continue;
      const Passage passage = passage_of(job, algorithm);
      const std::string where = fmt::format("{}, {} {} on {}x{}, root {}", machine,
                                            collective_name(algorithm.collective), algorithm.name, width, height, root);
      EXPECT_EQ(passage.fault, "") << where;
      if (passage.refusal.empty()) {
        ++tally.written;
      } else {
        ++tally.refused;
        EXPECT_TRUE(is_over_budget(job, algorithm)) << where << ": " << passage.refusal;
      }
    }
  }
  return tally;
}

TEST(EveryAlgorithm, IsReadBackFromItsCslAsItWasSimulated) {
  Tally all;
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    if (algorithm.family != "mesh") continue;
    for (const std::string machine : {"wse2", "wse3"}) {
      const Tally tally = check(algorithm, machine);
      EXPECT_GT(tally.written, 0) << machine << ", " << collective_name(algorithm.collective) << " " << algorithm.name;
      all.written += tally.written;
      all.refused += tally.refused;
    }
  }
  // Refused are split reduces that need more colors or queues than there are, on a few of the grids.
  EXPECT_GT(all.written, 20 * all.refused) << all.written << " written, " << all.refused << " refused";
}

}  // namespace
}  // namespace muster
