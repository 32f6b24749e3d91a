"""A .weft that is cut or replaced while it is mapped gives an error, not a dead program."""

import os
import random
import subprocess
import time

import harness


class CutFiles(harness.Scratch):
    def setUp(self):
        super().setUp()
        with open(self.path("input.json"), "wb") as out:
            out.write(harness.chrome_json(150_000))
        done = self.run_program("import", self.path("input.json"), "-o", self.path("whole.weft"))
        self.assertEqual(done.returncode, 0, harness.describe(done))
        with open(self.path("whole.weft"), "rb") as whole:
            self.whole = whole.read()

    def events_of(self, path, disturb):
        """`weftscope events PATH`, disturbed once it has printed something."""
        with subprocess.Popen([harness.PROGRAM, "events", path, "--format", "jsonl"], env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            head = process.stdout.read(1)
            disturb()
            begin = time.monotonic()
            out, error = process.communicate(timeout=60)
            return subprocess.CompletedProcess([], process.returncode, head + out, error), time.monotonic() - begin

    def test_cut_while_events_are_printed(self):
        rng = random.Random(4)
        errors = 0
        for i in range(100 if harness.IS_FULL else 15):
            path, size = self.path(f"{i}.weft"), rng.randrange(len(self.whole))
            with open(path, "wb") as out:
                out.write(self.whole)
            done, _ = self.events_of(path, lambda: os.truncate(path, size))
            self.assertIn(done.returncode, harness.ANSWERS, f"cut to {size}: {harness.describe(done)}")
            if done.returncode != 0:
                self.assertIn(b"weftscope: ", done.stderr)
                errors += 1
            os.unlink(path)
        self.assertGreater(errors, 0, "no cut came while the file was read")

    def test_replaced_while_events_are_printed(self):
        path = self.path("trace.weft")
        answers = []
        for replace in (False, True):
            with open(path, "wb") as out:
                out.write(self.whole)

            def disturb():
                if replace:
                    with open(path + ".new", "wb") as out:
                        out.write(self.whole[:100])
                    os.rename(path + ".new", path)

            done, _ = self.events_of(path, disturb)
            self.assertEqual(done.returncode, 0, harness.describe(done))
            answers.append(done.stdout)
        self.assertEqual(answers[0], answers[1], "the open file is not the one that took its name")
