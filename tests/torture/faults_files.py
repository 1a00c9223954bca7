"""Hostile files. Each function is an endless well of faults: what it yields is called to have one happen."""
import os
import resource
import shutil
import socket

from faults_bench import PICTURE, RUN, as_nobody
from section import MEMORY_MAX, difference, folder_digests, remove


class Strange:
    """Things that can stand where a file is expected."""

    def __init__(self, section):
        self.precious = section.path("precious")
        os.mkdir(self.precious)
        self.file = os.path.join(self.precious, "file")
        with open(self.file, "w") as file:
            file.write("precious\n" * 10)
        self.digests = folder_digests(self.precious)
        self.makers = {
            "FIFO": os.mkfifo, "socket": self.socket_make, "folder": os.mkdir,
            "link to /dev/zero": lambda p: os.symlink("/dev/zero", p),
            "link to /dev/null": lambda p: os.symlink("/dev/null", p),
            "link to /dev/full": lambda p: os.symlink("/dev/full", p),
            "link to a file": lambda p: os.symlink(self.file, p),
            "link to a FIFO": self.fifo_link, "link to nothing": lambda p: os.symlink(self.precious + "/new", p),
            "link to itself": lambda p: os.symlink(os.path.basename(p), p),
            "link to a folder": lambda p: os.symlink(self.precious, p),
            "empty file": lambda p: open(p, "w").close(), "unreadable file": self.unreadable_make}

    def socket_make(self, path):
        here = os.getcwd()
        os.chdir(os.path.dirname(path))  # addresses are short
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.path.basename(path))
        os.chdir(here)

    def fifo_link(self, path):
        os.mkfifo(path + "_fifo")
        os.symlink(os.path.basename(path) + "_fifo", path)

    def unreadable_make(self, path):
        with open(path, "w") as file:
            file.write("name: secret\n")
        os.chmod(path, 0)

    def touched(self):
        return difference(self.digests, folder_digests(self.precious))


def strange_inputs(b):
    """What is read is no file, or not one to read from."""
    strange = Strange(b.section)
    trace = ["render", "RUN", *PICTURE, "--samples", "1", "--out", "OUT/one.png"]
    # The thing that is replaced, and a command that reads it.
    places = [("x.yaml", ["run", "PLACE/x.yaml", "--time", "20ms", "--out", "OUT/run"]), ("x.yaml", ["info", "PLACE/x.yaml"])]
    places += [(f"x.{kind}", ["mesh", f"PLACE/x.{kind}", "--diameter", "1", "--out", "OUT/x.ply"])
               for kind in ("ply", "vtp", "xyz", "csv")]
    places += [(f"x.{kind}", [*trace, option, f"PLACE/x.{kind}"])
               for kind in ("png", "exr") for option in ("--light", "--ground")]
    readers = [["info", "RUN"], ["shot", "RUN", *PICTURE, "--out", "OUT/x.png"], ["mesh", "RUN", "--out", "OUT"], trace,
               ["export", "RUN", "--out", "OUT"], ["run", "--resume", "--out", "RUN"], ["plot", "RUN", "--out", "OUT"]]
    places += [(f"RUN/{name}", reader) for reader in readers for name in
               ("scene.yaml", "frames", "frames/frame_000003.h5", "report.csv", "probes.csv", ".lock")]
    places += [("RUN/mesh/frame_000003.ply", trace), ("RUN/mesh", trace), ("RUN/mesh", ["mesh", "RUN"]),
               ("RUN/render_000003_clear.png", trace[:-2]), ("RUN/last.png", ["run", "--resume", "--out", "RUN"])]
    if "plot" not in b.commands:
        places = [(place, reader) for place, reader in places if reader[0] != "plot"]

    def attack(place, reader, kind):
        out, run = b.out_make("out"), b.section.path("source")
        shutil.copytree(b.run, run)
        path = place.replace("RUN", run) if place.startswith("RUN") else os.path.join(out, place)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        remove(path)
        strange.makers[kind](path)
        words = [w.replace("RUN", run).replace("PLACE", out).replace("OUT", out) for w in reader]
        result = b.section.rill(*words, limits=[(resource.RLIMIT_AS, MEMORY_MAX)], before=as_nobody(b, out, run)).end(20)
        what = f"{kind} as {place.replace('RUN/', '')}, rill {reader[0]}"
        repeat = f"{kind} at {path}; rill {' '.join(words)}"
        b.judge(what, result, repeat, codes=(0, 1, 2), out=run)
        if strange.touched():
            b.section.find(f"{what}: the precious folder {strange.touched()}", repeat, run)
            strange.__init__(b.section)
        b.section.count("faults", "strange file read")
        remove(out)
        remove(run)

    while True:
        cases = [(place, reader, kind) for place, reader in places for kind in strange.makers]
        b.random.shuffle(cases)
        for case in cases:
            yield lambda: attack(*case)


# Folders that a user names, or puts on another disk, may be links.
FOLLOWED = [("frames", "link to a folder"), ("pictures", "link to a folder")]


def strange_outputs(b):
    """Something stands where the program is about to write; what a link leads to keeps its bytes."""
    strange = Strange(b.section)
    places = [("run", name) for name in ("scene.yaml", "frames", "report.csv", "probes.csv", ".lock", "last.png",
                                         "frames/frame_000001.h5", "frames/frame_000001.h5.tmp", "scene.yaml.tmp",
                                         "last.png.tmp", "report.csv.tmp")]
    places += [("resume", name) for name in ("report.csv", "probes.csv", ".lock", "last.png", "frames/frame_000003.h5")]
    places += [("shot", name) for name in ("one.png", "one.png.tmp")]
    places += [("render", name) for name in ("frame_000001.png", "frame_000001.exr", "frame_000001.png.tmp",
                                             "render.txt", "render.txt.tmp")]
    places += [("film", name) for name in ("film.mp4", "film.mp4.tmp", "pictures", "pictures/frame_000001.png")]
    places += [("shot film", name) for name in ("film.mov", "film.mov.tmp")]
    places += [("mesh", name) for name in ("frame_000001.ply", "frame_000001.ply.tmp")]
    places += [("export", name) for name in ("frame_000001.vtp", "series.pvd", "series.pvd.tmp")]
    places += [("plot", name) for name in ("energy.png", "energy.svg", "energy.png.tmp")] if "plot" in b.commands else []

    def attack(name, place, kind):
        command = "run" if name == "resume" else name
        out = b.out_make(command)
        if name == "resume":
            remove(out)
            shutil.copytree(b.run, out)
        path = os.path.join(out, place)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        remove(path)
        strange.makers[kind](path)
        words = b.words(command, out) + (["--resume"] if name == "resume" else [])
        result = b.section.rill(*words, limits=[(resource.RLIMIT_AS, MEMORY_MAX)]).end(20)
        what, repeat = f"{kind} at {place}, rill {name}", f"{kind} at {path}; rill {' '.join(words)}"
        b.judge(what, result, repeat, codes=(0, 1, 2), out=out)
        if strange.touched():
            b.section.find(f"{what}: the folder of somebody else {strange.touched()}", repeat, out)
            strange.__init__(b.section)
        b.section.count("faults", "strange file written")
        remove(out)

    # An empty file is an ordinary one.
    kinds = [k for k in strange.makers if k not in ("empty file", "unreadable file")]
    while True:
        cases = [(name, place, kind) for name, place in places for kind in kinds if (place, kind) not in FOLLOWED]
        b.random.shuffle(cases)
        for case in cases:
            yield lambda: attack(*case)


def closed_folders(b):
    """Folders that may not be written, and times of files from the future or the past."""
    def attack():
        name = b.random.choice(["run", "mesh", "export", "shot", "render", "film"] + (["plot"] if "plot" in b.commands else []))
        if os.geteuid() == 0 and not b.play_nobody:
            return
        out = b.out_make(name)
        before = as_nobody(b, out)
        os.chmod(out, 0o555)
        words = b.words(name, out)
        result = b.section.rill(*words, before=before).end()
        b.judge(f"a folder that may not be written, rill {name}", result, f"chmod 555 {out}; rill {' '.join(words)}",
                codes=(1, 2), out=out, name=None if name == "run" else name)
        b.section.count("faults", "read-only folder")
        remove(out)

    def moved_clock():
        out, run = b.out_make("clock"), b.section.path("source")
        shutil.copytree(b.run, run)
        for place, _, names in os.walk(run):
            for path in names:
                moment = b.random.choice((0, 4102444800, 1))
                os.utime(os.path.join(place, path), (moment, moment))
        trace = ["render", run, *PICTURE, "--samples", "1", "--frames", "0:2", "--out", out, "--quiet"]
        for words in (trace, trace, ["info", run], ["run", "--resume", "--out", run, "--quiet"]):
            result = b.section.rill(*words).end()
            b.judge(f"files with strange times, rill {words[0]}", result, "touch -d 2100-01-01 RUN/frames/*; rill " +
                    " ".join(words), codes=(0,), out=run)
        b.section.count("faults", "clock jumps")
        remove(out)
        remove(run)

    while True:
        for _ in range(6):
            yield attack
        yield moved_clock


def damaged_frames(b):
    """A frame that was cut, zeroed or changed is passed over, and the run ends as before."""
    def attack():
        out = b.section.path("damaged")
        shutil.copytree(b.run, out)
        names = sorted(os.listdir(os.path.join(out, "frames")))
        for name in names[-b.random.randint(1, len(names)):]:
            damage(os.path.join(out, "frames", name), b.random)
        words = b.fill(RUN, out) + ["--resume", "--quiet"]
        result = b.section.rill(*words).end()
        what = "frames damaged, rill run --resume"
        b.judge(what, result, f"rill {' '.join(words)}", codes=(0,), out=out)
        if result.code == 0:
            left = {n: d for n, d in folder_digests(out).items() if not n.endswith(".damaged")}
            if difference(b.whole_run, left):
                b.section.find(f"{what}: it {difference(b.whole_run, left)}", f"rill {' '.join(words)}", out)
        b.section.count("faults", "damaged frame")
        remove(out)
    while True:
        yield attack


SEAL = 16  # bytes


def damage(path, chance):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    before, way, at = bytes(data), chance.randint(0, 3), chance.randrange(len(data))
    if way == 0:
        data = data[:at - (at == len(data) - SEAL)]  # without its seal alone a frame is whole
    elif way == 1:
        data[at:at + 64] = bytes(len(data[at:at + 64]))
    elif way == 2:
        data[at] ^= 1 << chance.randint(0, 7)
    else:
        data[at:] = bytes(len(data) - at)
    if data == before:
        data[at] ^= 1
    with open(path, "wb") as file:
        file.write(data)
