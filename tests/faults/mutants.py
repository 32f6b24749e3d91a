"""Mutated traces of every format through the shipped command: an answer or one clear line, in time
and memory. covers R2

The mutants are those of the cases that the readers' own tests read, and the same in every run: the i-th
is made of case i by the seed i. Three kinds take turns: 2 % of the bytes changed; 1 to 8 bytes changed;
cut somewhere. A format is in by its row in the table of formats; one without cases fails.

A library of others may end its process on damage: then the program says so (`stopped`, below).
"""

import concurrent.futures
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading

import harness

MUTANTS = 1000 if harness.IS_FULL else 40
MOST_SECONDS = 5  # of the processor
HUNG_SECONDS = 60  # on the wall, which a busy machine stretches
BASE_BYTES = 64 << 20
STOPPED = "reader stopped"


def mutated(data, rng, kind):
    data = bytearray(data)
    if kind == 2:
        return bytes(data[:rng.randrange(len(data))])
    for _ in range(1 + len(data) // 50 if kind == 0 else rng.randint(1, 8)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def files_below(folder):
    return sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)


class Outcome:
    """What became of one mutant."""

    def __init__(self, status, seconds, peak_bytes, out, error, size_bytes):
        self.status, self.seconds, self.peak_bytes = status, seconds, peak_bytes
        self.error, self.size_bytes = error, size_bytes
        self.losses = json.loads(out)["losses"] if status in (0, 3) else []

    def is_stopped(self):
        return STOPPED in self.error or any(STOPPED in loss["kind"] for loss in self.losses)

    def complaint(self):
        """What is wrong with it; empty: nothing."""
        if self.status == -signal.SIGKILL:
            return f"hung for {HUNG_SECONDS} s"
        if self.status not in harness.ANSWERS:
            return f"ended with {self.status}: {self.error}"
        if self.status == 1 and not (self.error.startswith("weftscope: ") and self.error.count("\n") == 1):
            return f"no clear line: {self.error}"
        if (self.status == 3) != any(loss["is_damage"] for loss in self.losses):
            return f"exit status {self.status} with the losses {self.losses}"
        if self.seconds > MOST_SECONDS:
            return f"took {self.seconds:.1f} s of the processor"
        if self.peak_bytes > BASE_BYTES + 10 * self.size_bytes:
            return f"took {self.peak_bytes >> 20} MiB of memory"
        return ""


class Mutants(harness.Scratch):
    def golden_cases(self):
        """{format: [what is to be opened]} of every format that is read."""
        listed = json.loads(self.run_program("formats", "--json").stdout)["formats"]
        cases = {each["id"]: [] for each in listed if each["reads"]}
        os.mkdir(self.path("cases"))
        done = subprocess.run([os.environ["GOLDEN_CASES"], self.path("cases")], check=True, stdout=subprocess.PIPE)
        for line in done.stdout.decode().splitlines():
            name, path = line.split("\t")
            cases[name].append(path)
        return cases

    def write_mutant(self, trace, i):
        """A copy of the case, one of its files mutated; what is to be opened."""
        rng = random.Random(i)
        case = self.path("cases", *os.path.relpath(trace, self.path("cases")).split(os.sep)[:2])
        folder = self.path(f"mutant-{threading.get_ident()}")
        shutil.rmtree(folder, True)
        shutil.copytree(case, folder)
        victim = rng.choice([path for path in files_below(folder) if os.path.getsize(path) > 0])
        with open(victim, "r+b") as file:
            data = mutated(file.read(), rng, i % 3)
            file.seek(0)
            file.write(data)
            file.truncate()
        return os.path.join(folder, os.path.relpath(trace, case))

    def outcome_of(self, name, trace, i):
        path = self.write_mutant(trace, i)
        size = sum(os.path.getsize(file) for file in files_below(path)) or os.path.getsize(path)
        said = [self.path(f"{what}-{threading.get_ident()}") for what in ("out", "error")]
        with open(said[0], "w+") as out, open(said[1], "w+", errors="replace") as error:
            process = subprocess.Popen([harness.PROGRAM, "info", path, "--format", name, "--no-cache", "--json"],
                                       env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=error)
            killer = threading.Timer(HUNG_SECONDS, process.kill)
            killer.start()
            _, status, usage = os.wait4(process.pid, 0)
            killer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = usage.ru_utime + usage.ru_stime
            out.seek(0)
            error.seek(0)
            return Outcome(process.returncode, seconds, usage.ru_maxrss << 10, out.read(), error.read(), size)

    def run_format(self, name, traces):
        """One line of the table; complaints are failures."""
        sums = {"refused": 0, "whole": 0, "damaged": 0, "losses": 0, "stopped": 0}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            outcomes = pool.map(lambda i: self.outcome_of(name, traces[i % len(traces)], i), range(MUTANTS))
            for i, outcome in enumerate(outcomes):
                if complaint := outcome.complaint():
                    with self.subTest(format=name, case=traces[i % len(traces)], mutant=i):
                        self.fail(complaint)
                sums[{0: "whole", 3: "damaged"}.get(outcome.status, "refused")] += 1
                sums["losses"] += sum(loss["count"] for loss in outcome.losses)
                sums["stopped"] += outcome.is_stopped()
        print(f"{name:14}" + "".join(f" {value:8}" for value in sums.values()), file=sys.stderr)

    def test_every_format(self):
        print(f"\n{'format':14}  refused    whole  damaged   losses  stopped", file=sys.stderr)
        for name, traces in self.golden_cases().items():
            with self.subTest(format=name):
                self.assertTrue(traces, "has no golden cases: tests/core/formats")
                self.run_format(name, traces)
