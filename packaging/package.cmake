# What is installed, and the package of it: `make install`, `make deb`, `make tarball`.
set(pages ${CMAKE_BINARY_DIR}/man)
set(completions ${CMAKE_BINARY_DIR}/completions)
set(papers ${CMAKE_BINARY_DIR}/papers)
file(GLOB EXAMPLES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/packaging/examples/*.toml)

# Made by the program itself, so that they say what its help says.
add_custom_command(OUTPUT ${papers}/made
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${pages} ${completions} ${papers}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${pages} ${completions} ${papers}
  COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/packaging/man_pages.py $<TARGET_FILE:ringwall> ${pages}
  COMMAND sh -c "for page in ${pages}/*; do gzip -9n $page; done"
  COMMAND sh -c "for shell in bash zsh fish; do $<TARGET_FILE:ringwall> completion $shell >${completions}/$shell; done"
  COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/packaging/sbom.py $<TARGET_FILE:ringwall> ${papers}/ringwall.spdx.json
  COMMAND /usr/bin/python3 -B ${CMAKE_SOURCE_DIR}/packaging/papers.py $<TARGET_FILE:ringwall> ${CMAKE_SOURCE_DIR}/packaging ${papers}
  COMMAND ${CMAKE_COMMAND} -E touch ${papers}/made
  DEPENDS ringwall packaging/man_pages.py packaging/sbom.py packaging/papers.py packaging/copyright
    packaging/ringwall-guard.service
  VERBATIM)
add_custom_target(papers ALL DEPENDS ${papers}/made)

install(PROGRAMS ${CMAKE_BINARY_DIR}/ringwall DESTINATION bin)
install(PROGRAMS ${CMAKE_BINARY_DIR}/ringwall-guard ${CMAKE_BINARY_DIR}/ringwall-advisor
  DESTINATION libexec/ringwall)
# Its place in the unit is known when it is installed.
install(CODE "file(READ \"${CMAKE_SOURCE_DIR}/packaging/ringwall-guard.service\" unit)
  string(REPLACE PREFIX \"\${CMAKE_INSTALL_PREFIX}\" unit \"\${unit}\")
  file(WRITE \"${CMAKE_BINARY_DIR}/unit/ringwall-guard.service\" \"\${unit}\")")
install(FILES ${CMAKE_BINARY_DIR}/unit/ringwall-guard.service DESTINATION lib/systemd/system)
install(DIRECTORY ${pages}/ DESTINATION share/man/man1 FILES_MATCHING PATTERN "*.1.gz")
install(DIRECTORY ${pages}/ DESTINATION share/man/man5 FILES_MATCHING PATTERN "*.5.gz")
install(FILES ${completions}/bash DESTINATION share/bash-completion/completions RENAME ringwall)
install(FILES ${completions}/zsh DESTINATION share/zsh/vendor-completions RENAME _ringwall)
install(FILES ${completions}/fish DESTINATION share/fish/vendor_completions.d RENAME ringwall.fish)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/apparmor DESTINATION share/ringwall)
install(FILES ${papers}/copyright ${papers}/changelog.gz ${papers}/ringwall.spdx.json
  DESTINATION share/doc/ringwall)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/lintian-overrides DESTINATION share/lintian/overrides RENAME ringwall)
install(FILES ${EXAMPLES} DESTINATION share/doc/ringwall/examples)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ringwall)
set(CPACK_PACKAGE_CONTACT "The Ringwall authors <ringwall@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "walls around AI coding agents")
set(CPACK_PACKAGE_DESCRIPTION "Puts a whole coding agent, or any command, behind rings of walls: files,
processes, system calls, network, terminal and programs by their content,
without root, on by default, with no off switch inside. Every promise can
be tried in a run that goes on.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES OFF)  # the build has done that
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "uidmap")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libnotify-bin, asciinema")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/postinst
  ${CMAKE_SOURCE_DIR}/packaging/prerm ${CMAKE_SOURCE_DIR}/packaging/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
include(CPack)
