"""docs/reliability.md: what is attacked and how, what all runs together tried, and what was ever found."""
KINDS = ("inputs", "kills", "faults", "cases")
GOALS = {"inputs": 10_000_000, "kills": 1000}
MEANING = {"inputs": "files and texts that no writer wrote", "kills": "processes killed at a moment nobody chose",
           "faults": "disks, limits, allocations, streams and files that failed or were hostile",
           "cases": "scenes judged by their physics, and misuses of the interface"}
SECTIONS = {
    "fuzz": "libFuzzer with AddressSanitizer and UBSan throws changed files and texts at every reader: scenes, `--set`, "
            "options and looks, particle files, pictures, frames and tables. It starts from files that rill wrote itself. "
            "Nothing may crash, leak, hang or take more memory than its input justifies.",
    "kill": "SIGKILL, SIGTERM and SIGINT, evenly over the life of a command and at the very moment a file appears, with "
            "other threads at each start. In the end every frame, table, surface, picture and film is byte for byte that "
            "of an undisturbed command, and nothing else is left. Between kills every file with its final name is "
            "whole.",
    "faults": "Full disks and disks without free names, limits on files, memory and descriptors, allocations of "
              "program and libraries that fail in turn, one or all from then on (a place is a chain of calls that leads "
              "to an allocation; each place comes first, for which an hour suffices, then the rest), folders taken away, two "
              "writers, closed and full streams, FIFOs, devices, sockets, folders and links in place of files, damaged "
              "frames. The program ends by itself with a code it documents and one sentence, what a link leads to keeps its "
              "bytes, and the run goes on to the same bits.",
    "physics": "Scenes, solvers, supports, densities, steps, scales and moving bodies in all mixtures, judged by energy, "
               "leaks, NaN and lost particles. A NaN in a frame or a report, a leak or a lost particle is never excused. A "
               "NaN that the engine caught, named and stopped at (`nan caught`) is, like what else fails today, where a row "
               "below names it.",
    "api": "The public interface called in ways it does not allow, and several worlds in several threads, under the "
           "sanitizers."}


def found_read(text):
    """Lines of found.txt: what it was | the test that keeps it mended."""
    rows = [line.split("|") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [[cell.strip() for cell in row] for row in rows if len(row) == 2]


def number(value):
    return f"{int(value):,}".replace(",", " ")


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def table(head, rows, right=()):
    rule = [" ---: " if i in right else " --- " for i in range(len(head))]
    lines = ["| " + " | ".join(map(cell, head)) + " |", "|" + "|".join(rule) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(cell, row)) + " |" for row in rows])


def totals_part(rows):
    sums = {kind: sum(int(row.get(kind) or 0) for row in rows) for kind in (*KINDS, "finds")}
    lines = [[kind, MEANING[kind], number(sums[kind]), number(GOALS[kind]) if kind in GOALS else ""] for kind in KINDS]
    lines.append(["finds", "what went wrong, in all runs", number(sums["finds"]), "0 in the newest run"])
    minutes = sum(float(row["minutes"]) for row in rows)
    return (f"## All runs together\n\n{len(rows)} run{'s' if len(rows) != 1 else ''}, {minutes / 60:.1f} hours; each is a "
            "row of [bench/results/reliability.csv](../bench/results/reliability.csv).\n\n" +
            table(["", "what", "so far", "goal"], lines, right=(2, 3)))


def sections_part(reports, missing):
    parts = []
    for name, about in SECTIONS.items():
        text = f"### {name}\n\n{about}"
        report = next((r for r in reports if r["section"] == name), None)
        if name in missing:
            text += "\n\nThis section was not there in this run."
        elif report:
            counts = ", ".join(f"{number(report[kind])} {kind}" for kind in KINDS if report[kind]) or "nothing tried"
            text += f"\n\nThis run: {counts}; {len(report['finds']) or 'nothing'} found."
            if report["parts"]:
                text += "\n\n" + table(["target", "tried"], [[n, number(c)] for n, c in sorted(report["parts"].items())],
                                       right=(1,))
            if report.get("table"):
                text += "\n\n" + table(report["table"][0], report["table"][1:])
            for note in report["notes"]:
                text += f"\n\nLeft out here: {note}"
        parts.append(text)
    return "\n\n".join(parts)


def list_part(title, about, lines):
    return f"## {title}\n\n{about}" + ("\n\n" + "\n".join(f"- {line}" for line in lines) if lines else "")


def write(row, rows, reports, missing, found, seed):
    finds = [f"{f['what']} Repeat: `{f['repeat']}`" for r in reports for f in r["finds"]]
    known = [sentence for report in reports for sentence in report["known"]]
    parts = [
        "# Reliability\n\nWhat rill is attacked with, how much of it, and what was found. `make torture` runs the "
        "attack, an hour by default (`MINUTES=10` for less), adds the run to the table of all runs and writes this page; "
        "`make test` has three minutes of it.",
        f"The newest run: {row['machine']}, {row['date']}, commit {row['commit']}, {row['minutes']} minutes, "
        f"seed {seed}.",
        totals_part(rows),
        "## What is attacked, and how\n\n" + sections_part(reports, missing),
        list_part("Found in the newest run", "" if finds else "Nothing.", finds),
        list_part("What fails today", "Known, and on this page until it is mended." if known else "Nothing known.", known),
        "## What was ever found\n\nEach has a test that fails without its mending.\n\n" +
        table(["what it was", "the test that keeps it mended"], found),
        "## Repeat a find\n\nA find is printed with the command or the file that shows it; what it left behind is kept "
        "in `build-fuzz/finds`. The same attack again: `tests/torture/torture --seed SEED --only SECTION --minutes M`. A "
        "fuzz target takes a file as its argument: `build-fuzz/torture/fuzz_scene FILE`."]
    return "\n\n".join(part.replace("\n\n\n\n", "\n\n") for part in parts) + "\n"
