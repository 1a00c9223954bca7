#!/bin/bash
# A disk that fills up while a run goes on: one sentence, nothing lost, and the
# run goes on once there is room again.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"
# Short steps make a table long enough to meet a limit, whatever the solver.
args=(run tiny --time 0.2s --fps 100 --set time.step.max=0.5ms)

want 0 "${args[@]}" --out whole --json --quiet
hash=$(value out state_hash)

# After trouble with the disk: what was said, what is left, and how it goes on.
check_stopped() {
    [ "$code" -eq 1 ] || fail "a full disk made it exit with $code instead of 1"
    [ "$(grep -c '^rill: ' err)" -eq 1 ] || fail "a full disk is not told in one sentence"
    says err '^rill: .*\.$'
    says err '--resume'
    [ -z "$(find "$1" -name '*tmp*')" ] || fail "a partial file was left: $(find "$1" -name '*tmp*')"
    for frame in "$1"/frames/*.h5; do
        number=$((10#$(basename "$frame" .h5 | tr -dc 0-9)))
        want 0 shot "$1" --frame $number --width 64 --height 64 --out "$place/frame.png" --quiet
    done
}
check_resumed() {
    want 0 run --resume --out "$1" --json --quiet
    [ "$(value out state_hash)" = "$hash" ] || fail "after a full disk the run ended elsewhere"
    same_run whole "$1"
}

# A limit on the size of files stops the tables.
code=0
(ulimit -f 60; exec "$rill" "${args[@]}" --out limited >out 2>err) || code=$?
check_stopped limited
check_resumed limited

# A small disk that fills while the run goes on; making one takes the right to mount.
mkdir disk
if mount -t tmpfs -o size=2m tmpfs disk 2>/dev/null; then
    trap 'umount "$place/disk"; rm -rf "$place"' EXIT
    head -c 1800000 /dev/zero >disk/ballast
    refuse 2 "are free" "${args[@]}" --out disk/run
    rm disk/ballast
    (code=0; "$rill" "${args[@]}" --out disk/run >out 2>err || code=$?; echo $code >code) &
    until [ -e disk/run/frames/frame_000002.h5 ] || [ -e code ]; do sleep 0.005; done
    dd if=/dev/zero of=disk/ballast bs=4096 2>/dev/null || true
    wait
    code=$(cat code)
    check_stopped disk/run
    rm disk/ballast
    check_resumed disk/run
else
    leave_out "a disk that is full, since none can be mounted"
fi

# Output that cannot be written is no success.
if [ -e /dev/full ]; then
    code=0
    "$rill" scenes >/dev/full 2>err || code=$?
    [ "$code" -eq 1 ] || fail "a full stdout made it exit with $code instead of 1"
fi
echo "full disk: passed"
