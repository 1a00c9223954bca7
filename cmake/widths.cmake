# The files with the inner loops are compiled once per SIMD width and the
# engine picks one at run time; everything else is compiled for the baseline.
include(CheckCCompilerFlag)

set(RILL_WIDTHS 4)
set(RILL_WIDTH_4_FLAGS)
set(RILL_WIDTH_DEFINITIONS)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(RILL_WIDTH_4_FLAGS -march=x86-64-v2)
  check_c_compiler_flag(-march=x86-64-v3 RILL_COMPILER_HAS_V3)
  if(RILL_COMPILER_HAS_V3)
    list(APPEND RILL_WIDTHS 8)
    list(APPEND RILL_WIDTH_DEFINITIONS RILL_HAVE_WIDTH_8=1)
    set(RILL_WIDTH_8_FLAGS -march=x86-64-v3)
  endif()
  check_c_compiler_flag("-march=x86-64-v4 -mprefer-vector-width=512" RILL_COMPILER_HAS_V4)
  if(RILL_COMPILER_HAS_V4)
    list(APPEND RILL_WIDTHS 16)
    list(APPEND RILL_WIDTH_DEFINITIONS RILL_HAVE_WIDTH_16=1)
    set(RILL_WIDTH_16_FLAGS -march=x86-64-v4 -mprefer-vector-width=512)
  endif()
endif()
