# The layer check passes on this tree, and catches each kind of fault in a tree made for it.
set -u
tools/check-layers || exit 1

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
for folder in include/rill src/base src/run src/fluid src/scene src/frame apps/rill apps/bench apps/validate; do
    mkdir -p "$tree/$folder"
done
echo '#include <stdint.h>' >"$tree/include/rill/base.h"
for header in scene_text frames render; do echo '#include "rill/base.h"' >"$tree/include/rill/$header.h"; done
echo '/* #include "scene/a.h" and _mm_add_ps(a, b) in a comment do not count */' >"$tree/src/base/a.h"
printf '#include <pthread.h>\nvoid relax(void) { __builtin_ia32_pause(); }\n' >"$tree/src/run/threads.c"
echo '#include <immintrin.h>' >"$tree/src/base/simd.h"
printf '#include "base/a.h"\n#include "rill/scene_text.h"\n#include <yaml.h>\n' >"$tree/src/scene/a.c"
printf '#include "rill/scene_text.h"\n#include "rill/frames.h"\n' >"$tree/src/frame/a.c"
printf '#include "rill/render.h"\n#include "say.h"\n' >"$tree/apps/rill/main.c"
echo >"$tree/apps/rill/say.h"
printf '#include "base/a.h"\n#include "bench.h"\n#include "say.h"\n' >"$tree/apps/bench/bench.c"
echo >"$tree/apps/bench/bench.h"
if ! tools/check-layers "$tree"; then
    echo "A good tree was refused."
    exit 1
fi

failed=0
# Puts a line into a file, second, and expects the check to name that very line.
expect() {
    local file=$1 line=$2 kept
    kept=$(cat "$tree/$file" 2>/dev/null)
    printf '\n%s\n' "$line" >"$tree/$file"
    if tools/check-layers "$tree" >"$tree/out" || ! grep -q "^$file:2: " "$tree/out"; then
        echo "Not caught: $line in $file"
        cat "$tree/out"
        failed=1
    fi
    if [ -n "$kept" ]; then echo "$kept" >"$tree/$file"; else rm "$tree/$file"; fi
}
expect src/base/b.c '#include "scene/a.h"'
expect src/base/b.c '#include <yaml.h>'
expect src/base/b.c '#include "rill/frames.h"'
expect src/scene/b.c '#include "rill/frames.h"'
expect src/frame/b.c '#include "rill/render.h"'
expect src/frame/b.c '#include "scene/a.h"'
expect apps/rill/b.c '#include "base/a.h"'
expect apps/validate/b.c '#include "base/a.h"'
expect src/base/b.c '#include "rill/none.h"'
expect src/base/b.c '#include "../scene/a.h"'
expect src/base/b.c '#include "a.h"'
expect apps/rill/b.c '#include "bench.h"'
expect apps/rill/b.c '#include "bench/bench.h"'
expect src/scene/b.c '#include <pthread.h>'
expect src/scene/b.c '  #  pragma omp for'
expect src/base/b.c 'void *b(void) { return malloc(4); }'
expect src/frame/b.c 'void b(char *text) { free(text); }'
expect src/frame/b.c 'char *b(const char *text) { return strndup(text, 3); }'
expect src/fluid/b.c '#include <arm_neon.h>'
expect src/run/threads.c 'int n = __builtin_ia32_vec_ext_v4si(a, 0);'
expect src/fluid/b.h 'RILL_API void rill_b(void);'
expect include/rill/b.h '#include "base/a.h"'
expect include/rill/b.h 'typedef struct rill_b { int b;
} rill_b;'
expect include/rill/b.h 'uint32_t b;'
# Fine as C, no C++.
! command -v g++ >/dev/null || expect include/rill/b.h 'static inline int *b(void *p) { int class = 0; return class ? 0 : (int *)p; }'
exit $failed
