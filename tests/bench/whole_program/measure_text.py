#!/usr/bin/env python3
"""Holds the readers of text against 300 MB/s of one core, and their imports against a bound of memory.

measure_text.py --build FOLDER [--mib N] [FORMAT…]

Each file is written here, in the shape that its producers give it, about N MiB (100) of it, and made once.
Times are the processor's, of the reader with nothing kept (reader_rate), medians of 3. Memory is what the whole
program has of its own, its reader's process included, sampled every 5 ms, in an import with --memory 64M: 64 MiB
more are its bound.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import time

from measure import MIB, private_bytes

GOAL = 300  # MB/s
MEMORY_MIB = 64  # of an import

CALLS = (
    'openat(AT_FDCWD, "/usr/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY|O_CLOEXEC) = 3',
    'read(3, "\\177ELF\\2\\1\\1\\3\\0\\0\\0\\0\\0\\0\\0\\0\\3\\0>\\0\\1\\0\\0\\0"..., 832) = 832',
    'newfstatat(3, "", {st_mode=S_IFREG|0755, st_size=1922136, ...}, AT_EMPTY_PATH) = 0',
    'close(3)                          = 0',
    'futex(0x7f3a5c0008e0, FUTEX_WAIT_PRIVATE, 2, NULL) = -1 EAGAIN (Resource temporarily unavailable)',
)


def strace(i, rng):
    t = 36_000_000_000 + 37 * i
    s, us = divmod(t // 1000 * 1000 + t % 1000, 1_000_000)
    return f"{4000 + i % 4} {s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}.{us:06} {CALLS[i % 5]} <0.{i % 900:06}>\n"


def tlv(i, rng):
    t, task = 1000 + 7 * i, f"TASK{i % 12}"
    return (f"[{t}]{task}.dispatch()\n[{t}]{task}.state=RUNNING\n[{t + 1}]{task}.enterSVC(dly_tsk, dlytim=10)\n"
            f"[{t + 3}]{task}.state=WAITING\n")


def ftrace(i, rng):
    cpu, t = i % 4, 1_000_000_000 + 13 * i
    head = f"            bash-{100 + cpu}     [00{cpu}] d..2. {t // 1_000_000}.{t % 1_000_000:06}: "
    return head + (
        f"sched_switch: prev_comm=bash prev_pid={100 + cpu} prev_prio=120 prev_state=S ==> next_comm=worker "
        f"next_pid={200 + cpu} next_prio=120\n",
        f"sched_wakeup: comm=bash pid={100 + cpu} prio=120 target_cpu=00{cpu}\n",
        "irq_handler_entry: irq=46 name=eth0\n",
        "irq_handler_exit: irq=46 ret=handled\n",
        f"sched_switch: prev_comm=worker prev_pid={200 + cpu} prev_prio=120 prev_state=S ==> next_comm=bash "
        f"next_pid={100 + cpu} next_prio=120\n")[i // 4 % 5]


def perf_script(i, rng):
    t = 10_000_000_000 + 250 * i
    frames = "".join(f"\tffffffff81{(i * 7 + k) % 97:06x} function_{(i * 7 + k) % 97}+0x{k:x} (/usr/lib/libwork.so.1)\n"
                     for k in range(2 + i % 6))
    return f"worker {100 + i % 3}/{101 + i % 3} [00{i % 4}] {t // 1_000_000}.{t % 1_000_000:06}:     250000 cycles: \n{frames}\n"


def folded(i, rng):
    return ";".join(f"function_{(i * 31 + 7 * k) % 997}" for k in range(4 + i % 9)) + f" {1 + i % 50}\n"


def paraver(i, rng):
    thread, t = 1 + i % 8, 1000 * (i // 8)
    place = f"{thread}:1:{thread}:1"
    return (f"1:{place}:{t}:{t + 600}:{1 + i % 5}\n", f"2:{place}:{t}:50000001:{i % 9}:42000050:{i * 17 % 99999}\n",
            f"3:{place}:{t}:{t + 9}:{1 + (i + 3) % 8}:1:{1 + (i + 3) % 8}:1:{t + 40}:{t + 44}:4096:7\n")[i % 3]


def btrace(i, rng):
    queue = f"Receiver:0x{2 + i % 9:X}"
    t, data = 20 * i, "DE AD BE EF 00 11 22 33"
    return (f"{t}\tMESSAGE_SEND\tUid:{i}\tSender:0x{1 + i % 7:X}\t{queue}\tType:0x{i % 16:02X}\tPriority:3\n"
            f"{t + 2}\tMESSAGE_DATA\tUid:{i}\tData:{data}\n"
            f"{t + 9}\tMESSAGE_RECEIVE\tUid:{i}\t{queue}\n{t + 15}\tMESSAGE_DONE\tUid:{i}\t{queue}\n")


def shiviz(i, rng):
    hosts = [f"node{k}" for k in (i % 4, (i + 1) % 4)]
    return f'{hosts[0]} {{"{hosts[0]}":{i // 4 + 1}, "{hosts[1]}":{max(1, i // 4)}}}\nRequest {i} is handled by the worker\n'


def ninja_log(i, rng):
    begin = 40 * i
    return f"{begin}\t{begin + 900 + i % 300}\t1795218670432083735\tCMakeFiles/program.dir/source_{i}.cpp.o\t{i:016x}\n"


def csv(i, rng):
    t = 100 * i
    return (f'state,{t},process/thread {i % 8},"work, part {i % 20}",90,0,,,,"{{""n"":{i % 100}}}",\n',
            f"punctual,{t},process/thread {i % 8},tick,,,,,,,\n", f"variable,{t},process,load,,,,,{i % 1000 / 8},,\n")[i % 3]


def vcd(i, rng):
    first = 33 + i % 40
    bits = "".join(f"{i >> k & 1}{chr(first + k)}\n" for k in range(3))
    return f"#{10 * i}\n{bits}b{i * 977 % 65536:016b} {chr(80 + i % 40)}\n"


PAJE_HEADER = """%EventDef PajeDefineContainerType 0
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineStateType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeCreateContainer 6
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajePushState 11
% Time date
% Container string
% Type string
% Value string
%EndEventDef
%EventDef PajePopState 12
% Time date
% Container string
% Type string
%EndEventDef
0 P 0 Process
0 T P Thread
1 S T Function
6 0.0 p P 0 program
""" + "".join(f"6 0.0 t{k} T p thread{k}\n" for k in range(8))


def paje(i, rng):
    t = 5 * (i // 8)
    return (f"11 {t // 10**6}.{t % 10**6:06}000 t{i % 8} S function_{i % 50}\n"
            f"12 {(t + 4) // 10**6}.{(t + 4) % 10**6:06}000 t{i % 8} S\n")


def pj_dump(i, rng):
    t = 5 * (i // 8)
    return (f"State, thread{i % 8}, Function, {t // 10**6}.{t % 10**6:06}, {(t + 4) // 10**6}.{(t + 4) % 10**6:06}, 0.000004, "
            f"0.000000, function_{i % 50}\n")


def message_json(i, rng):
    return (f'{{"MessageId": {i}, "Event": "send", "Time": {20 * i}, "Sender": "app/0x{i % 7:x}", "Receiver": "app/0x{i % 9:x}", '
            f'"MessageType": "0x{i % 16:x}", "Priority": 3, "MessageData": "0A 0B 0C 0D"}}\n'
            f'{{"MessageId": {i}, "Event": "receive", "Time": {20 * i + 9}, "Receiver": "app/0x{i % 9:x}"}}\n')


def message_xml(i, rng):
    return (f"<MessageEvent><MessageId>{i}</MessageId><Time>{20 * i}</Time><Sender>0x{i % 7:x}</Sender>"
            f"<Receiver>0x{i % 9:x}</Receiver><Priority>25</Priority><MessageData>0A 0B 0C 0D</MessageData></MessageEvent>\n")


# What stands before and behind the lines.
FORMATS = {
    "strace": ("", strace, ""),
    "tlv": ("", tlv, ""),
    "ftrace": ("# tracer: nop\n#\n", ftrace, ""),
    "perf-script": ("", perf_script, ""),
    "folded": ("", folded, ""),
    "paraver": ("#Paraver (20/04/2016 at 11:15):99999999999_ns:1(8):1:8(" + ",".join(["1:1"] * 8) + ")\n", paraver, ""),
    "btrace": ("# time_base: us\n", btrace, ""),
    "shiviz": ("", shiviz, ""),
    "ninja-log": ("# ninja log v6\n", ninja_log, ""),
    "csv": ("category,time,lane,type,duration,depth,target_lane,target_time,value,params,payload\n", csv, ""),
    "vcd": ("$timescale 1 ns $end\n$scope module top $end\n"
            + "".join(f"$var wire {1 if k < 43 else 16} {chr(33 + k)} signal{k} $end\n" for k in range(87)) + "$upscope $end\n$enddefinitions $end\n", vcd, ""),
    "paje": (PAJE_HEADER, paje, ""),
    "pj-dump": ("Container, 0, 0, 0, 99, 99, 0\n" + "".join(f"Container, 0, Thread, 0.0, 99.0, 99.0, thread{k}\n" for k in range(8)),
                pj_dump, ""),
    "message-json": ("", message_json, ""),
    "message-xml": ("<MessageEvents>\n", message_xml, "</MessageEvents>\n"),
}


def make(path, name, size):
    """About `size` bytes of the format, the same each time."""
    if os.path.exists(path):
        return
    before, line, behind = FORMATS[name]
    rng = random.Random(1)
    with open(path + ".part", "w") as out:
        written, i = out.write(before), 0
        while written < size:
            written += out.write("".join(line(k, rng) for k in range(i, i + 1000)))
            i += 1000
        out.write(behind)
    os.rename(path + ".part", path)


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
    print(f"| format | events | lost | MB/s of one core | to the goal of {GOAL} | MiB of an import with {MEMORY_MIB} |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for name in options.formats or FORMATS:
        path = os.path.join(build, "bench", f"text-{options.mib}.{name}")
        make(path, name, options.mib << 20)
        runs = [json.loads(subprocess.run([os.path.join(build, "bin", "reader_rate"), name, path], check=True,
                                          stdout=subprocess.PIPE).stdout) for _ in range(3)]
        rate = os.path.getsize(path) / statistics.median(run["seconds"] for run in runs) / 1e6
        memory = peak_private_mib(os.path.join(build, "bin", "weftscope"), "import", path, "--format", name, "--memory",
                                  f"{MEMORY_MIB}M", "-o", os.path.join(build, "bench", "text.weft"))
        print(f"| {name} | {runs[0]['events']} | {runs[0]['lost']} | {rate:.0f} | {rate / GOAL:.2f} | {memory:.0f} |",
              flush=True)


if __name__ == "__main__":
    main()
