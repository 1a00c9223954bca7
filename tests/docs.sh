# Every method has a page, every page of a method has its parts, and no link of a page leads nowhere.
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
    for part in '**For**' '**Paper' '## Keys' '## When, and when not' '## Cost' '## How right'; do
        grep -qF -- "$part" "$page" || complain "$page lacks '$part'."
    done
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
[ $failed -ne 0 ] || echo "Docs: every method has its page, and every link leads somewhere."
exit $failed
