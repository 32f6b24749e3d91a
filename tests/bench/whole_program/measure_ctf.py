#!/usr/bin/env python3
"""Holds reading CTF against Babeltrace's null sink, in one run, on a trace that it writes itself.

measure_ctf.py --build FOLDER [--events N]

Times are the processor's, of whole processes, for a busy machine moves those least; medians of 5.
"""

import argparse
import os
import random
import statistics
import struct
import subprocess
import sys

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


def cpu_seconds(*arguments):
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--events", type=int, default=2 * 10**6)
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    trace = os.path.join(build, "bench", f"ctf-{options.events}")
    if not os.path.exists(trace):
        os.makedirs(trace + ".part", exist_ok=True)
        for cpu in range(2):
            write_stream(os.path.join(trace + ".part", f"channel_{cpu}"), cpu, options.events // 2)
        with open(os.path.join(trace + ".part", "metadata"), "w") as metadata:
            metadata.write(METADATA)
        os.rename(trace + ".part", trace)
    programs = {
        "babeltrace2 -o dummy": ("babeltrace2", trace, "-o", "dummy"),
        "the reader, nothing kept": (os.path.join(build, "bin", "reader_rate"), "ctf", trace),
        "weftscope import": (os.path.join(build, "bin", "weftscope"), "import", trace, "-o",
                             os.path.join(build, "bench", "ctf.weft")),
    }
    times = {name: [] for name in programs}
    for _ in range(5):
        for name, arguments in programs.items():
            times[name].append(cpu_seconds(*arguments))
    peer = statistics.median(times["babeltrace2 -o dummy"])
    print(f"{options.events} events, times of the processor\n")
    print("| what | seconds | to Babeltrace's null sink |\n| --- | --- | --- |")
    for name, seconds in times.items():
        median = statistics.median(seconds)
        print(f"| {name} | {median:.2f} | {median / peer:.2f} |")


if __name__ == "__main__":
    main()
