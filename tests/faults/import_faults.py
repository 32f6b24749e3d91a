"""An import whose calls fail, whose disk fills up, or that is killed, leaves the old file or none."""

import os
import re
import resource
import signal
import subprocess

import harness

MEMORY = "16M"  # little, so that the import spills and merges


class Import(harness.Scratch):
    STATES = 250_000 if harness.IS_FULL else 60_000

    def setUp(self):
        super().setUp()
        with open(self.path("input.json"), "wb") as out:
            out.write(harness.chrome_json(self.STATES))
        with open(self.path("older.json"), "wb") as out:
            out.write(harness.chrome_json(50, seed=2))
        os.mkdir(self.path("out"))
        self.output = self.path("out", "trace.weft")
        self.assertEqual(self.import_into(self.output).returncode, 0)
        self.wanted = self.info(self.output)
        done = self.run_program("import", self.path("older.json"), "-o", self.output)
        self.assertEqual(done.returncode, 0, harness.describe(done))
        with open(self.output, "rb") as old:
            self.old = old.read()

    def import_into(self, output, **how):
        return self.run_program("import", self.path("input.json"), "-o", output, "--memory", MEMORY, **how)

    def put_old_back(self):
        for name in os.listdir(self.path("out")):
            os.unlink(self.path("out", name))
        with open(self.output, "wb") as out:
            out.write(self.old)

    def read_output(self):
        with open(self.output, "rb") as out:
            return out.read()

    def assert_old_or_new(self, what):
        """The file under the final name is the old one, byte for byte, or the new one, whole."""
        if self.read_output() == self.old:
            return "old"
        done = self.run_program("verify", self.output)
        self.assertEqual(done.returncode, 0, f"{what}: {harness.describe(done)}")
        self.assertEqual(self.info(self.output), self.wanted, what)
        return "new"

    def strace(self, *options):
        return ("strace", "-f", "-qq", "-o", self.path("strace.log"), *options)

    def calls(self, call, *arguments):
        """How often the busiest thread of `weftscope ARGUMENTS` makes the call."""
        self.run_program(*arguments, prefix=self.strace("-e", f"trace={call}"), timeout=300)
        per_thread = {}
        with open(self.path("strace.log"), errors="replace") as log:
            for line in log:
                if match := re.match(rf"(\d+) +{call}\(", line):
                    per_thread[match[1]] = per_thread.get(match[1], 0) + 1
        return max(per_thread.values(), default=0)

    def import_calls(self, call):
        count = self.calls(call, "import", self.path("input.json"), "-o", self.output, "--memory", MEMORY)
        self.put_old_back()
        return count


class FailingCalls(Import):
    """The N-th call fails once, or from then on: a message and the old file, or all went well."""

    POINTS = 6  # per call and error, unless WEFT_FULL

    def fail_calls(self, call, error, first=1):
        count = self.import_calls(call)
        for n in harness.sample_or_all(range(first, count + 1), self.POINTS):
            for when in (f"{n}", f"{n}+"):
                what = f"{call}:{error}:when={when}"
                with self.subTest(what):
                    done = self.import_into(self.output, prefix=self.strace(
                        "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={when}"))
                    if done.returncode == 0:
                        # It did not matter, or this time the threads shared the calls otherwise.
                        self.assertEqual(self.assert_old_or_new(what), "new", what)
                    else:
                        self.assert_clear_failure(done, what)
                        self.assert_old_or_new(what)
                    self.assertEqual(os.listdir(self.path("out")), ["trace.weft"], what)
                    self.put_old_back()

    def test_a_write_finds_the_disk_full(self):
        self.fail_calls("pwrite64", "ENOSPC")

    def test_a_write_finds_the_disk_broken(self):
        self.fail_calls("pwrite64", "EIO")

    def test_nobody_reads_the_answer(self):
        done = self.import_into(self.output, prefix=self.strace(
            "-e", "trace=write", "-e", "inject=write:error=EPIPE:when=1"))
        self.assert_clear_failure(done, "write")
        self.assertEqual(self.assert_old_or_new("write"), "new")
        done = self.import_into(self.output, prefix=self.strace(
            "-e", "trace=write", "-e", "inject=write:error=EPIPE:when=1+"))
        self.assertEqual(done.returncode, 1, harness.describe(done))

    def test_a_read_fails(self):
        # The first reads are the dynamic linker's.
        self.fail_calls("read", "EIO", first=self.calls("read", "formats") + 1)

    def test_flushing_fails(self):
        self.fail_calls("fsync", "EIO")

    def test_renaming_fails(self):
        self.fail_calls("rename", "EACCES")

    def test_a_file_cannot_be_given_its_size(self):
        self.fail_calls("ftruncate", "ENOSPC")

    def test_mapping_fails(self):
        self.fail_calls("mmap", "ENOMEM", first=self.calls("mmap", "formats") + 1)


class Kills(Import):
    """SIGKILL at the N-th write leaves the old file, or the new one where it came too late."""

    def test_at_a_write(self):
        count, killed = self.import_calls("pwrite64"), 0
        for n in harness.sample_or_all(range(1, count + 1), 25):
            with self.subTest(n):
                done = self.import_into(self.output, prefix=self.strace(
                    "-e", "trace=pwrite64", "-e", f"inject=pwrite64:signal=SIGKILL:when={n}"))
                self.assertIn(done.returncode, (0, -signal.SIGKILL), harness.describe(done))
                killed += done.returncode != 0
                self.assert_old_or_new(n)
                self.put_old_back()
        self.assertGreater(killed, 0)

    def test_around_the_renaming(self):
        for call in ("fsync", "linkat", "rename"):
            for n in range(1, self.import_calls(call) + 1):
                with self.subTest(f"{call} {n}"):
                    self.import_into(self.output, prefix=self.strace(
                        "-e", f"trace={call}", "-e", f"inject={call}:signal=SIGKILL:when={n}"))
                    self.assert_old_or_new(f"{call} {n}")
                    # The next import is not in the way of what this one left.
                    self.assertEqual(self.import_into(self.output).returncode, 0)
                    self.assertEqual(self.assert_old_or_new(call), "new")
                    self.put_old_back()

    def test_at_any_time(self):
        for i in range(200 if harness.IS_FULL else 20):
            with self.subTest(i), subprocess.Popen(
                    [harness.PROGRAM, "import", self.path("input.json"), "-o", self.output, "--memory", MEMORY],
                    env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                try:
                    process.wait(0.002 * (i * 7 % 97))
                except subprocess.TimeoutExpired:
                    process.kill()
                process.wait()
                self.assert_old_or_new(i)
                self.put_old_back()


class FullDisk(Import):
    """Really full, not by injection."""

    def test_files_may_not_grow(self):
        for size in harness.sample_or_all(range(0, 1_000_000, 50_000), 6):
            with self.subTest(size):
                done = self.import_into(self.output, limits={resource.RLIMIT_FSIZE: size})
                self.assert_clear_failure(done, size)
                self.assertEqual(self.read_output(), self.old)
                self.assertEqual(os.listdir(self.path("out")), ["trace.weft"])

    def test_the_file_system_is_full(self):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=640k", "weft", self.path("out")],
                                 stderr=subprocess.DEVNULL, check=False)
        if mounted.returncode != 0:
            self.skipTest("this user may not mount a file system")
        self.addCleanup(subprocess.run, ["umount", "-l", self.path("out")], check=False)
        self.put_old_back()
        done = self.import_into(self.output)
        self.assert_clear_failure(done, "tmpfs")
        self.assertEqual(self.read_output(), self.old)
        self.assertEqual(os.listdir(self.path("out")), ["trace.weft"])


if __name__ == "__main__":
    unittest.main()
