#!/usr/bin/env python3
"""Holds imports against the programs that others read the same formats with, in one run.

measure_peers.py --build FOLDER [--events N]

    CTF   babeltrace2 -o dummy  at most 1.3 times its time
    Pajé  pj_dump -q            at most 1/5 of its time

Whole processes, on traces that are written here; medians of 5, by the wall and by the processor. On a busy
machine the wall is unkind to what uses both cores. Imports make new files: the time in which the kernel frees the
pages of an old one is not theirs.
"""

import argparse
import os
import random
import statistics
import struct
import subprocess
import sys
import time

import measure_text

METADATA = """/* CTF 1.8 */
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
trace { major = 1; minor = 8; byte_order = le;
  packet.header := struct { uint32_t magic; uint32_t stream_id; }; };
env { domain = "ust"; tracer_name = "lttng-ust"; hostname = "bench"; };
clock { name = clock; freq = 1000000000; offset = 1700000000000000000; };
typealias integer { size = 64; align = 8; signed = false; map = clock.clock.value; } := time_t;
stream { id = 0; event.header := struct { uint16_t id; time_t timestamp; };
  packet.context := struct { time_t timestamp_begin; time_t timestamp_end; uint64_t content_size;
    uint64_t packet_size; uint64_t events_discarded; uint32_t cpu_id; };
  event.context := struct { int32_t vpid; int32_t vtid; string procname; }; };
event { name = "app:work_begin"; id = 0; stream_id = 0; fields := struct { uint32_t item; }; };
event { name = "app:malloc"; id = 1; stream_id = 0; fields := struct { uint64_t size; uint64_t ptr; }; };
event { name = "app:free"; id = 2; stream_id = 0; fields := struct { uint64_t ptr; }; };
event { name = "app:work_end"; id = 3; stream_id = 0; fields := struct { uint32_t item; }; };
"""
EVENTS_IN_PACKET = 1000


def write_stream(path, cpu, events):
    rng = random.Random(cpu)
    context = struct.pack("<ii", 100, 101 + cpu) + b"worker\0"
    time = 1000 + cpu
    with open(path, "wb") as stream:
        for first in range(0, events, EVENTS_IN_PACKET):
            begin, body = time, bytearray()
            for i in range(first, min(events, first + EVENTS_IN_PACKET)):
                time += rng.randrange(100, 900)
                kind = i % 4
                body += struct.pack("<HQ", kind, time) + context
                if kind == 1:
                    body += struct.pack("<QQ", rng.randrange(4096), rng.getrandbits(40))
                elif kind == 2:
                    body += struct.pack("<Q", rng.getrandbits(40))
                else:
                    body += struct.pack("<I", i)
            bits = (52 + len(body)) * 8
            stream.write(struct.pack("<IIQQQQQI", 0xC1FC1FC1, 0, begin, time, bits, bits, 0, cpu) + body)


def write_ctf(folder, events):
    if os.path.exists(folder):
        return
    os.makedirs(folder + ".part", exist_ok=True)
    for cpu in range(2):
        write_stream(os.path.join(folder + ".part", f"channel_{cpu}"), cpu, events // 2)
    with open(os.path.join(folder + ".part", "metadata"), "w") as metadata:
        metadata.write(METADATA)
    os.rename(folder + ".part", folder)


def seconds_of(arguments):
    """(by the wall, by the processor)"""
    begin = time.perf_counter()
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: ended with {process.returncode}")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime


def compare(programs, output, runs=5):
    """One line for each, the first of them the peer."""
    times = {name: [] for name in programs}
    for _ in range(runs):
        for name, arguments in programs.items():
            if os.path.exists(output):
                os.remove(output)
            times[name].append(seconds_of(arguments))
    medians = {name: [statistics.median(each) for each in zip(*taken)] for name, taken in times.items()}
    peer = next(iter(medians.values()))
    for name, (wall, processor) in medians.items():
        print(f"| {name} | {wall:.2f} | {wall / peer[0]:.2f} | {processor:.2f} | {processor / peer[1]:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--events", type=int, default=2 * 10**6)
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    bench = os.path.join(build, "bench")
    os.makedirs(bench, exist_ok=True)
    ctf = os.path.join(bench, f"ctf-{options.events}")
    write_ctf(ctf, options.events)
    paje = os.path.join(bench, f"paje-{options.events}")
    measure_text.make(paje, "paje", 26 * options.events)
    program, rate = (os.path.join(build, "bin", name) for name in ("weftscope", "reader_rate"))
    print("| what | wall s | to the peer | processor s | to the peer |\n| --- | --- | --- | --- | --- |")
    output = os.path.join(bench, "peers.weft")
    compare({"CTF: babeltrace2 -o dummy": ("babeltrace2", ctf, "-o", "dummy"),
             "… the reader, nothing kept": (rate, "ctf", ctf),
             "… weftscope import": (program, "import", ctf, "-o", output)}, output)
    compare({"Pajé: pj_dump -q": ("pj_dump", "-q", paje),
             "… the reader, nothing kept": (rate, "paje", paje),
             "… weftscope import": (program, "import", paje, "-o", output)}, output, runs=3)


if __name__ == "__main__":
    main()
