# The format check passes on this tree, and catches each kind of fault in a tree made for it.
set -u
tools/check-format || exit 1

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/base" "$tree/src/physics/force" "$tree/include/rill" "$tree/apps/rill" "$tree/tests/torture/targets" \
    "$tree/docs" "$tree/tools"
guarded() {
    printf '#ifndef %s\n#define %s\n#endif\n' "$1" "$1"
}
guarded RILL_BASE_A_H >"$tree/src/base/a.h"
guarded RILL_PHYSICS_A_H >"$tree/src/physics/force/a.h"
guarded RILL_A_H >"$tree/include/rill/a.h"
guarded RILL_APP_A_H >"$tree/apps/rill/a.h"
guarded RILL_TESTS_A_H >"$tree/tests/a.h"
guarded RILL_TORTURE_A_H >"$tree/tests/torture/targets/a.h"
long=$(printf 'word %.0s' {1..30})
printf '%s\n' "${long% }" >"$tree/docs/a.md"
printf '/* https://example.org/%s */\n' "${long// /x}" >"$tree/src/base/link.c"
printf 'const char *a = "https://example.org"; /* // within is no comment */\n' >"$tree/src/base/a.c"
# 120 characters of two bytes each.
printf '/* %s */\n' "$(printf 'ü%.0s' {1..57}) $(printf 'ü%.0s' {1..56})" >"$tree/src/base/wide.c"
printf 'all: b ## %s\n\t@echo\n' "${long% }" >"$tree/Makefile"
if ! tools/check-format "$tree"; then
    echo "A good tree was refused."
    exit 1
fi

failed=0
# Puts text into a file and expects the check to name this line of it.
expect() {
    local file=$1 number=$2 text=$3 kept=
    [ ! -f "$tree/$file" ] || kept=$(mktemp)
    [ -z "$kept" ] || cp "$tree/$file" "$kept"
    printf "$text" >"$tree/$file"
    if tools/check-format "$tree" >"$tree/../out.$$" || ! grep -q "^$file:$number: " "$tree/../out.$$"; then
        echo "Not caught: $text in $file"
        cat "$tree/../out.$$"
        failed=1
    fi
    rm "$tree/../out.$$"
    if [ -n "$kept" ]; then mv "$kept" "$tree/$file"; else rm "$tree/$file"; fi
}
expect src/base/b.c 2 'int a;\n\tint b;\n'
expect docs/b.md 1 'a \n'
expect src/base/b.c 1 'int a;'
expect src/base/b.c 2 'int a;\n\n'
expect src/base/b.c 1 ''
expect src/base/b.c 2 'int a;\nint b; // b\n'
expect src/base/b.c 1 '#pragma once\n'
expect src/base/b.c 1 "/* $long */\n"
expect cmake.cmake 1 "# ${long% }\n"
expect tools/b 2 "#!/bin/sh\n# ${long% }\n"
expect src/base/b.h 1 'int a;\n'
expect src/base/b.h 1 '#ifndef RILL_B_H\n#define RILL_B_H\n#endif\n'
expect src/base/b.h 1 '#ifndef RILL_BASE_B_H\n#define RILL_BASE_C_H\n#endif\n'
expect docs/b.md 1 'a\377\n'
expect tests/b.c 2 'void b(void)\n{ if (c) skip(); }\n'
expect tests/b.c 1 'int b(void) { return slow_build(); }\n'
expect tests/b.sh 1 'which b || exit 77\n'
expect Makefile 2 'all:\n\t@echo\ta\n'
exit $failed
