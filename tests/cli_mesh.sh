#!/bin/bash
# Surfaces of a run and of particle files: which files, what is in them, and what is said of input that is wrong.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"

want 0 run dam_break --particles 800 --time 0.1s --fps 20 --quiet --out dam

# How many of this element a PLY file has.
ply_count() {
    LC_ALL=C sed -n "s/^element $2 \([0-9]*\)$/\1/p;/^end_header/q" "$1"
}

# A run: every frame, named and counted.
want 0 mesh dam
[ "$(ls dam/mesh | tr '\n' ' ')" = "frame_000000.ply frame_000001.ply frame_000002.ply " ] ||
    fail "wrong files: $(ls dam/mesh | tr '\n' ' ')"
says out '^Meshed 3 frames to dam/mesh$'
says out 'triangles, .* vertices, .* m3 inside'
says out 'open dam/mesh/frame_\*\.ply in Blender'

# One frame as JSON: the figures are those of the file, and the volume that of the particles.
want 0 mesh dam --frames last --json --out last.ply
[ "$(ply_count last.ply face)" = "$(value out triangles)" ] || fail "the file has other triangles than the summary"
[ "$(ply_count last.ply vertex)" = "$(value out vertices)" ] || fail "the file has other vertices than the summary"
cmp -s last.ply dam/mesh/frame_000002.ply || fail "the same frame gave another surface"
diameter=$("$rill" info dam --json | sed -n 's/^ *"particle_diameter_m": \([0-9.e-]*\),*$/\1/p')
awk -v n="$(value out particles)" -v d="$diameter" -v v="$(value out volume_m3)" \
    'BEGIN { exit !(v > 0.85 * n * d ^ 3 && v < 1.15 * n * d ^ 3) }' || fail "the volume is not that of the particles"

# The same bits on any number of threads.
for threads in 1 3; do
    want 0 mesh dam --frames last --threads $threads --smooth 2 --attributes all --quiet --out threads_$threads.vtp
done
cmp -s threads_1.vtp threads_3.vtp || fail "three threads gave another surface than one"

# Every field, both methods, every format; values where the format has a place for them.
mkdir fields
for field in zhu-bridson spheres density anisotropic; do
    for method in cubes tetrahedra; do
        want 0 mesh dam --frames 1 --field $field --method $method --out "fields/$field.$method.ply" --quiet
        [ "$(ply_count "fields/$field.$method.ply" face)" -gt 100 ] || fail "$field with $method has no triangles"
    done
done
want 0 mesh dam --format vtp --attributes velocity,speed,colour
says out 'open dam/mesh/series.pvd in ParaView'
[ "$(grep -c '<DataSet' dam/mesh/series.pvd)" -eq 3 ] || fail "the series does not list three frames"
for name in velocity speed colour Normals; do
    grep -aq "Name=\"$name\"" dam/mesh/frame_000000.vtp || fail "the surface has no $name"
done
want 0 mesh dam --frames 0:1 --format obj --attributes colour
[ "$(grep -c '^f ' dam/mesh/frame_000001.obj)" -gt 100 ] || fail "the OBJ has no triangles"
grep -q '^v [^ ]* [^ ]* [^ ]* [^ ]* [^ ]* [^ ]*$' dam/mesh/frame_000001.obj || fail "the OBJ has no colours"
want 0 mesh dam --frames last --attributes colour,velocity --out coloured.ply --quiet
[ ! -s out ] && [ ! -s err ] || fail "--quiet is not quiet"
for name in red green blue vx; do
    LC_ALL=C grep -aq "^property .* $name$" coloured.ply || fail "the PLY has no $name"
done

# Files of particles, all with the same two drops: 27 particles and one that flies alone.
for x in 0 1 2; do for y in 0 1 2; do for z in 0 1 2; do echo "$x $y $z"; done; done; done >drops.xyz
echo "9 9 9" >>drops.xyz
{ echo x,y,z; tr ' ' , <drops.xyz; } >drops.csv
{ printf 'ply\nformat ascii 1.0\nelement vertex 28\nproperty float x\nproperty float y\nproperty float z\nend_header\n'
  cat drops.xyz; } >drops.ply
for file in drops.xyz drops.csv drops.ply; do
    want 0 mesh $file --json --out all.ply --diameter 1
    [ "$(value out particles)" = 28 ] && [ "$(value out pieces)" = 2 ] || fail "$file does not give two pieces"
    mv all.ply all_${file#*.}.ply
done
cmp -s all_xyz.ply all_csv.ply && cmp -s all_xyz.ply all_ply.ply || fail "the same particles gave another surface"
want 0 mesh drops.xyz --diameter 100cm
says out 'drops_surface.ply'
cmp -s drops_surface.ply all_xyz.ply || fail "100 cm are not a metre"
want 0 mesh drops.xyz --diameter 1m --cull 3 --json --out culled.ply
[ "$(value out culled)" = 1 ] && [ "$(value out pieces)" = 1 ] || fail "the lone particle was not culled"
want 0 mesh drops.xyz --diameter 1m --cull 1000 --out none.ply
says out "nothing left to mesh"
# A particle beyond all cells is culled like one that is merely alone, with whatever values it has.
{ cat drops.csv; echo "0,1e19,0"; } >gone.csv
refuse 2 "too far.*cull" mesh gone.csv --diameter 1m --out none.ply
want 0 mesh gone.csv --diameter 1m --cull 1 --json --out gone.ply
[ "$(value out culled)" = 2 ] && [ "$(value out particles)" = 29 ] || fail "the particle at 1e19 m was not culled"
cmp -s gone.ply <("$rill" mesh drops.csv --diameter 1m --cull 1 --quiet --out near.ply; cat near.ply) ||
    fail "a particle that was culled shows in the surface"
want 0 mesh drops.xyz --diameter 1m --cell 4 --out coarse.ply
says out "cells of 4 diameters"
want 0 mesh drops.xyz --diameter 1m --least 2 --json --out least.ply
[ "$(value out pieces)" = 1 ] || fail "the small piece was not left out"
mkdir folder
want 0 mesh drops.csv --out folder --format obj
[ -s folder/drops_surface.obj ] || fail "no surface in the folder asked for"
want 0 export dam --format ply --frames last --quiet
want 0 mesh dam/ply/frame_000002.ply --diameter "$diameter" --out back.ply --quiet
cmp -s back.ply last.ply || fail "an exported frame gave another surface than the frame"
# One drop holds one particle's liquid; a name may have blanks, a list of values too.
printf 'x,y,z,heat\n1000000.5,2,3,7\n' >"one drop.csv"
want 0 mesh "one drop.csv" --diameter 1m --attributes "heat, all" --json
[ -s "one drop_surface.ply" ] || fail "no surface beside a file with a blank in its name"
[ "$(grep -ac '^property float heat' "one drop_surface.ply")" = 1 ] || fail "a value named twice is written twice"
awk -v v="$(value out volume_m3)" 'BEGIN { exit !(v > 0.97 && v < 1.03) }' || fail "a drop does not hold one particle"
echo "x,y,z" >none.csv
want 0 mesh none.csv --json
[ "$(value out triangles)" = 0 ] || fail "no particles gave triangles"

# What is wrong is said in one sentence, and nothing is written.
ls >before
refuse 2 "needs a run or a file" mesh
refuse 2 "no run and no file" mesh nowhere
refuse 2 "holds no run" mesh folder
refuse 2 ".ply, .vtp, .xyz or .csv" mesh before
refuse 2 "cubes and tetrahedra" mesh dam --method magic
refuse 2 "did you mean cubes" mesh dam --method cube
refuse 2 "spheres" mesh dam --field sphere
refuse 2 "ply, obj and vtp" mesh dam --format stl
refuse 2 "ply, obj or vtp" mesh dam --frames last --out a.stl
refuse 2 "contradict" mesh dam --format obj --out a.ply
refuse 2 "one file" mesh dam --out a.ply
refuse 2 "picks frames of a run" mesh drops.xyz --frames 1
refuse 2 "no frame 9" mesh dam --frames 9
refuse 2 "between 0.05 and 10" mesh dam --cell 0
refuse 2 "between 0.05 and 10" mesh dam --cell 1e9
refuse 2 "--out of rill mesh needs a value" mesh dam --out ""
refuse 2 "a length" mesh drops.xyz --diameter 3kg
refuse 2 "above 0" mesh drops.xyz --diameter 0
refuse 2 "between 1 and 1024" mesh dam --threads 0
refuse 2 "did you mean velocity" mesh dam --frames last --attributes velocitty --out a.vtp
refuse 2 "nor anything else" mesh drops.csv --attributes mass --out a.vtp
refuse 2 "only colour" mesh dam --frames last --attributes velocity --out a.obj
refuse 2 "written over" mesh drops.ply --out drops.ply
printf 'x,y,z\n0,0,0\n1,nan,0\n' >nowhere.csv
refuse 2 "nowhere.csv, line 3" mesh nowhere.csv
printf 'x,y,z\n1e6,0,0\n-1e6,0,0\n' >apart.csv
refuse 2 "told apart" mesh apart.csv --diameter 20mm
refuse 2 "give it" mesh "one drop.csv" --out a.ply
printf 'x,y,z\n1,2,3\n1,2\n' >torn.csv
refuse 2 "torn.csv, line 3" mesh torn.csv
head -c 400 all_ply.ply >torn.ply
refuse 2 "torn.ply, byte 400" mesh torn.ply
head -c 500 /dev/urandom >noise.vtp
refuse 2 "noise.vtp" mesh noise.vtp
rm nowhere.csv apart.csv torn.csv torn.ply noise.vtp
refuse 1 "cannot be written" mesh drops.xyz --out before/a.ply
code=0
(ulimit -f 8; exec "$rill" mesh dam --frames last --out a.ply >out 2>err) || code=$?
[ "$code" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] || fail "a full disk is not told in one sentence, code 1"
[ "$(ls)" = "$(cat before)" ] || fail "something was written in spite of all refusals: $(ls | diff before -)"
[ -z "$(find . -name '*.tmp')" ] || fail "temporary files were left: $(find . -name '*.tmp')"
echo "mesh: passed"
