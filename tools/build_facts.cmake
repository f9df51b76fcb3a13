# Writes what `ringwall version --json` says of a build. Only a change of it is written, so that nothing is
# compiled for nothing. The same sources give the same facts.
#   cmake -DSOURCE=DIR -DOUTPUT=FILE -DCOMPILER=TEXT -DTYPE=Release -P tools/build_facts.cmake
set(commit "")
set(changed "false")
set(date "")
if(EXISTS ${SOURCE}/.git)
  # Who owns the clone does not matter for reading it.
  set(git git -c safe.directory=* -C ${SOURCE})
  execute_process(COMMAND ${git} rev-parse HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${git} log -1 --format=%cI OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${git} diff-index --quiet HEAD -- RESULT_VARIABLE differs ERROR_QUIET)
  if(differs EQUAL 1)
    set(changed "true")
  endif()
endif()
set(text "constexpr const char* kCommit = \"${commit}\";
constexpr const char* kCommitted = \"${date}\";
constexpr bool kIsChanged = ${changed};
constexpr const char* kCompiler = \"${COMPILER}\";
constexpr const char* kBuildType = \"${TYPE}\";
")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
