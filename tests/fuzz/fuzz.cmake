# Fuzz targets. Each is built twice: with libFuzzer and the sanitizers where clang-19 is there
# (run by hand or at night: make fuzz), and without, for a short replay in the tests.
find_program(FUZZING_COMPILER clang++-19)
add_custom_target(fuzz)
add_library(fuzz-replay OBJECT ${CMAKE_CURRENT_LIST_DIR}/replay_main.cc)

# fuzz_target(NAME LIBRARY DICTIONARY SOURCES … PARTS … LIBRARIES … NEEDS …): the parts are the room's files that it
# needs, NEEDS what is to be built before.
function(fuzz_target name library dictionary)
  cmake_parse_arguments(FUZZ "" "" "SOURCES;PARTS;LIBRARIES;NEEDS" ${ARGN})
  list(TRANSFORM FUZZ_SOURCES PREPEND ${CMAKE_SOURCE_DIR}/tests/fuzz/)
  list(TRANSFORM FUZZ_PARTS PREPEND ${CMAKE_SOURCE_DIR}/src/)
  set(dictionary ${CMAKE_SOURCE_DIR}/tests/fuzz/${dictionary})
  add_executable(fuzz-${name}-replay ${FUZZ_SOURCES})
  target_link_libraries(fuzz-${name}-replay PRIVATE fuzz-replay ${library})
  add_test(NAME fuzz-${name}-replay COMMAND fuzz-${name}-replay ${dictionary} 200000)
  if(NOT FUZZING_COMPILER)
    return()
  endif()
  set(fuzzers ${CMAKE_BINARY_DIR}/fuzz)
  file(MAKE_DIRECTORY ${fuzzers}/${name}-corpus)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*/*.h)
  add_custom_command(OUTPUT ${fuzzers}/${name}
    COMMAND ${FUZZING_COMPILER} -std=c++23 -g -O1 -fsanitize=fuzzer,address,undefined
      -fno-sanitize-recover=undefined -D_GNU_SOURCE -I${CMAKE_SOURCE_DIR}/src -I${GENERATED}
      ${FUZZ_SOURCES} ${FUZZ_PARTS} ${FUZZ_LIBRARIES} -o ${fuzzers}/${name}
    DEPENDS ${FUZZ_SOURCES} ${FUZZ_PARTS} ${FUZZ_NEEDS} ${headers} ${GENERATED}/profiles.inc VERBATIM)
  # Ten minutes of it, or as many seconds as FUZZ_SECONDS says; what it found useful stays in the build folder.
  add_custom_target(fuzz-${name}
    COMMAND sh -c "exec \"$@\" -max_total_time=\"\${FUZZ_SECONDS:-600}\"" sh
      ${fuzzers}/${name} ${fuzzers}/${name}-corpus -dict=${dictionary} -max_len=8192
    DEPENDS ${fuzzers}/${name} USES_TERMINAL VERBATIM)
  add_dependencies(fuzz fuzz-${name})
endfunction()

fuzz_target(filter ringwall-terminal filter.dict
  SOURCES filter_fuzz.cc output_checker.cc
  PARTS terminal/control_sequence.cc terminal/filter.cc terminal/judge.cc terminal/judge_osc.cc
    terminal/plain_text.cc terminal/sequences.cc terminal/sequences_csi.cc terminal/sequences_modes.cc
    terminal/sequences_osc.cc terminal/tracked_modes.cc)
fuzz_target(git-config ringwall-git git_config.dict
  SOURCES git_config_fuzz.cc
  PARTS git/config.cc git/config_edit.cc git/config_rules.cc git/refusal.cc
    git/config_judge.cc git/interrupted.cc git/vet.cc base/git_keys.cc base/text.cc base/path.cc base/result.cc)
fuzz_target(hidden ringwall-files git_config.dict
  SOURCES hidden_fuzz.cc
  PARTS files/hidden.cc files/hidden_entries.cc files/hidden_content.cc files/name_pattern.cc
    files/protected_content.cc
    policy/pattern.cc policy/wildcard.cc files/protected.cc files/protected_entries.cc base/text.cc base/path.cc
    base/result.cc)
fuzz_target(ignore ringwall-files ignore.dict
  SOURCES ignore_fuzz.cc
  PARTS files/ignore_rules.cc files/name_pattern.cc files/watched_tree.cc policy/pattern.cc policy/wildcard.cc base/file.cc base/text.cc
    base/path.cc base/result.cc)
fuzz_target(git-index ringwall-git git_index.dict
  SOURCES git_index_fuzz.cc
  PARTS git/index_file.cc git/index_path.cc base/sha256.cc base/digest.cc base/text.cc base/result.cc
  LIBRARIES -lcrypto)
# Whoever loads a policy.
set(LOADING policy/caches.cc policy/fields.cc policy/hosts.cc policy/load.cc policy/merge.cc policy/numbers.cc
  policy/origin.cc policy/pattern.cc policy/ports.cc policy/profiles.cc policy/text_shape.cc policy/values.cc
  policy/variables.cc base/text.cc base/path.cc base/result.cc)
fuzz_target(import ringwall-policy import.dict
  SOURCES import_fuzz.cc
  PARTS policy/import_claude.cc policy/import_srt.cc policy/import_sandbox.cc policy/import_paths.cc
    policy/import_draft.cc policy/toml_text.cc policy/settings_file.cc base/file.cc ${LOADING}
  LIBRARIES -lboost_json -lboost_container)
fuzz_target(policy ringwall-policy policy.dict
  SOURCES policy_fuzz.cc
  PARTS ${LOADING})
# What `ringwall audit` reads of this machine, and what --fix would write.
file(GLOB machine_parts RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/machine_audit/*.cc
  ${CMAKE_SOURCE_DIR}/src/audit/settings*.cc ${CMAKE_SOURCE_DIR}/src/audit/catalogue*.cc)
list(FILTER machine_parts EXCLUDE REGEX "(_test|machine_audit/(machine|find|host|credentials|scan|fix_apply|fix_plan))\\.cc$")
fuzz_target(audit-machine ringwall-machine_audit audit_machine.dict
  SOURCES audit_machine_fuzz.cc
  PARTS ${machine_parts} audit/finding.cc git/config.cc git/config_edit.cc
    events/redact.cc policy/toml_text.cc instructions/code_points.cc base/byte_text.cc base/secret_shape.cc
    base/git_keys.cc base/strict_json.cc base/text.cc base/path.cc base/result.cc
  LIBRARIES -lboost_json -lboost_container)
fuzz_target(learned ringwall-hand learned.dict
  SOURCES learned_fuzz.cc
  PARTS hand/wanted_table.cc policy/proposal.cc policy/toml_text.cc base/shell_word.cc ${LOADING})
fuzz_target(dns ringwall-net dns.dict
  SOURCES dns_fuzz.cc
  PARTS net/dns_message.cc policy/hosts.cc base/text.cc base/result.cc)
fuzz_target(client-hello ringwall-net client_hello.dict
  SOURCES client_hello_fuzz.cc
  PARTS net/client_hello.cc net/hello_message.cc policy/hosts.cc base/text.cc base/result.cc)
fuzz_target(http ringwall-net http.dict
  SOURCES http_fuzz.cc
  PARTS net/http_judge.cc net/http_head.cc net/first_bytes.cc policy/hosts.cc base/text.cc base/result.cc)

# The grammar's scanner is watched by the sanitizers too; its tables hold nothing to watch.
file(GLOB shell_parts RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/shell/*.cc)
list(FILTER shell_parts EXCLUDE REGEX "_test\\.cc$")
set(watched_scanner ${CMAKE_BINARY_DIR}/fuzz/shell-scanner.o)
find_program(FUZZING_C_COMPILER clang-19)
if(FUZZING_C_COMPILER)
  add_custom_command(OUTPUT ${watched_scanner}
    COMMAND ${FUZZING_C_COMPILER} -w -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
      -c ${GRAMMAR}/scanner.c -o ${watched_scanner}
    DEPENDS ${GRAMMAR}/scanner.c VERBATIM)
endif()
fuzz_target(shell ringwall-shell shell.dict
  SOURCES shell_fuzz.cc
  PARTS ${shell_parts} base/git_keys.cc base/text.cc base/path.cc base/result.cc
  LIBRARIES ${watched_scanner} ${CMAKE_BINARY_DIR}/libshell-grammar.a ${TREE_SITTER}
  NEEDS ${watched_scanner} shell-grammar)
fuzz_target(hook ringwall-gate hook.dict
  SOURCES hook_fuzz.cc
  PARTS base/strict_json.cc gate/dialect.cc gate/hook_event.cc gate/hook_reply.cc gate/translate.cc base/text.cc
    base/path.cc base/result.cc
  LIBRARIES -lboost_json -lboost_container)
# Whoever looks through results.
set(SCANNING instructions/character_reference.cc instructions/code_points.cc instructions/encoded_text.cc
  instructions/hidden_characters.cc instructions/hidden_regions.cc instructions/instruction_phrases.cc
  instructions/invisible_style.cc instructions/marked_words.cc instructions/pretended_marks.cc
  instructions/result_scan.cc instructions/style_sheet.cc instructions/word_classes.cc base/text.cc)
fuzz_target(mcp ringwall-mcp mcp.dict
  SOURCES mcp_fuzz.cc
  PARTS mcp/cleaned.cc mcp/filter.cc mcp/filter_answers.cc mcp/message.cc mcp/pins.cc mcp/wrap_config.cc
    base/strict_json.cc base/sha256.cc base/digest.cc base/path.cc base/result.cc ${SCANNING}
  LIBRARIES -lboost_json -lboost_container -lcrypto)
# What reads a repository, without who walks through it and starts the sandbox.
file(GLOB audit_parts RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/audit/ca*.cc
  ${CMAKE_SOURCE_DIR}/src/audit/check_*.cc ${CMAKE_SOURCE_DIR}/src/audit/settings*.cc
  ${CMAKE_SOURCE_DIR}/src/audit/lock_*.cc)
list(FILTER audit_parts EXCLUDE REGEX "_test\\.cc$")
fuzz_target(audit ringwall-audit audit.dict
  SOURCES audit_fuzz.cc
  PARTS ${audit_parts} audit/finding.cc audit/scanner_report.cc audit/repository_subjects.cc audit/zip_reader.cc
    audit/ci_agents.cc audit/document_text.cc audit/known_hooks.cc audit/package_address.cc audit/text_encoding.cc
    events/redact.cc git/config.cc files/name_pattern.cc base/git_keys.cc
    policy/pattern.cc policy/wildcard.cc policy/toml_text.cc base/byte_text.cc base/file.cc base/path.cc base/result.cc
    base/secret_shape.cc base/strict_json.cc ${SCANNING}
  LIBRARIES -lboost_json -lboost_container -lz)
