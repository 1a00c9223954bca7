# Compiler flags of everything built here. Never -ffast-math: it would let the
# compiler reorder sums and drop the NaN checks the engine relies on.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_compile_options(-ffp-contract=fast -fno-math-errno -fno-trapping-math -fno-semantic-interposition)
# Debug information and asserts name files from the source folder, wherever that is.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
add_compile_options(-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes)
if(RILL_WERROR)
  add_compile_options(-Werror)
endif()

if(RILL_SANITIZE)
  # Asserts stay on here, so that a sanitizer run checks those as well.
  set(CMAKE_C_FLAGS_RELEASE "-O2 -g")
  add_compile_options(-fsanitize=${RILL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${RILL_SANITIZE})
else()
  set(CMAKE_C_FLAGS_RELEASE "-O3 -g1 -DNDEBUG")
endif()
