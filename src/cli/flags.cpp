// A flag is offered only where it has an effect; --seed, --json and --quiet everywhere, so that other tools can pass them
// without a table of commands.
#include "cli/flags.h"

#include <utility>

namespace muster {
namespace {

const Flag kMachine{"--machine", "NAME|FILE.toml", "the machine; 'muster machines' lists them"};
const Flag kParam{"--param", "KEY=VALUE", "override one machine parameter (repeatable)", true};
const Flag kGrid{"--grid", "WxH", "columns and rows in use (mesh)"};
const Flag kNodes{"--nodes", "N", "nodes in use, as even as possible (hyperx)"};
const Flag kShape{"--shape", "AxBx...", "nodes in each dimension (hyperx)"};
const Flag kGroup{"--group", "NODES", "only these nodes, or a group of several: 0:3,8 (hyperx; repeatable)", true};
const Flag kVectors{"--vectors", "core|node",
                    "who has a vector (hyperx): every core, the default, or every node one, in pieces"};
const Flag kRoot{"--root", "X,Y|RANK|any", "the root; default: the first rank; any: the fastest of those tried"};
const Flag kOneRoot{"--root", "X,Y|RANK", "the root; default: the first rank"};
const Flag kCollective{"--collective", "NAME", "reduce, broadcast, ..."};
const Flag kCount{"--count", "N", "elements of the vector"};
const Flag kBytes{"--bytes", "SIZE", "size of the vector instead of --count, e.g. '1 KiB'"};
const Flag kType{"--type", "f32|f16|i32", "element type; default: f32"};
const Flag kOp{"--op", "sum|max|min|prod", "operator; default: sum"};
const Flag kAlgorithm{"--algorithm", "NAME", "the algorithm; default: the best one"};
const Flag kSet{"--set", "KEY=VALUE", "a parameter of the algorithm (repeatable)", true};
const Flag kChunks{"--chunks", "N", "pieces of the vector (cluster), as --set chunks=N"};
const Flag kOrder{"--order", "fifo|scf", "which waiting chunk a dimension sends first (cluster)"};
const Flag kAccounting{"--accounting", "paper|astra",
                       "how time is counted (cluster): Themis' paper, or as ASTRA-sim 1.0"};
const Flag kJitter{"--jitter", "PART",
                   "messages arrive up to this part of their sending time later, by chance (cluster)"};
const Flag kSlow{
    "--slow", "RANK=FACTOR",
    "an NPU that needs so many times as long to send (cluster), a core with so slow a memory (hyperx; repeatable)",
    true};
const Flag kSlowLink{"--slow-link", "A-B=FACTOR",
                     "a link between two NPUs that is so many times slower (cluster; repeatable)", true};
const Flag kMissingLink{"--missing-link", "A-B", "a link between two NPUs that is not there (cluster; repeatable)",
                        true};
const Flag kLate{"--late", "RANK=TIME", "a core that begins so much later (hyperx; repeatable)", true};
const Flag kReserve{"--reserve-colors", "N", "colors to leave for your own program"};
const Flag kEngine{"--engine", "auto|cycle|stream", "the simulator; default: auto"};
const Flag kCalls{"--calls", "N", "calls, back to back; default: 1"};
const Flag kSchedule{"--schedule", "FILE|-", "this schedule instead of an algorithm's"};
const Flag kCsl{"--csl", "DIR", "the program in this folder instead of an algorithm's; --set gives its parameters"};
const Flag kCheckedCsl{"--csl", "DIR", "the program in this folder instead of a schedule"};
const Flag kMsccl{"--msccl", "FILE|-", "the MSCCL XML in this file instead of a schedule; it needs no machine"};
const Flag kRegisters{"--registers", "FILE|-",
                      "the registers of switches in this JSON file instead of a schedule (hyperx)"};
const Flag kProgramSet{"--set", "KEY=VALUE", "a parameter of that program (repeatable)", true};
const Flag kTarget{"--target", "NAME", "what to write: csl (wafer), msccl (cluster), registers (hyperx), schedule"};
const Flag kOut{"--out", "DIR", "the folder for the files"};
const Flag kOffset{"--offset", "X,Y", "place the collective there on the fabric"};
const Flag kCheck{"--check", "FILE", "only say whether this machine file is valid"};
const Flag kTemplate{"--template", "FAMILY",
                     "print a complete, commented file of this family: mesh, torus, hyperx, cluster"};
const Flag kAdditions{"--additions", "RANK,ELEMENT", "show the order of additions of one element of a rank's result"};
const Flag kSeed{"--seed", "N", "seed of data and fingerprints; default: 1"};

const Flag kFigureMachine{"--machine", "NAME|FILE.toml", "the mesh; default: wse2"};

// sweep takes lists and ranges where the others take one value.
const Flag kGrids{"--grid", "SHAPES",
                  "columns and rows: 16x1,64x1, or a range 4x4:512x512:x2 (a side with equal ends stays)"};
const Flag kPes{"--pes", "RANGE", "PEs in a row instead of --grid: 16,64, or 4:512:x2, or 8:64:+8"};
const Flag kNodeCounts{"--nodes", "RANGE", "nodes, as even as possible (hyperx): 1,4,16, or 16:16384:x4"};
const Flag kShapes{"--shape", "SHAPES", "nodes in each dimension instead of --nodes (hyperx): 4x4,8x2"};
const Flag kSetRange{"--set", "KEY=VALUE", "a parameter of the algorithm (repeatable); on a hyperx a range: trees=1:3",
                     true};
const Flag kCounts{"--count", "RANGE", "elements of the vector: 1,256, or 1:4096:x2, or 100:500:+100"};
const Flag kSizes{"--bytes", "SIZES", "sizes of the vector instead of --count: 100MB,1GB, or 100MB:1GB:+100MB"};
const Flag kChunkCounts{"--chunks", "RANGE", "pieces of the vector (cluster): 64, or 4:512:x2"};
const Flag kAlgorithms{"--algorithm", "NAME,...", "the algorithms; default: all that support a size"};
const Flag kClusters{"--machine", "NAME|FILE.toml,...", "the clusters, or hyperx machines"};
const Flag kWorkload{"--workload", "NAME|FILE,...",
                     "the workloads: names, FILE.toml, or layer tables of ASTRA-sim 1.0"};
const Flag kCluster{"--machine", "NAME|FILE.toml", "the cluster"};
const Flag kJob{"--job", "COLLECTIVE,SIZE[,at=TIME][,algorithm=NAME][,chunks=N]",
                "a collective of all NPUs, from a time on (repeatable)", true};
const Flag kPieces{"--chunks", "N", "pieces of every communication; default: 64"};
const Flag kFaster{"--faster", "FACTOR", "NPUs that compute so many times as fast as the workload says; default: 1"};
const Flag kBatch{"--batch", "N,...", "samples per NPU or node, where the workload says for how many its times are"};
const Flag kCsv{"--csv", "FILE|-", "write the table as CSV there; - is standard output"};

const Flag kTrace{"--trace", "FILE",
                  "write what PEs, cores and links, or dimensions, did when, for Perfetto or chrome://tracing"};
const Flag kSvg{
    "--svg", "FILE",
    "draw the messages of a row or a column with their colors and times, or dimensions, links and memories over time"};
const Flag kBars{"--svg", "FILE", "draw what the time is spent on, as bars"};
const Flag kFigure{"--figure", "N,...", "only these figures of the paper; default: all that can be drawn"};

const Switch kSimulate{"--simulate", "simulate too, up to plan's budget"};
const Switch kQuick{"--quick", "predict only, in milliseconds: nothing is proven or simulated"};
const Switch kVerbose{"--verbose", "list every algorithm that was skipped, with the reason"};
const Switch kSensitivity{"--sensitivity", "vary each timing parameter of the machine and show how the ranking moves"};
const Switch kAdvise{"--advise", "how the bandwidth of this cluster is spread over its dimensions, and would best be"};
const Switch kArrival{"--arrival-order", "NPUs send what arrived first instead of the enforced order (cluster)"};
const Switch kForce{"--force", "write over files that muster did not make"};
const Switch kJson{"--json", "answer in JSON"};
const Switch kQuiet{"--quiet", "no progress, no remarks"};

/// The flags that say which collective on which machine, and then `more`.
std::vector<Flag> question(std::vector<Flag> more) {
  std::vector<Flag> flags{kMachine,    kParam, kGrid,  kNodes, kShape, kGroup, kVectors,
                          kCollective, kRoot,  kCount, kBytes, kType,  kOp};
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

}  // namespace

std::string first_example() { return "--machine wse2 --grid 512x1 --collective reduce --count 256"; }

namespace {

/// About one collective on one machine.
std::vector<Subcommand> of_one_collective() {
  const std::string reduce = first_example();
  return {
      {"machines",
       "list machines, show one, check a machine file, or print a template of one",
       "muster machines wse2",
       {"NAME", "show this machine: every value with its source", 1},
       {kParam, kCheck, kTemplate, kWorkload, kSeed},
       {kAdvise, kJson, kQuiet}},
      {"algorithms",
       "list algorithms with their sources and parameters",
       "muster algorithms --collective reduce",
       {},
       {kMachine, kCollective, kSeed},
       {kJson, kQuiet}},
      {"plan",
       "rank every algorithm for a collective: bounds, proof, simulation",
       "muster plan " + reduce,
       {},
       question({kChunks, kOrder, kAccounting, kReserve, kSeed}),
       {kQuick, kVerbose, kSensitivity, kJson, kQuiet}},
      {"explain",
       "why a plan takes its time: critical path, busiest port and link, next best plan",
       "muster explain " + reduce,
       {},
       question({kAlgorithm, kSet, kChunks, kOrder, kAccounting, kReserve, kSeed}),
       {kJson, kQuiet}},
      {"verify",
       "prove a schedule right, or show where it is wrong; or check a program",
       "muster verify --machine wse2 --grid 8x1 chain.json\n"
       "  muster verify --machine wse2 --csl out/chain\n"
       "  muster verify --msccl out/ring/algorithm.xml\n"
       "  muster verify --machine piuma --registers out/sum/registers.json",
       {"FILE|-", "the schedule's text form", 1},
       {kMachine, kParam, kGrid, kNodes, kShape, kCheckedCsl, kProgramSet, kMsccl, kRegisters, kAdditions, kSeed},
       {kJson, kQuiet}},
      {"simulate",
       "run an algorithm, a schedule or a program in the simulator",
       "muster simulate " + reduce + " --algorithm two-phase --set group=16",
       {},
       question({kAlgorithm, kSet, kChunks, kOrder, kAccounting, kJitter, kSlow, kSlowLink, kMissingLink, kLate,
                 kSchedule, kCsl, kRegisters, kEngine, kCalls, kTrace, kSvg, kReserve, kSeed}),
       {kArrival, kSensitivity, kJson, kQuiet}},
      {"emit",
       "write the program for the machine, or the schedule",
       "muster emit " + reduce + " --algorithm chain --target csl --out out/chain",
       {},
       question({kAlgorithm, kSet, kChunks, kOrder, kSchedule, kTarget, kOut, kOffset, kReserve, kSeed}),
       {kForce, kJson, kQuiet}},
  };
}

/// About many at once.
std::vector<Subcommand> of_many() {
  return {
      {"sweep",
       "times of the algorithms over many sizes, as a table, CSV or JSON",
       "muster sweep --machine wse2 --collective reduce --pes 4:512:x2 --count 1:4096:x2 --csv times.csv\n"
       "  muster sweep --machine wse2 --collective reduce --grid 16x1,64x1 --count 64 --algorithm chain,tree "
       "--simulate\n"
       "  muster sweep --machine themis-2d-sw-sw --collective allreduce --bytes 100MB:1GB:+100MB --chunks 16,64 "
       "--simulate\n"
       "  muster sweep --machine piuma --nodes 1,4,16 --collective allreduce --bytes 8B:1MB:x10\n\n"
       "Ranges:\n"
       "  FIRST:LAST:xFACTOR, FIRST:LAST:+STEP or FIRST:LAST, up to LAST; lists may hold values and ranges: "
       "1,3,8:64:x2",
       {},
       {kMachine,     kParam,   kGrids,      kPes,     kNodeCounts, kShapes, kGroup,      kVectors,
        kCollective,  kOneRoot, kCounts,     kSizes,   kType,       kOp,     kAlgorithms, kSetRange,
        kChunkCounts, kOrder,   kAccounting, kReserve, kCsv,        kSeed},
       {kSimulate, kJson, kQuiet}},
      {"jobs",
       "several collectives that share the dimensions of a cluster",
       "muster jobs --machine themis-2d-sw-sw --job allreduce,100MB --job all-to-all,4MiB,at=50us",
       {},
       {kCluster, kParam, kJob, kOrder, kSeed},
       {kJson, kQuiet}},
      {"train",
       "one training iteration on a cluster under every scheduler, or on a hyperx, and what it waits for",
       "muster train --machine themis-3d-sw-sw-sw-homo --workload resnet-152",
       {},
       {kClusters, kParam, kWorkload, kPieces, kFaster, kBatch, kNodes, kShape, kVectors, kCsv, kBars, kSeed},
       {kJson, kQuiet}},
      {"figures",
       "draw the papers' figures as SVG, with the CSV behind each",
       "muster figures --figure 8 --out figures\n"
       "  muster figures themis --figure 10,11 --out figures",
       {"PAPER", "wafer (the default), themis or piuma", 1},
       {kFigureMachine, kParam, kFigure, kOut, kSeed},
       {kForce, kJson, kQuiet}},
      {"reproduce",
       "check the papers' figures: expected, measured, verdict",
       "muster reproduce wafer",
       {"NAME", "only these papers, claims, or FILE.toml of your own", 1000},
       {kSeed},
       {kJson, kQuiet}},
  };
}

}  // namespace

std::vector<Subcommand> subcommands() {
  std::vector<Subcommand> all = of_one_collective();
  for (Subcommand& one : of_many()) all.push_back(std::move(one));
  return all;
}

}  // namespace muster
