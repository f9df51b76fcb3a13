# Fuzz targets. Each is built twice: with libFuzzer and the sanitizers where clang-19 is there
# (run by hand or at night: make fuzz), and without, for a short replay in the tests.
find_program(FUZZING_COMPILER clang++-19)
add_custom_target(fuzz)

# fuzz_target(NAME LIBRARY DICTIONARY SOURCES … PARTS …): the parts are the room's files that it needs.
function(fuzz_target name library dictionary)
  cmake_parse_arguments(FUZZ "" "" "SOURCES;PARTS" ${ARGN})
  list(TRANSFORM FUZZ_SOURCES PREPEND ${CMAKE_SOURCE_DIR}/tests/fuzz/)
  list(TRANSFORM FUZZ_PARTS PREPEND ${CMAKE_SOURCE_DIR}/src/)
  set(dictionary ${CMAKE_SOURCE_DIR}/tests/fuzz/${dictionary})
  add_executable(fuzz-${name}-replay ${FUZZ_SOURCES} ${CMAKE_SOURCE_DIR}/tests/fuzz/replay_main.cc)
  target_link_libraries(fuzz-${name}-replay PRIVATE ${library})
  add_test(NAME fuzz-${name}-replay COMMAND fuzz-${name}-replay ${dictionary} 200000)
  if(NOT FUZZING_COMPILER)
    return()
  endif()
  set(fuzzers ${CMAKE_BINARY_DIR}/fuzz)
  file(MAKE_DIRECTORY ${fuzzers}/${name}-corpus)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/terminal/*.h ${CMAKE_SOURCE_DIR}/src/files/*.h)
  add_custom_command(OUTPUT ${fuzzers}/${name}
    COMMAND ${FUZZING_COMPILER} -std=c++23 -g -O1 -fsanitize=fuzzer,address,undefined
      -fno-sanitize-recover=undefined -D_GNU_SOURCE -I${CMAKE_SOURCE_DIR}/src
      ${FUZZ_SOURCES} ${FUZZ_PARTS} -o ${fuzzers}/${name}
    DEPENDS ${FUZZ_SOURCES} ${FUZZ_PARTS} ${headers} VERBATIM)
  # A minute of it; what it found useful stays in the build folder.
  add_custom_target(fuzz-${name}
    COMMAND ${fuzzers}/${name} -dict=${dictionary} -max_len=8192 -max_total_time=60 ${fuzzers}/${name}-corpus
    DEPENDS ${fuzzers}/${name} USES_TERMINAL VERBATIM)
  add_dependencies(fuzz fuzz-${name})
endfunction()

fuzz_target(filter ringwall-terminal filter.dict
  SOURCES filter_fuzz.cc output_checker.cc
  PARTS terminal/control_sequence.cc terminal/filter.cc terminal/judge.cc terminal/judge_osc.cc
    terminal/plain_text.cc terminal/sequences.cc terminal/sequences_csi.cc terminal/sequences_modes.cc
    terminal/sequences_osc.cc terminal/tracked_modes.cc)
fuzz_target(git-config ringwall-files git_config.dict
  SOURCES git_config_fuzz.cc
  PARTS files/git_config.cc files/git_config_edit.cc files/git_config_rules.cc files/git_config_dangers.cc
    files/git_config_judge.cc files/git_vet.cc base/text.cc base/path.cc base/result.cc)
fuzz_target(hidden ringwall-files git_config.dict
  SOURCES hidden_fuzz.cc
  PARTS files/hidden.cc files/hidden_entries.cc files/hidden_content.cc files/name_pattern.cc
    policy/pattern.cc files/protected.cc files/protected_entries.cc base/text.cc base/path.cc base/result.cc)
