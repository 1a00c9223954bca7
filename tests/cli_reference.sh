#!/bin/bash
# The man page and the completions follow from the tables of options: nothing of the help is missing there, and they
# work in the programs that they are made for.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"

want 0
mapfile -t commands < <(awk '/^  [a-z]+ / { print $1 }' out | sort -u)
[ ${#commands[@]} -ge 13 ] || fail "the program lists only ${#commands[@]} commands"

# Every option of every command, as "command --option".
for command in "${commands[@]}"; do
    want 0 help "$command"
    awk -v command="$command" '/^  --/ { print command, $1 }' out
done >options
[ "$(wc -l <options)" -ge 100 ] || fail "the helps name only $(wc -l <options) options"

# ---- the man page ----

want 0 reference man
cp out rill.1
# A section of its own for every command, with all its options.
while read -r command option; do
    awk -v section=".SS rill $command" '$0 == section { inside = 1; next } /^\.S[SH]/ { inside = 0 } inside' rill.1 |
        sed 's/\\-/-/g' | grep -q -- "^\\\\fB$option\\\\fR" || fail "the man page lacks $option of rill $command"
done <options
for command in "${commands[@]}"; do grep -qx ".SS rill $command" rill.1 || fail "the man page lacks rill $command"; done
for code in 0 1 2 3 4; do grep -qx ".B $code" rill.1 || fail "the man page lacks exit code $code"; done
for section in NAME SYNOPSIS COMMANDS 'EXIT STATUS' ENVIRONMENT EXAMPLES; do
    grep -qx ".SH $section" rill.1 || fail "the man page lacks $section"
done
# Examples work as they stand, up to the time they take.
sed -n '/^.SH EXAMPLES/,/^.fi/s/^  //p' rill.1 | sed 's/\\-/-/g' >examples
[ "$(wc -l <examples)" -ge 5 ] || fail "the man page has no examples"
while read -r line; do
    case $line in
    "rill render"*) line="$line --width 64 --height 36" ;;
    esac
    line=${line/--particles 10000 --time 1s/--particles 300 --time 0.05s}
    line=${line/--samples 32/--samples 1}
    eval "try ${line#rill }"
    [ "$code" -eq 0 ] || fail "the example does not work: $line"
done <examples
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww -z rill.1 2>err
    [ ! -s err ] || fail "groff warns about the man page"
    groff -man -Tascii rill.1 | grep -q -- '--solver' || fail "options do not keep their dashes on the page"
else
    leave_out "the man page in groff, which is not installed"
fi
if command -v mandoc >/dev/null; then
    ! mandoc -T lint -W error rill.1 >out || fail "mandoc finds errors in the man page"
else
    leave_out "the man page in mandoc, which is not installed"
fi

# ---- bash ----

want 0 reference completion bash
cp out rill.bash
want 0 reference completion
cmp -s out rill.bash || fail "bash is not the shell when none is named"
mkdir -p kept/one
touch kept/particles.ply 'kept/two words.ply'
cat >complete.bash <<'DRIVER'
# Completes the words given, the last of which is under the cursor, as readline would; one candidate a line.
set -u
. ./rill.bash
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
_rill "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
DRIVER
# Wants exactly these candidates, in any order.
completes() {
    local expected=$1
    shift
    bash complete.bash "$rill" "$@" >out 2>err || fail "completing '$*' failed"
    [ ! -s err ] || fail "completing '$*' says something"
    [ "$(sort out | paste -sd ' ')" = "$(tr ' ' '\n' <<<"$expected" | sort | paste -sd ' ')" ] ||
        fail "completing '$*' does not offer '$expected'"
}
# Wants this among the candidates.
offers() {
    local expected=$1
    shift
    bash complete.bash "$rill" "$@" >out 2>err || fail "completing '$*' failed"
    grep -qxF -- "$expected" out || fail "completing '$*' does not offer '$expected'"
}
completes 'render reference' re
for command in "${commands[@]}"; do offers "$command" ''; done
for command in "${commands[@]}"; do
    completes "$(awk -v command="$command" '$1 == command { printf "%s ", $2 }' options)--help" "$command" --
done
completes 'dfsph iisph pcisph pbf wcsph' run tiny --solver ''
completes 'dfsph' run tiny --solver = d
completes 'dfsph iisph pcisph pbf wcsph' run tiny --solver =
completes 'dfsph,wcsph' compare --solvers dfsph,w
completes 'clear river ocean toy clay' render kept/one --look ''
completes 'speed' shot kept/one --colour s
completes 'vtp ply' export --format ''
completes 'ply obj vtp' mesh --format ''
completes 'anisotropic' mesh --field a
completes 'bash zsh fish' reference completion ''
completes 'scene report man completion' reference ''
completes 'sky' render --light s
offers kept render --light ''
completes 'kept/one' shot kept/
completes 'kept/one' run --out kept/
printf 'kept/one\nkept/particles.ply\nkept/two words.ply\n' >files
bash complete.bash "$rill" mesh kept/ | sort | cmp -s - files || fail "files are not offered as they are"
completes '' run --particles ''
offers dam_break run ''
completes dam_break info dam_
offers cavity validate ''
offers papers bench ''
completes '' frobnicate ''
# The function is what bash calls for rill.
bash -c '. ./rill.bash; complete -p rill' >out
says out '-F _rill'

# ---- zsh and fish ----

# Every option of every command stands in the part of its command.
want 0 reference completion zsh
cp out _rill
while read -r command option; do
    awk -v part="        ($command)" '$0 == part { inside = 1; next } /^        \(/ { inside = 0 } inside' _rill |
        grep -qE -- "^ *'\*?$option(=)?\[" || fail "zsh's completion lacks $option of rill $command"
done <options
if command -v zsh >/dev/null; then zsh -n _rill || fail "zsh does not read its completion"; else leave_out "zsh, which is not installed"; fi

want 0 reference completion fish
cp out rill.fish
while read -r command option; do
    grep -qE -- "-n '__rill_in $command' -l ${option#--}( |\$)" rill.fish || fail "fish's completion lacks $option of rill $command"
done <options
if command -v fish >/dev/null; then
    for asked in 'rill run --solver df:dfsph' 'rill rend:render' 'rill compare --solvers dfsph,wc:dfsph,wcsph'; do
        HOME=$place fish --no-config -c "source rill.fish; complete -C '${asked%%:*}'" >out 2>err
        cut -f 1 out | grep -qx -- "${asked#*:}" || fail "fish does not complete '${asked%%:*}'"
    done
else
    leave_out "fish, which is not installed"
fi

refuse 2 "bash, zsh and fish" reference completion tcsh
refuse 2 "follows" reference man bash
refuse 2 "there are scene" reference frobnicate
refuse 2 "contradict" scenes --names --json
refuse 2 "did you mean --help" run --help=frobnicate
want 0 scenes --names
[ "$(wc -l <out)" -eq "$("$rill" scenes | wc -l)" ] || fail "scenes --names does not name every scene"
echo "reference: passed"
