#!/bin/bash
# rill render and the films: pictures of frames, going on where it was stopped,
# and what is said to requests that make no sense.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"

# Width and height as the PNG's header tells them.
png_size() {
    od -An -tu1 -j16 -N8 "$1" | awk '{ print $1 * 16777216 + $2 * 65536 + $3 * 256 + $4, $5 * 16777216 + $6 * 65536 + $7 * 256 + $8 }'
}
small="--width 64 --height 36 --samples 1"

want 0 run tiny --particles 400 --time 0.2s --fps 10 --out dam --quiet

# A picture of the end, beside those of rill shot.
want 0 render dam $small
says out 'Rendered frame 2: dam/render_000002_clear.png'
[ "$(png_size dam/render_000002_clear.png)" = "64 36" ] || fail "the picture has another size"
for look in river ocean toy clay; do
    want 0 render dam $small --look $look --tank glass --ground checks --quiet
    [ ! -s out ] && [ ! -s err ] || fail "--quiet is not quiet"
    [ -s dam/render_000002_$look.png ] || fail "no picture of $look"
    cmp -s dam/render_000002_$look.png dam/render_000002_clear.png && fail "$look looks like clear"
done
want 0 render dam $small --out here.exr
[ "$(head -c 4 here.exr | od -An -tx1 | tr -d ' ')" = 762f3101 ] || fail "here.exr is no OpenEXR picture"

# The same bits on any number of threads.
for threads in 1 3; do
    want 0 render dam $small --threads $threads --out threads_$threads.png --quiet
done
cmp -s threads_1.png threads_3.png || fail "three threads gave another picture than one"
cmp -s threads_1.png dam/render_000002_clear.png || fail "the same frame gave another picture"

# How long it will take is said before, where it takes a while; --quiet says nothing.
long="--width 128 --height 72 --samples 96 --threads 1"
want 0 render dam $long --out long.png
says err '^1 picture of 128 x 72 pixels, 96 samples: about [0-9].* s$'
want 0 render dam $long --frames 1:2 --noise 0.3 --out long
says err '^2 pictures of 128 x 72 pixels, up to 96 samples: about [0-9].* s if all take as long as the first$'

# Light and ground from pictures; noise instead of samples.
want 0 render dam $small --light here.exr --out lit.png
cmp -s lit.png threads_1.png && fail "the picture of light changed nothing"
want 0 render dam $small --light sky --out sky.png
cmp -s sky.png threads_1.png || fail "--light sky is not what comes without it"
want 0 render dam $small --light lamps --camera orbit --frames 1:2 --out studio
cmp -s studio/frame_000002.png threads_1.png && fail "the lamps changed nothing"
want 0 render dam $small --ground ./lit.png --out ground.png
cmp -s ground.png threads_1.png && fail "the texture changed nothing"
want 0 render dam --width 32 --height 18 --noise 0.5 --json --out noise.png
[ "$(value out samples)" = 1024 ] || fail "--noise alone does not allow many samples"

# Several go into a folder; a second start keeps what is finished and makes what is missing.
want 0 render dam $small --frames : --format png,exr --json
[ "$(value out finished)" = true ] || fail "not finished"
[ "$(ls dam/render | tr '\n' ' ')" = "frame_000000.exr frame_000000.png frame_000001.exr frame_000001.png frame_000002.exr frame_000002.png render.txt " ] ||
    fail "other files than asked for: $(ls dam/render)"
cp dam/render/frame_000001.png one.png
stat -c %Y.%i dam/render/frame_000000.png >stamp
rm dam/render/frame_000001.png
want 0 render dam $small --frames : --format png,exr
says out '2 of them were there already'
cmp -s dam/render/frame_000001.png one.png || fail "the picture made again differs"
[ "$(stat -c %Y.%i dam/render/frame_000000.png)" = "$(cat stamp)" ] || fail "a finished picture was made again"
# A state that cannot be is not gone by: the exposure and the box are found again.
for line in "exposure inf" "box 0 0 0 1 1 1e300" "box 1 1 1 0 0 0"; do
    sed -i "s/^${line%% *} .*/$line/" dam/render/render.txt
    rm dam/render/frame_000001.png
    want 0 render dam $small --frames : --format png,exr --quiet
    cmp -s dam/render/frame_000001.png one.png || fail "$line: the picture made again differs"
done
# Other settings start again; what was there is put aside, not lost.
want 0 render dam $small --frames 1:2 --elevation 40
says err '6 pictures in dam/render made with other settings are now in dam/render/earlier_1'
[ "$(ls dam/render | tr '\n' ' ')" = "earlier_1 frame_000001.png frame_000002.png render.txt " ] ||
    fail "pictures of other settings were left: $(ls dam/render)"
[ "$(ls dam/render/earlier_1 | wc -l)" = 7 ] || fail "not all pictures were put aside"
cmp -s dam/render/earlier_1/frame_000001.png one.png || fail "a picture put aside changed"
# A folder that is called like a light is none of the settings.
mkdir sky
want 0 render dam $small --frames 1:2 --elevation 40
touch -d '+1 hour' sky
want 0 render dam $small --frames 1:2 --elevation 40
says out '2 of them were there already'
rmdir sky
# A frame newer than its picture is rendered again.
touch dam/frames/frame_000001.h5
want 0 render dam $small --frames 1:2 --elevation 40 --json
[ "$(grep -c '"kept": true' out)" = 1 ] || fail "a frame newer than its picture was not rendered again"

# A camera that goes around starts again when frames have come since: it would jump.
mv dam/frames/frame_000002.h5 .
want 0 render dam $small --frames : --camera orbit --out round --quiet
mv frame_000002.h5 dam/frames
want 0 render dam $small --frames : --camera orbit --out round
says err 'now in round/earlier_1'
want 0 render dam $small --frames : --camera orbit --out round
says out '3 of them were there already'

# Ctrl-C: code 3, nothing half written, and the same command goes on.
rm -r dam/render
"$rill" render dam --width 640 --height 360 --samples 400 --frames : >out 2>err &
child=$!
sleep 0.7
kill -INT $child
code=0
wait $child || code=$?
[ "$code" -eq 3 ] || fail "an interrupted render exited with $code instead of 3"
says err 'the same command goes on'
[ -z "$(find . -name '*.tmp')" ] || fail "temporary files were left: $(find . -name '*.tmp')"

# A surface made before counts with --mesh alone, is shown as it is then, and must be newer than its frame.
refuse 2 "frame_000002.ply is not there" render dam $small --out meshed.png --mesh
want 0 mesh dam --frames last --cell 1.5 --quiet
want 0 render dam $small --out meshed.png --json
[ "$(value out surfaces_given)" = false ] || fail "a surface was shown without --mesh"
cmp -s meshed.png threads_1.png || fail "a surface that was not asked for changed the picture"
want 0 render dam $small --out meshed.png --mesh
says out 'surfaces: those in dam/mesh'
! cmp -s meshed.png threads_1.png || fail "--mesh did not show the surface"
refuse 2 "--look toy contradict" render dam $small --out meshed.png --mesh --look toy
refuse 2 "frame_000001.ply is not there" render dam $small --mesh --frames 1:2
touch -d 'now + 1 hour' dam/frames/frame_000002.h5
refuse 2 "older than its frame" render dam $small --out meshed.png --mesh
touch -d 'now - 1 hour' dam/frames/frame_000002.h5
head -c 5000 dam/mesh/frame_000002.ply >cut.ply
mv cut.ply dam/mesh/frame_000002.ply
refuse 2 "damaged" render dam $small --out meshed.png --mesh
# With --mesh a finished picture is kept until its surface is made again.
rm -rf dam/render
want 0 mesh dam --frames 1:2 --cell 1.5 --quiet
want 0 render dam $small --mesh --frames 1:2
want 0 render dam $small --mesh --frames 1:2
says out '2 of them were there already'
want 0 mesh dam --frames 2 --cell 1 --quiet
want 0 render dam $small --mesh --frames 1:2
says out '1 of them was there already'
rm -r dam/mesh dam/render

# Particles that flew to 1e7 m: what is near is drawn, and the rest is counted.
cat >far.yaml <<'END'
name: far
particle_diameter: 50 mm
time: {end: 10 ms, frames_per_second: 100}
trouble: {then: continue}
fluids: {water: {density: 1000 kg/m3}}
fill:
  - {box: {from: [0, 0, 0], to: [0.3, 0.3, 0.3]}}
  - {box: {from: [0.8, 0, 0], to: [0.9, 0.1, 0.1]}, velocity: [1e9, 0, 0]}
END
want 0 run far.yaml --quiet --out far
want 0 render far $small
says out '8 particles too far away to be shown'
want 0 shot far --surface
says out '8 particles too far away to be shown'
want 0 info far
want 0 export far --format ply
refuse 2 "too far" mesh far --frames last

# Films, where there is ffmpeg; one sentence where there is none.
if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
    probe() { ffprobe -v error -select_streams v -count_frames -show_entries stream=codec_name,pix_fmt,width,height,nb_read_frames -of csv=p=0 "$1"; }
    want 0 shot dam --film shot.mp4 --width 97 --height 65 --quiet
    says err 'is 98x66 pixels, not 97x65'
    [ "$(probe shot.mp4)" = h264,98,66,yuv420p,3 ] || fail "the film of shots is $(probe shot.mp4)"
    want 0 render dam --film film.mp4 $small --frames 1: --camera orbit
    says out 'film: film.mp4'
    [ "$(probe film.mp4)" = h264,64,36,yuv420p,2 ] || fail "the film is $(probe film.mp4)"
    refuse 1 "into the folder nowhere: No such" shot dam --film nowhere/film.mp4 --quiet
    rm -r dam/render
else
    leave_out "films, since ffmpeg is not installed"
fi
mkdir empty
code=0
PATH=$place/empty "$rill" shot dam --film none.mp4 >out 2>err || code=$?
[ "$code" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] || fail "a missing ffmpeg is not told in one sentence, code 1"
says err 'install the package ffmpeg'

# What is wrong is said in one sentence, and nothing is written.
ls -R >before
refuse 2 "needs a run" render
refuse 2 "holds no run" render empty
refuse 2 "no frame 9" render dam --frames 9
refuse 2 "clear, river, ocean, toy and clay" render dam --look fog
refuse 2 "did you mean river" render dam --look rivver
refuse 2 "fixed, orbit and follow" render dam --camera xy
refuse 2 "glass and unseen" render dam --tank no
refuse 2 "plain, checks and FILE.png" render dam --ground xy
refuse 2 "cannot be read" render dam --ground ./nothing.png
refuse 2 "cannot be read" render dam --light nothing.exr
refuse 2 "neither" render dam --light ./before
refuse 2 "sky, lamps and FILE.exr" render dam --light moon
refuse 2 "16 to 16384" render dam --width 8
refuse 2 "16 to 16384" render dam --height 99999
refuse 2 "between 1 and 65536" render dam --samples 0
refuse 2 "share of the brightness" render dam --noise 7
refuse 2 "between 0 and 90" render dam --elevation 91
refuse 2 "between 0 and 90" render dam --elevation -10
refuse 2 "written as .png or .exr" render dam --out picture.jpg
refuse 1 "into the folder nowhere: No such" render dam --film nowhere/film.mp4
refuse 2 "between 1 and 1024" render dam --threads 0
refuse 2 "png, exr" render dam --format jpeg
refuse 2 "contradict" render dam --format exr --out a.png
refuse 2 "one picture" render dam --frames 0:1 --out a.png
refuse 2 "folder" render dam --film a.mp4 --out a.png
refuse 2 "PNG pictures" render dam --film a.mp4 --format exr
refuse 2 "like none of them" render dam --film a.gif
refuse 2 "between 1 and 240" render dam --fps 0
refuse 2 "give --film" render dam --fps 25
refuse 2 "give --film" shot dam --fps 25
refuse 2 "takes --frames" shot dam --film a.mp4 --frame 1
refuse 2 "fluid has none" shot dam --colour fluid --range 0:1
refuse 2 "FILE.exr (or .png)" render dam --light moon
refuse 2 "contradict" shot dam --film a.mp4 --out a.png
refuse 2 "contradict" shot dam --frame 1 --frames 0:1
refuse 2 "makes a film" shot dam --frames 0:1
refuse 1 "cannot be made" render dam --frames : --out before/folder
refuse 1 "into the folder nowhere: No such" render dam $small --quiet --out nowhere/a.png
[ "$(ls -R)" = "$(cat before)" ] || fail "something was written in spite of all refusals: $(ls -R | diff before -)"
echo "render: passed"
