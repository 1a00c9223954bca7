#!/bin/bash
# Several solvers side by side: the table in all its forms agrees with the runs it came from, a solver in
# trouble does not stop the others, and mistakes are told before anything runs.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"

want 0 compare --help
[ "$(awk '{ if (length > n) n = length } END { print n }' out)" -le 80 ] || fail "the help is too wide"
[ "$(wc -l <out)" -le 24 ] || fail "the help does not fit on a screen"
refuse 2 "needs a scene" compare
refuse 2 "'dfsph'" compare tiny --solvers dfshp
refuse 2 "twice" compare tiny --solvers dfsph,wcsph,dfsph
refuse 2 "no solver ''" compare tiny --solvers dfsph,
refuse 2 "timme" compare tiny --set timme=3
refuse 2 "solver.kind" compare tiny --set solver.kind=wcsph
[ -z "$(ls | grep -v -e '^out$' -e '^err$' || true)" ] || fail "a refused comparison left something behind: $(ls)"

# Of a column of a run's report: a figure made by awk. A solver without such a column has zeros.
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
        { v = c ? $c : 0; n++; sum += v; last = v; if (n == 1 || v > most) most = v } END { print '"$3"' }' "$1/report.csv"
}
# The value of a column in the row of a solver.
cell() {
    awk -F, -v row="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
        $1 == row { print $c }' "$1/compare.csv"
}
close() {
    awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; if (d < 0) d = -d; m = b < 0 ? -b : b; exit !(d <= 1e-5 * m + 1e-12) }' ||
        fail "$3: the table says $1, the run $2"
}

want 0 compare tiny --time 60ms --out all
solvers=$(tail -n +2 all/compare.csv | cut -d, -f1)
[ "$(echo "$solvers" | wc -l)" -ge 2 ] || fail "there are fewer than two solvers"
says out '| steps '
for solver in $solvers; do
    says out " $solver |"
    [ -s "all/$solver/report.csv" ] && [ "$(ls "all/$solver/frames" | wc -l)" -eq 1 ] || fail "no run of $solver, or too many frames"
    close "$(cell all $solver steps)" "$(column all/$solver step n)" "steps of $solver"
    close "$(cell all $solver simulated_s)" 0.06 "time of $solver"
    close "$(cell all $solver iterations_density_mean)" "$(column all/$solver iterations_density sum/n)" "iterations of $solver"
    close "$(cell all $solver density_error_mean_percent)" "$(column all/$solver density_error sum/n)" "error of $solver"
    close "$(cell all $solver density_error_max_percent)" "$(column all/$solver density_error most)" "largest error of $solver"
    close "$(cell all $solver kinetic_j)" "$(column all/$solver kinetic last)" "energy of $solver"
    close "$(cell all $solver seconds_solve)" "$(column all/$solver seconds_solve sum)" "solve time of $solver"
done
# Before anything moves all of them have the same energy; a tiny tank loses at most a part of it.
for solver in $solvers; do
    awk -v change="$(cell all $solver energy_change_percent)" -v drift="$(cell all $solver volume_drift_percent)" \
        'BEGIN { exit !(change < 1 && change > -20 && drift < 2 && drift > -5) }' ||
        fail "$solver: energy $(cell all $solver energy_change_percent) %, volume $(cell all $solver volume_drift_percent) %"
done
grep -q '^| steps ' all/compare.md || fail "the markdown has no table"

# As JSON, with two of them, in the order asked for.
want 0 compare tiny --time 20ms --solvers wcsph,dfsph --out two --json
[ "$(sed -n 's/.*"solver": "\(.*\)",/\1/p' out | tr '\n' ' ')" = "wcsph dfsph " ] || fail "not the two solvers asked for"
cmp -s out two/compare.json || fail "--json prints something else than it keeps"
says err '| steps '
[ "$(value out tolerance_percent)" = 0.1 ] || fail "the tolerance is $(value out tolerance_percent)"
refuse 2 "two/dfsph is there already" compare tiny --time 20ms --solvers dfsph --out two
refuse 2 "two/compare.csv is there already" compare tiny --time 20ms --solvers iisph --out two
refuse 2 "two/dfsph already holds a run" compare tiny --time 20ms --out two/dfsph
refuse 1 "cannot be written" compare tiny --time 20ms --out two/compare.csv/below
[ ! -e two/iisph ] && [ ! -e two/dfsph/wcsph ] || fail "a refused comparison left something behind"
want 0 compare tiny --time 20ms --solvers dfsph --quiet
[ ! -s out ] && [ ! -s err ] && [ -s runs/tiny-compare/compare.csv ] || fail "--quiet is not quiet, or has no folder of its own"

# A speed that one of them passes and the other does not.
slow=$(column all/dfsph speed_max most) fast=$(column all/wcsph speed_max most)
limit=$(awk -v a="$slow" -v b="$fast" 'BEGIN { print (a + b) / 2 }')
loser=$(awk -v a="$slow" -v b="$fast" 'BEGIN { print (a > b ? "dfsph" : "wcsph") }')
want 4 compare tiny --time 60ms --solvers dfsph,wcsph --set trouble.speed="$limit" --out trouble
says out "$loser did not come to its end: Particle .* ran faster"
[ "$(grep -c 'did not come' out)" -eq 1 ] || fail "both solvers failed, or none did"
[ "$(cell trouble $loser trouble)" != '""' ] || fail "the row of $loser has no reason"
for solver in dfsph wcsph; do
    [ "$solver" = "$loser" ] || close "$(cell trouble $solver simulated_s)" 0.06 "time of $solver beside one in trouble"
done

# A scene that is at fault itself is refused as a run refuses it.
refuse 2 "fill" compare tiny --set 'fill=[]' --solvers dfsph,pbf --out refused --quiet
[ ! -e refused ] || fail "a refused scene left a folder"

# Without gnuplot the table is there, and one sentence says why there are no plots.
mkdir empty
code=0
PATH=$place/empty "$rill" compare tiny --time 20ms --solvers dfsph --quiet --out bare >out 2>err || code=$?
[ "$code" -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] || fail "without gnuplot it is not one sentence and code 0, but $code"
says err 'gnuplot-nox'
[ -s bare/compare.md ] && [ -z "$(find bare -name '*.png')" ] || fail "without gnuplot the table is missing"
! grep -q png bare/compare.md || fail "the table shows plots that are not there"

if ! command -v gnuplot >/dev/null; then
    leave_out "plots, since gnuplot is not installed (Debian package gnuplot-nox)"
    exit 77
fi
# A gnuplot that fails is no success.
mkdir fake
printf '#!/bin/sh\nexit 3\n' >fake/gnuplot
chmod +x fake/gnuplot
code=0
PATH=$place/fake:$PATH "$rill" compare tiny --time 20ms --solvers dfsph --quiet --out undrawn >out 2>err || code=$?
[ "$code" -eq 1 ] && [ "$(grep -c '^rill: ' err)" -eq 1 ] || fail "a gnuplot that fails is not one sentence and code 1, but $code"
[ -s undrawn/compare.csv ] || fail "a gnuplot that fails cost the table"

for plot in density_error kinetic_energy stages; do
    [ "$(head -c 4 all/$plot.png | tail -c 3)" = PNG ] && grep -q '</svg>' all/$plot.svg || fail "$plot was not drawn"
    for solver in $solvers; do grep -q ">$solver<" all/$plot.svg || fail "$plot.svg does not name $solver"; done
    grep -q "($plot.png)" all/compare.md || fail "the markdown does not show $plot"
done
grep -q 'tolerance, 0.1 %' all/density_error.svg || fail "the plot has no tolerance"
echo "compare: passed"
