#!/usr/bin/env python3
"""Runs transcripts: plain-text files of commands and the output that each must give.

    $ muster machines --check wse2.toml
    wse2.toml: valid: a mesh of 750x994

A line `$ COMMAND` is run by the shell, with the muster under test first on the PATH, in an empty folder that the
commands of one file share. The lines below it are its output (standard output and standard error together), compared
exactly; blank lines at the end do not count. A line `...` stands for any number of lines; an indented one, for lines anywhere in its
paragraph, as rows of a table; `[...]` inside a line for any text. In an output with one of them, columns may be wider or narrower than they stand here, since what is left out shares them. `[exit N]` ends the output of a command that
must not exit with 0. Lines that begin with `#` are remarks. The source folder appears as <source>.
Of a page (.md), only what stands in blocks that begin with ```console is a transcript.

    run_transcripts.py --muster build/release/muster --source . tests/cli/*.txt            compare
    run_transcripts.py --muster build/release/muster --source . --update tests/cli/*.txt   write what comes out

--update keeps the outputs that already match, and of the others each `...` whose neighbours still come. With --other PROGRAM, what that
program says differently is left out: so a new transcript that lists algorithms leaves out what one more of them changes
(--other build/release/tests/example/muster).
`run_transcripts.py --self-test` tests the comparison itself.
"""

import argparse
import contextlib
import difflib
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TIME_LIMIT = 300  # seconds for one command
COLUMN_GAP = re.compile(r" {2,}")
RULE = re.compile(r"-{2,}")
GAP = "[...]"
ROW = "   ..."


class Case:
    """One command of a transcript with the lines that stand below it."""

    def __init__(self, command, line):
        self.command = command
        self.line = line
        self.expected = []


def transcript_blocks(path):
    """The first line number and the lines of each transcript in a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix != ".md":
        return [(1, lines)]
    blocks, inside = [], False
    for number, text in enumerate(lines, 1):
        if inside and text == "```":
            inside = False
        elif inside:
            blocks[-1][1].append(text)
        elif text == "```console":
            blocks.append((number + 1, []))
            inside = True
    return blocks


def read_transcript(path, first, lines):
    """The remarks at the top, and the cases."""
    remarks, cases = [], []
    for number, text in enumerate(lines, first):
        if text.startswith("$ "):
            cases.append(Case(text[2:], number))
        elif cases:
            cases[-1].expected.append(text)
        elif text:
            if not text.startswith("#"):
                sys.exit(f"{path}:{number}: '{text}' stands above the first command; begin a remark with #")
            remarks.append(text)
    return remarks, cases


def split_remarks(lines):
    """Output lines and the remarks among them."""
    return [l for l in lines if not l.startswith("#")], [l for l in lines if l.startswith("#")]


def without_sanitizer_notes(lines):
    """A build with sanitizers says that it does not know contexts well; that is not what a command prints."""
    return [line for line in lines if "WARNING: ASan doesn't fully support makecontext/swapcontext" not in line]


def stripped(lines):
    lines = list(lines)
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def is_elision(line):
    """Whether a line stands for any number of lines, there or in the whole paragraph."""
    return line.strip() == "..."


def is_row_elision(line):
    return line == ROW


def paragraphs(lines):
    """The lines in groups: paragraphs, and the blank lines between them."""
    return [list(group) for _, group in itertools.groupby(lines, key=lambda line: not line.strip())]


def with_gaps_between(lines):
    """A paragraph that leaves out rows lets others stand between any two of its lines."""
    spread = []
    for group in paragraphs(lines):
        if any(is_row_elision(line) for line in group):
            spread += [text for line in group if not is_row_elision(line) for text in ("...", line)] + ["..."]
        else:
            spread += group
    return spread


def is_same(expected, actual):
    """Whether a line is as expected, where [...] stands for any text."""
    pieces = expected.split(GAP)
    return re.fullmatch(".*".join(map(re.escape, pieces)), actual) is not None if len(pieces) > 1 else expected == actual


def without_widths(lines):
    """The lines with columns and rules of a table as narrow as can be."""
    return [COLUMN_GAP.sub("  ", RULE.sub("--", line)) for line in lines]


def matches(expected, actual):
    """Whether the lines agree. What an elision leaves out may have made the columns of a table wider."""
    if any(is_elision(line) or GAP in line for line in expected):
        expected, actual = without_widths(with_gaps_between(expected)), without_widths(actual)
    at, line = 0, 0  # the next expected and the next actual line
    elision, end = None, 0  # the last elision, and the first line behind what it stands for
    while line < len(actual):
        if at < len(expected) and is_elision(expected[at]):
            elision, end = at, line
            at += 1
        elif at < len(expected) and is_same(expected[at], actual[line]):
            at += 1
            line += 1
        elif elision is not None:  # the elision takes one line more
            end += 1
            at, line = elision + 1, end
        else:
            return False
    return all(is_elision(line) for line in expected[at:])


def with_elisions(expected, actual):
    """The lines that came, with those elisions of the lines expected whose neighbours came, too."""
    open_groups = [group for group in paragraphs(expected) if any(is_row_elision(line) for line in group)]
    groups = [next((old for old in open_groups if matches(old, new)), new) for new in paragraphs(actual)]
    actual = [line for group in groups for line in group]
    open_lines = [line for line in expected if GAP in line]
    narrow_open = without_widths(open_lines)
    for index, narrow in enumerate(without_widths(actual)):
        fits = [line for line, pattern in zip(open_lines, narrow_open) if is_same(pattern, narrow)]
        actual = actual[:index] + fits[:1] + actual[index + 1 :] if fits else actual
    came_at = {}
    narrow = [without_widths(lines) for lines in (expected, actual)]
    for block in difflib.SequenceMatcher(None, *narrow, autojunk=False).get_matching_blocks():
        came_at.update({block.a + k: block.b + k for k in range(block.size)})
    came_at.update({-1: -1, len(expected): len(actual)})
    lines, done = [], 0
    for index in (i for i, line in enumerate(expected) if is_elision(line)):
        before, after = came_at.get(index - 1), came_at.get(index + 1)
        if before is None or after is None or before + 1 < done:
            continue
        lines += actual[done : before + 1] + [expected[index]]
        done = after
    return lines + actual[done:]


def common_length(a, b):
    """Of the words that two lines begin with."""
    same = len(os.path.commonprefix([a, b]))
    while any(0 < same < len(line) and line[same - 1] != " " and line[same] != " " for line in (a, b)):
        same -= 1
    return same


def open_line(line, other):
    """The line with a gap where the two differ, however wide their columns are."""
    one, two = without_widths([line, other])
    first = common_length(one, two)
    last = common_length(one[first:][::-1], two[first:][::-1])
    head = max(at for at in range(len(line) + 1) if without_widths([line[:at]])[0] == one[:first])
    tail = min(at for at in range(head, len(line) + 1) if without_widths([line[at:]])[0] == one[len(one) - last :])
    return line[:head] + GAP + line[tail:]


def left_open(actual, other):
    """The lines, less what the other program says differently, and each paragraph of such lines open for more of them."""
    lines, gaps = [], []
    narrow = [without_widths(lines) for lines in (actual, other)]
    for kind, a, a_end, b, b_end in difflib.SequenceMatcher(None, *narrow, autojunk=False).get_opcodes():
        if kind == "equal":
            gaps += [len(lines) + k + 1 for k in range(a_end - a) if actual[a + k] != other[b + k]][:1]
            lines += actual[a:a_end]
        elif a_end - a == b_end - b and all(common_length(x, y) for x, y in zip(narrow[0][a:a_end], narrow[1][b:b_end])):
            lines += [open_line(x, y) for x, y in zip(actual[a:a_end], other[b:b_end])]
        else:
            gaps.append(len(lines))
    for gap in reversed(gaps):
        end = next((at for at in range(max(gap - 1, 0), len(lines)) if not lines[at].strip()), len(lines))
        if end == 0 or not is_row_elision(lines[end - 1]):
            lines.insert(end, ROW)
    return lines


def run(command, folder, muster, source):
    environment = dict(os.environ)
    environment["PATH"] = f"{muster.parent}{os.pathsep}{environment.get('PATH', '')}"
    environment.pop("MUSTER_PATH", None)
    environment["SOURCE"] = str(source)
    done = subprocess.run(["bash", "-c", f"set -o pipefail\n{command}"], cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=TIME_LIMIT, check=False)
    lines = stripped(without_sanitizer_notes(done.stdout.replace(str(source), "<source>").splitlines()))
    if done.returncode != 0:
        lines.append(f"[exit {done.returncode}]")
    return lines


def show_difference(path, case, expected, actual):
    print(f"{path}:{case.line}: $ {case.command}")
    for line in expected:
        print(f"  expected | {line}")
    for line in actual:
        print(f"  got      | {line}")


def updated(expected, outputs):
    """The lines that a transcript should have: what it has, as far as that is still true of all outputs."""
    lines = expected if matches(expected, outputs[0]) else with_elisions(expected, outputs[0])
    return lines if all(matches(lines, output) for output in outputs) else left_open(*outputs)


def run_block(path, block, folders, programs, source, update):
    """How many cases of a block differ, and the lines that it should have."""
    remarks, cases = read_transcript(path, *block)
    if not cases:
        sys.exit(f"{path}:{block[0]}: no command; a line '$ muster ...' begins one")
    different = 0
    written = list(remarks)
    for case in cases:
        output, inner = split_remarks(case.expected)
        expected = stripped(output)
        outputs = [run(case.command, folder, program, source) for folder, program in zip(folders, programs)]
        actual = outputs[0]
        same = all(matches(expected, output) for output in outputs)
        if not same and not update:
            show_difference(path, case, expected, actual)
        different += not same
        written += [""] if written and not written[-1].startswith("#") else []
        written += [f"$ {case.command}"] + (expected if same else updated(expected, outputs))
        written += ([""] + inner) if inner else []
    return different, written


def run_file(path, programs, source, update):
    """How many cases differ. With `update`, the file is written anew."""
    lines = path.read_text(encoding="utf-8").splitlines()
    different = 0
    with contextlib.ExitStack() as stack:
        folders = [stack.enter_context(tempfile.TemporaryDirectory(prefix="muster-transcript-")) for _ in programs]
        results = []
        for block in transcript_blocks(path):
            wrong, written = run_block(path, block, folders, programs, source, update)
            different += wrong
            results.append((block, written))
    for (first, old), written in reversed(results):
        lines[first - 1 : first - 1 + len(old)] = written
    if update:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return different


def self_test():
    """Faults that a comparison must see, and differences that it must not."""
    same = [(["a", "...", "d"], ["a", "b", "c", "d"]), (["a", "...", "d"], ["a", "d"]), (["...", "b"], ["b", "a", "b"]),
            (["x  1", "   ...", "y  2"], ["x    1", "long 7", "y    2"]), (["..."], []), ([], []),
            (["...", "b", "...", "d"], ["a", "b", "c", "b", "d"]), (["a [...] c"], ["a b c"]),
            (["h", "x", "y", ROW, "", "z"], ["h", "new", "x", "other", "y", "", "z"])]
    different = [(["a", "...", "d"], ["a", "b", "c"]), (["a  1"], ["a   1"]), (["a"], ["a", "b"]), (["a", "b"], ["a"]),
                 (["...", "b"], ["b", "a"]), (["a", "..."], ["b", "a"]), (["x  1", "..."], ["x  2"]),
                 (["a [...] c"], ["a b d"]), (["x", "y", ROW], ["y", "x"]), (["x", ROW, "", "z"], ["x", "", "new", "w"])]
    wrong = [case for case in same if not matches(*case)] + [case for case in different if matches(*case)]
    updates = [((["a", "...", "d", "e"], ["a", "b", "d", "E"]), ["a", "...", "d", "E"]),
               ((["a", "...", "d"], ["A", "b", "d"]), ["A", "b", "d"]),
               ((["a", "x", "..."], ["A", "x", "b", "c"]), ["A", "x", "..."]),
               ((["a [...]", "b"], ["a 7", "c"]), ["a [...]", "c"]),
               ((["a", "b", ROW, "", "d"], ["a", "new", "b", "", "D"]), ["a", "b", ROW, "", "D"]),
               ((["a  1", "...", "b  2", "c"], ["a   1", "long", "b   2", "C"]), ["a   1", "...", "b   2", "C"])]
    wrong += [case for case, result in updates if with_elisions(*case) != result]
    opened = [((["a", "b", "", "d"], ["a", "c", "b", "", "d"]), ["a", "b", ROW, "", "d"]), ((["skip x, y: why"], ["skip x, z, y: why"]), ["skip x, [...]y: why"]),
              ((["x  1"], ["x   1"]), ["x  1", ROW]),
              ((["* x  1"], ["* x   1", "  z  2"]), ["* x  1", ROW])]
    wrong += [case for case, result in opened if left_open(*case) != result or not all(matches(result, lines) for lines in case)]
    for expected, actual in wrong:
        print(f"wrong verdict: {expected} and {actual}")
    sys.exit(1 if wrong else 0)


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    parser = argparse.ArgumentParser(description="Compare commands with the output that transcripts expect.")
    parser.add_argument("--muster", required=True, type=pathlib.Path, help="the program under test")
    parser.add_argument("--other", type=pathlib.Path, help="with --update: leave out what this program says differently")
    parser.add_argument("--source", required=True, type=pathlib.Path, help="the source folder")
    parser.add_argument("--update", action="store_true", help="write the output that came into the files")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    programs = [program.resolve() for program in (arguments.muster, arguments.other) if program]
    for program in programs:
        if not program.is_file():
            sys.exit(f"{program}: no such program; build it first")
    different = sum(run_file(f, programs, arguments.source.resolve(), arguments.update) for f in arguments.files)
    verb = "updated" if arguments.update else "different"
    if different:
        print(f"{different} outputs {verb}")
    sys.exit(1 if different and not arguments.update else 0)


if __name__ == "__main__":
    main()
