#!/usr/bin/env python3
"""Prints what weftscope reads of every trace in a folder: a line each, with counts, span and losses.

corpus.py [--program WEFTSCOPE] FOLDER…

A folder that itself holds CTF metadata, an OTF2 anchor or a uftrace `info` is one trace; of others every file
is tried. What is refused has its reason instead of counts. Columns are separated by tabulators:

  trace  format  lanes  states  punctual  links  variables  span  lost (damage)  lost (else)  losses or reason
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

TIMEOUT_S = 120
UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12}


def traces_below(folder):
    names = sorted(os.listdir(folder))
    is_trace = any(name == "metadata" or name.endswith(".otf2") or (name == "info" and "task.txt" in names)
                   for name in names)
    if is_trace:
        yield folder
        return
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            yield from traces_below(path)
        elif os.path.isfile(path):
            yield path


def span_of(info):
    if info["begin"] is None or info["end"] is None:
        return "-"
    ticks = info["end"] - info["begin"]
    unit = UNITS.get(info["time_base"])
    return f"{ticks} {info['time_base']}" if unit is None else f"{ticks * unit:.6g} s"


def row_of(program, path):
    try:
        done = subprocess.run([program, "info", path, "--json", "--no-cache"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return "HUNG", [""] * 8 + [f"after {TIMEOUT_S} s"]
    error = done.stderr.decode(errors="replace").strip()
    if done.returncode not in (0, 1, 3):
        return f"DIED ({done.returncode})", [""] * 8 + [error[-200:]]
    if done.returncode == 1:
        return "-", [""] * 8 + [error.removeprefix(f"weftscope: {path}: ")]
    info = json.loads(done.stdout)
    counts, lost = info["counts"], {True: 0, False: 0}
    for loss in info["losses"]:
        lost[loss["is_damage"]] += loss["count"]
    kinds = "; ".join(f"{loss['count']} {loss['kind']}" for loss in info["losses"])
    return info["format"], [info["lanes"], counts["state"], counts["punctual"], counts["link"], counts["variable"],
                            span_of(info), lost[True], lost[False], kinds]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="weftscope")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    options = parser.parse_args()
    print("trace", "format", "lanes", "states", "punctual", "links", "variables", "span", "lost (damage)", "lost (else)",
          "losses or reason", sep="\t")
    sums = {"read": 0, "damaged": 0, "refused": 0, "broken": 0}
    for folder in options.folders:
        paths = list(traces_below(folder))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for path, (name, cells) in zip(paths, pool.map(lambda each: row_of(options.program, each), paths)):
                is_broken = name.startswith(("HUNG", "DIED"))
                sums["broken" if is_broken else "refused" if name == "-" else "damaged" if cells[6] else "read"] += 1
                print(os.path.relpath(path, folder), name, *cells, sep="\t", flush=True)
    print(", ".join(f"{count} {what}" for what, count in sums.items()), file=sys.stderr)
    return 1 if sums["broken"] > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
