"""Runs the shipped weftscope in a scratch folder of its own and says what became of it."""

import json
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("WEFTSCOPE", "weftscope")
IS_FULL = os.environ.get("WEFT_FULL", "0") not in ("", "0")

# What the program may answer: 0 done, 1 refused, 3 opened but damaged (docs: exit status).
ANSWERS = (0, 1, 3)


def sample_or_all(points, count):
    """All of the points in a full run, else `count` of them spread evenly, first and last included."""
    points = list(points)
    if IS_FULL or len(points) <= count:
        return points
    return [points[round(i * (len(points) - 1) / (count - 1))] for i in range(count)]


class Scratch(unittest.TestCase):
    """A test with a folder; the cache lies in it too, so that nothing is shared with the user."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-faults-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.environment = dict(os.environ, XDG_CACHE_HOME=self.path("cache"), LC_ALL="C.UTF-8")
        os.mkdir(self.path("cache"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_program(self, *arguments, prefix=(), limits=None, timeout=60):
        def limit():
            for what, value in (limits or {}).items():
                resource.setrlimit(what, (value, value))

        return subprocess.run([*prefix, PROGRAM, *arguments], env=self.environment, timeout=timeout,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              preexec_fn=limit)

    def info(self, path):
        """The trace's own description, without what differs between two writings of it."""
        done = self.run_program("info", path, "--json")
        self.assertIn(done.returncode, (0, 3), done.stderr)
        answer = json.loads(done.stdout)
        return {key: answer[key] for key in ("begin", "end", "lanes", "rows", "event_types", "counts", "losses")}

    def assert_clear_failure(self, done, what):
        """Ended by itself, with one line that names the program and the reason."""
        self.assertEqual(done.returncode, 1, f"{what}: {describe(done)}")
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        self.assertTrue(last and last[0].startswith("weftscope: "), f"{what}: {describe(done)}")


def describe(done):
    ended = done.returncode
    if ended < 0:
        ended = signal.Signals(-ended).name
    return f"ended with {ended}: {done.stderr.decode(errors='replace')[-400:]}"


def chrome_json(states, lanes=4, seed=1):
    """A Chrome trace of nested complete events, a few counters and messages, as bytes."""
    rng = random.Random(seed)
    events = []
    for i in range(states):
        lane, begin = i % lanes, (i // lanes) * 100
        events.append({"ph": "X", "pid": 1, "tid": lane, "ts": begin + rng.random(), "dur": 60 + rng.random(),
                       "name": f"work {rng.randrange(50)}", "cat": "sample", "args": {"n": rng.randrange(100)}})
        if i % 10 == 0:
            events.append({"ph": "C", "pid": 1, "ts": begin, "name": "load", "args": {"value": rng.randrange(9)}})
            events.append({"ph": "s", "id": i, "pid": 1, "tid": lane, "ts": begin + 10, "name": "message", "cat": "m"})
            events.append({"ph": "f", "id": i, "pid": 1, "tid": (lane + 1) % lanes, "ts": begin + 130,
                           "name": "message", "cat": "m"})
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}).encode()


def nexus_lite(events, seed=1):
    """64 names and big-endian records: time in µs, 6 bits of type, 26 of payload."""
    rng = random.Random(seed)
    names = ",".join(f"event {i}" for i in range(64)).encode() + b"\n"
    return names + b"".join(struct.pack(">II", i * 7, rng.randrange(64) << 26 | rng.randrange(1 << 26))
                            for i in range(events))
