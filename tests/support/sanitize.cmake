# A build that the compiler's sanitizers watch: address,undefined or thread. The program and its tests are C++; the attacking
# programs of the tests, in C, stay as they are.
if(RINGWALL_SANITIZE MATCHES "address")
  set(runtime -static-libasan -static-libubsan)
else()
  set(runtime -static-libtsan)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1")
# What the sanitizers add makes this compiler see faults that are none. The check of dynamic types looks at memory through
# a pipe, which several walls refuse.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${RINGWALL_SANITIZE};-fno-sanitize=vptr;-fno-sanitize-recover=all;-fno-omit-frame-pointer;-Wno-maybe-uninitialized;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds;-Wno-null-dereference;-Wno-tsan>")
# Inside a sandbox libc is all that a program finds, here too.
add_link_options("$<$<LINK_LANGUAGE:CXX>:-fsanitize=${RINGWALL_SANITIZE};${runtime};-static-libstdc++;-static-libgcc>"
  "$<$<LINK_LANGUAGE:C>:-nodefaultlibs>")
# Stacks in reports want names.
set(CMAKE_STRIP true)
# How they are set cannot come by the environment, which no sandbox passes on.
add_library(sanitizer-options OBJECT ${CMAKE_SOURCE_DIR}/tests/support/sanitizer_options.cc)
link_libraries("$<$<LINK_LANGUAGE:CXX>:$<TARGET_OBJECTS:sanitizer-options>>")
