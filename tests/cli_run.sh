#!/bin/bash
# A run from scene to frames, figures and picture, and what can be done with it.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"

want 0 run tiny --time 0.2s --json --out first
[ "$(head -c 1 out)" = "{" ] || fail "with --json stdout is not one object"
for key in scene solver particles boundary_particles steps simulated_s wall_s cpu_s peak_rss_mb neighbours_mean \
    iterations_density_mean iterations_divergence_mean density_error_mean_percent density_error_max_percent kinetic_j \
    potential_j lost rescued state_hash threads simd_width frames interrupted; do
    [ -n "$(value out $key)" ] || fail "the summary lacks $key"
done
says out '"stages": {'
[ "$(value out lost)" = 0 ] || fail "particles were lost"
[ "$(value out simulated_s)" = 0.2 ] || fail "it did not stop at 0.2 s"
[ "$(value out frames)" = 7 ] || fail "0.2 s at 30 frames a second are frames 0 to 6"
[ "$(ls first/frames | wc -l)" -eq 7 ] || fail "the run folder does not hold seven frames"
[ "$(($(wc -l <first/report.csv) - 1))" -eq "$(value out steps)" ] || fail "report.csv has not one row a step"
[ "$(($(wc -l <first/probes.csv) - 1))" -eq "$(value out steps)" ] || fail "probes.csv has not one row a step"
says err 'particles of'
says err 'of memory'
says err 'first/last.png'
[ "$(head -c 8 first/last.png | tail -c 7)" = $'PNG\r\n\x1a' ] || fail "last.png is no PNG"
cp out summary.json
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; s = json.load(open("summary.json")); sys.exit(not isinstance(s["stages"], dict))' ||
        fail "the summary is not valid JSON"
    python3 -c 'import json, sys; tank = json.load(open("summary.json"))["bodies"][0]
sys.exit(tank["rotation"] != [1, 0, 0, 0] or len(tank["torque"]) != 3 or tank["force"][2] > -1)' ||
        fail "the summary does not say what the water does to the tank"
else
    leave_out "JSON read by Python, which is not installed"
fi
hash=$(value summary.json state_hash)

# The same bits on any number of threads.
for threads in 1 2 3 8; do
    want 0 run tiny --time 0.2s --json --quiet --threads $threads --out threads_$threads
    [ ! -s err ] || fail "--quiet is not quiet"
    [ "$(value out threads)" = $threads ] || fail "--threads $threads was not heeded"
    [ "$(value out state_hash)" = "$hash" ] || fail "$threads threads end in $(value out state_hash), not $hash"
    same_run first threads_$threads
done

# Closed streams: what was meant for them must not end up in the run's files.
"$rill" run tiny --time 0.2s --out closed <&- >&- 2>&- && fail "a summary that could not be written passed for success"
same_run first closed
! grep -q particles closed/.lock closed/probes.csv || fail "messages went into the run's files"

# A number may be written as people write large ones.
want 0 run tiny --particles 2e2 --time 10ms --json --quiet --out powers
[ "$(value out particles)" -lt 400 ] || fail "2e2 was not taken for 200"

# A run that is at its end already says so.
want 0 run --resume --out first
says out 'complete already'
! grep -q ' 0 steps' out || fail "a complete run boasts of no steps"

# Settings, with units, and the folder's name when none is given.
want 0 run tiny --diameter 8cm --time 50ms --fps 100 --set fluids.water.viscosity.value=0.1
says out 'runs/tiny$'
[ "$(ls runs/tiny/frames | wc -l)" -eq 6 ] || fail "50 ms at 100 frames a second are six frames"
want 0 run tiny --particles 200 --time 10ms --quiet
[ -d runs/tiny-2 ] || fail "a second run did not go to runs/tiny-2"
[ ! -s out ] || fail "--quiet writes to stdout"
refuse 2 "already holds a run" run tiny --out runs/tiny --time 10ms

# Without frames the tables and the last frame remain.
want 0 run tiny --time 0.1s --set output.frames=false --out sparse --quiet
[ "$(ls sparse/frames | wc -l)" -eq 1 ] || fail "with frames: false there is not exactly one frame"
[ -s sparse/last.png ] || fail "with frames: false there is no picture"
want 0 info sparse
says out complete

# info names what a scene holds well enough to find one's mistakes.
want 0 info tiny --diameter 8cm --time 3s --fps 5
says out 'of 80 mm'
says out ' 3 s in .* 5 frames a second'
cat >moving.yaml <<END
particle_diameter: 50 mm
domain: {from: [0, 0, 0], to: [1, 1, 1], periodic: [y]}
fill: [{box: {from: [0, 0, 0], to: [1, 1, 0.4]}}]
boundaries:
  tank:
    box: {from: [0, 0, 0], to: [1, 1, 1]}
    open: [-y, +y, +z]
    motion: {amplitude: [0.1, 0, 0], period: 1.5 s, sides: [-x]}
  ball: {sphere: {center: [0.5, 0.5, 0.7], radius: 0.1}, motion: {velocity: [0, 0, -0.2]}}
probes: {level: {kind: height, at: [0.3, 0.5, 0]}, push: {kind: point, at: [0.9, 0.5, 0.1], of: velocity}}
END
want 0 info moving.yaml
says out 'periodic .*y'
says out 'tank: .*open -y +y +z'
says out 'tank: .*-x .*(0.1, 0, 0) m.*1.5 s'
says out 'ball: .*(0, 0, -0.2) m/s'
says out 'level: height, .*at .0.3, 0.5, 0.'
says out 'push: point, at .0.9, 0.5, 0.1., of velocity'
says out 'viscosity laplacian 0.01 m2/s'

# A container without walls across a periodic axis is drawn and described as such, asked for or not.
sed 's/open: .*/open: [+z]/' moving.yaml >closed.yaml
want 0 info closed.yaml
says out 'tank: .*open -y +y +z'
says out 'periodic .*where containers have no walls'
for name in moving closed; do
    want 0 run $name.yaml --time 5ms --out walls_$name
    says err 'periodic along y, where containers have no walls'
    want 0 shot walls_$name --plain --width 200 --height 120 --out walls_$name.png
done
cmp -s walls_moving.png walls_closed.png || fail "walls that are not there are drawn"

# Keys that nothing reads are named, and do no harm.
want 0 info tiny --solver dfsph --set solver.sound_speed=50 --set solver.iteration=jacobi
says out 'not used *solver.sound_speed$'
want 0 run tiny --time 5ms --solver wcsph --set solver.sound_speed=50 --set solver.iteration=jacobi --out unused
says err 'not used: solver.iteration$'
want 0 info tiny
! grep -q 'not used' out || fail "a plain scene has keys that are not used"

# info, shot, export.
want 0 info first
says out 'frames *7'
says out 'kinetic'
want 0 info first --json
[ "$(value out steps)" = "$(value summary.json steps)" ] || fail "info counts other steps than the run"
want 0 shot first --frame 3 --color speed --width 320 --height 200 --out color.png
for colour in speed density pressure fluid; do
    want 0 shot first --frame 3 --colour $colour --width 320 --height 200 --out $colour.png
    [ -s $colour.png ] || fail "no picture by $colour"
done
cmp -s speed.png pressure.png && fail "the pictures by speed and by pressure are the same"
want 0 shot first --azimuth 30 --elevation 90 --range 0:2 --plain --width 100 --height 100 --out plain.png
want 0 shot first --frame 3 --surface --width 320 --height 200 --out surface.png
says out 'surface of frame 3'
[ -s surface.png ] || fail "no picture of the surface"
cmp -s speed.png surface.png && fail "the pictures of spheres and of the surface are the same"
refuse 2 "pressure" shot first --surface --colour presure
refuse 2 "pressure" shot first --colour presure
refuse 2 "0 to 6" shot first --frame 7
refuse 2 "rising" shot first --range 3:1
refuse 2 "pixels" shot first --width 10
refuse 2 "whole number" shot first --width many
refuse 1 "cannot\|could not" shot first --out nowhere/at/all.png
refuse 2 "written as .png" shot first --out shot.jpg
want 0 export first --format vtp --frames 2:4 --out vtp
[ "$(ls vtp | tr '\n' ' ')" = "frame_000002.vtp frame_000003.vtp frame_000004.vtp series.pvd " ] || fail "wrong files: $(ls vtp)"
says out 'ParaView'
want 0 export first --format ply
[ "$(ls first/ply | wc -l)" -eq 7 ] || fail "not all frames were exported as PLY"
[ "$(head -c 3 first/ply/frame_000000.ply)" = ply ] || fail "a PLY file does not start with 'ply'"

# Of the frames asked for, those that are not there are named.
cp -r first gaps
rm gaps/frames/frame_00000[235].h5
want 0 export gaps --format ply --frames 1:9 --quiet --out gaps_ply
[ "$(cat err)" = "rill: gaps has no frame 2 to 3, 5, 7 to 9, left out here." ] || fail "frames that are not there are not named"
[ "$(ls gaps_ply | wc -l)" -eq 3 ] || fail "the frames that are there were not exported"
want 0 export gaps --format ply --frames last --quiet --out gaps_ply
[ ! -s err ] || fail "frames are missed that nobody asked for"
refuse 2 "vtp and ply" export first --format obj
refuse 2 "no frame" export first --frames 9:12
refuse 2 "names no frames" export first --frames 4:2
refuse 1 "cannot" export first --out summary.json/below

# Hints are for pasting, whatever the names of program and run.
mkdir 'my tools'
ln -s "$rill" 'my tools/rill'
"my tools/rill" run tiny --time 5ms --out 'my run' >out 2>err || fail "a run with a blank in its name failed"
sed -n 's/^  \(draw\|open\) *\(.*--[a-z]* [a-z]*\).*/\2/p' out >hints
[ "$(wc -l <hints)" -eq 2 ] || fail "there are not two hints"
while read -r line; do (eval "$line") >out 2>err || fail "the hint does not work: $line"; done <hints
[ -s 'my run/vtp/series.pvd' ] || fail "the hints exported nothing"
says out "open 'my run/vtp/series.pvd' in ParaView"

# A damaged last frame is told, and does not hide the rest.
cp -r first damaged
printf rubbish >damaged/frames/frame_000006.h5
want 0 info damaged
says out 'frame 6 is damaged'
says out 't = 0.16'
says out 'resume'

# A run under way is not offered for resuming.
"$rill" run tiny --time 60s --quiet --out busy &
busy=$!
until [ -e busy/frames/frame_000001.h5 ]; do sleep 0.01; done
want 0 info busy
kill -TERM $busy
wait $busy && fail "an interrupted run exited with 0"
says out 'being written'
! grep -q -- --resume out || fail "a run under way is offered for resuming"
want 0 info busy
says out '--resume'

# A run that goes wrong names the particle, keeps what was good and exits with 4.
try run tiny --time 0.2s --set trouble.speed=0.5 --out trouble --json
[ "$code" -eq 4 ] || fail "a runaway exited with $code instead of 4"
[ "$(grep -c '^rill: ' err)" -eq 1 ] || fail "a runaway is not told in one sentence"
says err 'Particle [0-9]* at (.*) m ran faster than .* in step [0-9]*.*time.step.max or time.step.cfl'
says out '"exit_code": 4'
want 0 info trouble
says out 'trouble .*particle'
! grep -q -- --resume out || fail "a run that would fail again is offered for resuming as it is"
says out 'go on with .*time.step.max.*trouble.then: continue.*trouble/scene.yaml'
want 4 run tiny --time 0.2s --set trouble.speed=0.5 --set time.step.min=2ms --set time.step.max=2ms --out rough --quiet
says err 'time.step.min, which was in force'
[ "$(wc -l <err)" -eq 1 ] || fail "with --quiet a blow-up is not told in one line"
cp -r trouble past
want 4 run --resume --quiet --out past
sed -i 's/then: stop/then: continue/' past/scene.yaml
want 0 info past
says out 'run --resume --out past'
want 0 run --resume --quiet --out past
want 0 shot trouble --out trouble.png --width 100 --height 100
want 0 run tiny --time 0.2s --set trouble.speed=0.5 --set trouble.then=continue --out onwards --json
[ "$(value out troubles)" -gt 0 ] || fail "troubles that were passed over are not counted"
# The benchmark, on its quickest rows.
want 0 bench copy_1 fma_1 gather_l2_1 --threads 1 --json --save results.json
[ "$(grep -c '"row"' out)" -eq 3 ] || fail "bench did not print its three rows"
[ -s results.json ] && [ -s results.md ] || fail "bench did not keep its results"
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; r = json.load(open("out")); sys.exit(not all(x["value"] > 0.01 for x in r) or
        {x["row"] for x in json.load(open("results.json"))["rows"]} != {"copy_1", "fma_1", "gather_l2_1"})' || fail "bench measured nonsense"
else
    leave_out "figures of the bench, since Python is not installed"
fi
# The command becomes a program that lies beside it, and says so where there is none.
mkdir lonely
cp "$rill" lonely/rill
code=0
lonely/rill bench copy_1 2>err || code=$?
[ "$code" -eq 1 ] || fail "a rill without rill-bench exited with $code"
grep -q '^rill: There is no .*/lonely/rill-bench, which measures for rill bench; ' err || fail "a rill without rill-bench said: $(cat err)"
want 0 bench octree_5k_1 cells_5k_1 steps_1k --threads 1 --page page.md
says out '| octree_5k_1 .* 50.646 | Mijalkovic'
grep -q '^| octree | 50.6 / 20.3 | [0-9.]* | – |$' page.md || fail "the page does not set the octree beside the paper's"
grep -q '^| 1 000 |  | [0-9.]* |$' page.md || fail "the page has no steps a second"
# The number of steps is foretold as a range that holds it.
for scene in dam_break still_tank ball_drop; do
    want 0 info $scene --particles 300 --json
    least=$(value out steps_least) most=$(value out steps_most)
    want 0 run $scene --particles 300 --quiet --json --out foretold_$scene
    steps=$(value out steps)
    [ "$least" -le "$steps" ] && [ "$steps" -le "$most" ] || fail "$scene took $steps steps, not $least to $most"
done
echo "run: passed"
