#!/bin/bash
# Files that were put in the way: links that lead to what must not be written, FIFOs that would be waited for, frames
# that lost their seal and some of their bytes.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"
want 0 run tiny --time 0.1s --fps 20 --out run --quiet

# Nothing is written through a link; a link in the way of a picture is replaced.
echo mine >victim
kept() {
    [ "$(cat victim)" = mine ] || fail "$1 was written through a link"
}
for name in .lock report.csv probes.csv scene.yaml frames; do
    mkdir taken
    ln -s ../victim "taken/$name"
    refuse "$([ "$name" = .lock ] && echo 1 || echo 2)" "$name\|holds a run" run tiny --time 0.01s --out taken
    kept "$name"
    rm -r taken
done
for name in report.csv probes.csv .lock; do
    cp -r run copy
    mv "copy/$name" victim2
    ln -s ../victim2 "copy/$name"
    cp victim2 before
    sed -i 's/end: 0.1 s/end: 0.15 s/' copy/scene.yaml
    refuse 1 "symbolic link" run --resume --out copy
    cmp -s victim2 before || fail "$name was written through a link"
    rm -r copy
done
for name in picture.png picture.png.tmp; do
    ln -sf victim "$name"
    want 0 shot run --width 64 --height 64 --out picture.png --quiet
    kept "$name"
done
[ ! -L picture.png ] || fail "the picture is still a link"
ln -sf ../victim run/last.png
want 0 render run --frames last --width 32 --height 32 --samples 1 --out run/last.png --quiet
kept last.png
if command -v ffmpeg >/dev/null; then
    ln -sf victim film.mp4
    ln -sf victim film.mp4.tmp
    want 0 shot run --width 64 --height 64 --film film.mp4 --quiet
    kept film.mp4
    [ ! -L film.mp4 ] && [ "$(ffprobe -v error -show_entries stream=codec_name -of csv=p=0 film.mp4)" = h264 ] ||
        fail "the film is no film"
    # A film that finds no room is no success, and what was there stays.
    cp film.mp4 before.mp4
    code=0
    (ulimit -f 2; exec "$rill" shot run --width 320 --height 200 --film film.mp4 >out 2>err) || code=$?
    [ "$code" -eq 1 ] && says err '^rill: ffmpeg could not make' || fail "a film that was cut ended with $code"
    cmp -s film.mp4 before.mp4 || fail "a film that was cut took the place of the one before"
else
    leave_out "films, since ffmpeg is not installed"
fi
# An ffmpeg that tells of success and writes nothing has made no film.
mkdir lazy
printf '#!/bin/sh\nexec cat >/dev/null\n' >lazy/ffmpeg
chmod +x lazy/ffmpeg
PATH=$PWD/lazy:$PATH refuse 1 "ffmpeg could not make empty.mp4" shot run --width 64 --height 64 --film empty.mp4
[ ! -e empty.mp4 ] || fail "an empty film was left"
[ -z "$(find . -name '*.tmp' ! -type l)" ] || fail "temporary files were left: $(find . -name '*.tmp')"

# FIFOs and devices are refused at once.
mkfifo pipe.yaml pipe.png pipe.csv
refuse 2 "not a file" run pipe.yaml --out none
refuse 2 "not a file" info pipe.yaml
refuse 2 "not a file" render run --light ./pipe.png
refuse 2 "not a file" mesh pipe.csv
refuse 2 "not a file" run /dev/zero --out none
cp -r run piped
rm piped/scene.yaml
mkfifo piped/scene.yaml
refuse 2 "not a file" info piped
refuse 2 "not a file" run --resume --out piped

# Frames without the seal are read, and changed ones are read or refused: none crashes, hangs or eats memory.
frame=$(ls run/frames/*.h5 | tail -n 1)
size=$(($(stat -c %s "$frame") - 16))
cp -r run bare
name=bare/frames/$(basename "$frame")
head -c "$size" "$frame" >"$name"
want 0 shot bare --width 64 --height 64 --out bare.png --quiet
RANDOM=7
for i in $(seq 60); do
    head -c "$size" "$frame" >"$name"
    for k in 1 2 3; do
        printf "\\x$(printf %x $((RANDOM % 256)))" |
            dd of="$name" bs=1 seek=$(((RANDOM * 32768 + RANDOM) % size)) conv=notrunc 2>/dev/null
    done
    code=0
    ([ -n "${RILL_SANITIZE:-}" ] || ulimit -v 4000000; exec timeout 60 "$rill" info bare >out 2>err) || code=$?
    [ "$code" -le 2 ] || fail "a changed frame made info exit with $code (round $i)"
    try shot bare --frame last --width 64 --height 64 --out bare.png --quiet
    [ "$code" -le 2 ] || fail "a changed frame made shot exit with $code (round $i)"
done
echo "hostile files: passed"
