#include "identity/program_kind.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "base/fd.h"
#include "base/file.h"

namespace ringwall::identity {
namespace {

ProgramKind kind_of(const char* path) {
  Fd fd(open(path, O_RDONLY | O_CLOEXEC));
  return kind_of_file(fd.get(), true);
}

ProgramKind kind_of_text(std::string_view text, bool may_execute) {
  Fd fd(memfd_create("x", MFD_CLOEXEC));
  EXPECT_TRUE(file::write_all(fd.get(), text));
  return kind_of_file(fd.get(), may_execute);
}

TEST(ProgramKind, TellsProgramsFromLibraries) {
  EXPECT_EQ(kind_of("/proc/self/exe"), ProgramKind::program);
  EXPECT_EQ(kind_of("/bin/sh"), ProgramKind::program);
  // Both can be started, and both are what every other program needs.
  EXPECT_EQ(kind_of("/lib64/ld-linux-x86-64.so.2"), ProgramKind::library);
  EXPECT_EQ(kind_of("/lib/x86_64-linux-gnu/libc.so.6"), ProgramKind::library);
}

TEST(ProgramKind, TellsScriptsAndData) {
  EXPECT_EQ(kind_of_text("#!/bin/sh\n", false), ProgramKind::script);
  EXPECT_EQ(kind_of_text("echo\n", true), ProgramKind::other);
  EXPECT_EQ(kind_of_text("echo\n", false), ProgramKind::none);
  EXPECT_EQ(kind_of_text("", false), ProgramKind::none);
  // Broken headers are no reason to fail.
  EXPECT_EQ(kind_of_text("\177ELF\2\1\1aaaaaaaaaaaaaaaaaaaaaaa", false), ProgramKind::library);
}

TEST(ProgramKind, ReadsTheInterpreter) {
  EXPECT_EQ(interpreter_of("#! /usr/bin/env node\n"), "/usr/bin/env");
  EXPECT_EQ(interpreter_of("#!/bin/sh"), "/bin/sh");
  EXPECT_EQ(interpreter_of("#!\n"), "");
  EXPECT_EQ(interpreter_of("x"), "");
}

TEST(ProgramKind, FindsWhatAWrapperStarts) {
  EXPECT_EQ(wrapped_by("#!/bin/sh\n# comment\nexec /usr/bin/x \"$@\"\n"), "/usr/bin/x");
  EXPECT_EQ(wrapped_by("#!/bin/bash\nset -e\nA=b\nexport C=d\nE=f exec x \"$@\"\n"), "x");
  EXPECT_EQ(wrapped_by("#!/usr/bin/env bash\nexec \"$(dirname \"$0\")/x\" \"$@\"\n"), "./x");
  EXPECT_EQ(wrapped_by("#!/bin/sh\nexec \"${0%/*}/x\"\n"), "./x");
  // Whatever does more than that is not one.
  EXPECT_EQ(wrapped_by("#!/bin/sh\necho hello\nexec x\n"), "");
  EXPECT_EQ(wrapped_by("#!/bin/sh\nx | y\n"), "");
  EXPECT_EQ(wrapped_by("#!/bin/sh\nexec \"$X\"\n"), "");
  EXPECT_EQ(wrapped_by("#!/usr/bin/python3\nx\n"), "");
}

}  // namespace
}  // namespace ringwall::identity
