# The files with the inner loops are compiled once per variant (src/base/variant.h)
# and the engine picks one at run time; everything else is compiled for the baseline.
include(CheckCCompilerFlag)

set(RILL_VARIANTS base)
set(RILL_VARIANT_base_WIDTH 4)
set(RILL_VARIANT_base_FLAGS ${RILL_FUSES_NOTHING})
set(RILL_VARIANT_DEFINITIONS)

# Torture builds have the portable one alone, which halves their time; the tests run all under the sanitizers.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND NOT RILL_FUZZ)
  check_c_compiler_flag("-march=x86-64-v4 -mprefer-vector-width=512" RILL_COMPILER_HAS_V4)
  if(RILL_COMPILER_HAS_V4)
    list(APPEND RILL_VARIANTS avx2 avx512 avx512x16)
    set(RILL_VARIANT_DEFINITIONS RILL_HAVE_X86_VARIANTS=1)
    set(RILL_VARIANT_base_FLAGS -march=x86-64-v2 ${RILL_FUSES_NOTHING})
    set(RILL_VARIANT_avx2_WIDTH 8)
    set(RILL_VARIANT_avx2_FLAGS -march=x86-64-v3)
    set(RILL_VARIANT_avx512_WIDTH 8)
    set(RILL_VARIANT_avx512_FLAGS -march=x86-64-v4 -mprefer-vector-width=256)
    set(RILL_VARIANT_avx512x16_WIDTH 16)
    set(RILL_VARIANT_avx512x16_FLAGS -march=x86-64-v4 -mprefer-vector-width=512)
  endif()
endif()
