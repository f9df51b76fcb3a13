"""configures, builds and tests a project by cmake and ctest"""

NEEDS = {"cmake": "cmake", "ctest": "cmake", "c++": "g++", "make": "make"}
ACT = """cmake -S . -B out > log && cmake --build out -j2 >> log && ctest --test-dir out -j2 --no-tests=error | grep 'tests passed'
cmake --install out --prefix inst > /dev/null && inst/bin/t; echo $?"""


def prepare(host):
    host.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(t CXX)\nenable_testing()\nfind_package(Threads REQUIRED)\n"
        "add_library(part SHARED part.cc)\nadd_executable(t t.cc)\ntarget_link_libraries(t part Threads::Threads)\n"
        "set_target_properties(t PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON INSTALL_RPATH $ORIGIN/../lib)\n"
        "install(TARGETS t part)\nadd_test(NAME good COMMAND t)\nadd_test(NAME bad COMMAND t x)\n"
        "set_tests_properties(bad PROPERTIES WILL_FAIL TRUE)\n",
    )
    host.write("part.cc", "int part(int n) { return n - 1; }\n")
    host.write("t.cc", "#include <thread>\nint part(int);\nint main(int n, char**) { int r = 9; std::thread([&] { r = part(n); }).join(); return r; }\n")


def works(host, done):
    return done.out.startswith("100% tests passed, 0 tests failed out of 2") and done.out.endswith("\n0\n")
