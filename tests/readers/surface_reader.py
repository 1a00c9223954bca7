"""Opens surfaces with VTK's own readers and checks what they find, then writes
particles as VTK does and has rill mesh them.

Usage: surface_reader.py FOLDER PROGRAM, where the folder holds ply/, obj/ and
vtp/ with surfaces, summary_*.json that tell of them, and exported/ with frames.
"""
import json
import math
import subprocess
import sys
from pathlib import Path

from vtkmodules.vtkCommonCore import vtkObject
from vtkmodules.vtkFiltersCore import vtkCleanPolyData, vtkFeatureEdges, vtkMassProperties
from vtkmodules.vtkIOGeometry import vtkOBJReader
from vtkmodules.vtkIOPLY import vtkPLYReader, vtkPLYWriter
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLPolyDataWriter

READERS = {"ply": vtkPLYReader, "obj": vtkOBJReader, "vtp": vtkXMLPolyDataReader}
errors = []


def fail(text):
    print(f"VTK: {text}")
    sys.exit(1)


def read(path):
    reader = READERS[path.suffix[1:]]()
    reader.SetFileName(str(path))
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(path.name))
    reader.Update()
    if errors:
        fail(f"{path.name} is not read without errors.")
    return reader.GetOutput()


def edges(data, **kinds):
    """How many edges of these kinds there are."""
    feature = vtkFeatureEdges()
    feature.SetInputData(data)
    for kind in ("Boundary", "NonManifold", "Feature", "Manifold"):
        getattr(feature, kind + "EdgesOn" if kinds.get(kind) else kind + "EdgesOff")()
    feature.Update()
    return feature.GetOutput().GetNumberOfCells()


def check_surface(path, facts):
    data = read(path)
    if path.suffix == ".obj":  # its reader gives every triangle corners of its own
        clean = vtkCleanPolyData()
        clean.SetInputData(data)
        clean.PointMergingOn()
        clean.SetTolerance(0)
        clean.Update()
        data = clean.GetOutput()
    if data.GetNumberOfPolys() != facts["triangles"] or data.GetNumberOfPoints() != facts["vertices"]:
        fail(f"{path.name} has {data.GetNumberOfPolys()} triangles and {data.GetNumberOfPoints()} points, not "
             f"{facts['triangles']} and {facts['vertices']}.")
    for kind in ("Boundary", "NonManifold"):
        count = edges(data, **{kind: True})
        if count:
            fail(f"{path.name} has {count} {kind} edges.")
    mass = vtkMassProperties()
    mass.SetInputData(data)
    if not math.isclose(mass.GetVolume(), facts["volume_m3"], rel_tol=1e-3):
        fail(f"{path.name} holds {mass.GetVolume()} m3, not {facts['volume_m3']}.")
    return data


def check_values(path, data):
    """Normals of length one, speeds of falling water, a colour."""
    table = data.GetPointData()
    normals = table.GetNormals() or table.GetArray("Normals")
    if normals is None:
        fail(f"{path.name} has no normals.")
    for i in range(normals.GetNumberOfTuples()):
        if not math.isclose(sum(n * n for n in normals.GetTuple(i)), 1, rel_tol=1e-3):
            fail(f"{path.name} has the normal {normals.GetTuple(i)}.")
    if path.suffix == ".vtp":
        for name, lanes, low, high in (("velocity", 3, -50, 50), ("density", 1, 500, 2000), ("colour", 3, 0, 1)):
            array = table.GetArray(name)
            if array is None or array.GetNumberOfComponents() != lanes:
                fail(f"{path.name} lacks {name}.")
            for lane in range(lanes):
                least, most = array.GetRange(lane)
                if not low <= least <= most <= high:
                    fail(f"{name} in {path.name} runs from {least} to {most}.")


def writers(folder, data):
    """The particles in every way VTK writes them; each path."""
    for mode in ("Ascii", "Binary", "Appended"):
        for encode in (False, True) if mode == "Appended" else (True,):
            for compressor in ("None", "ZLib") if mode != "Ascii" else ("None",):
                for header in ("UInt32", "UInt64"):
                    for order in ("LittleEndian", "BigEndian"):
                        writer = vtkXMLPolyDataWriter()
                        getattr(writer, f"SetDataModeTo{mode}")()
                        writer.SetEncodeAppendedData(encode)
                        getattr(writer, f"SetCompressorTypeTo{compressor}")()
                        getattr(writer, f"SetHeaderTypeTo{header}")()
                        getattr(writer, f"SetByteOrderTo{order}")()
                        path = folder / f"{mode}_{encode}_{compressor}_{header}_{order}.vtp"
                        writer.SetFileName(str(path))
                        writer.SetInputData(data)
                        writer.Write()
                        yield path
    for kind in ("ASCII", "Binary"):
        for order in ("LittleEndian", "BigEndian"):
            writer = vtkPLYWriter()
            getattr(writer, f"SetFileTypeTo{kind}")()
            getattr(writer, f"SetDataByteOrderTo{order}")()
            path = folder / f"{kind}_{order}.ply"
            writer.SetFileName(str(path))
            writer.SetInputData(data)
            writer.Write()
            yield path


def csv_write(path, data):
    """Points and one array, named as ParaView names them in a spreadsheet."""
    speed = data.GetPointData().GetArray("density")
    lines = ['"density","Points:0","Points:1","Points:2"']
    lines += ["%.9g,%.9g,%.9g,%.9g" % (speed.GetTuple1(i), *data.GetPoint(i)) for i in range(data.GetNumberOfPoints())]
    path.write_text("\n".join(lines) + "\n")


def mesh_bytes(program, path):
    out = path.with_name("mesh.ply")
    run = subprocess.run([program, "mesh", str(path), "--out", str(out), "--diameter", "90mm", "--quiet"],
                         capture_output=True, text=True)
    if run.returncode:
        fail(f"rill does not read {path.name} as VTK wrote it: {run.stderr.strip()}")
    return out.read_bytes()


def main():
    folder, program = Path(sys.argv[1]), sys.argv[2]
    vtkObject.GlobalWarningDisplayOff()
    count = 0
    for kind in READERS:
        facts = json.loads((folder / f"summary_{kind}.json").read_text())["meshes"]
        for mesh in facts:
            path = folder / mesh["file"]
            check_values(path, check_surface(path, mesh))
            count += 1
    print(f"VTK read {count} surfaces as PLY, OBJ and VTP: closed, no edge in more than two triangles.")
    frame = sorted((folder / "exported").glob("*.vtp"))[-1]
    data = read(frame)
    expected = mesh_bytes(program, frame)
    written = folder / "written"
    written.mkdir()
    ways = list(writers(written, data))
    csv_write(written / "points.csv", data)
    for path in ways + [written / "points.csv"]:
        if mesh_bytes(program, path) != expected:
            fail(f"the surface of {path.name} is another than that of the frame it was written from.")
    print(f"rill read particles as VTK writes them in {len(ways)} ways, and as CSV: the same surface each time.")


main()
