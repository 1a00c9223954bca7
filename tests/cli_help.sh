#!/bin/bash
# The program's help, and what it says to words it does not know.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"

want 0
says out 'Usage: rill COMMAND'
[ "$(grep -cF "  $rill " out)" -eq 3 ] || fail "rill alone does not show three examples with the program as it was called"
# They must work when pasted; a smaller run keeps this short.
grep -F "  $rill " out | sed 's/--particles 10000 --time 1s/--particles 300 --time 0.1s/' >examples
[ -s examples ] || fail "no examples found"
while read -r line; do
    (eval "$line") >out 2>err || fail "the example does not work: $line"
done <examples
[ -s pressure.png ] || fail "the examples made no picture"
[ -s runs/first/vtp/series.pvd ] || fail "the examples exported nothing"

for command in run scenes info shot render compare mesh export bench; do
    want 0 "$command" --help
    [ "$(wc -l <out)" -le 24 ] || fail "the help of $command does not fit on a screen"
    [ "$(awk '{ if (length > n) n = length } END { print n }' out)" -le 80 ] || fail "the help of $command is too wide"
    says out "^Usage: rill $command"
    cp out with_option
    want 0 help "$command"
    cmp -s out with_option || fail "rill help $command differs from rill $command --help"
done
want 0 --version
says out '^rill [0-9]'
want 0 reference
says out 'particle_diameter'

refuse 2 "'rill run'" rnu
refuse 2 "lists them" frobnicate
refuse 2 "--particles" run tiny --particels 100
refuse 2 "--help" run tiny --xyzzyplugh
refuse 2 "needs a value" run tiny --threads
for command in run compare shot render export mesh plot; do
    refuse 2 "--out of rill $command needs a value: --out [A-Z|]*\\.$" $command tiny --out ""
    refuse 2 "--out of rill $command needs a value" $command tiny --out=
done
refuse 2 "whole number" run tiny --threads 2x
refuse 2 "whole number" run tiny --particles -5
refuse 2 "takes no value" run tiny --json=yes
refuse 2 "needs a scene" run
refuse 2 "--out" run --resume
refuse 2 "too large" run tiny --particles 99999999999999999999999
refuse 2 "whole number" run tiny --particles 1.5
refuse 2 "whole number" run tiny --particles 1e-3
refuse 2 "whole number" run tiny --particles 0x10
refuse 2 "extra" run tiny extra
refuse 2 "both" run tiny --particles 100 --diameter 5cm
refuse 2 "between 1 and" run tiny --threads 0
refuse 2 "no run" shot nowhere
refuse 2 "no run" export nowhere
refuse 2 "needs a run" shot
refuse 2 "needs a run" export
refuse 2 "search_1m" bench serch_1m

want 0 scenes
for scene in dam_break double_dam_break ball_drop still_tank falling_drop reference_dam tiny droplet honey mixer shapes vortex; do says out "^$scene "; done
want 0 bench --list
says out '^step_1m '
want 0 bench --list --json
[ "$(grep -c '"row"' out)" -eq "$("$rill" bench --list | wc -l)" ] || fail "bench --list --json does not list all rows"
refuse 2 "measures nothing" bench --list copy_1
want 0 info dam_break
says out 'particles'
echo "help: passed"
