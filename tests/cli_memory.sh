#!/bin/bash
# Allocations of a command fail, the libraries' among them: one sentence, code 1, or success where the command can do
# without. tests/torture/faults does the same to long commands, and looks at the files they leave.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"
library=$RILL_BUILD/tests/failing_malloc.so
[ -e "$library" ] || { leave_out "allocations that fail, which they cannot under a sanitizer"; exit 77; }

# Runs a command with allocation number $1 failing, and all later ones where $2 is 1.
try_failing() {
    local at=$1 rest=$2
    shift 2
    code=0
    LD_PRELOAD=$library RILL_FAIL_IN=$(basename "$rill") RILL_FAIL_AT=$at RILL_FAIL_REST=$rest \
        "$rill" "$@" >out 2>err || code=$?
}

# The command with one allocation of each place failing in turn, alone or with all later ones.
sweep() {
    local at rest=0 places
    RILL_FAIL_COUNT=count try_failing 0 0 "$@"
    [ "$code" -eq 0 ] || fail "rill $* exited with $code where nothing failed"
    places=$(tail -n +2 count | sort -n)
    for at in $places; do
        rest=$((1 - rest))
        try_failing "$at" "$rest" "$@"
        [ "$code" -eq 0 ] || [ "$code" -eq 1 ] || fail "allocation $at failed: rill $* exited with $code"
        [ "$code" -eq 0 ] || [ "$(grep -c '^rill: ' err)" -eq 1 ] || fail "allocation $at failed: not one sentence"
    done
    echo "rill $*: $(wc -w <<<"$places") places"
}

# A run that tells of success has its frames.
sweep_run() {
    local at places
    RILL_FAIL_COUNT=count try_failing 0 0 run tiny --time 10ms --out tried --quiet
    places=$(tail -n +2 count | sort -n)
    for at in $places; do
        rm -rf tried
        try_failing "$at" 0 run tiny --time 10ms --out tried --quiet
        [ "$code" -ne 0 ] || [ -e tried/frames/frame_000000.h5 ] ||
            fail "allocation $at failed: rill run told of success without its first frame"
    done
    echo "rill run tiny: $(wc -w <<<"$places") places"
}

sweep_run
sweep info tiny --time 1s --particles 600
sweep info tiny --set time.end=1s --json
sweep scenes
want 0 run tiny --time 50ms --out run --quiet
sweep info run
sweep mesh run --frames 1 --out surface.ply --quiet
sweep shot run --width 64 --height 64 --out shot.png --quiet
sweep render run --width 64 --height 64 --samples 1 --out picture.png --quiet
echo "failing allocations: passed"
