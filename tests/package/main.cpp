// What a user of the installed library writes: the best plan for a Reduce on eight processors of a machine file.
#include <cstdio>

#include "machine/loader.h"
#include "study/plan.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  muster::Job job;
  job.machine = muster::with_grid(muster::load_machine(argv[1]), 8, 1);
  job.count = 16;
  const muster::PlanAnswer answer = muster::plan(job);
  if (answer.candidates.empty() || !answer.verified || !answer.result_correct) return 1;
  std::printf("best: %s\n", answer.candidates.front().algorithm.c_str());
  return 0;
}
