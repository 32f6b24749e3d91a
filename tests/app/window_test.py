#!/usr/bin/env python3
"""Starts the real window under Xvfb, drives it with real keys and mouse events, and checks the
journal and a screenshot. Called with the program; needs Xvfb, xdotool (and import, for the
screenshot)."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = sys.argv[1]
TIMEOUT_S = 60


def trace_events():
    for thread in range(4):
        for i in range(400):
            yield {"name": f"step {i % 7} %s ##x", "ph": "X", "pid": 1, "tid": thread,
                   "ts": i * 100 + thread * 13, "dur": 80}


def comes(condition, seconds):
    """What the condition gives once that is something; nothing: it did not come."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    return None


def wait_for(what, condition, seconds=TIMEOUT_S):
    return comes(condition, seconds) or sys.exit(f"window_test: {what}: not within {seconds} s")


def xdotool(*arguments):
    return subprocess.run(["xdotool", *map(str, arguments)], capture_output=True, text=True).stdout.strip()


@contextlib.contextmanager
def display():
    """A display server of the test's own, ready when this returns; ended, not left behind."""
    get, put = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(put), "-screen", "0", "1280x800x24", "-nolisten", "tcp",
                               "-noreset"],  # or it starts anew when a client has gone, and refuses the next
                              pass_fds=[put], stderr=subprocess.DEVNULL)
    os.close(put)
    with os.fdopen(get) as ready:
        number = ready.readline().strip()
    if not number:
        sys.exit("window_test: Xvfb does not start")
    os.environ["DISPLAY"] = f":{number}"
    os.environ.pop("WAYLAND_DISPLAY", None)
    try:
        yield
    finally:
        server.terminate()
        server.wait()


def environment_in(folder):
    return dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"),
                XDG_CONFIG_HOME=os.path.join(folder, "config"),
                XDG_STATE_HOME=os.path.join(folder, "state"))


class Session:
    def __init__(self, folder):
        self.journal = os.path.join(folder, "journal")
        trace = os.path.join(folder, "trace.json")
        with open(trace, "w") as file:
            json.dump({"traceEvents": list(trace_events())}, file)
        environment = environment_in(folder)
        start = os.path.join(folder, "start")
        with open(start, "w") as file:
            print(json.dumps({"command": "open", "args": {"path": "/no/such/trace"}}), file=file)
            print(json.dumps({"command": "row_height", "args": {"px": 17}}), file=file)
            print(json.dumps({"command": "quit", "args": {}}), file=file)  # of the session recorded
        symbols = os.path.join(folder, "names.h")
        with open(symbols, "w") as file:
            print("#define QUEUE_A 0x10", file=file)
        # What may be repeated takes one, and leaves the trace.
        self.process = subprocess.Popen([PROGRAM, "--journal", self.journal, "--run", start,
                                         "--symbols", symbols, trace], env=environment)
        self.window = wait_for("the window", lambda: self.alive() and
                               xdotool("search", "--onlyvisible", "--class", "weftscope").split("\n")[0])
        xdotool("windowfocus", "--sync", self.window)
        xdotool("mousemove", "--window", self.window, 700, 300)
        wait_for("the first command", lambda: self.commands("open"))
        wait_for("what the window begins with", lambda: self.commands("row_height"))
        assert self.commands("symbols.load") == [{"paths": [symbols]}], self.commands("symbols.load")
        assert self.handled("row_height") == [{"px": 17}], self.commands("row_height")

    def alive(self):
        if self.process.poll() is not None:
            sys.exit(f"window_test: the program ended with {self.process.returncode}")
        return True

    def commands(self, name):
        self.alive()
        if not os.path.exists(self.journal):
            return []
        with open(self.journal) as file:
            lines = [json.loads(line) for line in file if line.endswith("\n")]
        return [line["args"] for line in lines if line["command"] == name]

    def handled(self, name):
        """The commands of that name once all keys and moves until now have been handled: a key that
        is pressed last is in the journal, and before it whatever was begun."""
        before = len(self.commands("theme"))
        xdotool("key", "ctrl+t")
        wait_for("a key in the journal", lambda: len(self.commands("theme")) > before)
        return self.commands(name)

    def expect_more(self, name, action):
        """Does something and says what the journal has of that name in the end."""
        before = len(self.handled(name))
        action()
        return wait_for(f"'{name}' in the journal", lambda: self.handled(name)[before:])[-1]


def length(view):
    return view.get("length", view["to"] - view["from"])


def drive(session):
    view = session.expect_more("view.set", lambda: xdotool("key", "--delay", 120, "w"))
    whole = length(view)

    def hold(key):
        xdotool("keydown", key)
        time.sleep(0.3)  # as long as it is held
        xdotool("keyup", key)

    view = session.expect_more("view.set", lambda: hold("w"))
    assert length(view) < whole * 0.9, "holding W zooms in"
    moved = session.expect_more("view.set", lambda: hold("d"))
    assert moved["from"] > view["from"], "holding D moves to the right"
    assert abs(length(moved) - length(view)) < 2, "moving keeps the zoom"

    def notches():
        before = len(session.handled("view.set"))
        xdotool("click", "--repeat", 4, "--delay", 30, 4)
        return session.handled("view.set")[before:]

    # Unless a frame between them takes half a second, as it may on a busy machine.
    entries = next((made for made in (notches() for _ in range(5)) if len(made) == 1), None)
    assert entries, "notches in a row are one entry"
    view = entries[0]
    assert length(view) < length(moved), "the wheel zooms in"
    before = view

    def drag():
        xdotool("mousemove", "--window", session.window, 700, 300, "mousedown", 1)
        for x in range(700, 600, -20):
            xdotool("mousemove", "--window", session.window, x, 300)
        xdotool("mouseup", 1)

    view = session.expect_more("view.set", drag)
    assert view["from"] > before["from"], "dragging to the left shows what is later"
    before = view
    # All at once: pressed where it was then, drawn to where it is let go.
    view = session.expect_more("view.set", lambda: xdotool(
        "mousemove", "--window", session.window, 700, 300, "mousedown", 1,
        "mousemove", "--window", session.window, 500, 300, "mouseup", 1,
        "mousemove", "--window", session.window, 900, 300))
    assert view["from"] > before["from"], "a drag within one frame moves, too"
    session.expect_more("view.fit", lambda: xdotool("key", "f"))

    def goes():
        """Letters that come before the dialog has the keys are lost: they are typed again."""
        asked = len(session.commands("view.go.ask"))
        xdotool("key", "Escape", "ctrl+g")
        wait_for("the dialog", lambda: len(session.commands("view.go.ask")) > asked)
        xdotool("type", "--delay", 20, "10 ms")
        xdotool("key", "--delay", 0, "Return")  # down and up between two frames
        return comes(lambda: session.commands("view.go"), 10)

    assert wait_for("a time that is typed", goes) == [{"at": 10_000_000}], session.commands("view.go")


def check_screenshot(session, folder):
    if not shutil.which("import") or not shutil.which("convert"):
        return
    picture = os.path.join(folder, "screen.png")

    def is_colourful():
        subprocess.run(["import", "-window", session.window, picture], check=True)
        colors = subprocess.run(["convert", picture, "-format", "%k", "info:"], check=True,
                                capture_output=True, text=True).stdout
        return int(colors) > 50

    wait_for("a screenshot of more than 50 colours", is_colourful)
    if os.environ.get("WEFT_PICTURES"):
        shutil.copy(picture, os.path.join(os.environ["WEFT_PICTURES"], "window.png"))


def catches(program, number):
    """Whether the signal has a handler; one that handles the first alone is gone with it."""
    with open(f"/proc/{program.pid}/status") as status:
        caught = next((line for line in status if line.startswith("SigCgt:")), "SigCgt: 0")
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


def check_interrupt(folder):
    """Ctrl+C in a terminal is for what writes into the pipe; the window goes with the next one."""
    journal = os.path.join(folder, "journal of a pipe")
    program = subprocess.Popen([PROGRAM, "--journal", journal, "-"], stdin=subprocess.PIPE,
                               env=environment_in(folder))

    def does(key, command):
        xdotool("key", key)
        assert program.poll() is None, program.returncode
        return comes(lambda: os.path.exists(journal) and command in open(journal).read(), 10)

    try:
        program.stdin.write(json.dumps(list(trace_events())).encode())
        program.stdin.flush()
        window = wait_for("the window of a pipe",
                          lambda: xdotool("search", "--onlyvisible", "--class", "weftscope").split("\n")[0])
        xdotool("windowfocus", "--sync", window)
        program.send_signal(signal.SIGINT)
        program.stdin.close()
        wait_for("the first signal", lambda: not catches(program, signal.SIGINT))
        wait_for("a window that goes on", lambda: does("ctrl+t", '"theme"'))
        program.send_signal(signal.SIGINT)
        program.wait(timeout=20)
        assert program.returncode == -signal.SIGINT, program.returncode
    finally:
        program.kill()


def check_end(folder):
    """What was changed is kept where the program is ended from outside."""
    start = os.path.join(folder, "start of the end")
    with open(start, "w") as file:
        print(json.dumps({"command": "settings.show", "args": {}}), file=file)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        journal = os.path.join(folder, f"journal of {number}")
        program = subprocess.Popen([PROGRAM, "--journal", journal, "--run", start], env=environment_in(folder))
        try:
            wait_for("a window that runs", lambda: os.path.exists(journal) and "settings.show" in open(journal).read())
            program.send_signal(number)
            program.wait(timeout=20)
            assert program.returncode == 0, program.returncode
            assert json.loads(open(journal).readlines()[-1])["command"] == "quit"
        finally:
            program.kill()


def check_early_end(folder):
    """So is what was to be opened, where that comes before the first frame."""
    folder = os.path.join(folder, "early")
    os.mkdir(folder)
    start, trace = os.path.join(folder, "start"), os.path.join(folder, "trace.json")
    os.mkfifo(start)
    with open(trace, "w") as file:
        json.dump(list(trace_events()), file)
    program = subprocess.Popen([PROGRAM, "--run", start, trace], env=environment_in(folder))
    try:
        with open(start, "w"):  # the program reads it before it has a window
            program.send_signal(signal.SIGTERM)
        program.wait(timeout=20)
        assert program.returncode == 0, program.returncode
        with open(os.path.join(folder, "state", "weftscope", "session.json")) as file:
            assert json.load(file)["open"] == [trace]
    finally:
        program.kill()


def check_size(folder):
    """A size that is asked for is in pixels, whatever the display's scale."""
    if not shutil.which("xprop"):
        return
    scale = ["xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER"]
    subprocess.run([*scale, "Xft.dpi:\t192\n"], check=True)
    program = subprocess.Popen([PROGRAM, "--size", "640x400"], env=environment_in(folder))
    try:
        window = wait_for("the window of a size", lambda: xdotool("search", "--onlyvisible", "--class", "weftscope"))
        assert "Geometry: 640x400" in xdotool("getwindowgeometry", window), xdotool("getwindowgeometry", window)
    finally:
        program.kill()
        program.wait()
        subprocess.run(["xprop", "-root", "-remove", "RESOURCE_MANAGER"], check=True)


def main():
    with tempfile.TemporaryDirectory() as folder, display():
        session = Session(folder)
        try:
            drive(session)
            check_screenshot(session, folder)
            xdotool("key", "ctrl+q")
            session.process.wait(timeout=20)
            assert session.process.returncode == 0, session.process.returncode
            assert json.loads(open(session.journal).readlines()[-1])["command"] == "quit"
        finally:
            if session.process.poll() is None:
                session.process.kill()
        check_interrupt(folder)
        check_end(folder)
        check_early_end(folder)
        check_size(folder)


main()
