# What the tests of the program share: a folder of their own, checks that say
# what went wrong. Sourced by tests/cli_*.sh.
: "${RILL_PROGRAM:?names the program to test}"
: "${RILL_SCENES:?names the folder of scenes}"
export RILL_SCENES
rill=$RILL_PROGRAM
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

fail() {
    echo "FAILED: $*"
    for log in out err; do
        [ -s "$place/$log" ] && { echo "--- std$log"; head -c 4000 "$place/$log"; }
    done
    exit 1
}

# What is not tested here, and why; tools/run-tests lists it after the tests.
leave_out() {
    echo "left out: $*"
}

# Runs the program; its output goes to the files out and err, its code to $code.
try() {
    code=0
    "$rill" "$@" >"$place/out" 2>"$place/err" || code=$?
}

# Runs it and wants this exit code.
want() {
    local expected=$1
    shift
    try "$@"
    [ "$code" -eq "$expected" ] || fail "rill $* exited with $code instead of $expected"
}

# Wants this exit code and exactly one sentence on stderr, nothing on stdout.
refuse() {
    local expected=$1 pattern=$2
    shift 2
    want "$expected" "$@"
    [ "$(wc -l <"$place/err")" -eq 1 ] || fail "rill $*: not exactly one line of error"
    grep -q '^rill: .*[.?]$' "$place/err" || fail "rill $*: the error is no sentence that starts with 'rill: '"
    grep -qi -- "$pattern" "$place/err" || fail "rill $*: the error does not mention '$pattern'"
    [ ! -s "$place/out" ] || fail "rill $*: an error must leave stdout empty"
}

says() {
    grep -q -- "$2" "$place/$1" || fail "std$1 does not say '$2'"
}

# The value of a key in a summary written with --json.
value() {
    sed -n "s/^ *\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1" | head -n 1
}

# A table of a run without the seconds each phase took, which differ from run to run.
table() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) keep[i] = $i !~ /^seconds_/ }
             { row = ""; for (i = 1; i <= NF; i++) if (keep[i]) row = row "," $i; print row }' "$1"
}

# Two runs must have the same tables and the same frames.
same_run() {
    for name in report.csv probes.csv; do
        diff <(table "$1/$name") <(table "$2/$name") >"$place/difference" ||
            fail "$name of $2 differs from that of $1: $(head -n 4 "$place/difference")"
    done
    [ "$(ls "$1/frames")" = "$(ls "$2/frames")" ] || fail "$2 has other frames than $1: $(ls "$2/frames" | tr '\n' ' ')"
}
