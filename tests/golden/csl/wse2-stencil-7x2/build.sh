#!/usr/bin/env bash
# Muster: stencil (sum) of 6 f32 on 7 x 2 PEs, for wse2.
# Made by: muster emit --target csl
# The vendor's compiler was not run on this program; it follows the vendor's documentation.
#
# build.sh: compiles and runs. Arguments go to run.py (--now, --before and --result for files; --cmaddr IP:PORT for a real system).
#   STEPS                repetitions
#   OFFSET_X, OFFSET_Y   position of the grid in the rectangle
#   FABRIC_OFFSETS       position of the rectangle on the wafer; the host library needs at least 4,1
#   FABRIC_DIMS          the fabric; by default as small as the simulator allows, 757,996 for the whole wafer
set -euo pipefail
cd "$(dirname "$0")"

steps="${STEPS:-3}"
offset_x="${OFFSET_X:-0}"
offset_y="${OFFSET_Y:-0}"
dims="${FABRIC_DIMS:-$((offset_x + 7 + 7)),$((offset_y + 2 + 2))}"

for tool in cslc cs_python; do
  command -v "$tool" >/dev/null || { echo "build.sh: $tool not found; put the vendor's SDK on PATH" >&2; exit 1; }
done
cslc --arch=wse2 layout.csl --fabric-dims="$dims" --fabric-offsets="${FABRIC_OFFSETS:-4,1}" \
  --params=steps:"$steps",offset_x:"$offset_x",offset_y:"$offset_y" \
  -o out --memcpy --channels 1
cs_python run.py --name out "$@"
