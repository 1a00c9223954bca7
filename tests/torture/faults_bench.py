"""The bench of the section `faults`: a whole run, the commands, and the judge of what they did."""
import os
import shutil
import signal
import subprocess

from section import MEMORY_FAIR, difference, folder_digests, is_table, remove

PICTURE = ["--width", "64", "--height", "64"]
RUN = ["run", "tiny", "--time", "0.1s", "--out", "OUT", "--threads", "2"]
NOBODY = 65534


class Bench:
    """A whole run, what each command leaves of it, and the judge."""

    def __init__(self, section):
        self.section, self.random, self.work = section, section.random, section.work
        self.run = os.path.join(self.work, "run")
        self.play_nobody = os.geteuid() == 0 and self.nobody_reaches()
        section.must(*self.fill(RUN, self.run), "--quiet")
        # What `run` leaves: later commands may add to the folder.
        self.whole_run = folder_digests(self.run)
        self.inputs = self.inputs_make()
        self.commands = self.commands_make()
        self.whole, self.allocations = {}, {}

    def nobody_reaches(self):
        try:
            return self.section.rill("--version", before=become_nobody).end().code == 0
        except (OSError, subprocess.SubprocessError):
            self.section.note(f"{self.work} is out of reach for the user nobody, so root reads and writes all there.")
            return False

    def fill(self, words, out):
        return [word.replace("OUT", out).replace("RUN", self.run) for word in words]

    def inputs_make(self):
        """Files of every kind that is read, made by the program itself."""
        folder = os.path.join(self.work, "inputs")
        must = self.section.must
        must("export", self.run, "--format", "vtp", "--frames", "last", "--out", folder, "--quiet")
        must("export", self.run, "--format", "ply", "--frames", "last", "--out", folder, "--quiet")
        must("render", self.run, *PICTURE, "--samples", "1", "--format", "png,exr", "--out", f"{folder}/light", "--quiet")
        found = {}
        for place, _, names in os.walk(folder):
            found.update({os.path.splitext(name)[1][1:]: os.path.join(place, name) for name in names})
        points = "".join(f"{x * 0.1} {y * 0.1} 0\n" for x in range(5) for y in range(5))
        for kind, text in (("xyz", points), ("csv", "x,y,z\n" + points.replace(" ", ","))):
            found[kind] = os.path.join(folder, "particles." + kind)
            with open(found[kind], "w") as file:
                file.write(text)
        found["yaml"] = os.path.join(self.run, "scene.yaml")
        return found

    def commands_make(self):
        """By name: the words, with OUT for a folder that is there."""
        trace = ["render", "RUN", *PICTURE, "--samples", "1"]
        self.section.film_maker()
        found = {"run": RUN, "mesh": ["mesh", "RUN", "--out", "OUT"], "export": ["export", "RUN", "--out", "OUT"],
                 "shot": ["shot", "RUN", *PICTURE, "--out", "OUT/one.png"],
                 "surface": ["shot", "RUN", "--surface", *PICTURE, "--out", "OUT/one.png"],
                 "render": [*trace, "--frames", "1:2", "--format", "png,exr", "--out", "OUT"],
                 "light": [*trace, "--light", self.inputs["exr"], "--ground", self.inputs["png"],
                           "--out", "OUT/one.png"],
                 "film": [*trace, "--frames", "0:2", "--film", "OUT/film.mp4", "--out", "OUT/pictures"],
                 "shot film": ["shot", "RUN", *PICTURE, "--film", "OUT/film.mov"],
                 "compare": ["compare", "tiny", "--time", "0.02s", "--solvers", "dfsph,pbf", "--out", "OUT"],
                 "info": ["info", "RUN"], "info scene": ["info", "tiny"], "scenes": ["scenes"]}
        for kind in ("ply", "vtp", "xyz", "csv"):
            found[f"mesh {kind}"] = ["mesh", self.inputs[kind], "--diameter", "50mm", "--out", "OUT/surface.ply"]
        if shutil.which("gnuplot"):
            found["plot"] = ["plot", "RUN", "--format", "both", "--out", "OUT"]
        else:
            self.section.note("gnuplot is not installed, so plots are left out.")
        return found

    def words(self, name, out):
        quiet = [] if name in ("info", "info scene", "scenes") else ["--quiet"]
        return self.fill(self.commands[name], out) + quiet

    def whole_of(self, name):
        """What the command leaves undisturbed; the names alone where bytes differ from time to time."""
        if name not in self.whole:
            out = self.out_make(name)
            self.section.must(*self.words(name, out))
            self.whole[name] = folder_digests(out)
            remove(out)
        return self.whole[name]

    def out_make(self, name):
        out = self.section.path(name.replace(" ", "_"))
        os.mkdir(out)
        return out

    def judge(self, what, result, repeat, codes=(0, 1), signals=(), out=None, name=None, silent=False):
        """The rules for every command, whatever was done to it. True when all is well."""
        def find(text):
            self.section.find(f"{what}: {text}", repeat, out)
        before = len(self.section.finds)
        said = [line for line in result.err.splitlines() if line.startswith("rill: ")]
        said = [line for line in said if not is_note(line)] or said[:1]
        if result.hung:
            find("it hangs")
        elif result.code < 0 and -result.code not in signals:
            find(f"it died by {signal.Signals(-result.code).name}: {result.err.strip()[-300:]}")
        elif result.code >= 0 and result.code not in codes:
            find(f"it ended with the wrong code ({result.code}): {result.err.strip()[:300]}")
        elif result.code > 0 and not silent and len(said) != 1:
            find(f"it said {len(said)} sentences instead of one: {result.err.strip()[:300]}")
        if "Sanitizer" in result.err or "runtime error:" in result.err:
            find(f"a sanitizer complained: {result.err.strip()[:500]}")
        if result.memory > MEMORY_FAIR:
            find(f"it took {result.memory >> 20} MB of memory")
        if out and name and not result.hung:
            self.judge_files(find, name, out, result.code == 0)
        return len(self.section.finds) == before

    def judge_files(self, find, name, out, complete):
        """Files with their final names are whole, all are there after a success, and nothing unfinished is left."""
        whole, here = self.whole_of(name), folder_digests(out)
        same = name != "compare" and name != "plot"
        unknown = [n for n in sorted(set(here) - set(whole)) if not n.endswith(".damaged")]
        if unknown:
            find(f"it left {', '.join(unknown[:3])}")
        torn = [n for n in sorted(set(here) & set(whole)) if same and not is_table(n) and here[n] != whole[n]]
        torn += [n for n in here if not same and picture_torn(os.path.join(out, n))]
        if torn:
            find(f"{', '.join(torn[:3])} is not whole")
        if complete and set(whole) - set(here):
            find(f"it told of success without {', '.join(sorted(set(whole) - set(here))[:3])}")
        if name == "run" and not complete:
            self.judge_resume(find, out)

    def judge_resume(self, find, out):
        result = self.section.rill(*self.fill(RUN, out), "--resume", "--quiet").end()
        if result.code:
            find(f"afterwards it cannot be resumed: {result.err.strip()[:300]}")
            return
        differs = difference(self.whole_run, {n: d for n, d in folder_digests(out).items() if not n.endswith(".damaged")})
        if differs:
            find(f"resumed afterwards, it {differs}")

    def attack(self, kind, name, what, repeat, codes=(0, 1), **more):
        """One command with something done to it, judged."""
        out = self.out_make(name)
        self.whole_of(name)
        words = self.words(name, out)
        result = self.section.rill(*words, **more).end()
        self.section.count("faults", kind)
        self.judge(f"{what}, rill {name}", result, f"{repeat} rill {' '.join(words)}", codes, out=out, name=name)
        remove(out)
        return result


def is_note(line):
    """What is said of something left out on the way, before the sentence that tells why all ended."""
    return line.endswith("left out here.") or "probes.csv" in line


def picture_torn(path):
    """Whether a drawing of gnuplot's lacks its end."""
    ending = {".png": b"IEND", ".svg": b"</svg>"}.get(os.path.splitext(path)[1])
    if not ending:
        return False
    with open(path, "rb") as file:
        return ending not in file.read()[-64:]


def become_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def as_nobody(b, *folders):
    """Root may read and write everything; where we are root, the program is nobody, and owns these folders."""
    if not b.play_nobody:
        return None
    for folder in folders:
        for place, _, names in os.walk(folder):
            for path in [place] + [os.path.join(place, name) for name in names]:
                os.lchown(path, NOBODY, NOBODY)
    return become_nobody
