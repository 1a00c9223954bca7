"""Faults of the machine. Each function is an endless well of faults: what it yields is called to have one happen."""
import os
import resource
import shutil
import signal
import subprocess

from section import MEMORY_MAX, remove


class Allocations:
    """The allocations of one command that are still to fail: first one of each place, then all the others."""

    def __init__(self, b, name, base):
        counted, out = os.path.join(b.work, "count"), b.out_make(name)
        b.section.rill(*b.words(name, out), environment={**base, "RILL_FAIL_COUNT": counted}).end()
        remove(out)
        with open(counted) as file:
            self.all, *self.places = map(int, file)
        self.failed, self.ahead = 0, []
        self.random = b.random

    def next(self):
        if not self.ahead:
            first = set(self.places)
            others = [at for at in range(1, self.all + 1) if at not in first]
            self.random.shuffle(others)
            self.random.shuffle(self.places)
            self.ahead = others + self.places
        self.failed = min(self.failed + 1, self.all)
        return self.ahead.pop()

    def progress(self):
        """0 to 1 while places are left that have not failed, to 2 while other allocations are."""
        places = len(self.places)
        over = max(0, self.failed - places) / max(1, self.all - places)
        return min(1, self.failed / max(1, places)) + over


def furthest_behind(b):
    """The command whose places have failed least: so all are through at the same time, those with many among them."""
    new = [name for name in sorted(b.commands) if name not in b.allocations]
    return b.random.choice(new) if new else min(sorted(b.allocations), key=lambda name: b.allocations[name].progress())


def allocations(b):
    """One allocation fails, or all from there on: of each place of each command, then all the others."""
    library = os.path.join(os.path.dirname(os.environ["RILL_PROGRAM"]), "tests", "failing_malloc.so")
    if not os.path.exists(library):
        b.section.note(f"{library} is not there, so no allocation fails.")
        return
    base = {"LD_PRELOAD": library, "RILL_FAIL_IN": "rill"}
    while True:
        name = furthest_behind(b)
        if name not in b.allocations:
            b.allocations[name] = Allocations(b, name, base)
        at, rest = b.allocations[name].next(), b.random.choice("01")
        setting = {**base, "RILL_FAIL_AT": str(at), "RILL_FAIL_REST": rest}
        repeat = " ".join(f"{key}={value}" for key, value in setting.items())
        what = f"all allocations from number {at} on failed" if rest == "1" else f"allocation number {at} failed"
        yield lambda: b.attack("allocation fails", name, what, repeat, environment=setting)


def allocations_table(b):
    """How far that has come in this run."""
    rows = [[name, a.all, len(a.places), min(a.failed, len(a.places)), a.failed]
            for name, a in sorted(b.allocations.items())]
    return [["command", "allocations", "places of them", "places failed once", "allocations failed once"], *rows]


def file_sizes(b):
    """ulimit -f, from nothing to more than the largest file."""
    writers = [n for n in b.commands if "OUT" in " ".join(b.commands[n])]
    while True:
        name = b.random.choice(writers)
        size = int(10 ** b.random.uniform(0, 5.7)) if b.random.random() < 0.95 else 0
        yield lambda: b.attack("file size limit", name, f"files limited to {size} bytes", f"ulimit -f {size / 1024:g};",
                               limits=[(resource.RLIMIT_FSIZE, size)])


def memory_sizes(b):
    """ulimit -v, from what loading the program takes to plenty."""
    low = 8 << 20
    while b.section.rill("--version", limits=[(resource.RLIMIT_AS, low)]).end().code and low < MEMORY_MAX:
        low = int(low * 1.1)
    while True:
        name = b.random.choice(sorted(b.commands))
        size = int(low * 1.02 * 10 ** b.random.uniform(0, 1))
        yield lambda: b.attack("memory limit", name, f"memory limited to {size >> 10} kB", f"ulimit -v {size >> 10};",
                               limits=[(resource.RLIMIT_AS, size)], codes=(0, 1, 2) if name in ("run", "info scene") else (0, 1))


def descriptor_limits(b):
    """ulimit -n, from what loading the program takes to plenty."""
    low = 3
    while b.section.rill("--version", limits=[(resource.RLIMIT_NOFILE, low)]).end().code and low < 64:
        low += 1
    while True:
        name, most = b.random.choice(sorted(b.commands)), low + b.random.randint(0, 10)
        yield lambda: b.attack("descriptor limit", name, f"{most} descriptors", f"ulimit -n {most};",
                               limits=[(resource.RLIMIT_NOFILE, most)])


def full_disks(b):
    """A small disk with some room left, or with few names left."""
    disk = os.path.join(b.work, "disk")
    os.mkdir(disk)
    writers = [n for n in b.commands if "OUT" in " ".join(b.commands[n])]

    def attack():
        name = b.random.choice(writers)
        b.whole_of(name)
        option = f"size={4 * b.random.randint(1, 300)}k" if b.random.random() < 0.75 else \
            f"nr_inodes={b.random.randint(3, 30)}"
        subprocess.run(["mount", "-t", "tmpfs", "-o", option, "tmpfs", disk], check=True)
        out = os.path.join(disk, "out")
        try:
            os.mkdir(out)
            words = b.words(name, out)
            result = b.section.rill(*words).end()
            # A run says before it starts when its frames will not fit.
            b.judge(f"a disk of {option}, rill {name}", result, f"mount -t tmpfs -o {option} tmpfs {disk}; rill "
                    f"{' '.join(words)}", codes=(0, 1, 2) if name in ("run", "compare") else (0, 1), out=out,
                    name=None if name == "run" else name)
            if name == "run":
                subprocess.run(["mount", "-o", "remount,size=64m,nr_inodes=1000", disk], check=True)
                b.judge_files(lambda text: b.section.find(f"a disk of {option}, rill run: {text}", " ".join(words), out),
                              name, out, result.code == 0)
        finally:
            subprocess.run(["umount", disk], check=True)
        b.section.count("faults", "full disk")

    if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", disk], stderr=subprocess.DEVNULL).returncode:
        b.section.note("there is no right to mount a small disk, so no disk fills up.")
        return
    subprocess.run(["umount", disk], check=True)
    while True:
        yield attack


def vanishing_folders(b):
    """The folder that is written, or the run that is read, is removed or renamed under the process."""
    def attack():
        name = b.random.choice(["run", "mesh", "export", "render", "film", "shot film"])
        out, gone = b.out_make(name), b.section.path("gone")
        source = b.section.path("source")
        shutil.copytree(b.run, source)
        victim = b.random.choice([out, os.path.join(out, "frames")] if name == "run" else [out, source])
        words = [word.replace(b.run, source) for word in b.words(name, out)]
        process = b.section.rill(*words)
        process.wait_for(b.random.uniform(0, 0.3))
        if b.random.random() < 0.5:
            if os.path.isdir(victim):
                os.rename(victim, gone)
        else:
            shutil.rmtree(victim, ignore_errors=True)
        b.judge(f"a folder taken away while rill {name} was at work", process.end(),
                f"rill {' '.join(words)} & sleep 0.1; rm -r {victim}", codes=(0, 1, 2))
        b.section.count("faults", "folder vanishes")
        for path in (out, gone, source):
            remove(path)
    while True:
        yield attack


def two_writers(b):
    """Two processes with the same output, at the same time or a little apart."""
    def attack():
        name = b.random.choice(["run", "resume", "mesh", "export", "shot", "render", "film", "shot film"])
        kind = "run" if name == "resume" else name
        out = b.out_make(kind)
        b.whole_of(kind)
        words = b.words(kind, out) + (["--resume"] if name == "resume" else [])
        first = b.section.rill(*words)
        first.wait_for(b.random.choice((0, b.random.uniform(0, 0.3))))
        second = b.section.rill(*words)
        results = [first.end(), second.end()]
        repeat = "rill {0} & rill {0}; wait".format(" ".join(words))
        codes = (0, 1, 2) if kind == "run" else (0, 1)
        good = [b.judge(f"two writers, rill {name}", result, repeat, codes, out=out) for result in results]
        if all(good) and all(result.code for result in results):
            b.section.find(f"two writers, rill {name}: both gave up", repeat, out)
        elif all(good):
            b.judge_files(lambda text: b.section.find(f"two writers, rill {name}: {text}", repeat, out), kind, out, True)
        b.section.count("faults", "two writers")
        remove(out)
    while True:
        yield attack


def streams(b):
    """Closed, full or broken standard streams."""
    def closed(name, numbers):
        out = b.out_make(name)
        b.whole_of(name)
        words = [word for word in b.words(name, out) if word != "--quiet"]
        result = b.section.rill(*words, before=lambda: [os.close(n) for n in numbers]).end()
        b.judge(f"streams {numbers} closed, rill {name}", result,
                f"rill {' '.join(words)} {' '.join(f'{n}>&-' for n in numbers)}", (0, 1), out=out, name=name,
                silent=2 in numbers)
        b.section.count("faults", "closed streams")
        remove(out)

    def broken(name, kind, ignored):
        out = b.out_make(name)
        b.whole_of(name)
        words = [word for word in b.words(name, out) if word != "--quiet"]
        if kind == "full":
            stdout = os.open("/dev/full", os.O_WRONLY)
        else:
            reader, stdout = os.pipe()
            os.close(reader)
        before = (lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN)) if ignored else None
        result = b.section.rill(*words, stdout=stdout, before=before).end()
        os.close(stdout)
        b.judge(f"stdout {kind}, rill {name}", result, f"rill {' '.join(words)} >/dev/full (or | true)", (0, 1),
                signals=() if ignored else (signal.SIGPIPE,), out=out, name=name)
        b.section.count("faults", "broken stdout")
        remove(out)

    subsets = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
    while True:
        for name in b.random.sample(sorted(b.commands), len(b.commands)):
            yield lambda: closed(name, b.random.choice(subsets))
            yield lambda: broken(name, b.random.choice(("full", "gone")), b.random.random() < 0.5)
