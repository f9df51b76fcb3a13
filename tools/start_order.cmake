# What every start calls lies together in the program (docs/decisions/0025-start-order.md): of its pages, few are read.
set(START_ORDER ${GENERATED}/start_order.ld)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/start_order.txt)
file(STRINGS ${CMAKE_SOURCE_DIR}/tools/start_order.txt names)
list(TRANSFORM names REPLACE "(.+)" "*(.text.\\1 .text.hot.\\1 .text.startup.\\1)")
list(JOIN names "\n" names)
file(CONFIGURE OUTPUT ${START_ORDER} CONTENT "SECTIONS { .text.start : {\n@names@\n} } INSERT BEFORE .text;\n" @ONLY)
if(NOT RINGWALL_SANITIZE)
  target_link_options(ringwall PRIVATE -Wl,-T,${START_ORDER})
  set_property(TARGET ringwall APPEND PROPERTY LINK_DEPENDS ${START_ORDER})
endif()

# For `make start-order`, which writes that list anew: the program with its names, and what notes who is called.
add_executable(ringwall-named EXCLUDE_FROM_ALL src/cli/main.cc)
target_link_libraries(ringwall-named PRIVATE ringwall-cli)
add_executable(called-functions EXCLUDE_FROM_ALL tools/called_functions.cc)
