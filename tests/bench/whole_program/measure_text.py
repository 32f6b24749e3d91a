#!/usr/bin/env python3
"""Holds the readers of text against 300 MB/s of one core, and their imports against a bound of memory.

measure_text.py --build FOLDER [--mib N] [FORMAT…]

Each file is written here, in the shape that its producers give it (text_lines.py), about N MiB (100) of it, and made
once. The table begins with the quickest.
Times are the processor's, of the reader with nothing kept (reader_rate), medians of 3. Memory is what the whole
program has of its own, its reader's process included, sampled every 5 ms, in an import with --memory 64M: 64 MiB
more are its bound.
"""

import argparse
import json
import os
import statistics
import subprocess
import time

from measure import MIB, private_bytes
from text_lines import FORMATS, make

GOAL = 300  # MB/s
MEMORY_MIB = 64  # of an import


def family_of(pid):
    """The process and those that it has started."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            return [pid, *map(int, children.read().split())]
    except OSError:
        return [pid]


def peak_private_mib(*arguments):
    with subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        peak = 0
        while process.poll() is None:
            peak = max(peak, sum(private_bytes(pid) for pid in family_of(process.pid)))
            time.sleep(0.005)
        return peak / MIB


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--mib", type=int, default=100)
    parser.add_argument("formats", nargs="*", metavar="FORMAT")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    os.makedirs(os.path.join(build, "bench"), exist_ok=True)
    rows = []
    for name in options.formats or FORMATS:
        file = f"text-{options.mib}.{name.replace('/', '-').replace(' ', '-')}"
        path, form = os.path.join(build, "bench", file), name.split("/")[0]
        if not os.path.exists(path):
            make(path, name, options.mib << 20)
        runs = [json.loads(subprocess.run([os.path.join(build, "bin", "reader_rate"), form, path], check=True,
                                          stdout=subprocess.PIPE).stdout) for _ in range(3)]
        size, events = os.path.getsize(path), runs[0]["events"]
        rate = size / statistics.median(run["seconds"] for run in runs) / 1e6
        memory = peak_private_mib(os.path.join(build, "bin", "weftscope"), "import", path, "--format", form, "--memory",
                                  f"{MEMORY_MIB}M", "-o", os.path.join(build, "bench", "text.weft"))
        rows.append((rate, f"| {name} | {rate:.0f} | {rate / GOAL:.2f} | {size / events:.0f} | {events} | {runs[0]['lost']} | "
                           f"{memory:.0f} |"))
    print(f"| format | MB/s of one core | to the goal of {GOAL} | bytes an event | events | lost | MiB of an import with "
          f"{MEMORY_MIB} |\n| --- | --- | --- | --- | --- | --- | --- |")
    for _, row in sorted(rows, reverse=True):
        print(row)


if __name__ == "__main__":
    main()
