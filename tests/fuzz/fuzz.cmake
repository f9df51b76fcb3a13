# Fuzz targets. Each is built twice: with libFuzzer and the sanitizers where clang-19 is there
# (target fuzz-filter, run by hand or at night), and without, for a short replay in the tests.
set(FUZZ_FILTER_SOURCES
  ${CMAKE_SOURCE_DIR}/tests/fuzz/filter_fuzz.cc
  ${CMAKE_SOURCE_DIR}/tests/fuzz/output_checker.cc)
set(FUZZ_FILTER_DICT ${CMAKE_SOURCE_DIR}/tests/fuzz/filter.dict)

add_executable(fuzz-filter-replay ${FUZZ_FILTER_SOURCES} ${CMAKE_SOURCE_DIR}/tests/fuzz/replay_main.cc)
target_link_libraries(fuzz-filter-replay PRIVATE ringwall-terminal)
add_test(NAME fuzz-filter-replay COMMAND fuzz-filter-replay ${FUZZ_FILTER_DICT} 200000)

find_program(FUZZING_COMPILER clang++-19)
if(FUZZING_COMPILER)
  set(FUZZERS ${CMAKE_BINARY_DIR}/fuzz)
  file(MAKE_DIRECTORY ${FUZZERS}/filter-corpus)
  set(FILTER_PARTS "")
  foreach(part control_sequence filter judge judge_osc plain_text sequences sequences_csi
               sequences_modes sequences_osc tracked_modes)
    list(APPEND FILTER_PARTS ${CMAKE_SOURCE_DIR}/src/terminal/${part}.cc)
  endforeach()
  file(GLOB FILTER_HEADERS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/terminal/*.h)
  add_custom_command(OUTPUT ${FUZZERS}/filter
    COMMAND ${FUZZING_COMPILER} -std=c++23 -g -O1 -fsanitize=fuzzer,address,undefined
      -fno-sanitize-recover=undefined -I${CMAKE_SOURCE_DIR}/src
      ${FUZZ_FILTER_SOURCES} ${FILTER_PARTS} -o ${FUZZERS}/filter
    DEPENDS ${FUZZ_FILTER_SOURCES} ${FILTER_PARTS} ${FILTER_HEADERS} VERBATIM)
  add_custom_target(fuzz-filter DEPENDS ${FUZZERS}/filter)
  # fuzz-filter-run: one minute of it; what it found useful stays in the build folder.
  add_custom_target(fuzz-filter-run
    COMMAND ${FUZZERS}/filter -dict=${FUZZ_FILTER_DICT} -max_len=8192
      -max_total_time=60 ${FUZZERS}/filter-corpus
    DEPENDS fuzz-filter USES_TERMINAL VERBATIM)
endif()
