#include "identity/linkers.h"

#include <gtest/gtest.h>

namespace ringwall::identity {
namespace {

TEST(Linkers, AreKnownByTheNameOfTheirProgram) {
  for (const char* path :
       {"/usr/bin/ld", "/usr/bin/x86_64-linux-gnu-ld.bfd", "/usr/bin/ld.gold", "/usr/bin/ld.lld-14",
        "/usr/lib/llvm-14/bin/lld", "/opt/bin/mold", "/usr/lib/go-1.19/pkg/tool/linux_amd64/link"})
    EXPECT_TRUE(is_linker(path)) << path;
}

TEST(Linkers, WhoWritesWhatItIsGivenIsNone) {
  for (const char* path :
       {"/usr/bin/strip", "/usr/bin/objcopy", "/bin/cp", "/usr/bin/patchelf", "/usr/bin/install",
        "/usr/bin/link", "/usr/bin/old", "/usr/bin/gcc", "/usr/bin/ld.so", "/usr/bin/my-ld", ""})
    EXPECT_FALSE(is_linker(path)) << path;
}

TEST(Linkers, ThatCopyVouchForNothing) {
  using namespace std::string_view_literals;
  EXPECT_TRUE(copies_its_input("ld\0-r\0-b\0binary\0x\0"sv));
  EXPECT_TRUE(copies_its_input("ld\0--oformat=binary\0x\0"sv));
  EXPECT_TRUE(copies_its_input("ld\0--oform=binary\0"sv));
  EXPECT_TRUE(copies_its_input("ld\0-bbinary\0"sv));
  EXPECT_FALSE(copies_its_input("ld\0-o\0binary.out\0x.o\0"sv));
}

}  // namespace
}  // namespace ringwall::identity
