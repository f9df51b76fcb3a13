# Every check there is, driven by ctest. Unit tests stand beside their files; whole-program tests run under
# pytest, once as an ordinary user and once as root.
find_package(GTest REQUIRED)

add_executable(ringwall-probe probes/probe_main.cc)
target_link_libraries(ringwall-probe PRIVATE ringwall-probes)

# The build whose walls can be taken away. Only files that name the switch differ: they are compiled a second time and
# come before the rooms, which give everything else as it is in the released binary.
file(GLOB HEADERS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*/*.h ${CMAKE_SOURCE_DIR}/probes/*.h)
list(FILTER SOURCES EXCLUDE REGEX "_test\\.cc$")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${HEADERS})
set(MUTATED "")
foreach(file ${HEADERS} ${SOURCES})
  file(STRINGS ${file} names REGEX ${SWITCH} LIMIT_COUNT 1)
  if(names AND file MATCHES "\\.h$" AND NOT file MATCHES "/sandbox/wall\\.h$")
    message(FATAL_ERROR "${file}: a header must not ask whether a wall is taken away: both builds share who includes it")
  elseif(names AND file MATCHES "\\.cc$")
    list(APPEND MUTATED ${file})
  endif()
endforeach()
add_executable(ringwall-mutant ${MUTATED})
target_compile_definitions(ringwall-mutant PRIVATE RINGWALL_MUTATIONS)
target_include_directories(ringwall-mutant PRIVATE ${GENERATED})
target_compile_options(ringwall-mutant PRIVATE -O1)  # what it is for takes no time
target_link_libraries(ringwall-mutant PRIVATE ringwall-cli)

add_executable(record-bench bench/record_bench.cc)
target_link_libraries(record-bench PRIVATE ringwall-events)
add_executable(gate-bench bench/gate_bench.cc)
target_link_libraries(gate-bench PRIVATE ringwall-gate)
add_executable(risk-bench bench/risk_bench.cc)
target_link_libraries(risk-bench PRIVATE ringwall-risk)

# Programs that attack, and what they attack: the tests of tests/exec find them beside Ringwall by these names.
enable_language(C)
foreach(source attack target)
  add_executable(ringwall-exec-${source} tests/exec/${source}.c)
  target_link_libraries(ringwall-exec-${source} PRIVATE c)
endforeach()
add_library(ringwall-exec-lib MODULE tests/exec/target_lib.c)
set_target_properties(ringwall-exec-lib PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME ringwall-exec-lib
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_link_libraries(ringwall-exec-lib PRIVATE c)

file(GLOB_RECURSE UNIT_TESTS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*_test.cc)
add_executable(unit-tests ${UNIT_TESTS})
target_link_libraries(unit-tests PRIVATE ringwall-cli GTest::gtest_main seccomp)
# What is tested is the released code; optimising the tests would cost more than it saves.
target_compile_options(unit-tests PRIVATE -O0 -U_FORTIFY_SOURCE)
# These read tests/corpus/.
set_property(SOURCE src/risk/corpus_test.cc src/gate/hook_event_test.cc src/gate/hook_reply_test.cc src/gate/corpus_test.cc APPEND PROPERTY COMPILE_DEFINITIONS
  RINGWALL_SOURCE="${CMAKE_SOURCE_DIR}")
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)  # a compiler cache does better without
  target_precompile_headers(unit-tests PRIVATE <gtest/gtest.h> <boost/json.hpp>)
endif()
set_property(SOURCE ${CMAKE_SOURCE_DIR}/src/instructions/result_scan_test.cc APPEND PROPERTY COMPILE_DEFINITIONS
  RESULTS_CORPUS="${CMAKE_SOURCE_DIR}/tests/corpus/results")
add_test(NAME unit COMMAND ${CMAKE_SOURCE_DIR}/tests/support/run_unit.sh $<TARGET_FILE:unit-tests>)
set_tests_properties(unit PROPERTIES COST 200)  # begins early: it is long, and one process

foreach(check layers names numbers sizes text)
  add_test(NAME check-${check} COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tools/check_${check}.py)
  add_test(NAME check-${check}-can-fail COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tools/check_${check}.py --self-test)
endforeach()
# Against the build for tests, which has its names.
add_test(NAME check-start-order COMMAND ${CMAKE_SOURCE_DIR}/tools/start_order.py $<TARGET_FILE:ringwall-mutant> --check)
add_test(NAME check-start-order-can-fail COMMAND ${CMAKE_SOURCE_DIR}/tools/start_order.py $<TARGET_FILE:ringwall-guard> --check)
set_tests_properties(check-start-order-can-fail PROPERTIES WILL_FAIL ON)  # that program has no such names
add_test(NAME batches-keep-apart COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tools/batches.py --self-test)
# What the comparison computes and shows; the measurements themselves are `make compare`.
add_test(NAME compare COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/bench/compare_test.py)
add_test(NAME check-format COMMAND ${CMAKE_SOURCE_DIR}/tools/format.sh --check)

# The README's second command, in the folder that it is typed in.
add_test(NAME make-run COMMAND sh -c "make --silent run CMD='echo walled' | grep -x walled"
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME package COMMAND /usr/bin/python3 -B -m pytest -q -p no:cacheprovider ${CMAKE_SOURCE_DIR}/tests/packaging)
set_tests_properties(package PROPERTIES ENVIRONMENT "RINGWALL_BUILD=${CMAKE_BINARY_DIR}" TIMEOUT 1200)
add_test(NAME check-docs COMMAND ringwall-docs --check ${CMAKE_SOURCE_DIR}/docs)
set(check_commands /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tools/check_commands.py --ringwall $<TARGET_FILE:ringwall>)
add_test(NAME check-commands COMMAND ${check_commands})
add_test(NAME check-commands-can-fail COMMAND ${check_commands} --self-test)

set(longest_suite 1500)
if(RINGWALL_SANITIZE)
  set(longest_suite 4500)
endif()

# ringwall_pytest(NAME USER SECONDS PART SUITE…): those that take longest begin first.
function(ringwall_pytest name user seconds part)
  add_test(NAME ${name} COMMAND ${CMAKE_SOURCE_DIR}/tests/support/run_pytest.sh ${user} ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${longest_suite} COST ${seconds}
    ENVIRONMENT "RINGWALL_BUILD=${CMAKE_BINARY_DIR};RINGWALL_GUEST=${CMAKE_SOURCE_DIR}/build/guest;RINGWALL_PART=${part}"
    ENVIRONMENT_MODIFICATION "RINGWALL_SANITIZE=set:${RINGWALL_SANITIZE}")
  # What several suites share is found out once.
  if("${ARGN}" MATCHES "tests/(integration|network|exec|docs|support)")
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED shared-place)
  endif()
endfunction()

# ringwall_suite(NAME SECONDS PARTS): tests/NAME as both users, in so many parts, side by side.
function(ringwall_suite suite seconds parts)
  foreach(user user root)
    foreach(part RANGE 1 ${parts})
      set(name ${suite}-as-${user})
      if(parts GREATER 1)
        set(name ${suite}-${part}-as-${user})
      endif()
      ringwall_pytest(${name} ${user} ${seconds} ${part}/${parts} tests/${suite})
    endforeach()
  endforeach()
endfunction()

# What two suites of each user need, and wait for where they get to it: found out once, beside whatever needs it not.
foreach(act make remove)
  add_test(NAME shared-place-${act} COMMAND ${CMAKE_SOURCE_DIR}/tests/support/shared_place.sh ${act})
  set_tests_properties(shared-place-${act} PROPERTIES ENVIRONMENT "RINGWALL_BUILD=${CMAKE_BINARY_DIR}")
endforeach()
set_tests_properties(shared-place-make PROPERTIES FIXTURES_SETUP shared-place)
set_tests_properties(shared-place-remove PROPERTIES FIXTURES_CLEANUP shared-place)

foreach(user user root)
  ringwall_pytest(known-programs-as-${user} ${user} 400 1/1 tests/support/known_programs.py)
endforeach()

ringwall_suite(integration 380 3)
ringwall_suite(network 450 1)
ringwall_suite(exec 100 1)
ringwall_suite(promises 45 1)
ringwall_suite(audit 265 1)

# The corpora: attacks that must be stopped, and daily work that must go on, each case first without any wall.
ringwall_pytest(attacks-as-user user 120 1/1 tests/corpora/run.py attacks --mutants some)
ringwall_pytest(attacks-as-root root 120 1/1 tests/corpora/run.py attacks --mutants some)
# For root, daily work goes on in `make test-toolchains`, with what takes long.
ringwall_pytest(work-as-user user 120 1/1 tests/corpora/run.py work)
# Every command that a page shows, typed by a person without a network.
ringwall_pytest(docs-as-user user 60 1/1 tests/docs)
ringwall_pytest(corpora-can-fail user 5 1/1 tests/corpora/test_harness.py)
add_test(NAME check-attacks-page COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tools/attacks_page.py --check)
add_test(NAME check-promise-tests-page
  COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tools/promise_tests_page.py --check)
add_test(NAME check-work-page COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/tools/work_page.py --check)

# Root's guard over sandboxes of an ordinary user, natively.
ringwall_pytest(guard-as-root root 60 1/1 tests/guard/test_attacks.py tests/guard/test_guard.py)

include(tests/fuzz/fuzz.cmake)

# Tests that measure time or count what is on the whole host (turns.py), when all of the above is through: one suite after
# the other.
get_property(side_by_side DIRECTORY PROPERTY TESTS)
list(REMOVE_ITEM side_by_side shared-place-remove)
foreach(user user root)
  foreach(suite integration network promises)
    ringwall_pytest(${suite}-alone-as-${user} ${user} 1 alone tests/${suite})
    list(APPEND alone ${suite}-alone-as-${user})
  endforeach()
endforeach()
ringwall_pytest(docs-alone-as-user user 1 alone tests/docs)
list(APPEND alone docs-alone-as-user)
set_tests_properties(${alone} PROPERTIES RUN_SERIAL ON DEPENDS "${side_by_side}")

# Another kernel and a host without user namespaces: QEMU guests under software emulation. That is slow, so they get the
# host for themselves, a processor each, when all else is through.
ringwall_pytest(guest caller 1 1/1 tests/guest)
# The guard by LSM programs, and by tracepoints on an older kernel.
ringwall_pytest(guard-guest caller 1 1/1 tests/guard/test_older_kernel.py)
set_tests_properties(guest guard-guest PROPERTIES DEPENDS "${side_by_side};${alone}")
