"""Mutated traces through the shipped command: an answer or one clear line, in time and memory.

The mutants are the same in every run: the i-th is made from the seed i. Three kinds take turns:
2 % of the bytes changed; 1 to 8 bytes changed; cut somewhere.
"""

import os
import random
import subprocess
import time

import harness

MUTANTS = 1000 if harness.IS_FULL else 60
MOST_SECONDS = 5
BASE_BYTES = 64 << 20


def mutant(sample, i):
    rng = random.Random(i)
    data = bytearray(sample)
    if i % 3 == 2:
        return bytes(data[:rng.randrange(len(data))])
    for _ in range(len(data) // 50 if i % 3 == 0 else rng.randint(1, 8)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


class Mutants:
    """What both formats share; a subclass gives the sample."""

    def peak_of(self, path):
        """Runs `info`; (exit status or -signal, seconds, bytes of memory at most, standard error)."""
        with open(self.path("stderr"), "w+b") as error:
            begin = time.monotonic()
            process = subprocess.Popen([harness.PROGRAM, "info", path, "--json"], env=self.environment,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=error)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            error.seek(0)
            return process.returncode, time.monotonic() - begin, usage.ru_maxrss << 10, error.read()

    def test_mutants(self):
        sample = self.sample()
        path = self.path("mutant")
        for i in range(MUTANTS):
            data = mutant(sample, i)
            with open(path, "wb") as out:
                out.write(data)
            status, seconds, peak, error = self.peak_of(path)
            with self.subTest(i):
                self.assertIn(status, harness.ANSWERS, error[-400:])
                if status == 1:
                    self.assertTrue(error.startswith(b"weftscope: "), error[-400:])
                self.assertLess(seconds, MOST_SECONDS)
                self.assertLess(peak, BASE_BYTES + 10 * len(data))


class ChromeJson(Mutants, harness.Scratch):
    def sample(self):
        return harness.chrome_json(400)


class NexusLite(Mutants, harness.Scratch):
    def sample(self):
        return harness.nexus_lite(4000)
