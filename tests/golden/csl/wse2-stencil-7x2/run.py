#!/usr/bin/env cs_python
# Muster: stencil (sum) of 6 f32 on 7 x 2 PEs, for wse2.
# Made by: muster emit --target csl
# The vendor's compiler was not run on this program; it follows the vendor's documentation.
#
# run.py: loads vectors from files, runs all repetitions, and writes the newest vector to a file. A file holds f32 numbers,
# little-endian, row by row of PEs, the column of each PE together: 2 x 7 x 6 numbers.

import argparse
import json

import numpy as np

from cerebras.sdk.runtime.sdkruntimepybind import SdkRuntime, MemcpyDataType, MemcpyOrder

WIDTH, HEIGHT = 7, 2
CELLS, MARGIN = 6, 2  # of a column; zeros at either end

parser = argparse.ArgumentParser()
parser.add_argument("--name", default="out", help="the folder that cslc wrote")
parser.add_argument("--cmaddr", help="IP:port of the system; without it, the simulator")
parser.add_argument("--now", help="u(n): a file; without it, random numbers")
parser.add_argument("--before", help="u(n-1): a file; without it, zeros")
parser.add_argument("--result", default="result.bin", help="where the newest vector goes")
parser.add_argument("--check", action="store_true", help="compute the same here, and compare")
args = parser.parse_args()

with open(f"{args.name}/out.json", encoding="utf-8") as file:
    params = json.load(file)["params"]
steps = int(params.get("steps", 3))
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


# The terms of a step: buffer (u(n): 0, u(n-1): 1), offsets along x, y and z, factor.
TERMS = [
    (0, 0, 0, 0, -1.75),
    (0, -1, 0, 0, 0.400000006),
    (0, 1, 0, 0, 0.400000006),
    (0, -2, 0, 0, 0.13333334),
    (0, 2, 0, 0, 0.13333334),
    (0, 0, -1, 0, 0.349999994),
    (0, 0, 1, 0, 0.349999994),
    (0, 0, -2, 0, 0.116666667),
    (0, 0, 2, 0, 0.116666667),
    (0, 0, 0, -1, -0.150000006),
    (0, 0, 0, 1, -0.150000006),
    (0, 0, 0, -2, -0.0500000007),
    (0, 0, 0, 2, -0.0500000007),
    (1, 0, 0, 0, -1),
]


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


shape = (HEIGHT, WIDTH, CELLS)
random = np.random.default_rng(1)
now = with_margin(load(args.now, random.standard_normal(shape).astype(np.float32)))
before = with_margin(load(args.before, np.zeros(shape, np.float32)))

runner = SdkRuntime(args.name, cmaddr=args.cmaddr)
arrays = {name: runner.get_id(name) for name in ("input", "output", )}
runner.load()
runner.run()


def copy_in(name, values):
    runner.memcpy_h2d(arrays[name], values.ravel(), offset_x, offset_y, WIDTH, HEIGHT, values.shape[2], **settings)


# The arrays are exchanged from step to step, so that the last one leaves its result in `output`.
copy_in("input" if steps % 2 == 1 else "output", now)
copy_in("output" if steps % 2 == 1 else "input", before)
runner.launch("run", nonblock=False)
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
