// run.py and build.sh of a program of several lanes: what the user runs, with vectors in plain files.
#include "backend/wafer/csl/lanes.h"
#include "backend/wafer/csl/text.h"
#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr std::string_view kHost = R"(#!/usr/bin/env cs_python
<<header>>#
# run.py: loads vectors from files, runs all repetitions, and writes the newest vector to a file. A file holds f32 numbers,
# little-endian, row by row of PEs, the column of each PE together: <<height>> x <<width>> x <<cells>> numbers.

import argparse
import json

import numpy as np

from cerebras.sdk.runtime.sdkruntimepybind import SdkRuntime, MemcpyDataType, MemcpyOrder

WIDTH, HEIGHT = <<width>>, <<height>>
CELLS, MARGIN = <<cells>>, <<margin>>  # of a column; zeros at either end
<<models>>
parser = argparse.ArgumentParser()
parser.add_argument("--name", default="out", help="the folder that cslc wrote")
parser.add_argument("--cmaddr", help="IP:port of the system; without it, the simulator")
parser.add_argument("--now", help="u(n): a file; without it, random numbers")
parser.add_argument("--before", help="u(n-1): a file; without it, zeros")
<<model_argument>>parser.add_argument("--result", default="result.bin", help="where the newest vector goes")
parser.add_argument("--check", action="store_true", help="compute the same here, and compare")
args = parser.parse_args()

with open(f"{args.name}/out.json", encoding="utf-8") as file:
    params = json.load(file)["params"]
steps = int(params.get("steps", <<steps>>))
offset_x, offset_y = int(params["offset_x"]), int(params["offset_y"])
settings = {
    "streaming": False,
    "order": MemcpyOrder.ROW_MAJOR,
    "data_type": MemcpyDataType.MEMCPY_32BIT,
    "nonblock": False,
}


def load(path, otherwise):
    if path is None:
        return otherwise
    values = np.fromfile(path, dtype="<f4")
    if values.size != HEIGHT * WIDTH * CELLS:
        raise SystemExit(f"{path}: {values.size} numbers, not {HEIGHT} x {WIDTH} x {CELLS}")
    return values.reshape(HEIGHT, WIDTH, CELLS)


def with_margin(values):
    return np.pad(values, ((0, 0), (0, 0), (MARGIN, MARGIN))).astype(np.float32)


<<expected>>shape = (HEIGHT, WIDTH, CELLS)
random = np.random.default_rng(1)
now = with_margin(load(args.now, random.standard_normal(shape).astype(np.float32)))
before = with_margin(load(args.before, np.zeros(shape, np.float32)))
<<load_model>>
runner = SdkRuntime(args.name, cmaddr=args.cmaddr)
arrays = {name: runner.get_id(name) for name in (<<names>>)}
runner.load()
runner.run()


def copy_in(name, values):
    runner.memcpy_h2d(arrays[name], values.ravel(), offset_x, offset_y, WIDTH, HEIGHT, values.shape[2], **settings)


# The arrays are exchanged from step to step, so that the last one leaves its result in `output`.
copy_in("input" if steps % 2 == 1 else "output", now)
copy_in("output" if steps % 2 == 1 else "input", before)
<<copy_model>>runner.launch("run", nonblock=False)
words = np.zeros(HEIGHT * WIDTH * (CELLS + 2 * MARGIN), np.float32)
runner.memcpy_d2h(words, arrays["output"], offset_x, offset_y, WIDTH, HEIGHT, CELLS + 2 * MARGIN, **settings)
runner.stop()

result = words.reshape(HEIGHT, WIDTH, -1)[:, :, MARGIN:MARGIN + CELLS]
result.astype("<f4").tofile(args.result)
print(f"wrote {args.result}: {HEIGHT} x {WIDTH} x {CELLS} numbers after {steps} steps")
if args.check:
    wanted = expected(now.astype(np.float64), before.astype(np.float64))[:, :, MARGIN:MARGIN + CELLS]
    error = np.abs(result - wanted).max() / max(np.abs(wanted).max(), 1e-30)
    print(f"{'ok' if error < 1e-4 else 'not ok'}: the largest difference is {error:.3g} of the largest number")
    raise SystemExit(0 if error < 1e-4 else 1)
)";

constexpr std::string_view kBuild = R"sh(#!/usr/bin/env bash
<<header>>#
# build.sh: compiles and runs. Arguments go to run.py (--now, --before and --result for files; --cmaddr IP:PORT for a real system).
#   STEPS                repetitions
#   OFFSET_X, OFFSET_Y   position of the grid in the rectangle
#   FABRIC_OFFSETS       position of the rectangle on the wafer; the host library needs at least 4,1
#   FABRIC_DIMS          the fabric; by default as small as the simulator allows, <<fabric>> for the whole wafer
set -euo pipefail
cd "$(dirname "$0")"

steps="${STEPS:-<<steps>>}"
offset_x="${OFFSET_X:-<<offset_x>>}"
offset_y="${OFFSET_Y:-<<offset_y>>}"
dims="${FABRIC_DIMS:-$((offset_x + <<width>> + 7)),$((offset_y + <<height>> + 2))}"
<<steps_check>>
for tool in cslc cs_python; do
  command -v "$tool" >/dev/null || { echo "build.sh: $tool not found; put the vendor's SDK on PATH" >&2; exit 1; }
done
cslc --arch=<<arch>> layout.csl --fabric-dims="$dims" --fabric-offsets="${FABRIC_OFFSETS:-4,1}" \
  --params=steps:"$steps",offset_x:"$offset_x",offset_y:"$offset_y" \
  -o out --memcpy --channels 1
cs_python run.py --name out "$@"
)sh";

/// Only programs that exchange may run another number of steps.
constexpr std::string_view kOneStep = R"sh(
if [ "$steps" != 1 ]; then
  echo "build.sh: STEPS is $steps, but this program was emitted for one step" >&2
  exit 1
fi
)sh";

constexpr std::string_view kExpected =
    R"(# The terms of a step: buffer (u(n): 0, u(n-1): 1), offsets along x, y and z, factor.
TERMS = [
<<terms>>]


def expected(now, before):
    for _ in range(steps):
        sums = np.zeros_like(now)
        for buffer, dx, dy, dz, factor in TERMS:
            values = np.pad((now, before)[buffer], ((abs(dy),) * 2, (abs(dx),) * 2, (abs(dz),) * 2))
            y, x, z = abs(dy) + dy, abs(dx) + dx, abs(dz) + dz
            sums += factor * values[y:y + HEIGHT, x:x + WIDTH, z:z + now.shape[2]]
        sums[:, :, :MARGIN] = 0
        sums[:, :, sums.shape[2] - MARGIN:] = 0
        now, before = sums, now
    return now


)";

constexpr std::string_view kNothingExpected = R"(def expected(now, before):
    raise SystemExit("--check: this program states no terms; leave it out")


)";

std::string factor_of(const CslProgram& csl, const StencilTerm& term) {
  for (const Coefficient& c : csl.wafer->coefficients) {
    if (c.name != term.coefficient) continue;
    return c.is_array() ? "model" : fmt::format("{:.9g}", c.value);
  }
  return "1";
}

std::string expected(const CslProgram& csl) {
  const Contract& contract = csl.wafer->contracts.front();
  if (contract.collective != Collective::stencil) return std::string(kNothingExpected);
  std::string terms;
  for (const StencilTerm& term : contract.terms) {
    terms += fmt::format("    ({}, {}, {}, {}, {}),\n", term.buffer == Buffer::input ? 0 : 1, term.dx, term.dy, term.dz,
                         factor_of(csl, term));
  }
  return fill(kExpected, {{"terms", terms}});
}

bool has_model(const CslProgram& csl) {
  return std::any_of(csl.buffers.begin(), csl.buffers.end(),
                     [](const CslBuffer& b) { return b.buffer == Buffer::model; });
}

}  // namespace

std::string lanes_host(const CslProgram& csl, const EmitOptions& options) {
  const Mesh& mesh = csl.wafer->mesh();
  const Contract& contract = csl.wafer->contracts.front();
  const bool model = has_model(csl);
  const std::int64_t words = csl.wafer->extent[at(static_cast<int>(Buffer::output)) - 1];
  const std::int64_t margin = contract.collective == Collective::stencil ? contract.margin : 0;
  std::string names;
  for (const CslBuffer& b : csl.buffers) {
    if (b.buffer != Buffer::scratch) names += fmt::format("\"{}\", ", buffer_name(b.buffer));
  }
  const std::int64_t model_words = csl.wafer->extent[at(static_cast<int>(Buffer::model)) - 1];
  return fill(
      kHost,
      {{"header", csl_header(csl, options, "#")},
       {"width", std::to_string(mesh.width)},
       {"height", std::to_string(mesh.height)},
       {"cells", std::to_string(words - 2 * margin)},
       {"margin", std::to_string(margin)},
       {"models", model ? fmt::format("MODEL = {}  # numbers of the model on each PE\n", model_words) : ""},
       {"model_argument",
        model ? "parser.add_argument(\"--model\", required=True, help=\"the arrays of coefficients: a file\")\n" : ""},
       {"steps", std::to_string(csl.wafer->steps)},
       {"expected", model ? std::string(kNothingExpected) : expected(csl)},
       {"load_model", model ? "model = np.fromfile(args.model, dtype=\"<f4\").reshape(HEIGHT, WIDTH, MODEL)\n" : ""},
       {"names", names},
       {"copy_model", model ? "copy_in(\"model\", model)\n" : ""}});
}

std::string lanes_build(const CslProgram& csl, const EmitOptions& options) {
  const Mesh& mesh = csl.wafer->mesh();
  return fill(kBuild, {{"header", csl_header(csl, options, "#")},
                       {"steps", std::to_string(csl.wafer->steps)},
                       {"steps_check", csl.lanes->repeats ? "" : std::string(kOneStep)},
                       {"offset_x", std::to_string(options.options.of<MeshOptions>().offset_x)},
                       {"offset_y", std::to_string(options.options.of<MeshOptions>().offset_y)},
                       {"width", std::to_string(mesh.width)},
                       {"height", std::to_string(mesh.height)},
                       {"fabric", fmt::format("{},{}", mesh.fabric_width, mesh.fabric_height)},
                       {"arch", mesh.architecture}});
}

}  // namespace muster::wafer
