# Installs into an empty prefix, moves it, and uses what is there as a stranger would: the example and a
# program for each library through pkg-config and through CMake, shared and static, and the program rill
# with its own scenes.
set -eu
if [ -n "${RILL_SANITIZE:-}" ]; then
    echo "left out: installing, since a library built with a sanitizer is not one to install"
    exit 77
fi

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
trap 'echo "tests/install.sh: line $LINENO failed."' ERR
unset RILL_SCENES
cc=${RILL_CC:-gcc}
expected='^0\.5 s, step [1-9][0-9]*: front at '

# DESTDIR and a prefix that is moved afterwards: nothing may remember where it was put.
DESTDIR=$place/stage cmake --install "$RILL_BUILD" --prefix /opt/rill >"$place/install.log"
prefix=$place/moved
mv "$place/stage/opt/rill" "$prefix"

parts="scene frames surface render"
for file in bin/rill bin/rill-bench include/rill/rill.h share/rill/scenes/dam_break.yaml lib/cmake/rill/rill-config.cmake \
    share/man/man1/rill.1 share/bash-completion/completions/rill share/zsh/site-functions/_rill \
    share/fish/vendor_completions.d/rill.fish \
    $(for part in $parts; do echo "lib/librill_$part.a lib/librill_$part.so lib/pkgconfig/rill-$part.pc"; done) \
    lib/librill.a lib/librill.so lib/pkgconfig/rill.pc; do
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

# Only the public functions may be seen in the shared libraries, and those that the parts take from librill.
nm -D --defined-only "$prefix"/lib/librill*.so | awk 'NF == 3 { print $3 }' | sort -u >"$place/exported"
grep -ohE '\brill_[a-z0-9_]+\(' "$prefix"/include/rill/*.h | tr -d '(' >"$place/public"
grep -rhE '^RILL_SHARED' src --include=*.h | grep -oE '\brill_[a-z0-9_]+\(' | tr -d '(' >>"$place/public"
sort -u -o "$place/public" "$place/public"
if comm -23 "$place/exported" "$place/public" | grep .; then
    echo "The names above are exported but not public."
    exit 1
fi
# Every public function is in exactly one of them.
nm -D --defined-only "$prefix"/lib/librill*.so | awk 'NF == 3 { print $3 }' | sort | uniq -d >"$place/twice"
grep -ohE '^RILL_API [^;]*\brill_[a-z0-9_]+\(' "$prefix"/include/rill/*.h | grep -oE '\brill_[a-z0-9_]+\($' | tr -d '(' |
    sort -u | comm -23 - "$place/exported" >"$place/absent"
if grep . "$place/twice" "$place/absent"; then
    echo "The names above are in two libraries, or public and in none."
    exit 1
fi

# A copy of the allocator's hook in a part would stay unset.
for part in $parts; do
    if nm "$prefix/lib/librill_$part.so" | grep -E ' [tT] rill_(malloc|free|allocator_set)$'; then
        echo "librill_$part.so has a copy of the allocator of librill.so."
        exit 1
    fi
done

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
flags="-Wall -Wextra -Werror"
examples=$prefix/share/rill/examples

"$cc" $flags "$examples/01_step_and_read.c" -o "$place/first" $(pkg-config --cflags --libs rill)
LD_LIBRARY_PATH=$prefix/lib "$place/first" | grep -E "$expected"

# Linked with the archive itself, the program needs no librill.so to run.
"$cc" $flags "$examples/01_step_and_read.c" -o "$place/first_static" $(pkg-config --cflags rill) "$prefix/lib/librill.a" \
    $(pkg-config --static --libs-only-l rill | sed 's/-lrill\b//')
"$place/first_static" | grep -E "$expected"

cmake -S "$examples" -B "$place/cmake" -G Ninja -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" >"$place/cmake.log"
cmake --build "$place/cmake" >>"$place/cmake.log"
"$place/cmake/01_step_and_read" | grep -E "$expected"
(cd "$place" && cmake/05_mesh_and_picture | grep -E '^splash.ply with [1-9]')

# A program for each part, with that part alone.
mkdir "$place/project"
cat >"$place/project/scene.c" <<'END'
#include <rill/scene_text.h>
int main(void)
{
    rill_error err = {0};
    rill_scene scene;
    if (rill_scene_load("dam_break", NULL, 0, &scene, &err)) return fprintf(stderr, "%s\n", err.text), 1;
    printf("%s\n", scene.name);
    rill_scene_free(&scene);
    return 0;
}
END
cat >"$place/project/frames.c" <<'END'
#include <rill/frames.h>
int main(int count, char **words)
{
    rill_error err = {0};
    uint32_t *numbers = NULL, frames = 0;
    if (count < 2 || !rill_run_list_frames(words[1], &numbers, &frames, &err)) return 1;
    return printf("%d\n", (int)err.status) < 0;
}
END
cat >"$place/project/surface.c" <<'END'
#include <rill/surface.h>
#include <stdio.h>
int main(void)
{
    rill_error err = {0};
    float position[] = {0, 0, 0};
    rill_particles particles = {.count = 1, .position = position, .diameter = 1};
    rill_surface_options options = rill_surface_default();
    rill_mesh mesh;
    if (rill_surface_make(&particles, &options, &mesh, NULL, &err)) return fprintf(stderr, "%s\n", err.text), 1;
    printf("%s\n", mesh.triangle_count > 8 ? "closed" : "open");
    rill_mesh_free(&mesh);
    return 0;
}
END
cat >"$place/project/render.c" <<'END'
#include <rill/render.h>
#include <stdlib.h>
/* A drop that floats alone: all of a picture that the library needs. */
int main(void)
{
    rill_error err = {0};
    float position[] = {0, 0, 0.5f};
    rill_array array = {.name = "position", .type = RILL_F32, .lanes = 3, .stride = 3, .count = 1, .particle = true,
                        .data = position};
    rill_frame_file frame = {.diameter = 0.1, .count = 1, .state = {&array, 1}};
    rill_scene scene = rill_scene_default();
    rill_fluid water = rill_fluid_default();
    rill_render_options options = rill_render_default(RILL_LOOK_CLAY);
    rill_picture picture;
    options.trace.width = options.trace.height = 16;
    options.trace.samples = 1;
    if (rill_scene_add_fluid(&scene, &water, &err) || rill_render_frame(&frame, &scene, &options, &picture, NULL, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    printf("%u\n", (unsigned)picture.width);
    rill_picture_free(&picture);
    rill_scene_free(&scene);
    return 0;
}
END
# What each says, and what it must not be linked with: scenes and surfaces do without all that pictures need.
says() { case $1 in scene) echo dam_break ;; frames) echo 1 ;; surface) echo closed ;; render) echo 16 ;; esac; }
foreign() { case $1 in scene) echo 'embree|OpenEXR|libpng|libz' ;; surface) echo 'embree|OpenEXR|libpng|libyaml' ;;
    frames) echo 'embree|OpenEXR|libpng' ;; render) echo hdf5 ;; esac; }
check() { # PART PROGRAM
    [ "$("$2" "$place/nothing")" = "$(says "$1")" ] || { echo "$2 does not say $(says "$1")."; return 1; }
    ! ldd "$2" | grep -E "$(foreign "$1")"
}

# A program elsewhere finds the scenes beside the shared library; one that holds the library, among the system's data.
export XDG_DATA_DIRS=$place/nothing
for part in $parts; do
    "$cc" $flags "$place/project/$part.c" -o "$place/$part" $(pkg-config --cflags --libs "rill-$part")
    LD_LIBRARY_PATH=$prefix/lib check "$part" "$place/$part"
    # The same with the archives themselves.
    "$cc" $flags "$place/project/$part.c" -o "$place/${part}_static" $(pkg-config --cflags "rill-$part") \
        $(pkg-config --static --libs "rill-$part" | sed -E "s@-l(rill[a-z_]*)@$prefix/lib/lib\1.a@g")
    XDG_DATA_DIRS=$place/nothing:$prefix/share check "$part" "$place/${part}_static"
    ! ldd "$place/${part}_static" | grep librill
done
cat >"$place/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(parts LANGUAGES C)
find_package(rill REQUIRED)
foreach(part scene frames surface render)
  foreach(kind ${part} ${part}_static)
    add_executable(with_${kind} ${part}.c)
    target_link_libraries(with_${kind} PRIVATE rill::${kind})
  endforeach()
endforeach()
END
cmake -S "$place/project" -B "$place/project_build" -G Ninja -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix" >>"$place/cmake.log"
cmake --build "$place/project_build" >>"$place/cmake.log"
for part in $parts; do
    check "$part" "$place/project_build/with_$part"
    XDG_DATA_DIRS=$place/nothing:$prefix/share check "$part" "$place/project_build/with_${part}_static"
done
"$place/project_build/with_scene_static" 2>&1 | grep "set RILL_SCENES"
[ "$(RILL_SCENES=$prefix/share/rill/scenes "$place/project_build/with_scene_static")" = dam_break ]
# The libraries of one machine may have a folder of their own below lib.
mkdir "$prefix/lib/machine"
cp -P "$prefix"/lib/librill*.so* "$prefix/lib/machine"
[ "$(LD_LIBRARY_PATH=$prefix/lib/machine "$place/scene")" = dam_break ]
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
