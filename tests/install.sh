# Installs into an empty prefix, moves it, and uses what is there as a stranger would: the example
# through pkg-config and through CMake, shared and static, and the program with its own scenes.
set -eu
if [ -n "${RILL_SANITIZE:-}" ]; then
    echo "Skipped: a library built with a sanitizer is not one to install."
    exit 77
fi

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
trap 'echo "tests/install.sh: line $LINENO failed."' ERR
unset RILL_SCENES
cc=${RILL_CC:-gcc}
expected='^[1-9][0-9]* particles at 0\.100 s$'

# DESTDIR and a prefix that is moved afterwards: nothing may remember where it was put.
DESTDIR=$place/stage cmake --install "$RILL_BUILD" --prefix /opt/rill >"$place/install.log"
prefix=$place/moved
mv "$place/stage/opt/rill" "$prefix"

for file in bin/rill include/rill/rill.h include/rill/files.h share/rill/scenes/dam_break.yaml \
    share/man/man1/rill.1 share/bash-completion/completions/rill share/zsh/site-functions/_rill \
    share/fish/vendor_completions.d/rill.fish lib/librill.a lib/librill.so lib/librill_files.a lib/librill_files.so \
    lib/pkgconfig/rill.pc lib/pkgconfig/rill_files.pc lib/cmake/rill/rill-config.cmake; do
    [ -e "$prefix/$file" ] || { echo "Not installed: $file"; exit 1; }
done
# The man page and the completions are those of the program that lies beside them.
"$prefix/bin/rill" reference man | cmp - "$prefix/share/man/man1/rill.1"
"$prefix/bin/rill" reference completion bash | cmp - "$prefix/share/bash-completion/completions/rill"
"$prefix/bin/rill" reference completion zsh | cmp - "$prefix/share/zsh/site-functions/_rill"
"$prefix/bin/rill" reference completion fish | cmp - "$prefix/share/fish/vendor_completions.d/rill.fish"
# Text that users' builds read must name no folder of this build. A path begins where no other goes on.
named="(?<![\\w.}/-])(\\Q$RILL_BUILD\\E|\\Q$PWD\\E)/"
if grep -rlP "$named" "$prefix/lib/pkgconfig" "$prefix/lib/cmake" "$prefix/include" "$prefix/share"; then
    echo "The files above name the build's own folders."
    exit 1
fi

# Only the public functions may be seen in the shared libraries, and those that librill_files takes from librill.
nm -D --defined-only "$prefix/lib/librill.so" "$prefix/lib/librill_files.so" | awk 'NF == 3 { print $3 }' |
    sort -u >"$place/exported"
grep -ohE '\brill_[a-z0-9_]+\(' "$prefix"/include/rill/*.h | tr -d '(' >"$place/public"
grep -rhE '^RILL_SHARED' src --include=*.h | grep -oE '\brill_[a-z0-9_]+\(' | tr -d '(' >>"$place/public"
sort -u -o "$place/public" "$place/public"
if comm -23 "$place/exported" "$place/public" | grep .; then
    echo "The names above are exported but not public."
    exit 1
fi

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
flags="-Wall -Wextra -Werror"

"$cc" $flags examples/hello.c -o "$place/hello" $(pkg-config --cflags --libs rill)
LD_LIBRARY_PATH=$prefix/lib "$place/hello" | grep -E "$expected"

# Linked with the archive itself, the program needs no librill.so to run.
"$cc" $flags examples/hello.c -o "$place/hello_static" $(pkg-config --cflags rill) "$prefix/lib/librill.a" \
    $(pkg-config --static --libs-only-l rill | sed 's/-lrill\b//')
"$place/hello_static" | grep -E "$expected"

cmake -S examples -B "$place/cmake" -G Ninja -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" >"$place/cmake.log"
cmake --build "$place/cmake" >>"$place/cmake.log"
"$place/cmake/hello" | grep -E "$expected"

# The other library, through both: every public name of files.h that the program needs must resolve.
cat >"$place/files.c" <<'END'
#include <rill/files.h>
int main(void)
{
    rill_error err = {0};
    rill_scene scene;
    if (rill_scene_load("dam_break", NULL, 0, &scene, &err) != RILL_OK) return fprintf(stderr, "%s\n", err.text), 1;
    printf("%s\n", scene.name);
    rill_scene_free(&scene);
    return 0;
}
END
# A program elsewhere finds the scenes beside the shared library; one that holds the library, among the system's data.
export XDG_DATA_DIRS=$place/nothing
"$cc" $flags "$place/files.c" -o "$place/files" $(pkg-config --cflags --libs rill_files)
[ "$(LD_LIBRARY_PATH=$prefix/lib "$place/files")" = dam_break ]
mkdir "$place/files_project"
cp "$place/files.c" "$place/files_project"
cat >"$place/files_project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(files LANGUAGES C)
find_package(rill REQUIRED)
foreach(kind files files_static)
  add_executable(with_${kind} files.c)
  target_link_libraries(with_${kind} PRIVATE rill::${kind})
endforeach()
END
cmake -S "$place/files_project" -B "$place/files_build" -G Ninja -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix" >>"$place/cmake.log"
cmake --build "$place/files_build" >>"$place/cmake.log"
[ "$("$place/files_build/with_files")" = dam_break ]
"$place/files_build/with_files_static" 2>&1 | grep "set RILL_SCENES"
[ "$(XDG_DATA_DIRS=$place/nothing:$prefix/share "$place/files_build/with_files_static")" = dam_break ]
[ "$(RILL_SCENES=$prefix/share/rill/scenes "$place/files_build/with_files_static")" = dam_break ]
# The libraries of one machine may have a folder of their own below lib.
mkdir "$prefix/lib/machine"
cp -P "$prefix"/lib/librill*.so* "$prefix/lib/machine"
[ "$(LD_LIBRARY_PATH=$prefix/lib/machine "$place/files")" = dam_break ]
rm -r "$prefix/lib/machine"

# The program finds its own scenes from any folder, also through a link.
mkdir "$place/elsewhere"
ln -s "$prefix/bin/rill" "$place/elsewhere/rill"
cd "$place/elsewhere"
"$prefix/bin/rill" scenes | grep -w dam_break
./rill scenes | grep -w dam_break
"$prefix/bin/rill" run dam_break --particles 500 --time 0.02 --out "$place/run" --json >"$place/summary.json"
python3 - "$place/summary.json" <<'END'
import json, sys
summary = json.load(open(sys.argv[1]))
assert summary["particles"] > 100, summary
assert abs(summary["simulated_s"] - 0.02) < 1e-6, summary
END
ls "$place/run/frames" | grep -q '\.h5$'
echo "The installed rill works from a prefix of its own."
