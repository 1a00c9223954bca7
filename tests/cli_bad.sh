#!/bin/bash
# Bad input: one sentence, the right exit code, nothing written.
set -eu
. "$(dirname "${BASH_SOURCE[0]}")/cli_tools.bash"

scene() { # NAME, then lines that replace or add to a sound scene
    cat >"$1.yaml" <<END
name: $1
particle_diameter: ${diameter:-50 mm}
time: {end: 0.05 s}
fill:
  - {box: {from: [0, 0, 0], to: [0.2, 0.2, 0.2]}}
${more:-}
boundaries:
  tank: {box: {from: [0, 0, 0], to: [0.6, 0.4, 0.4]}}
END
}

scene sound
want 0 run sound.yaml --quiet --out sound

more='gravty: [0, 0, -9.81]' scene unknown_key
refuse 2 "unknown_key.yaml:6.*gravity" run unknown_key.yaml
diameter='50 kg' scene wrong_unit
refuse 2 "wrong_unit.yaml:2.*length" run wrong_unit.yaml
diameter='50 mm and a bit' scene rubbish
refuse 2 "rubbish.yaml:2" run rubbish.yaml
diameter='.nan' scene not_a_number
refuse 2 "finite" run not_a_number.yaml
diameter='-50 mm' scene negative
refuse 2 "between 2e-05" run negative.yaml
more='  - {box: {from: [0.1, 0, 0], to: [0.3, 0.2, 0.2]}}' scene overlap
refuse 2 "overlap" run overlap.yaml
printf 'name: nothing\nparticle_diameter: 50 mm\nfill:\n  - {box: {from: [5, 5, 5], to: [6, 6, 6]}}\nboundaries:\n  tank: {box: {from: [0, 0, 0], to: [1, 1, 1]}}\n' >nothing.yaml
refuse 2 "particle\|outside" run nothing.yaml
printf 'name: unfilled\n' >unfilled.yaml
refuse 2 "no fill" run unfilled.yaml
# info refuses what a run refuses, in the same words.
for name in overlap nothing unfilled; do
    refuse 2 . run $name.yaml
    mv err of_run
    refuse 2 . info $name.yaml
    cmp err of_run || fail "info of $name says something else than run"
done
refuse 2 "velocity.x must be at most" run tiny --set 'fill.0.velocity=[1e39, 0, 0]'
refuse 2 "1024" run tiny --threads 100000
printf 'name: torn\nfill: [' >torn.yaml
refuse 2 "torn.yaml:" run torn.yaml
: >empty.yaml
refuse 2 "empty.yaml" run empty.yaml
head -c 300 /dev/urandom >noise.yaml
refuse 2 "noise.yaml" run noise.yaml
refuse 2 "nowhere.yaml" run nowhere.yaml
refuse 2 "did you mean 'tiny'" run tinny
refuse 2 "no scene 'frobnicate'; .rill scenes. lists" run frobnicate
refuse 2 "lists them" run ''
# A word longer than a sentence can be: what is said still ends as a sentence.
refuse 2 'and so on\.$' run tiny "$(head -c 20000 /dev/zero | tr '\0' x)"
printf 'name: tabs\ntime:\n\tend: 1 s\n' >tabs.yaml
refuse 2 "tabs.yaml:3:1.*tab" run tabs.yaml
mkdir other
echo mine >other/report.csv
refuse 2 "other/report.csv" run tiny --out other
[ "$(cat other/report.csv)" = mine ] || fail "a file of the user's was written over"

refuse 2 "length" run tiny --diameter 20kg
refuse 2 "unit" run tiny --diameter '20 mm x'
refuse 2 "finite" run tiny --diameter nan
refuse 2 "between 2e-05" run tiny --diameter -1mm
refuse 2 "between 2e-05" run tiny --diameter 0
refuse 2 "finite" run tiny --time inf
refuse 2 "gravity" run tiny --set gravty=3
refuse 2 "finite" run tiny --set 'gravity=[0, 0, nan]'
refuse 2 "key=value" run tiny --set gravity
refuse 2 "solver" run tiny --solver magic
refuse 2 "nothing to simulate" run tiny --particles 0

# A mistake in an option is told of the option, and two that contradict each other are refused.
refuse 2 "^rill: --time -1s: " run tiny --time -1s
refuse 2 "^rill: --solver magic: " run tiny --solver magic
refuse 2 "--particles.*--set particle_diameter=5mm" run tiny --particles 100 --set particle_diameter=5mm
refuse 2 "--time.*--set time.end=2s" run tiny --time 1s --set time.end=2s
refuse 2 "--fps.*--set time" run tiny --fps 10 --set 'time={end: 1 s}'

# More than the machine has.
refuse 2 "of memory" run tiny --particles 1000000000000
refuse 2 "of memory" run tiny --diameter 25um
refuse 2 "are free" run tiny --fps 1000000000
# info shows how much it would be, then ends as a run does.
want 2 run tiny --diameter 25um
mv err of_run
want 2 info tiny --diameter 25um
says out '^  memory .*B of .*free'
[ "$(sed 's/and .* are free//' err)" = "$(sed 's/and .* are free//' of_run)" ] || fail "info says something else than run"

# Folders that cannot be written.
refuse 1 "cannot be written" run tiny --out sound.yaml/below
refuse 1 "cannot be written" run tiny --out /proc/rill_test/run
refuse 2 "already holds a run" run sound.yaml --out sound

# Rows whose counts are none are left out of what a table sums up to.
want 0 run tiny --time 20ms --out odd --quiet
for lost in 1e300 -1 nan 4294967296; do
    printf 'step,time,dt,lost\n1,0.1,0.1,2\n2,0.2,0.1,%s\n' "$lost" >odd/report.csv
    want 0 info odd
    says out "lost *2 particles outside"
done

# A table that is no file is neither waited for nor read without end.
for kind in "mkfifo" "ln -s /dev/zero"; do
    rm odd/report.csv
    $kind odd/report.csv
    code=0
    ([ -n "$RILL_SANITIZE" ] || ulimit -v 4000000; exec timeout 60 "$rill" info odd >out 2>err) || code=$?
    [ "$code" -eq 0 ] || fail "info of a run whose table was made by $kind ended with $code"
done
# A name that spans lines is quoted on one.
refuse 2 "no command 'co mm'" $'co\nmm'
refuse 2 "no option" run tiny --od$'\n'd
refuse 2 "no file a b" mesh $'a\nb'
refuse 2 "no scene" run $'a\n\033[31mb'
[ ! -e runs ] || fail "something was written in spite of all refusals: $(find runs)"
[ -z "$(find . -name '*tmp*')" ] || fail "temporary files were left: $(find . -name '*tmp*')"
echo "bad input: passed"
