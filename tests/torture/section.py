"""What the sections written in Python share: their arguments, running the program, comparing folders, the report.

A section is called as `SECTION --seconds N --seed S --work DIR` with RILL_PROGRAM and RILL_SCENES in the environment.
It works in DIR only and prints one JSON object as its last line; tests/torture/torture says what is in it.
"""
import argparse
import collections
import ctypes
import fcntl
import hashlib
import json
import os
import random
import resource
import select
import shutil
import signal
import subprocess
import sys
import time

PATIENCE = 60  # seconds after which a command on a tiny scene hangs
MEMORY_MAX = 4 << 30  # bytes of address space that nothing here may need
MEMORY_FAIR = 1 << 30  # resident bytes above which a tiny scene eats memory

F_SETPIPE_SZ, PR_SET_CHILD_SUBREAPER = 1031, 36  # of Linux
C = ctypes.CDLL(None, use_errno=True)

Result = collections.namedtuple("Result", "code out err seconds memory hung")


class Process:
    """One program at work. Its output waits in pipes, large enough that nobody has to read while it runs, or goes to
    the files LOG.stdout and LOG.stderr."""

    def __init__(self, words, log=None, environment=None, limits=(), before=None, **streams):
        self.words, self.log, self.started, self.pipes, writers = words, log, time.monotonic(), {}, {}
        for name in {"stdout", "stderr"} - set(streams):
            if log:
                writers[name] = os.open(f"{log}.{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
            else:
                self.pipes[name], writers[name] = os.pipe()
                fcntl.fcntl(writers[name], F_SETPIPE_SZ, 1 << 20)

        def prepare():
            for kind, amount in limits:
                resource.setrlimit(kind, (amount, amount))
            if before:
                before()

        self.child = subprocess.Popen(words, stdin=streams.get("stdin", subprocess.DEVNULL),
                                      stdout=streams.get("stdout", writers.get("stdout")),
                                      stderr=streams.get("stderr", writers.get("stderr")), env=environment,
                                      preexec_fn=prepare if limits or before else None)
        for writer in writers.values():
            os.close(writer)
        self.ended = os.pidfd_open(self.child.pid)
        self.result = None

    def wait_for(self, seconds):
        """Waits up to so long for the end. True when it has ended."""
        poll = select.poll()
        poll.register(self.ended, select.POLLIN)
        return bool(poll.poll(max(0, seconds) * 1000))

    def signal(self, number):
        if not self.result:
            os.kill(self.child.pid, number)  # not waited for yet, so the number is still its own

    def end(self, patience=PATIENCE):
        hung = not self.wait_for(patience)
        if hung:
            self.signal(signal.SIGKILL)
        _, state, usage = os.wait4(self.child.pid, 0)
        seconds = time.monotonic() - self.started
        self.child.returncode = os.waitstatus_to_exitcode(state)
        os.close(self.ended)
        self.result = Result(self.child.returncode, self.text("stdout"), self.text("stderr"), seconds,
                             usage.ru_maxrss * 1024, hung)
        return self.result

    def text(self, name):
        """What has arrived by now: a child that outlives the program may keep the pipe open."""
        pipe = self.pipes.get(name)
        if pipe is None and self.log and os.path.exists(f"{self.log}.{name}"):
            pipe = os.open(f"{self.log}.{name}", os.O_RDONLY)
        if pipe is None:
            return ""
        os.set_blocking(pipe, False)
        text = b""
        try:
            while part := os.read(pipe, 1 << 20):
                text += part
        except BlockingIOError:
            pass
        os.close(pipe)
        return text.decode(errors="replace")


class Section:
    def __init__(self, name, about):
        parser = argparse.ArgumentParser(prog=name, description=about)
        parser.add_argument("--seconds", type=float, default=60)
        parser.add_argument("--seed", default="1")
        parser.add_argument("--work", required=True, help="a folder of its own")
        parser.add_argument("--only", help="a part of it, as named in the report")
        arguments = parser.parse_args()
        self.name, self.seconds, self.only = name, arguments.seconds, arguments.only
        self.seed = arguments.seed
        self.random = random.Random(f"{name} {arguments.seed}")
        self.work = os.path.abspath(arguments.work)
        self.started = time.monotonic()
        self.environment = {**os.environ, "LC_ALL": "C"}
        self.counts = {"inputs": 0, "kills": 0, "faults": 0, "cases": 0}
        self.parts = collections.Counter()
        self.finds, self.notes, self.numbers = {}, [], collections.Counter()
        os.makedirs(self.work, exist_ok=True)
        os.chdir(self.work)
        C.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.take_program(os.environ["RILL_PROGRAM"], os.environ["RILL_SCENES"])
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

    def take_program(self, program, scenes):
        """A copy of its own: the build may go on meanwhile, and the program must be within reach of nobody."""
        os.chmod(self.work, 0o755)
        self.program = shutil.copy(program, os.path.join(self.work, "rill"))
        self.environment["RILL_SCENES"] = os.path.join(self.work, "scenes")
        shutil.copytree(scenes, self.environment["RILL_SCENES"])

    def over(self):
        return time.monotonic() - self.started >= self.seconds

    def count(self, kind, part, number=1):
        self.counts[kind] += number
        self.parts[part] += number

    def note(self, sentence):
        self.notes.append(sentence)
        print(f"{self.name}: {sentence}", file=sys.stderr, flush=True)

    def path(self, name):
        """A path in the work folder that nobody has had before."""
        self.numbers[name] += 1
        return os.path.join(self.work, f"{name}_{self.numbers[name]}")

    def rill(self, *words, **more):
        """Starts the program."""
        environment = {**self.environment, **more.pop("environment", {})}
        return Process([self.program, *map(str, words)], environment=environment, **more)

    def film_maker(self):
        """What films are made by. Where there is no ffmpeg, a script that keeps what it is sent: the program's side of
        films is tested all the same."""
        if shutil.which("ffmpeg"):
            return "film"
        folder = os.path.join(self.work, "bin")
        os.mkdir(folder)
        path = os.path.join(folder, "ffmpeg")
        with open(path, "w") as file:
            file.write('#!/bin/sh\nfor last; do :; done\nexec cat >"${last#file:}"\n')
        os.chmod(path, 0o755)
        self.environment["PATH"] = f"{folder}:{self.environment['PATH']}"
        self.note("ffmpeg is not installed, so films are made with a stand-in that keeps what it is sent.")
        return "film (stand-in for ffmpeg)"

    def orphans_wait(self, patience=PATIENCE):
        """Children of killed programs, such as ffmpeg, become ours. False when one of them does not end."""
        until = time.monotonic() + patience
        while time.monotonic() < until:
            try:
                if os.waitpid(-1, os.WNOHANG)[0] == 0:
                    time.sleep(0.002)
            except ChildProcessError:
                return True
        return False

    def must(self, *words):
        """Runs the program where nothing stands in its way."""
        result = self.rill(*words).end()
        if result.code:
            self.find(f"rill {words[0]} failed undisturbed: {result.err.strip()[:300]}",
                      "rill " + " ".join(map(str, words)))
        return result

    def find(self, what, repeat, folder=None):
        """Keeps a find once, with the folder that shows it."""
        kind = " ".join(word for word in what.split() if not any(letter.isdigit() for letter in word))
        if kind in self.finds:
            return
        if folder and os.path.lexists(folder):
            kept = os.path.join(self.work, "finds", str(len(self.finds) + 1))
            os.makedirs(os.path.dirname(kept), exist_ok=True)
            shutil.copytree(folder, kept, symlinks=True, ignore=special_files)
            repeat += f" (left behind: {kept})"
        self.finds[kind] = {"what": what, "repeat": repeat}
        print(f"{self.name}: FOUND: {what}\n  repeat: {repeat}", file=sys.stderr, flush=True)

    def report(self, **more):
        finds = list(self.finds.values())
        print(json.dumps({"section": self.name, **self.counts, "parts": dict(sorted(self.parts.items())),
                          "finds": finds, "known": [], "notes": self.notes, **more}))
        sys.exit(1 if finds else 0)


def special_files(folder, names):
    """What copytree must not open: FIFOs, sockets, devices."""
    def plain(path):
        return os.path.islink(path) or os.path.isfile(path) or os.path.isdir(path)
    return [name for name in names if not plain(os.path.join(folder, name))]


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        os.unlink(path)


def table_bytes(data):
    """A table without the seconds each phase took, which differ from run to run."""
    rows = [line.split(b",") for line in data.splitlines(keepends=True)]
    keep = [not name.startswith(b"seconds_") for name in rows[0]] if rows else []
    return b"\n".join(b",".join(cell for cell, kept in zip(row, keep) if kept) for row in rows)


def file_digest(path):
    with open(path, "rb") as file:
        data = file.read()
    return hashlib.sha256(table_bytes(data) if path.endswith("report.csv") else data).hexdigest()


def folder_digests(folder):
    """Every file below a folder, by its path, with a digest of what must be the same in each run."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if name != ".lock":
                found[os.path.relpath(path, folder)] = file_digest(path)
    return found


def is_table(path):
    return path.endswith(("report.csv", "probes.csv"))


def difference(whole, other):
    """What differs between the digests of two folders, in words; empty when nothing does."""
    lacks, more = sorted(set(whole) - set(other)), sorted(set(other) - set(whole))
    changed = sorted(name for name in set(whole) & set(other) if whole[name] != other[name])
    return "; ".join(f"{word} {', '.join(names[:3])}{' ...' if len(names) > 3 else ''}"
                     for word, names in (("lacks", lacks), ("also has", more), ("differs in", changed)) if names)
