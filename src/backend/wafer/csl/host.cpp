// run.py and build.sh: what the user runs. Inputs are small whole numbers, so that every order of combination gives the
// same result and a missing or doubled contribution is larger than the tolerance.
#include <string>

#include "backend/wafer/csl/text.h"
#include "machine/mesh.h"

namespace muster::wafer {

namespace {

constexpr std::string_view kHost = R"(#!/usr/bin/env cs_python
<<header>>#
# run.py: copies inputs to the PEs, calls the <<called>> several times, and checks every result.

import argparse
import json
import sys

import numpy as np

from cerebras.sdk.runtime.sdkruntimepybind import SdkRuntime, MemcpyDataType, MemcpyOrder

WIDTH, HEIGHT = <<width>>, <<height>>
ROOT_X, ROOT_Y = <<root_x>>, <<root_y>>

parser = argparse.ArgumentParser()
parser.add_argument("--name", default="out", help="the folder that cslc wrote")
parser.add_argument("--cmaddr", help="IP:port of the system; without it, the simulator")
parser.add_argument("--launches", type=int, default=2, help="how often the collective is called")
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()

with open(f"{args.name}/out.json", encoding="utf-8") as file:
    params = json.load(file)["params"]
<<count_note>>count = int(params.get("count", <<count>>))  # elements of the vector on each PE
offset_x, offset_y = int(params["offset_x"]), int(params["offset_y"])
settings = {
    "streaming": False,
    "order": MemcpyOrder.ROW_MAJOR,
    "data_type": MemcpyDataType.<<data_type>>,
    "nonblock": False,
}


def to_device(values):
    return <<to_device>>


def from_device(words):
    return <<from_device>>


<<blocks>>def expected_result(vectors):
    <<expected>>


def check(launch, result, expected, tolerance):
    wrong = np.argwhere(~(np.abs(result.astype(np.float64) - expected) <= tolerance))
    if wrong.size == 0:
        print(f"ok: launch {launch}: {result.size} elements agree")
        return True
    first = tuple(wrong[0])
    print(f"not ok: launch {launch}: {len(wrong)} elements differ; PE and element {first}: "
          f"{result[first]}, expected {np.broadcast_to(expected, result.shape)[first]}")
    return False


random = np.random.default_rng(args.seed)
runner = SdkRuntime(args.name, cmaddr=args.cmaddr)
source, target = runner.get_id("<<from>>"), runner.get_id("<<to>>")
runner.load()
runner.run()

good = True
for launch in range(1, args.launches + 1):
    vectors = <<inputs>>.astype(np.<<numpy_type>>)
    runner.memcpy_h2d(source, to_device(vectors), offset_x, offset_y, WIDTH, HEIGHT, count, **settings)
    runner.launch("<<entry>>", nonblock=False)
    words = np.zeros(<<result_width>> * <<result_height>> * count, dtype=np.<<word_type>>)
    runner.memcpy_d2h(words, target, offset_x + <<result_x>>, offset_y + <<result_y>>, <<result_width>>, <<result_height>>, count,
                      **settings)
    values = from_device(words)<<undone>>
    result = <<owed>>
    magnitude = np.abs(vectors.astype(np.float64)).sum(axis=(0, 1))
    good = check(launch, result, expected_result(<<sign>>vectors.astype(np.float64)), <<tolerance>>) and good

runner.stop()
sys.exit(0 if good else 1)
)";

constexpr std::string_view kBuild = R"sh(#!/usr/bin/env bash
<<header>>#
# build.sh: compiles and runs. Arguments go to run.py (--cmaddr IP:PORT for a real system).
#   <<count_help>>OFFSET_X, OFFSET_Y   position of the collective in the rectangle
#   FABRIC_OFFSETS       position of the rectangle on the wafer; the host library needs at least 4,1
#   FABRIC_DIMS          the fabric; by default as small as the simulator allows, <<fabric>> for the whole wafer
set -euo pipefail
cd "$(dirname "$0")"

<<count_set>>offset_x="${OFFSET_X:-<<offset_x>>}"
offset_y="${OFFSET_Y:-<<offset_y>>}"
dims="${FABRIC_DIMS:-$((offset_x + <<width>> + 7)),$((offset_y + <<height>> + 2))}"

for tool in cslc cs_python; do
  command -v "$tool" >/dev/null || { echo "build.sh: $tool not found; put the vendor's SDK on PATH" >&2; exit 1; }
done
cslc --arch=<<arch>> layout.csl --fabric-dims="$dims" --fabric-offsets="${FABRIC_OFFSETS:-4,1}" \
  --params=<<count_param>>offset_x:"$offset_x",offset_y:"$offset_y" \
  -o out --memcpy --channels 1
cs_python run.py --name out "$@"
)sh";

struct HostNumbers {
  std::string numpy_type;
  std::string word_type;
  std::string data_type;
  std::string to_device;
  std::string from_device;
};

/// The host library moves 16-bit numbers as the low halves of 32-bit words.
HostNumbers host_numbers(ElementType type) {
  if (type == ElementType::f16) {
    return {"float16", "uint32", "MEMCPY_16BIT", "values.ravel().view(np.uint16).astype(np.uint32)",
            "words.astype(np.uint16).view(np.float16)"};
  }
  const std::string name = type == ElementType::f32 ? "float32" : "int32";
  return {name, name, "MEMCPY_32BIT", "values.ravel()", "words"};
}

std::string combination(const CslProgram& csl) {
  switch (csl.wafer->arithmetic.op) {
    case Operator::sum:
      return "vectors.sum(axis=(0, 1))";
    case Operator::max:
      return "vectors.max(axis=(0, 1))";
    case Operator::min:
      return "vectors.min(axis=(0, 1))";
    case Operator::prod:
      return "vectors.prod(axis=(0, 1))";
  }
  return "";
}

/// Collectives whose ranks hold or owe blocks of the vector; what is not owed counts as 0.
bool by_blocks(Collective collective) {
  return !treats_elements_alike(collective) && collective != Collective::barrier;
}

constexpr std::string_view kBlocks = R"(def block(pe):
    """The elements of the PE's block: the vector cut as evenly as possible, larger blocks first."""
    pes, words = WIDTH * HEIGHT, count // <<per_word>>
    first = pe * (words // pes) + min(pe, words % pes)
    size = words // pes + (1 if pe < words % pes else 0)
    return slice(<<per_word>> * first, <<per_word>> * (first + size))


def required(values):
    """The required result: each PE's part of it, 0 elsewhere."""
    flat, result = values.reshape(WIDTH * HEIGHT, -1), np.zeros((WIDTH * HEIGHT, count), dtype=values.dtype)
    for pe in range(WIDTH * HEIGHT):
        <<copy>>
    return result.reshape(HEIGHT, WIDTH, count)


)";

/// The part of a PE's vector that it owes, of what it holds after the call.
std::string owed_part(Collective collective) {
  switch (collective) {
    case Collective::reduce_scatter:
    case Collective::scatter:
      return "result[pe][block(pe)] = flat[pe][block(pe)]";
    case Collective::gather:
      return "result[pe] = flat[pe] if pe == ROOT_Y * WIDTH + ROOT_X else 0";
    default:
      return "result[pe] = flat[pe]";
  }
}

std::string blocks(const CslProgram& csl) {
  const Collective collective = csl.wafer->contracts.front().collective;
  if (!by_blocks(collective)) return "";
  return fill(kBlocks, {{"per_word", csl.packs_two() ? "2" : "1"}, {"copy", owed_part(collective)}});
}

std::string expected(const CslProgram& csl) {
  std::string gathered =
      "flat = vectors.reshape(WIDTH * HEIGHT, count)\n"
      "    whole = np.concatenate([flat[pe][block(pe)] for pe in range(WIDTH * HEIGHT)])\n"
      "    return required(np.broadcast_to(whole, flat.shape))";
  switch (csl.wafer->contracts.front().collective) {
    case Collective::broadcast:
      return "return vectors[ROOT_Y, ROOT_X]";
    case Collective::barrier:
      return "return WIDTH * HEIGHT + 0 * vectors  # every token, at least once";
    case Collective::reduce_scatter:
      return "return required(np.broadcast_to(" + combination(csl) + ", vectors.shape))";
    case Collective::scatter:
      return "return required(np.broadcast_to(vectors[ROOT_Y, ROOT_X], vectors.shape))";
    case Collective::allgather:
    case Collective::gather:
      return gathered;
    case Collective::all_to_all:
      return "pes = WIDTH * HEIGHT\n"
             "    return vectors.reshape(pes, pes, -1).transpose(1, 0, 2).reshape(HEIGHT, WIDTH, count)";
    default:
      return "return " + combination(csl);
  }
}

std::string owed(const CslProgram& csl) {
  const Collective collective = csl.wafer->contracts.front().collective;
  if (by_blocks(collective)) return "required(values)";
  if (collective == Collective::barrier) {
    return "np.minimum(values.reshape(HEIGHT, WIDTH, count), WIDTH * HEIGHT)";
  }
  return collective == Collective::reduce ? "values.reshape(1, 1, count)" : "values.reshape(HEIGHT, WIDTH, count)";
}

std::string inputs(const CslProgram& csl) {
  const Arithmetic& arithmetic = csl.wafer->arithmetic;
  const bool combines = !only_moves(csl.wafer->contracts.front().collective);
  const std::string shape = "(HEIGHT, WIDTH, count)";
  if (csl.wafer->contracts.front().collective == Collective::barrier) return "np.ones(" + shape + ")";
  if (combines && arithmetic.op == Operator::prod) return "random.choice([-1, 1], " + shape + ")";
  const int most = combines && arithmetic.op == Operator::sum ? (arithmetic.type == ElementType::f16 ? 1 : 8) : 1000;
  return fmt::format("random.integers({}, {}, {})", -most, most + 1, shape);
}

/// One rounding at the largest magnitude for sums; everything else is exact.
std::string tolerance(const CslProgram& csl) {
  const bool sums = !only_moves(csl.wafer->contracts.front().collective) && csl.wafer->arithmetic.op == Operator::sum &&
                    csl.wafer->arithmetic.type != ElementType::i32;
  if (!sums) return "0 * magnitude";
  return fmt::format("magnitude * np.finfo(np.{}).eps", host_numbers(csl.wafer->arithmetic.type).numpy_type);
}

}  // namespace

std::string csl_host(const CslProgram& csl, const EmitOptions& options) {
  const Mesh& mesh = csl.wafer->mesh();
  const Contract& contract = csl.wafer->contracts.front();
  const NodeId root = has_root(contract.collective) ? contract.ranks[static_cast<std::size_t>(contract.root)] : 0;
  const bool at_root = contract.collective == Collective::reduce;
  const bool negates = csl.is_module() && contract.collective != Collective::barrier;  // the first step of the example
  const HostNumbers numbers = host_numbers(csl.wafer->arithmetic.type);
  return fill(kHost, {{"header", csl_header(csl, options, "#")},
                      {"width", std::to_string(mesh.width)},
                      {"height", std::to_string(mesh.height)},
                      {"root_x", std::to_string(root % mesh.width)},
                      {"root_y", std::to_string(root / mesh.width)},
                      {"count", std::to_string(csl.elements)},
                      {"count_note", csl.packs_two() ? fmt::format("# {}\n", padding_note(csl)) : ""},
                      {"data_type", numbers.data_type},
                      {"to_device", numbers.to_device},
                      {"from_device", numbers.from_device},
                      {"blocks", blocks(csl)},
                      {"expected", expected(csl)},
                      {"owed", owed(csl)},
                      {"entry", csl.is_module() ? "compute" : "collective"},
                      {"called", csl.is_module() ? "example" : "collective"},
                      {"sign", negates ? "-" : ""},
                      {"undone", csl.is_module() ? " - 1  # what the second step adds" : ""},
                      {"from", std::string(buffer_name(contract.from))},
                      {"to", std::string(buffer_name(contract.to))},
                      {"inputs", inputs(csl)},
                      {"numpy_type", numbers.numpy_type},
                      {"word_type", numbers.word_type},
                      {"result_x", at_root ? "ROOT_X" : "0"},
                      {"result_y", at_root ? "ROOT_Y" : "0"},
                      {"result_width", at_root ? "1" : "WIDTH"},
                      {"result_height", at_root ? "1" : "HEIGHT"},
                      {"tolerance", tolerance(csl)}});
}

std::string csl_build(const CslProgram& csl, const EmitOptions& options) {
  const Mesh& mesh = csl.wafer->mesh();
  const std::string help = fmt::format("COUNT                elements of the vector on each PE{}\n#   ",
                                       csl.packs_two() ? "; an odd number is rounded up" : "");
  const std::string round_up =
      csl.packs_two() ? fmt::format("# {}\ncount=$(((count + 1) / 2 * 2))\n", padding_note(csl)) : "";
  return fill(kBuild,
              {{"header", csl_header(csl, options, "#")},
               {"count_help", csl.whole ? help : ""},
               {"count_set", csl.whole ? fmt::format("count=\"${{COUNT:-{}}}\"\n", csl.elements) + round_up : ""},
               {"count_param", csl.whole ? "count:\"$count\"," : ""},
               {"offset_x", std::to_string(options.options.of<MeshOptions>().offset_x)},
               {"offset_y", std::to_string(options.options.of<MeshOptions>().offset_y)},
               {"width", std::to_string(mesh.width)},
               {"height", std::to_string(mesh.height)},
               {"fabric", fmt::format("{},{}", mesh.fabric_width, mesh.fabric_height)},
               {"arch", mesh.architecture}});
}

}  // namespace muster::wafer
