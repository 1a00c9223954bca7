#!/bin/bash
# Graphs of a run: which files, what is in them, and what is said of runs that lack something.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"

want 0 run tiny --solver dfsph --time 0.2s --quiet --out dense
want 0 run tiny --solver wcsph --time 20ms --quiet --out weak

# Without gnuplot: one sentence that names the package, and no folder.
mkdir empty
code=0
PATH=$place/empty "$rill" plot dense >out 2>err || code=$?
[ "$code" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] || fail "without gnuplot it is not one sentence and code 1, but $code"
says err 'gnuplot-nox'
[ ! -e dense/plots ] || fail "without gnuplot a folder was made"

# What needs no gnuplot.
want 0 plot --help
[ "$(awk '{ if (length > n) n = length } END { print n }' out)" -le 80 ] || fail "the help is too wide"
refuse 2 "holds no run" plot nowhere
refuse 2 "needs a run" plot
refuse 2 "png, svg and both" plot dense --format pdf
refuse 2 "pixels" plot dense --width 10
refuse 2 "pixels" plot dense --height 1e6
cp -r dense none
sed -i 1q none/report.csv
refuse 2 "no step yet" plot none
: >none/report.csv
refuse 1 "is empty" plot none
printf 'step,time,dt\nrubbish\n' >none/report.csv
refuse 1 "no undamaged step" plot none
# Quotes in the middle of cells and around commas: as many cells as columns or not, a row that is no row.
printf 'step,time,dt,particles\nx"a,"b,c,d,e"\n' >none/report.csv
refuse 1 "no undamaged step" plot none
want 0 info none
printf 'a,b\n1,2\n' >none/report.csv
refuse 1 "no column 'time'" plot none
printf 'step,time\n1,0.1\n' >none/report.csv
sed -i 1q none/probes.csv
refuse 1 "none of the columns" plot none --out nothing
rm none/report.csv
refuse 2 "cannot be read" plot none
[ ! -e none/plots ] && [ ! -e nothing ] || fail "a run that cannot be plotted got a folder of plots"

if ! command -v gnuplot >/dev/null; then
    leave_out "plots, since gnuplot is not installed (Debian package gnuplot-nox)"
    exit 77
fi

# A PNG is whole from its first bytes to its end, an SVG from <svg to </svg>.
whole() {
    case $1 in
    *.png) [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] && tail -c 8 "$1" | grep -q IEND ;;
    *.svg) grep -q '<svg' "$1" && tail -n 2 "$1" | grep -q '</svg>' ;;
    esac || fail "$1 is not a whole picture"
}

# The words of an SVG, one piece of text a line.
words() {
    sed -n 's/.*<text[^>]*>\(<tspan[^>]*>\)\{0,1\}\([^<]*\).*/\2/p' "$1"
}

word() {
    words "$1" | grep -q -- "$2" || fail "$1 does not say '$2': $(words "$1" | paste -sd '|')"
}

graphs="density_error divergence_error energy iterations probes_energy probes_length probes_pressure probes_velocity
    probes_volume solve_time time_step"
want 0 plot dense
[ ! -s err ] || fail "a good run is plotted with complaints"
[ "$(ls dense/plots | tr '\n' ' ')" = "$(for g in $graphs; do echo $g.png $g.svg; done | tr '\n' ' ')" ] ||
    fail "wrong files: $(ls dense/plots | tr '\n' ' ')"
for g in $graphs; do
    says out "dense/plots/$g.png and .svg"
    whole dense/plots/$g.png
    whole dense/plots/$g.svg
    word dense/plots/$g.svg 'tiny, dfsph, 512 particles'
    word dense/plots/$g.svg 'time (s)'
done
for of in before after; do
    word dense/plots/density_error.svg "$of the solve"
    word dense/plots/divergence_error.svg "$of the solve"
done
word dense/plots/density_error.svg 'tolerance, 0.01 %'
word dense/plots/divergence_error.svg 'tolerance, 0.1 %'
word dense/plots/density_error.svg 'above the tolerance in 0 of'
word dense/plots/iterations.svg '^density$'
word dense/plots/iterations.svg '^divergence$'
word dense/plots/solve_time.svg 'pressure solve'
word dense/plots/probes_velocity.svg 'wall_velocity_z'

# The figures in words are those of the table.
steps=$(($(wc -l <dense/report.csv) - 1))
largest=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "iterations_density") c = i; next }
                   $c > m { m = $c } END { print m }' dense/report.csv)
word dense/plots/iterations.svg "Density: mean [0-9.]*, largest $largest\.  .* in 0 of $steps steps"

# One format, another folder with a name full of traps, another size.
traps="a b/it's \`touch pwned\` \$(touch pwned) \"x\" {y}"
want 0 plot dense --format png --width 640 --height 400 --out "$traps" --quiet
[ ! -s out ] && [ ! -s err ] || fail "--quiet is not quiet"
[ "$(ls "$traps" | wc -l)" -eq 11 ] && ! ls "$traps" | grep -qv 'png$' || fail "--format png made: $(ls "$traps")"
[ "$(od -An -tu1 -j16 -N8 "$traps/energy.png" | tr -s ' ')" = " 0 0 2 128 0 0 1 144" ] || fail "no PNG of 640 x 400"
cp -r dense trap
sed -i "1s/.*/name: \"it's \`touch pwned\` @x {a} # %d \$y é\"/" trap/scene.yaml
want 0 plot trap --format svg
word trap/plots/energy.svg "it's \`touch pwned\` @x {a} # %d \$y é"
[ -z "$(find . -name pwned)" ] || fail "a name was run as a command"
refuse 1 "cannot be made" plot dense --out dense/scene.yaml/below

# A solver without iterations: the rest is drawn, and what is left out is said.
want 0 plot weak --format svg
[ "$(wc -l <err)" -eq 1 ] || fail "what is left out is not said in one sentence"
says err 'wcsph.*divergence_error, iterations'
[ ! -e weak/plots/iterations.svg ] && [ ! -e weak/plots/divergence_error.svg ] || fail "wcsph got iterations"
! words weak/plots/density_error.svg | grep -q tolerance || fail "wcsph got a tolerance it does not have"
[ -s weak/plots/solve_time.svg ] || fail "wcsph got no solve time"

# What a force brings into the report is drawn without a line of code about it.
want 0 run tiny --set fluids.water.viscosity.kind=implicit --set fluids.water.viscosity.value=1 --time 20ms --quiet \
    --out thick
want 0 plot thick --format svg
word thick/plots/viscosity_error.svg 'viscosity error (%)'
word thick/plots/iterations.svg '^viscosity$'

# Missing columns, a damaged row, a torn last row and a step at the limit.
column() {
    head -n 1 dense/report.csv | tr , '\n' | grep -nx "$1" | cut -d: -f1
}
cp -r dense hurt
cut -d, --complement -f "$(column density_error),$(column kinetic)" dense/report.csv >hurt/report.csv
want 0 plot hurt --format svg --out lacking
says err 'lacks columns.*: density_error, kinetic\.$'
! words lacking/energy.svg | grep -q kinetic || fail "a column that is not there was drawn"
awk -F, -v OFS=, -v limit="$(column limit_hit)" 'NR == 9 { $limit = 1 } NR == 5 { $0 = substr($0, 1, 60) } { print }' \
    dense/report.csv >hurt/report.csv
printf '9999,12' >>hurt/report.csv
want 0 plot hurt --format svg --out torn
says err '1 damaged row, left out'
says err 'in the middle of a row'
word torn/iterations.svg "limit hit"
word torn/iterations.svg "hit in 1 of $((steps - 1)) steps"

# A limit on the size of files: whole pictures or none, and what was there before stays.
cp -r dense small
cp small/plots/energy.png before.png
for limit in 1 10 30; do
    code=0
    (ulimit -f $limit && "$rill" plot small --format png --width 1600 --height 1000) >out 2>err || code=$?
    [ "$code" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] || fail "plots above a limit of $limit kB: code $code"
    says err 'File too large'
done
for file in small/plots/*; do
    whole "$file"
done
cmp -s before.png small/plots/energy.png || fail "a plot that could not be written replaced another"

# A gnuplot that stops in the middle, or reads nothing, leaves no picture.
mkdir -p fakes
for end in 'head -c 5000 >/dev/null; printf "\211PNG..."' 'exit 0' 'exec 0<&-; kill -9 $$' 'cat >/dev/null; exit 1'; do
    printf '#!/bin/sh\n%s\n' "$end" >fakes/gnuplot
    chmod +x fakes/gnuplot
    code=0
    PATH=$place/fakes:$PATH "$rill" plot dense --out faked >out 2>err || code=$?
    [ "$code" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] || fail "a gnuplot that does '$end': code $code"
    says err 'gnuplot could not draw'
    [ ! -e faked ] || fail "a gnuplot that does '$end' left a picture"
done

# A long run stays light and quick, and keeps its only peak.
cp -r dense long
awk -F, -v OFS=, 'NR == 1 { print; next } { row[NR] = $0; n = NR }
    END { for (k = 1; k <= 100000; k++) { $0 = row[2 + k % (n - 1)]
                                         $1 = k; $2 = k * 0.001; $5 = k == 77777 ? 99 : 7; print } }' \
    dense/report.csv >long/report.csv
want 0 plot long --format svg
says out '100 000 steps to t = 100 s'
word long/plots/iterations.svg 'largest 99\.'
[ "$(words long/plots/iterations.svg | grep -cx 100)" -ge 2 ] || fail "the axes do not reach 100 s and 99 iterations"
for file in long/plots/*.svg; do
    [ "$(wc -c <"$file")" -lt 500000 ] || fail "$file has $(wc -c <"$file") bytes"
done
# In an SVG y grows downwards; the rest of the curve lies far below the middle, and no grid line is near.
grep -o '[L ][0-9.]*,[0-9.]*' long/plots/iterations.svg | tr -d 'L ' |
    awk -F, '$1 > 950 && $1 < 1005 && $2 > 150 && $2 < 250 { n++ } END { exit !n }' ||
    fail "the peak at 77.8 s was thinned away"
[ -z "$(find . -name '*.tmp')" ] || fail "temporary files were left: $(find . -name '*.tmp')"
echo "plot: passed"
