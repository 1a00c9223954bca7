"""Opens an exported run with ParaView's own readers and checks what they find.

Usage: paraview_reader.py FOLDER, which holds summary.json of the run, vtp/ and
ply/ with its frames.
"""
import json
import math
import sys
from pathlib import Path

from paraview import servermanager
from paraview.simple import Delete, OpenDataFile, PLYReader, PVDReader

# Array, components, and the range its values must lie in for water falling in a tank.
ARRAYS = [("id", 1, 0, None), ("fluid", 1, 0, 0), ("velocity", 3, -50, 50), ("density", 1, 500, 2000),
          ("pressure", 1, -1e6, 1e7)]


def fail(text):
    print(f"ParaView: {text}")
    sys.exit(1)


def points_of(data):
    return [data.GetPoint(i) for i in range(data.GetNumberOfPoints())]


def check_arrays(name, data, count):
    if data.GetNumberOfPoints() != count:
        fail(f"{name} has {data.GetNumberOfPoints()} points, the run had {count} particles.")
    if data.GetNumberOfVerts() == 0:
        fail(f"{name} has points but no vertices, so ParaView would show nothing.")
    table = data.GetPointData()
    for array_name, components, low, high in ARRAYS:
        array = table.GetArray(array_name)
        if array is None:
            present = ", ".join(table.GetArrayName(i) for i in range(table.GetNumberOfArrays()))
            fail(f"{name} lacks the array {array_name}; it has {present}.")
        if array.GetNumberOfComponents() != components or array.GetNumberOfTuples() != count:
            fail(f"{array_name} in {name} is {array.GetNumberOfTuples()} x {array.GetNumberOfComponents()}, "
                 f"not {count} x {components}.")
        for component in range(components):
            least, most = array.GetRange(component)
            if not (math.isfinite(least) and math.isfinite(most)) or least < low or (high is not None and most > high):
                fail(f"{array_name} in {name} runs from {least} to {most}, which cannot be.")
    ids = {int(table.GetArray("id").GetTuple1(i)) for i in range(count)}
    if len(ids) != count:
        fail(f"{name} has {count} particles but only {len(ids)} different ids.")


def check_vtp(folder, count):
    files = sorted(folder.glob("*.vtp"))
    if len(files) < 2:
        fail(f"{len(files)} .vtp files were exported; a run of several frames has more.")
    lowest = []
    for path in files:
        source = OpenDataFile(str(path))
        data = servermanager.Fetch(source)
        check_arrays(path.name, data, count)
        lowest.append(sum(z for _, _, z in points_of(data)) / count)
        Delete(source)
    if not lowest[-1] < lowest[0]:
        fail(f"The water's mean height went from {lowest[0]} to {lowest[-1]} m: it did not fall.")
    return files


def check_series(folder, files, end):
    series = list(folder.glob("*.pvd"))
    if len(series) != 1:
        fail(f"{len(series)} .pvd files were exported, not one.")
    source = PVDReader(FileName=str(series[0]))
    times = [float(t) for t in source.TimestepValues]
    if len(times) != len(files) or times != sorted(times) or abs(times[-1] - end) > 1e-3 * end:
        fail(f"{series[0].name} lists the times {times} for {len(files)} frames that end at {end} s.")
    source.UpdatePipeline(times[-1])
    return servermanager.Fetch(source)


def check_ply(folder, last):
    files = sorted(folder.glob("*.ply"))
    if not files:
        fail("No .ply file was exported.")
    data = servermanager.Fetch(PLYReader(FileNames=[str(files[-1])]))
    if data.GetNumberOfPoints() != last.GetNumberOfPoints():
        fail(f"{files[-1].name} has {data.GetNumberOfPoints()} points, its .vtp {last.GetNumberOfPoints()}.")
    # A .ply may hold the points in its own order.
    for a, b in zip(sorted(points_of(data)), sorted(points_of(last))):
        if max(abs(p - q) for p, q in zip(a, b)) > 1e-6:
            fail(f"{files[-1].name} has a point at {a} where its .vtp has {b}.")


def main():
    folder = Path(sys.argv[1])
    summary = json.loads((folder / "summary.json").read_text())
    files = check_vtp(folder / "vtp", summary["particles"])
    last = check_series(folder / "vtp", files, summary["simulated_s"])
    check_ply(folder / "ply", last)
    print(f"ParaView read {len(files)} frames of {summary['particles']} particles with "
          + ", ".join(name for name, *_ in ARRAYS) + ".")


main()
