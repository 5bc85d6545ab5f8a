#!/usr/bin/env python3
"""add_family.py SOURCE OUT: copies of the registries, with the lines of the toy family of tests/bus.

Writes to OUT one file per registry: machine.cpp, backend.cpp and collective.cpp. A line that has no place is an error: exit code 1.
"""
import pathlib
import sys

from add_example import behind_last, write

HEADER = r'^#include "[a-z_/]+\.h"$'
# Registry, and for each line: behind the last line that matches, what is added.
LINES = {
    "machine": [(HEADER, '#include "bus.h"\n'), (r"^      &family_of\(\w+\{\}\), *//$", "      &family_of(Bus{}),  //\n")],
    "backend": [
        (HEADER, '#include "capabilities.h"\n'),
        (r'^    \{"\w+", \w+::lowering\},$', '    {"bus", bus::lowering},\n'),
        (r'^    \{"\w+", \w+::\w+_simulator\}, *//$', '    {"bus", bus::message_simulator},  //\n'),
        (r'^    \{"\w+", \w+::checker\},$', '    {"bus", bus::checker},\n'),
        (r'^    \{"\w+", \w+::\w+_emitter\}, *//$', '    {"bus", bus::listing_emitter},  //\n'),
    ],
    "collective": [
        (HEADER, '#include "algorithms.h"\n'),
        (r"^  all\.push_back\(\w+\(\)\);$", "  all.push_back(bus::reduce_in_turn());\n  all.push_back(bus::broadcast_once());\n"),
    ],
}


def main(source, out):
    for folder, lines in LINES.items():
        text = (pathlib.Path(source) / folder / "registry.cpp").read_text(encoding="utf-8")
        for pattern, added in lines:
            text = behind_last(text, pattern, added, f"{folder}/registry.cpp")
        write(pathlib.Path(out) / f"{folder}.cpp", text)


if __name__ == "__main__":
    main(*sys.argv[1:])
