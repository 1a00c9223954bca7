#!/bin/bash
# Cases with a known answer, small: the tables, the pictures and the page that is made of them.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"

want 0 validate --help
[ "$(awk '{ if (length > n) n = length } END { print n }' out)" -le 90 ] || fail "the help is too wide"
want 0 validate --list
cases=$(cut -d' ' -f1 out)
for name in dam_break still_tank couette poiseuille taylor_green cavity standing_wave; do says out "^$name "; done
refuse 2 "did you mean cavity" validate cavty
refuse 2 "names them" validate xyzzyplugh
refuse 2 "threads" validate --threads 5000
[ ! -e docs ] || fail "a refused command wrote a page"

if ! command -v gnuplot >/dev/null; then
    refuse 1 'gnuplot-nox' validate couette --small --quiet
    leave_out "all cases, since gnuplot is not installed (Debian package gnuplot-nox)"
    exit 77
fi

want 0 validate couette --small
says out 'small/validation.md'
says err 'couette, dfsph: velocity profile'
[ "$(wc -l <small/validation/couette.csv)" -eq 2 ] || fail "the table of couette has not one row"
[ "$(head -c 4 small/validation/couette.png | tail -c 3)" = PNG ] || fail "couette was not drawn"
[ "$(wc -c <small/validation/couette.png)" -lt 100000 ] || fail "the picture is too heavy"
error=$(awk -F, 'NR == 2 { print $3 }' small/validation/couette.csv)
# Ten layers follow the series to some percent; a wall that does not drag would be off by the whole speed.
awk -v e="$error" 'BEGIN { exit !(e > 0 && e < 6) }' || fail "couette is off by $error %"
grep -q '](validation/couette.png)' small/validation.md || fail "the page does not show the picture"
[ "$(grep -c 'not run yet' small/validation.md)" -eq $(($(echo "$cases" | wc -l) - 1)) ] || fail "the page tells of cases that did not run"

# A second case joins the first; every solver has its row; an error above its bar is told.
want 0 validate stretching_drop --small --quiet --save all.csv
[ "$(wc -l <all.csv)" -gt "$(wc -l <small/validation/stretching_drop.csv)" ] || fail "one table of all cases lacks rows"
grep -q "^couette,.*thread.*20[0-9][0-9]-" all.csv || fail "the machine is not named"
[ ! -s out ] && [ ! -s err ] || fail "--quiet is not quiet"
grep -q '](validation/couette.png)' small/validation.md && grep -q '](validation/stretching_drop.png)' small/validation.md ||
    fail "the page has not both cases"
[ "$(wc -l <small/validation/stretching_drop.csv)" -ge 3 ] || fail "not every solver stretched the drop"
sed -i '2s/,[0-9.]*,% of top,/,77,% of top,/' small/validation/couette.csv
want 0 validate stretching_drop --small --quiet
grep -q 'couette.*77 % of top | 5 % of top | missed' small/validation.md || fail "an error above its bar passes for good"
refuse 1 "cannot be made" validate couette --small --quiet --out small/validation.md
echo "validate: passed"
