#!/usr/bin/env python3
"""add_example.py PAGE SOURCE OUT: follows docs/adding-an-algorithm.md, on copies.

The page's blocks of C++ are, in this order, the new algorithm's file, its declaration for algorithms.h and its line for
registry.cpp. Writes to OUT: example.cpp, registry.cpp, and collective/algorithms.h, which stands before the real one when they are
compiled. A page whose blocks do not fit the files is an error: exit code 1.
"""
import pathlib
import re
import sys


def blocks_of(page):
    blocks = re.findall(r"^```cpp\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    if len(blocks) != 3:
        sys.exit(f"adding-an-algorithm.md: {len(blocks)} blocks of C++; expected the file, its declaration and its line of the registry")
    return blocks


def behind_last(text, pattern, added, what):
    """The text with lines added behind the last line that the pattern matches."""
    lines = list(re.finditer(pattern, text, re.MULTILINE))
    if not lines:
        sys.exit(f"{what} has no line like the one that is added")
    at = lines[-1].end() + 1
    return text[:at] + added + text[at:]


def write(path, text):
    """Leaves a file alone that has the text already, so that nothing is compiled twice."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main(page, source, out):
    example, declaration, line = blocks_of(pathlib.Path(page).read_text(encoding="utf-8"))
    collective, out = pathlib.Path(source) / "collective", pathlib.Path(out)
    header = (collective / "algorithms.h").read_text(encoding="utf-8")
    registry = (collective / "registry.cpp").read_text(encoding="utf-8")
    write(out / "example.cpp", example)
    write(out / "collective/algorithms.h", behind_last(header, r"^LineReduce \w+\(\);$", declaration, "algorithms.h"))
    write(out / "registry.cpp", behind_last(registry, r"^ +reduce_\w+\(\), +//$", line, "registry.cpp"))


if __name__ == "__main__":
    main(*sys.argv[1:])
