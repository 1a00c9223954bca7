#!/bin/bash
# Allocations of a command fail, one at a time, the libraries' among them: one sentence, code 1, or success where the
# command can do without. tests/torture/faults does the same to long commands, at random.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"
library=$RILL_BUILD/tests/failing_malloc.so
[ -e "$library" ] || { echo "no allocations can be made to fail under a sanitizer: skipped"; exit 77; }

# Runs a command with allocation number $1 failing, and all later ones where $2 is 1.
try_failing() {
    local at=$1 rest=$2
    shift 2
    code=0
    LD_PRELOAD=$library RILL_FAIL_IN=$(basename "$rill") RILL_FAIL_AT=$at RILL_FAIL_REST=$rest RILL_FAIL_COUNT=count \
        "$rill" "$@" >out 2>err || code=$?
}

# The command with every $1-th allocation failing in turn.
sweep() {
    local every=$1 at
    shift
    try_failing 0 0 "$@"
    [ "$code" -eq 0 ] || fail "rill $* exited with $code where nothing failed"
    for ((at = 1, most = $(cat count); at <= most; at += every)); do
        try_failing "$at" $((at / every % 2)) "$@"
        [ "$code" -eq 0 ] || [ "$code" -eq 1 ] || fail "allocation $at failed: rill $* exited with $code"
        [ "$code" -eq 0 ] || [ "$(grep -c '^rill: ' err)" -eq 1 ] || fail "allocation $at failed: not one sentence"
    done
    echo "rill $*: $most allocations"
}

sweep 3 info tiny --time 1s --particles 600
sweep 3 info tiny --set time.end=1s --json
sweep 97 scenes
want 0 run tiny --time 50ms --out run --quiet
sweep 7 info run
sweep 7 shot run --width 64 --height 64 --out shot.png --quiet
sweep 61 render run --width 64 --height 64 --samples 1 --out picture.png --quiet
if command -v gnuplot >/dev/null; then
    sweep 41 plot run --out plots --quiet
fi
echo "failing allocations: passed"
