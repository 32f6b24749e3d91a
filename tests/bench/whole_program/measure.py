#!/usr/bin/env python3
"""Measures the shipped program from outside and holds the figures against the goals.

measure.py --build FOLDER [quick|full]

quick: 10^6 and 10^7 states; full: 10^8 too (an 11 GB file, kept in FOLDER/bench with its .weft).
Everything that is a ratio is taken in the same run on the same file. Prints a table (Markdown) and
writes FOLDER/bench/results.json.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

KIB, MIB = 1 << 10, 1 << 20
LANES = 64


class Machine:
    """Where things lie, and how a program is run and watched."""

    def __init__(self, build):
        self.program = os.path.join(build, "bin", "weftscope")
        self.on_demand_rate = os.path.join(build, "bin", "on_demand_rate")
        self.folder = os.path.join(build, "bench")
        os.makedirs(self.folder, exist_ok=True)
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(self.folder, "cache"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *arguments):
        """(standard output, seconds); a failure ends the measurement."""
        begin = time.perf_counter()
        done = subprocess.run(arguments, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        seconds = time.perf_counter() - begin
        if done.returncode != 0:
            sys.exit(f"{' '.join(arguments)}: ended with {done.returncode}\n{done.stderr.decode()}")
        return done.stdout, seconds

    def median_seconds(self, *arguments, runs=7):
        return statistics.median(self.run(*arguments)[1] for _ in range(runs))

    def peak_private_bytes(self, *arguments):
        """(standard output, the most memory of its own, mapped files aside, sampled every 5 ms)."""
        with subprocess.Popen(arguments, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            peak = 0
            while process.poll() is None:
                peak = max(peak, private_bytes(process.pid))
                time.sleep(0.005)
            return process.stdout.read(), peak


def private_bytes(pid):
    try:
        with open(f"/proc/{pid}/status") as status:
            fields = dict(line.split(":", 1) for line in status if ":" in line)
        return sum(int(fields[key].split()[0]) * KIB for key in ("RssAnon", "RssShmem") if key in fields)
    except (OSError, ValueError):
        return 0


def read_through(path):
    """Brings the file into the page cache."""
    with open(path, "rb", buffering=0) as file:
        buffer = bytearray(8 * MIB)
        while file.readinto(buffer):
            pass


def make_data(machine, states):
    """The generator's Chrome JSON of so many states, made once."""
    path = machine.path(f"states-{states}.json")
    if not os.path.exists(path):
        print(f"bench: generating {path}", file=sys.stderr)
        machine.run(machine.program, "generate", "chrome-json", "--events", str(states), "--lanes", str(LANES),
                    "-o", path + ".part")
        os.rename(path + ".part", path)
    return path


def measure_import(machine, states, runs):
    source = make_data(machine, states)
    target = machine.path(f"states-{states}.weft")
    read_through(source)
    rates, peak = [], 0
    for _ in range(runs):
        out, private = machine.peak_private_bytes(machine.program, "import", source, "-o", target, "--json")
        rates.append(states / json.loads(out)["seconds"])
        peak = max(peak, private)
    figures = {"states_per_second": statistics.median(rates), "peak_private_mib": peak / MIB,
               "bytes_per_state": os.path.getsize(target) / states}
    # The peer holds the whole text and its index in memory; 10^8 states would not fit.
    if os.path.getsize(source) < 3 << 30:
        peer = json.loads(machine.run(machine.on_demand_rate, source)[0])
        for order, seconds in (("", "seconds"), ("_in_order", "seconds_in_order")):
            rate = peer["events"] / peer[seconds]
            figures[f"on_demand{order}_states_per_second"] = rate
            figures[f"import_to_on_demand{order}"] = figures["states_per_second"] / rate
    return figures


def measure_perfetto(machine, states, runs):
    """The same states as Perfetto's protobuf, written by the program itself."""
    source = machine.path(f"states-{states}.pftrace")
    if not os.path.exists(source):
        machine.run(machine.program, "export", machine.path(f"states-{states}.weft"), "--to", "perfetto", "-o", source)
    read_through(source)
    seconds, peak = [], 0
    for _ in range(runs):
        out, private = machine.peak_private_bytes(machine.program, "import", source, "-o",
                                                  machine.path("perfetto.weft"), "--json")
        seconds.append(json.loads(out)["seconds"])
        peak = max(peak, private)
    median = statistics.median(seconds)
    return {"states_per_second": states / median, "events_per_second": 2 * states / median,
            "mb_per_second": os.path.getsize(source) / median / 1e6, "peak_private_mib": peak / MIB}


def measure_opening(machine, states):
    trace = machine.path(f"states-{states}.weft")
    read_through(trace)
    picture = machine.path("picture.png")
    snapshot = (machine.program, "snapshot", trace, "--panel", "workbench", "--size", "1920x1080", "-o", picture)
    return {
        "start_ms": 1e3 * machine.median_seconds(machine.program, "formats"),
        "overview_ms": 1e3 * machine.median_seconds(machine.program, "density", trace, "--count", "2000"),
        "picture_ms": 1e3 * machine.median_seconds(*snapshot),
        "picture_private_mib": machine.peak_private_bytes(*snapshot)[1] / MIB,
        "totals_ms": 1e3 * machine.median_seconds(machine.program, "stats", trace, "--by", "type", "--json", runs=3),
    }


def measure_tour(machine, states):
    trace = machine.path(f"states-{states}.weft")
    out, _ = machine.run(machine.program, "tour", trace, "--panel", "gantt", "--size", "1920x1080", "--json")
    return json.loads(out)


def goals(results):
    """(what, goal, measured, met) for every goal that these sizes can show."""
    sizes = sorted(results)
    least, most = results[sizes[0]], results[sizes[-1]]
    at_1e7 = results.get(10**7)
    if at_1e7:
        ratio = at_1e7["import"]["import_to_on_demand"]
        yield "import of 10^7, to simdjson On-Demand", ">= 0.5, aim 1", f"{ratio:.2f}", ratio >= 0.5
        ratio = at_1e7["import"]["import_to_on_demand_in_order"]
        yield "… told the order of the keys", "aim 0.5", f"{ratio:.2f}", ratio >= 0.5
        totals = at_1e7["opening"]["totals_ms"]
        yield "totals by type of 10^7, process included", "<= 100 ms", f"{totals:.0f} ms", totals <= 100
        # trace_processor 58 reads 0.55 million states a second of this form, where On-Demand takes 9.8
        # of the same as JSON: eight times that is 0.45 of On-Demand.
        perfetto = at_1e7["perfetto"]
        ratio = perfetto["states_per_second"] / at_1e7["import"]["on_demand_states_per_second"]
        rates = f"{perfetto['events_per_second'] / 1e6:.1f} M events/s, {perfetto['mb_per_second']:.0f} MB/s"
        yield "import of 10^7 from Perfetto, to On-Demand on JSON", ">= 0.45", f"{ratio:.2f} ({rates})", ratio >= 0.45
        peak = perfetto["peak_private_mib"]
        yield "… private memory", "<= 400 MiB", f"{peak:.0f} MiB", peak <= 400
    for states in sizes:
        figures = results[states]["import"]
        peak, size = figures["peak_private_mib"], figures["bytes_per_state"]
        yield f"import of {states:.0e}: private memory", "<= 400 MiB", f"{peak:.0f} MiB", peak <= 400
        yield f".weft of {states:.0e}: bytes per state", "<= 12, aim 10", f"{size:.2f}", size <= 12
    overview = most["opening"]["overview_ms"]
    yield f"process start to overview, {sizes[-1]:.0e}", "<= 100 ms", f"{overview:.0f} ms", overview <= 100
    growth = overview / least["opening"]["overview_ms"]
    yield f"… to that of {sizes[0]:.0e}", "<= 1.3", f"{growth:.2f}", growth <= 1.3
    private = most["opening"]["picture_private_mib"]
    yield "drawing it: private memory", "<= 150 MiB", f"{private:.0f} MiB", private <= 150
    cpu = most["tour"]["cpu_ms"]["p99"]
    yield f"tour of {sizes[-1]:.0e}: frame thread p99", "< 2 ms", f"{cpu:.2f} ms", cpu < 2
    growth = cpu / max(least["tour"]["cpu_ms"]["p99"], 1e-9)
    yield f"… to that of {sizes[0]:.0e}", "<= 1.2", f"{growth:.2f}", growth <= 1.2
    gpu = most["tour"]["gpu_ms"]["p95"]
    yield f"tour: whole frame p95 ({most['tour']['renderer']})", "<= 16.7 ms", f"{gpu:.1f} ms", gpu <= 16.7
    if "tile_ms" in most["tour"]:
        tile = most["tour"]["tile_ms"]["p95"]
        yield "tour: a tile ready p95", "<= 50 ms", f"{tile:.1f} ms", tile <= 50


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("size", nargs="?", choices=("quick", "full"), default="quick")
    options = parser.parse_args()
    machine = Machine(os.path.abspath(options.build))
    results = {}
    for states in (10**6, 10**7) + ((10**8,) if options.size == "full" else ()):
        print(f"bench: {states:.0e} states …", file=sys.stderr)
        results[states] = {
            "import": measure_import(machine, states, runs=3 if states < 10**8 else 1),
            "perfetto": measure_perfetto(machine, states, runs=3 if states < 10**8 else 1),
            "opening": measure_opening(machine, states),
            "tour": measure_tour(machine, states),
        }
    with open(machine.path("results.json"), "w") as out:
        json.dump(results, out, indent=2)
    print("| what | goal | measured | met |\n| --- | --- | --- | --- |")
    for what, goal, measured, is_met in goals(results):
        print(f"| {what} | {goal} | {measured} | {'yes' if is_met else '**no**'} |")


if __name__ == "__main__":
    main()
