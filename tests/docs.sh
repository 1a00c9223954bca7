# Every method has a page, every page of a method has its parts, no link of a page leads nowhere, and figures are those
# that were measured and meet their bars.
set -u
failed=0
complain() {
    echo "$*"
    failed=1
}

methods=$(sed -nE 's/^(SOLVER|FORCE)\((.*)\)$/\2/p' src/physics/list.h)
[ "$(wc -w <<<"$methods")" -ge 12 ] || complain "src/physics/list.h has hardly any methods"
for method in $methods walls kernels; do
    page=docs/methods/$method.md
    [ -f "$page" ] || { complain "There is no $page."; continue; }
    grep -qF "]($method.md)" docs/methods/README.md || complain "docs/methods/README.md does not lead to $method.md."
    for part in '**For**' '**Paper' '## Equations' '## Keys' '## When, and when not' '## Cost' '## How right'; do
        grep -qF -- "$part" "$page" || complain "$page lacks '$part'."
    done
    sed -n '/^## How right/,$p' "$page" | grep -q '^!\[.*](../validation/.*\.png)$' || complain "$page has no picture of its validation."
    sed -n '/^## Cost/,/^## How right/p' "$page" | grep -q '[0-9]' || complain "$page does not say what the method costs."
done
for note in docs/notes/*.md; do
    name=$(basename "$note")
    [ "$name" = README.md ] || grep -qF "]($name)" docs/notes/README.md || complain "docs/notes/README.md does not lead to $name."
done

# The anchors of a page: those given by hand, and those that headings make.
anchors() {
    grep -oP '(?<=<a id=")[^"]+' "$1"
    sed -nE 's/^#+ +//p' "$1" | tr 'A-Z' 'a-z' | sed -E 's/[^a-z0-9_ -]//g; s/ /-/g'
}
while IFS=: read -r page link; do
    target=${link%%#*} anchor=
    [ "$target" = "$link" ] || anchor=${link#*#}
    file=$page
    [ -z "$target" ] || file=$(dirname "$page")/$target
    if [ ! -e "$file" ]; then complain "$page leads to $link, which is not there."
    elif [ -n "$anchor" ] && ! anchors "$file" | grep -qxF -- "$anchor"; then complain "$page leads to $link, and $file has no such part."
    fi
done < <(grep -oP '\]\(\K[^)\s]+(?=\))' *.md docs/*.md docs/*/*.md /dev/null | grep -v ':https\?://')

# Keys that pages of methods name are keys of scenes.
while IFS=: read -r page key; do
    grep -qF "\`$key\`" docs/scene.md || complain "$page names the key $key, which docs/scene.md has not."
done < <(grep -oP '`\K(solver|fluids\.NAME|boundaries\.NAME|air_drag|time)\.[a-z_.]+(?=[`:])' docs/methods/*.md)

# Every example is shown.
for example in examples/[0-9]*.c; do
    grep -qxF -- "<!-- file $example -->" docs/library.md || complain "docs/library.md does not show $example."
    grep -qF -- "](docs/library.md" README.md || complain "README.md does not lead to docs/library.md."
done

# ---- figures ----

# What the cases came to: every error is below its bar, every bar is that of the table that the tests grade by, and the
# page has the same figures.
results=bench/results/validation.csv
cat docs/validation/*.csv | grep -v '^solver,what,' | sort | diff - <(tail -n +2 $results | cut -d, -f2- | sort) >/dev/null ||
    complain "$results is not made of docs/validation/*.csv."
bars=$(sed -nE '/validate_bars\[\]/,/^};/{s/^ *\{"(.*)", "(.*)", "(.*)", ([0-9.]+)\},$/\1|\2|\3|\4/p; s/^ *\{"(.*)", NULL, "(.*)", ([0-9.]+)\},$/\1||\2|\3/p}' \
    apps/validate/bars.h | tr , ';')
[ "$(wc -l <<<"$bars")" -eq "$(grep -c '^    {"' apps/validate/bars.h)" ] || complain "A row of apps/validate/bars.h cannot be read here."
awk -F, -v table="$bars" '
    BEGIN {
        n = split(table, rows, "\n")
        for (i = 1; i <= n; i++) { split(rows[i], c, "|"); bar[c[1] "," c[2] "," c[3]] = c[4] }
    }
    NR == 1 { next }
    {
        key = ($1 "," $2 "," $3) in bar ? $1 "," $2 "," $3 : $1 ",," $3
        met[key] = 1
        if ($6 + 0 != bar[key] + 0) { print $1 ", " $2 ", " $3 ": its bar was " $6 ", and apps/validate/bars.h has " bar[key] + 0; bad = 1 }
        if ($8 != "" || $4 !~ /^[0-9]/) { print $1 ", " $2 ", " $3 ": there is no figure"; bad = 1 }
        else if ($6 > 0 && $4 > $6) { print $1 ", " $2 ", " $3 ": " $4 " is above its bar, " $6; bad = 1 }
    }
    END {
        for (key in bar) if (!(key in met)) { print "No error in bench/results/validation.csv has the bar of " key; bad = 1 }
        exit bad
    }' $results || failed=1
while read -r row; do
    grep -qF -- "$row" docs/validation.md || complain "docs/validation.md does not say $row, as $results does."
done < <(LC_ALL=C awk -F, 'NR > 1 { printf "| %s | %s | %.3g %s | \n", $2, $3, $4, $5 }' $results)
tools/write-pages --check || failed=1
[ $failed -ne 0 ] || echo "Docs: every method has its page, every link leads somewhere, and figures are those that were measured."
exit $failed
