#!/usr/bin/env python3
"""muster seismic run --target mpi as a user starts it: the files of several processes are those of one, runs go on from checkpoints, and a
process that fails ends all of them.

Usage: seismic_mpi_test.py MPIEXEC MUSTER SHOT
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MPIEXEC, MUSTER, SHOT = sys.argv[1:4]
SECONDS = 120  # a run that hangs fails
OF_ALL = ["seismic", "run", "shot.toml", "--json"]
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_plm_rsh_agent": "",
    "OMPI_MCA_btl": "self,vader",  # messages stay on this machine
    "OMPI_MCA_mpi_yield_when_idle": "1", "ASAN_OPTIONS": "detect_leaks=0"}


def run(command, folder):
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, timeout=SECONDS, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)


def together(folder, *processes):
    """One list of further arguments per process."""
    command = [MPIEXEC, "--oversubscribe"]
    for arguments in processes:
        command += [":", "-n", "1", MUSTER, *OF_ALL, "--target", "mpi", *arguments]
    command.remove(":")
    return run(command, folder)


def complaints(done):
    return [line for line in done.stderr.splitlines() if line.startswith("muster: ")]


class SeismicMpi(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)
        (self.folder / "shot.toml").write_text(Path(SHOT).read_text())

    def tearDown(self):
        self.scratch.cleanup()

    def test_files_are_those_of_one_process(self):
        one = run([MUSTER, *OF_ALL, "--out", "one"], self.folder)
        self.assertEqual(one.returncode, 0, one.stderr)
        three = together(self.folder, *[["--out", "three"]] * 3)
        self.assertEqual(three.returncode, 0, three.stderr)
        self.assertEqual(json.loads(one.stdout)["checksum"], json.loads(three.stdout)["checksum"])
        names = sorted(path.name for path in (self.folder / "one").iterdir())
        self.assertEqual(len(names), 5, names)  # of p and vz at the receivers, of two snapshots, and a checkpoint
        for name in names:
            if "checkpoint" in name:
                continue
            same = (self.folder / "one" / name).read_bytes() == (self.folder / "three" / name).read_bytes()
            self.assertTrue(same, name)

        files = [f"shot.checkpoint.{i}of3" for i in (1, 2, 3)]
        for name in files:
            self.assertTrue((self.folder / "three" / name).is_file(), name)
        resume = ["--out", "three", "--resume", "three/shot.checkpoint"]
        again = together(self.folder, *[resume] * 3)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(json.loads(one.stdout)["checksum"], json.loads(again.stdout)["checksum"])

        fewer = together(self.folder, *[resume] * 2)
        self.assertEqual(fewer.returncode, 2)
        self.assertEqual(len(complaints(fewer)), 1, fewer.stderr)

    def test_what_is_wrong_for_all_is_told_once(self):
        done = together(self.folder, *[["--set", "cfl=7"]] * 3)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(complaints(done)), 1, done.stderr)

    def test_what_is_wrong_for_one_ends_all(self):
        (self.folder / "file").write_text("not a folder")
        done = together(self.folder, ["--out", "good"], ["--out", "file"])
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(complaints(done)), 1, done.stderr)
        self.assertIn("file: is not a folder", done.stderr)


unittest.main(argv=sys.argv[:1])
