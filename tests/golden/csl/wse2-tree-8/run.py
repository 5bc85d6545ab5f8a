#!/usr/bin/env cs_python
# Muster: reduce (sum) of 16 f32 on 8 x 1 PEs, for wse2.
# Made by: muster emit --target csl
# The vendor's compiler was not run on this program; it follows the vendor's documentation.
#
# run.py: copies inputs to the PEs, calls the collective several times, and checks every result.

import argparse
import json
import sys

import numpy as np

from cerebras.sdk.runtime.sdkruntimepybind import SdkRuntime, MemcpyDataType, MemcpyOrder

WIDTH, HEIGHT = 8, 1
ROOT_X, ROOT_Y = 0, 0

parser = argparse.ArgumentParser()
parser.add_argument("--name", default="out", help="the folder that cslc wrote")
parser.add_argument("--cmaddr", help="IP:port of the system; without it, the simulator")
parser.add_argument("--launches", type=int, default=2, help="how often the collective is called")
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()

with open(f"{args.name}/out.json", encoding="utf-8") as file:
    params = json.load(file)["params"]
count = int(params.get("count", 16))  # elements of the vector on each PE
offset_x, offset_y = int(params["offset_x"]), int(params["offset_y"])
settings = {
    "streaming": False,
    "order": MemcpyOrder.ROW_MAJOR,
    "data_type": MemcpyDataType.MEMCPY_32BIT,
    "nonblock": False,
}


def to_device(values):
    return values.ravel()


def from_device(words):
    return words


def expected_result(vectors):
    return vectors.sum(axis=(0, 1))


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
source, target = runner.get_id("input"), runner.get_id("output")
runner.load()
runner.run()

good = True
for launch in range(1, args.launches + 1):
    vectors = random.integers(-8, 9, (HEIGHT, WIDTH, count)).astype(np.float32)
    runner.memcpy_h2d(source, to_device(vectors), offset_x, offset_y, WIDTH, HEIGHT, count, **settings)
    runner.launch("collective", nonblock=False)
    words = np.zeros(1 * 1 * count, dtype=np.float32)
    runner.memcpy_d2h(words, target, offset_x + ROOT_X, offset_y + ROOT_Y, 1, 1, count,
                      **settings)
    values = from_device(words)
    result = values.reshape(1, 1, count)
    magnitude = np.abs(vectors.astype(np.float64)).sum(axis=(0, 1))
    good = check(launch, result, expected_result(vectors.astype(np.float64)), magnitude * np.finfo(np.float32).eps) and good

runner.stop()
sys.exit(0 if good else 1)
