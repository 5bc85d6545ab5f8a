// A flag is offered only where it has an effect; --seed, --json and --quiet everywhere, so that other tools can pass them
// without a table of commands.
#include "cli/flags.h"

#include <utility>

namespace muster {
namespace {

const Flag kShownMachine{"--machine", "NAME|FILE.toml", "the same as NAME"};
const Flag kMachine{"--machine", "NAME|FILE.toml", "the machine; 'muster machines' lists them"};
const Flag kParam{"--param", "KEY=VALUE", "override one machine parameter (repeatable)", true};
const Flag kGrid{"--grid", "WxH",
                 "columns and rows in use (mesh, torus); with --app stencil WxHxD: cells along x, y and z"};
const Flag kApp{"--app", "stencil", "an application instead of a collective: stencil (mesh)"};
const Flag kAppSteps{"--steps", "N", "time steps, with --app stencil; default: 1"};
const Flag kAppOrder{"--order", "2|4|6|8", "the order of the differences, with --app stencil; default: 8"};
const Flag kAppSet{"--set", "KEY=VALUE",
                   "with --app stencil: velocity, spacing (both SI), cfl or time_step, block (repeatable)", true};
const Flag kNodes{"--nodes", "N", "nodes in use, in the most even shape (hyperx), or tiles in use, row by row (torus)"};
const Flag kShape{"--shape", "AxBx...", "nodes in each dimension (hyperx)"};
const Flag kGroup{"--group", "NODES",
                  "run on these nodes only, e.g. 0:3,8; repeat it for several disjoint groups (hyperx)", true};
const Flag kVectors{"--vectors", "core|node",
                    "core: every core has a vector (default); node: every node has one, split over its cores (hyperx)"};
const Flag kNocs{"--noc-assignment", "direct|swapped",
                 "which NoC carries southeast-bound steps: direct (NoC 0, which flows that way) or swapped (as in the "
                 "thesis); default: direct (torus)"};
const Flag kSync{
    "--sync", "one-way|handshake",
    "one-way: a signal follows the data (default); handshake: a tile asks before it sends and waits for the "
    "acknowledgement before it signals, as in the thesis (torus)"};
const Flag kRoot{
    "--root", "X,Y|RANK|any",
    "the root: coordinates as answers show them, or a rank; default: the first rank; any: search for a fast root"};
const Flag kOneRoot{"--root", "X,Y|RANK",
                    "the root: coordinates as answers show them, or a rank; default: the first rank"};
const Flag kCollective{"--collective", "NAME", "the collective: reduce, allreduce, broadcast, ..."};
const Flag kCount{"--count", "N", "vector length in elements"};
const Flag kBytes{"--bytes", "SIZE", "vector size, instead of --count, e.g. '1 KiB'"};
const Flag kType{"--type", "f32|f16|bf16|i32", "element type that the machine computes with; default: f32"};
const Flag kOp{"--op", "sum|max|min|prod", "operator; default: sum"};
const Flag kAlgorithm{"--algorithm", "NAME", "the algorithm; default: the best"};
const Flag kSet{"--set", "KEY=VALUE", "a parameter of the algorithm, or of --app (repeatable)", true};
const Flag kChunks{"--chunks", "N", "split the vector into N chunks (cluster)"};
const Flag kOrder{"--order", "fifo|scf",
                  "which waiting chunk a dimension sends first: the oldest or the smallest (cluster)"};
const Flag kAnyOrder{"--order", "fifo|scf|2|4|6|8",
                     "which waiting chunk a dimension sends first: the oldest or the smallest (cluster); with --app "
                     "stencil: the order of its differences, 8 by default"};
const Flag kAccounting{"--accounting", "paper|astra",
                       "timing model: that of the Themis paper, or that of ASTRA-sim 1.0 (cluster)"};
const Flag kJitter{"--jitter", "FRACTION",
                   "maximum random delay of a message, as a fraction of its send time (cluster)"};
const Flag kSlow{"--slow", "RANK=FACTOR",
                 "slow down this NPU's sends (cluster) or this core's memory (hyperx) by FACTOR (repeatable)", true};
const Flag kSlowLink{"--slow-link", "A-B=FACTOR",
                     "slow down the link between NPUs A and B by FACTOR (cluster; repeatable)", true};
const Flag kMissingLink{"--missing-link", "A-B", "remove the link between NPUs A and B (cluster; repeatable)", true};
const Flag kLate{"--late", "RANK=TIME", "start this core later by TIME (hyperx; repeatable)", true};
const Flag kReserve{"--reserve-colors", "N", "number of colors to keep free for your own program (mesh)"};
const Flag kEngine{
    "--engine", "auto|cycle|stream",
    "the simulation engine; default: auto. On a torus, cycle moves flits, and stream is a fast approximation (flows)"};
const Flag kEngineThreads{
    "--threads", "N",
    "threads of the cycle engine, at most one per core; the answer does not depend on it; default: 1 (mesh)"};
const Flag kCalls{"--calls", "N", "number of back-to-back calls; default: 1"};
const Flag kSchedule{"--schedule", "FILE|-", "use this schedule instead of an algorithm"};
const Flag kCsl{"--csl", "DIR",
                "use the CSL program in this folder instead of an algorithm; --set gives its parameters"};
const Flag kCheckedCsl{"--csl", "DIR", "check the CSL program in this folder instead of a schedule"};
const Flag kMsccl{"--msccl", "FILE|-", "check this MSCCL XML file instead of a schedule; needs no --machine"};
const Flag kRegisters{"--registers", "FILE|-",
                      "use the switch registers in this JSON file instead of an algorithm (hyperx)"};
const Flag kCheckedRegisters{"--registers", "FILE|-",
                             "check the switch registers in this JSON file instead of a schedule (hyperx)"};
const Flag kKernels{"--kernels", "DIR",
                    "run the host file and the kernels in this folder instead of a collective (torus)"};
const Flag kTraffic{"--traffic", "FILE|-",
                    "run the transactions in this CSV file, or workload of tt-npe, instead of a collective (torus)"};
const Flag kProgramSet{"--set", "KEY=VALUE", "a parameter of the CSL program, or of --app (repeatable)", true};
const Flag kTarget{"--target", "NAME",
                   "what to write: csl (mesh), msccl (cluster), registers (hyperx), metalium or tt-npe (torus), or "
                   "schedule (JSON, any "
                   "machine)"};
const Flag kForm{"--form", "program|module",
                 "csl: a whole program, or a module that your program imports, with an example; default: program"};
const Flag kOut{"--out", "DIR", "output folder"};
const Flag kOffset{"--offset", "X,Y", "position of the collective's first PE on the fabric (mesh)"};
const Flag kCheck{"--check", "FILE", "check this machine file"};
const Flag kTemplate{"--template", "FAMILY",
                     "print a complete, commented machine file to start from: mesh, torus, hyperx, cluster"};
const Flag kAdditions{"--additions", "RANK,ELEMENT",
                      "show the order in which one element of a rank's result is summed"};
const Flag kShotSet{"--set", "KEY=VALUE", "override one key of the shot file, e.g. grid=240x240x240 (repeatable)",
                    true};
const Flag kSteps{"--steps", "N", "number of time steps, instead of the file's"};
const Flag kSeismicTarget{"--target", "reference|cpu|mpi|cuda",
                          "what computes: the slow, obvious reference, vectors and threads, the processes that mpiexec "
                          "started, or a GPU; default: cpu"};
const Flag kArithmetic{
    "--arithmetic", "fused|wafer",
    "how acoustic_iso_cd rounds: fused products, or as the processors of a wafer compute, to the bit; "
    "default: fused"};
const Flag kShotOut{"--out", "DIR|FILE.png|FILE.svg",
                    "folder of everything that a run writes; default: the working folder; the picture (view)"};
const Flag kPredict{"--predict", "MACHINE",
                    "predict how long the halos and an energy sum take on this cluster, one rank per NPU (plan)"};
const Flag kResume{"--resume", "FILE", "go on from this checkpoint"};
const Flag kThreads{"--threads", "N", "threads of the CPU; default: all, or one per process (mpi)"};
const Flag kRooflineSvg{"--svg", "FILE", "draw the roofline (roofline)"};
const Flag kInFlight{"--in-flight", "N",
                     "shots at the same time, if memory allows; default: 1, on a GPU as many as fit, at most 4"};
const Flag kSlice{"--slice", "AXIS=CELL|AXIS=LENGTH",
                  "draw this slice of a model or snapshot, e.g. x=120 or z='1.2 km' (view; repeatable); default: three "
                  "through the middle",
                  true};
const Flag kGatherStyle{"--style", "density|wiggle", "how a gather is drawn (view); default: density"};
const Flag kClip{"--clip", "PERCENT", "percentile of the values that gets the last colour (view); default: 99"};
const Flag kCubeGrid{"--grid", "NXxNYxNZ", "cells along x, y and z of a raw model or snapshot (view)"};
const Flag kTraceSamples{"--samples", "N", "samples in a trace of a raw gather (view)"};
const Flag kRawPrecision{"--precision", "f32|f64", "of the numbers in a raw file (view); default: f32"};
const Flag kSeed{"--seed", "N", "random seed for test data, fingerprints and jitter; default: 1"};
const Flag kUnusedSeed{"--seed", "N", "has no effect here; every command accepts it"};

const Flag kListedMachine{"--machine", "NAME|FILE.toml", "only the algorithms of this machine's family"};
const Flag kListedCollective{"--collective", "NAME", "only the algorithms of this collective: reduce, allreduce, ..."};
const Flag kFigureMachine{"--machine", "NAME|FILE.toml",
                          "the mesh that the wafer figures are computed for; default: wse2"};

// sweep takes lists and ranges where the others take one value.
const Flag kGrids{"--grid", "SHAPES",
                  "columns and rows: a list 16x1,64x1, or a range 4x4:512x512:x2 (a range 4x1:512x1:x2 keeps one row)"};
const Flag kPes{"--pes", "RANGE", "PEs in one row, instead of --grid (mesh): 16,64, or 4:512:x2, or 8:64:+8"};
const Flag kNodeCounts{"--nodes", "RANGE",
                       "nodes, in the most even shape (hyperx), or tiles, row by row (torus): 1,4,16, or 16:16384:x4"};
const Flag kShapes{"--shape", "SHAPES", "nodes in each dimension, instead of --nodes (hyperx): 4x4,8x2"};
const Flag kSetRange{"--set", "KEY=VALUE", "a parameter of the algorithm (repeatable); a range on a hyperx: trees=1:3",
                     true};
const Flag kCounts{"--count", "RANGE", "vector lengths in elements: 1,256, or 1:4096:x2, or 100:500:+100"};
const Flag kSizes{"--bytes", "SIZES", "vector sizes, instead of --count: 100MB,1GB, or 100MB:1GB:+100MB"};
const Flag kChunkCounts{"--chunks", "RANGE", "numbers of chunks (cluster): 64, or 4:512:x2"};
const Flag kAlgorithms{"--algorithm", "NAME,...", "the algorithms; default: all that support the size"};
const Flag kClusters{"--machine", "NAME|FILE.toml,...", "the machines, each a cluster or a hyperx"};
const Flag kWorkload{"--workload", "NAME|FILE,...",
                     "the workloads: names, FILE.toml, or layer tables of ASTRA-sim 1.0"};
const Flag kAdvisedParam{"--param", "KEY=VALUE", "with --advise: override one machine parameter (repeatable)", true};
const Flag kAdvisedWorkload{"--workload", "NAME|FILE,...",
                            "with --advise: also find the best distribution of bandwidth for these workloads"};
const Flag kCluster{"--machine", "NAME|FILE.toml", "the cluster"};
const Flag kJob{"--job", "COLLECTIVE,SIZE[,at=TIME][,algorithm=NAME][,chunks=N]",
                "a collective over all NPUs that starts at TIME (repeatable)", true};
const Flag kPieces{"--chunks", "N", "split every communication into N chunks; default: 64"};
const Flag kFaster{"--faster", "FACTOR", "speed up all computation by FACTOR; default: 1"};
const Flag kBatch{"--batch", "N,...",
                  "samples per NPU or node; the workload file must have the key 'batch', the batch size of its times"};
const Flag kCsv{"--csv", "FILE|-", "write the table as CSV to this file; - is standard output"};

const Flag kTrace{"--trace", "FILE", "write a trace of the run for Perfetto or chrome://tracing"};
const Flag kSvg{
    "--svg", "FILE",
    "draw the run: the messages of a row or column (mesh), or when dimensions, links and memories are busy"};
const Flag kBars{"--svg", "FILE", "draw a bar chart of where the time goes"};
const Flag kFigure{"--figure", "N,...", "only these figures; default: all"};

const Switch kSimulate{"--simulate", "simulate too, with the same simulation budget as 'muster plan'"};
const Switch kQuick{"--quick", "predictions only: no proof, no simulation"};
const Switch kVerbose{"--verbose", "list every skipped algorithm with the reason"};
const Switch kSensitivity{"--sensitivity",
                          "vary each timing parameter of the machine and show how the ranking changes"};
const Switch kAdvise{"--advise",
                     "show how a cluster's bandwidth is distributed over its dimensions, and the best distribution"};
const Switch kArrival{"--arrival-order",
                      "NPUs send chunks in the order of arrival instead of the planned order (cluster)"};
const Switch kForce{"--force", "overwrite files that muster did not write"};
const Switch kJson{"--json", "answer in JSON"};
const Switch kQuiet{"--quiet", "no progress bar, and only errors on standard error"};

/// The flags that say which collective on which machine, and then `more`.
std::vector<Flag> question(std::vector<Flag> more) {
  std::vector<Flag> flags{kMachine,    kParam, kGrid,  kNodes, kShape, kGroup, kVectors, kNocs,    kSync,
                          kCollective, kRoot,  kCount, kBytes, kType,  kOp,    kApp,     kAppSteps};
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

}  // namespace

std::string example_title(const std::string& examples) {
  return examples.find("\n  muster ") == std::string::npos ? "Example:" : "Examples:";
}

std::string first_example() { return "--machine wse2 --grid 512x1 --collective reduce --count 256"; }

namespace {

/// About one collective on one machine.
std::vector<Subcommand> of_one_collective() {
  const std::string reduce = first_example();
  return {
      {"machines",
       "list machines, show one, check a machine file, or print a template",
       "muster machines wse2",
       {"NAME", "show this machine: every value with its source", 1},
       {kShownMachine, kAdvisedParam, kCheck, kTemplate, kAdvisedWorkload, kUnusedSeed},
       {kAdvise, kJson, kQuiet}},
      {"algorithms",
       "list algorithms with their sources and parameters",
       "muster algorithms --collective reduce",
       {},
       {kListedMachine, kListedCollective, kUnusedSeed},
       {kJson, kQuiet}},
      {"plan",
       "rank all algorithms for a collective, with proof, simulation and lower bounds",
       "muster plan " + reduce,
       {},
       question({kAppSet, kChunks, kAnyOrder, kAccounting, kReserve, kSeed}),
       {kQuick, kVerbose, kSensitivity, kJson, kQuiet}},
      {"explain",
       "show where the time goes: critical path, busiest port and link, next best plan",
       "muster explain " + reduce,
       {},
       question({kAlgorithm, kSet, kChunks, kAnyOrder, kAccounting, kReserve, kSeed}),
       {kJson, kQuiet}},
      {"verify",
       "prove a schedule correct or give a counterexample; or check a program",
       "muster verify --machine wse2 --grid 8x1 chain.json\n"
       "  muster verify --machine wse2 --csl out/chain\n"
       "  muster verify --msccl out/ring/algorithm.xml\n"
       "  muster verify --machine piuma --registers out/sum/registers.json",
       {"FILE|-", "the schedule as JSON", 1},
       {kMachine, kParam, kGrid, kNodes, kShape, kCheckedCsl, kProgramSet, kMsccl, kCheckedRegisters, kAdditions, kApp,
        kAppSteps, kAppOrder, kSeed},
       {kJson, kQuiet}},
      {"simulate",
       "simulate an algorithm, a schedule or a program",
       "muster simulate " + reduce + " --algorithm two-phase --set group=16",
       {},
       question({kAlgorithm,     kSet,   kChunks,   kAnyOrder, kAccounting, kJitter,  kSlow,    kSlowLink,
                 kMissingLink,   kLate,  kSchedule, kCsl,      kRegisters,  kTraffic, kKernels, kEngine,
                 kEngineThreads, kCalls, kTrace,    kSvg,      kReserve,    kSeed}),
       {kArrival, kSensitivity, kJson, kQuiet}},
      {"emit",
       "write the program for the machine, or the schedule as JSON",
       "muster emit " + reduce + " --algorithm chain --target csl --out out/chain",
       {},
       question({kAlgorithm, kSet, kChunks, kAnyOrder, kSchedule, kTarget, kForm, kOut, kOffset, kReserve, kSeed}),
       {kForce, kJson, kQuiet}},
  };
}

/// About many at once.
std::vector<Subcommand> of_many() {
  return {
      {"sweep",
       "time all algorithms over many sizes, as a table, CSV or JSON",
       "muster sweep --machine wse2 --collective reduce --pes 4:512:x2 --count 1:4096:x2 --csv times.csv\n"
       "  muster sweep --machine wse2 --collective reduce --grid 16x1,64x1 --count 64 --algorithm chain,tree "
       "--simulate\n"
       "  muster sweep --machine themis-2d-sw-sw --collective allreduce --bytes 100MB:1GB:+100MB --chunks 16,64 "
       "--simulate\n"
       "  muster sweep --machine piuma --nodes 1,4,16 --collective allreduce --bytes 8B:1MB:x10\n\n"
       "Ranges:\n"
       "  FIRST:LAST:xFACTOR, FIRST:LAST:+STEP or FIRST:LAST (values up to LAST); lists mix values and ranges: "
       "1,3,8:64:x2",
       {},
       {kMachine,    kParam,    kGrids,       kPes,     kNodeCounts, kShapes,  kGroup, kVectors,
        kNocs,       kSync,     kCollective,  kOneRoot, kCounts,     kSizes,   kType,  kOp,
        kAlgorithms, kSetRange, kChunkCounts, kOrder,   kAccounting, kReserve, kCsv,   kSeed},
       {kSimulate, kJson, kQuiet}},
      {"jobs",
       "run several collectives at once on one cluster",
       "muster jobs --machine themis-2d-sw-sw --job allreduce,100MB --job all-to-all,4MiB,at=50us",
       {},
       {kCluster, kParam, kJob, kOrder, kUnusedSeed},
       {kJson, kQuiet}},
      {"train",
       "simulate a training iteration under every scheduler and show what it waits for",
       "muster train --machine themis-3d-sw-sw-sw-homo --workload resnet-152",
       {},
       {kClusters, kParam, kWorkload, kPieces, kFaster, kBatch, kNodes, kShape, kVectors, kCsv, kBars, kUnusedSeed},
       {kJson, kQuiet}},
      {"seismic",
       "propagate seismic waves: run a shot, draw its files",
       "muster seismic example layers > shot.toml\n"
       "  muster seismic plan shot.toml --set grid=240x240x240\n"
       "  muster seismic run shot.toml --set grid=240x240x240 --steps 300\n"
       "  muster seismic view shot.segy --out shot.png\n"
       "  muster seismic roofline --svg roofline.svg",
       {"run FILE.toml | plan FILE.toml | example [NAME] | view FILE | roofline",
        "run the shot in this file, say what it needs, print a complete, commented one, draw a model, a snapshot or a "
        "gather, or measure this machine's peaks and how near the propagators come",
        2},
       {kShotSet, kSteps, kSeismicTarget, kArithmetic, kThreads, kInFlight, kShotOut, kResume, kPredict, kSlice,
        kGatherStyle, kClip, kCubeGrid, kTraceSamples, kRawPrecision, kRooflineSvg, kUnusedSeed},
       {kJson, kQuiet}},
      {"figures",
       "draw the papers' figures as SVG, with the data as CSV",
       "muster figures --figure 8 --out figures\n"
       "  muster figures themis --figure 10,11 --out figures",
       {"PAPER", "wafer (the default), themis, piuma or wormhole", 1},
       {kFigureMachine, kParam, kFigure, kOut, kUnusedSeed},
       {kForce, kJson, kQuiet}},
      {"reproduce",
       "recompute the papers' numbers: expected, measured, verdict",
       "muster reproduce wafer",
       {"NAME", "papers, claims, or your own FILE.toml; default: all", 1000},
       {kUnusedSeed},
       {kJson, kQuiet}},
  };
}

}  // namespace

std::vector<Subcommand> subcommands() {
  std::vector<Subcommand> all = of_one_collective();
  for (Subcommand& subcommand : of_many()) all.push_back(std::move(subcommand));
  return all;
}

}  // namespace muster
