#!/usr/bin/env python3
"""make.py SOURCE…: compiles sources of this project under `clang++-19 -ftime-trace`, a few at a
time, and writes the build as one trace: samples/clang.json.gz, a process per job.

Run from the root of the repository. The compilers' own traces are joined by their beginningOfTime;
clang's "Total …" rows, which are sums and not events, are left out.
"""

import concurrent.futures
import gzip
import json
import os
import queue
import subprocess
import sys
import tempfile

JOBS = 4
COMPILER = ["clang++-19", "-std=c++23", "-O2", "-I.", '-DWEFT_VERSION="0.1.0"', "-c",
            "-ftime-trace-granularity=1500"]


def compile_one(source, folder, slots):
    """Compiles in a free slot; (slot, source, the compiler's own trace)."""
    slot = slots.get()
    name = os.path.join(folder, source.replace("/", "-"))
    try:
        subprocess.run([*COMPILER, source, "-o", name + ".o", f"-ftime-trace={name}.json"], check=True)
    finally:
        slots.put(slot)
    with open(name + ".json") as trace:
        return slot, source, json.load(trace)


def names_of(slot):
    for what, name in (("process_name", f"job {slot}"), ("thread_name", "clang++")):
        yield {"ph": "M", "pid": slot, "tid": slot, "name": what, "args": {"name": name}}


def events_of(slot, source, trace, begin_us):
    """The compiler's events, inside one that stands for the compilation."""
    shift = trace["beginningOfTime"] - begin_us
    events = [e for e in trace["traceEvents"] if e["ph"] != "M" and not e["name"].startswith("Total ")]
    end = max(e["ts"] + e.get("dur", 0) for e in events)
    yield {"ph": "X", "pid": slot, "tid": slot, "ts": shift, "dur": end, "name": source, "cat": "source"}
    for event in events:
        yield {**event, "pid": slot, "tid": slot, "ts": event["ts"] + shift}


def main():
    slots = queue.SimpleQueue()
    for slot in range(1, JOBS + 1):
        slots.put(slot)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        traces = list(pool.map(lambda source: compile_one(source, folder, slots), sys.argv[1:]))
    begin_us = min(trace["beginningOfTime"] for _, _, trace in traces)
    events = [event for slot in range(1, JOBS + 1) for event in names_of(slot)]
    for slot, source, trace in traces:
        events += events_of(slot, source, trace, begin_us)
    document = {"traceEvents": events, "displayTimeUnit": "ms",
                "otherData": {"made by": "clang++-19 -ftime-trace, joined by samples/make.py"}}
    with open("samples/clang.json.gz", "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
        packed.write(json.dumps(document, separators=(",", ":")).encode())
    print(f"{len(events)} events of {len(traces)} compilations")


if __name__ == "__main__":
    main()
