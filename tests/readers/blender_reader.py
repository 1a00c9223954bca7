"""Imports a surface into Blender and checks that it is closed.

Usage: blender --background --factory-startup --python-exit-code 1 --python blender_reader.py -- FILE TRIANGLES
"""
import sys

import bmesh
import bpy

path, triangles = sys.argv[sys.argv.index("--") + 1:][:2]
if hasattr(bpy.ops.wm, "ply_import") and "ply_import" in dir(bpy.ops.wm):
    bpy.ops.wm.ply_import(filepath=path)
else:
    bpy.ops.import_mesh.ply(filepath=path)
mesh = bmesh.new()
mesh.from_mesh(bpy.context.view_layer.objects.active.data)
open_edges = sum(not edge.is_manifold for edge in mesh.edges)
if len(mesh.faces) != int(triangles) or open_edges or mesh.calc_volume(signed=True) <= 0:
    print(f"Blender: {len(mesh.faces)} faces instead of {triangles}, {open_edges} edges not in two of them, "
          f"volume {mesh.calc_volume(signed=True)}.")
    sys.exit(1)
print(f"Blender imported a surface of {len(mesh.faces)} triangles: every edge in two of them, facing outwards.")
