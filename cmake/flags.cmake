# Compiler flags of everything built here. Never -ffast-math: it would let the
# compiler reorder sums and drop the NaN checks the engine relies on.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Clang's back end fuses one way for one vector width and another way for the next, so that variants would differ in
# their last bits; told so, it fuses where the source has a product and a sum in one expression.
add_compile_options($<IF:$<C_COMPILER_ID:Clang>,-ffp-contract=on,-ffp-contract=fast>)
# The baseline files of librill and the 4-lane variant must give the same bits with every compiler and on every machine,
# also where the baseline has fused multiply-adds, so they have none. This comes after the line above and so prevails.
set(RILL_FUSES_NOTHING -ffp-contract=off)
add_compile_options(-fno-math-errno -fno-trapping-math -fno-semantic-interposition)
# Debug information and asserts name files from the source folder, wherever that is.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
add_compile_options(-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes)
if(RILL_WERROR)
  add_compile_options(-Werror)
endif()

# Code that inputs are thrown at counts its branches for libFuzzer.
if(RILL_FUZZ)
  set(RILL_SANITIZE address,undefined)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(RILL_SANITIZE)
  # Asserts stay on here, so that a sanitizer run checks those as well.
  # More optimisation than -O1 takes the compilers three times as long, and the tests no less.
  set(CMAKE_C_FLAGS_RELEASE "-O1 -g1")
  add_compile_options(-fsanitize=${RILL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${RILL_SANITIZE})
  add_compile_definitions(RILL_SANITIZED)
else()
  set(CMAKE_C_FLAGS_RELEASE "-O3 -g1 -DNDEBUG")
endif()
