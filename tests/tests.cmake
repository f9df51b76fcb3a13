# Every check there is, driven by ctest. Unit tests stand beside their files; whole-program tests run under
# pytest, once as an ordinary user and once as root.
find_package(GTest REQUIRED)

ringwall_rooms("-mutant" RINGWALL_MUTATIONS)

file(GLOB_RECURSE UNIT_TESTS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*_test.cc)
add_executable(unit-tests ${UNIT_TESTS})
target_link_libraries(unit-tests PRIVATE ringwall-cli GTest::gtest_main seccomp)
add_test(NAME unit COMMAND unit-tests --gtest_brief=1)

foreach(check layers sizes text)
  add_test(NAME check-${check} COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tools/check_${check}.py)
  add_test(NAME check-${check}-can-fail COMMAND /usr/bin/python3 ${CMAKE_SOURCE_DIR}/tools/check_${check}.py --self-test)
endforeach()
add_test(NAME check-format COMMAND ${CMAKE_SOURCE_DIR}/tools/format.sh --check)

add_test(NAME check-docs COMMAND ringwall-docs --check ${CMAKE_SOURCE_DIR}/docs)

# ringwall_suite(NAME): tests/NAME under pytest, as both users.
function(ringwall_suite suite)
  foreach(user user root)
    add_test(NAME ${suite}-as-${user}
      COMMAND ${CMAKE_SOURCE_DIR}/tests/support/run_pytest.sh ${user} tests/${suite})
    set_tests_properties(${suite}-as-${user} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900
      ENVIRONMENT "RINGWALL_BUILD=${CMAKE_BINARY_DIR};RINGWALL_GUEST=${CMAKE_SOURCE_DIR}/build/guest")
  endforeach()
endfunction()

foreach(suite integration promises)
  ringwall_suite(${suite})
endforeach()

include(tests/fuzz/fuzz.cmake)

# Another kernel and a host without user namespaces: a QEMU guest under software emulation.
add_test(NAME guest
  COMMAND ${CMAKE_SOURCE_DIR}/tests/support/run_pytest.sh caller tests/guest)
set_tests_properties(guest PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600
  ENVIRONMENT "RINGWALL_BUILD=${CMAKE_BINARY_DIR};RINGWALL_GUEST=${CMAKE_SOURCE_DIR}/build/guest")
