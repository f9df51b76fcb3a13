// Commands that hide what they run. Each must come down to `rm -rf /home/me`, whatever else is
// found with it; what hides it well enough to leave a gap must at least leave a doubt.
#include <gtest/gtest.h>

#include <algorithm>

#include "shell/analysis.h"
#include "shell/analysis_testing.h"

namespace ringwall::shell {
namespace {

bool finds(std::string_view command, std::string_view act) {
  std::string all = "\n" + acts_of(command) + "\n";
  return all.find("\n" + std::string(act) + "\n") != std::string::npos ||
         all.find("\n?" + std::string(act) + "\n") != std::string::npos;
}

void expect_found(std::initializer_list<std::string_view> commands) {
  for (std::string_view command : commands)
    EXPECT_TRUE(finds(command, "rm -rf /home/me")) << command << "\n" << acts_of(command);
}

void expect_doubt(std::initializer_list<std::string_view> commands) {
  for (std::string_view command : commands)
    EXPECT_FALSE(analyse(command, around()).doubts.empty()) << command << "\n" << acts_of(command);
}

TEST(Evasions, Quoting) {
  expect_found({"rm -rf ~", "'rm' \"-rf\" ~", "r''m -r\"f\" ~", "\\rm -rf ~", "r\\\nm -rf ~",
                "$'rm' -rf ~", "$'\\x72\\155' -rf $'/home/me'", "$\"rm\" -rf ~", "{rm,-rf,~}",
                "rm -rf \"${HOME}\"", "rm -rf $HOME", "  rm\t-rf   ~ # nothing"});
}

// To the shell a carriage return is a letter, and a # within a pattern begins nothing.
TEST(Evasions, WhatOnlyLooksLikeAComment) {
  expect_found({"ls \r# ; rm -rf ~", "ls a\r#b ; rm -rf ~", "x=a\r# ; rm -rf ~",
                "shopt -s extglob\nls +(#) ; rm -rf ~", "bash -O extglob -c 'ls @(#|x) ; rm -rf ~'",
                "!(rm -rf ~)", "ls; !(rm -rf ~ # not it\n)"});
  EXPECT_EQ(acts_of("ls # ; rm -rf ~"), "ls");
  EXPECT_EQ(acts_of("ls\rid"), "ls\rid");
}

TEST(Evasions, Variables) {
  expect_found({"a=rm; $a -rf ~",
                "a=r b=m; $a$b -rf ~",
                "a='rm -rf'; $a ~",
                "rm${IFS}-rf${IFS}/home/me",
                "a=(rm -rf ~); \"${a[@]}\"",
                "a=xrm; ${a#x} -rf ~",
                "a=lm; ${a/l/r} -rf ~",
                "a=RM; ${a,,} -rf ~",
                "a=arm; ${a:1} -rf ~",
                "b=rm a=b; b=rm; ${!a} -rf ~",
                "${none:-rm} -rf ~",
                "set -- rm -rf ~; \"$@\"",
                "for a in ls rm; do $a -rf ~; done",
                "if x; then a=rm; fi; $a -rf ~",
                "export a=rm; sh -c '$a -rf ~'",
                "a=ls; while x; do $a -rf ~; a=rm; done",
                "declare a=rm; $a -rf ~",
                "IFS=,; a=rm,-rf,/home/me; $a",
                "a=r; a+=m; $a -rf ~",
                ": ${q:=rm}; $q -rf ~"});
}

TEST(Evasions, PutTogetherBySubstitutions) {
  expect_found({"$(echo rm) -rf ~", "`echo rm` -rf ~", "$(printf rm) -rf ~",
                "$(printf '%s' rm) -rf ~", "eval \"$(echo rm -rf ~)\"", "echo rm -rf ~ | sh",
                "printf 'rm -rf %s\\n' ~ | bash", "bash <(echo rm -rf ~)", "bash <<< 'rm -rf ~'",
                "bash <<E\nrm -rf ~\nE\n", "bash <<-'E'\n\trm -rf ~\n\tE\n",
                "cat <<E | sh\nrm -rf ~\nE", "source /dev/stdin <<< 'rm -rf ~'",
                ". <(echo rm -rf ~)"});
}

TEST(Evasions, Structure) {
  expect_found({"ls && rm -rf ~",
                "ls || rm -rf ~",
                "ls; rm -rf ~",
                "ls & rm -rf ~",
                "ls\nrm -rf ~",
                "(rm -rf ~)",
                "{ rm -rf ~; }",
                "! rm -rf ~",
                "time rm -rf ~",
                "time { rm -rf ~; }",
                "if rm -rf ~; then :; fi",
                "if :; then { ls; }\nrm -rf ~; fi",
                "if a; then b; elif c; then rm -rf ~; fi",
                "while rm -rf ~; do :; done",
                "until a; do rm -rf ~; done",
                "for x in 1; do rm -rf ~; done",
                "for ((;;)); do rm -rf ~; done",
                "case x in y) ls;; *) rm -rf ~;; esac",
                "select x in a; do rm -rf ~; done",
                "coproc rm -rf ~",
                "coproc c { rm -rf ~; }",
                "f() { rm -rf ~; }; f",
                "f() { rm -rf \"$1\"; }; f ~",
                "function f { rm -rf ~; }",
                "ls | rm -rf ~",
                "ls |& rm -rf ~",

                "x=1 rm -rf ~",
                "[[ $(rm -rf ~) ]]",
                "(( $(rm -rf ~) ))",
                "echo $(( $(rm -rf ~) ))",
                "a[$(rm -rf ~)]=1",
                "echo ${a[$(rm -rf ~)]}",
                "echo \"${x:-$(rm -rf ~)}\"",
                "cat <<E\n$(rm -rf ~)\nE\n",
                "cat <(rm -rf ~)",
                "tee >(rm -rf ~)",
                "a=$(rm -rf ~)",
                "case $(rm -rf ~) in x) ;; esac",
                "for x in $(rm -rf ~); do :; done",
                "{ { rm -rf ~; } }",
                "ls >$(rm -rf ~)"});
}

TEST(Evasions, WithRedirections) {
  EXPECT_EQ(acts_of(">x rm -rf ~"), "rm -rf /home/me >x");
  EXPECT_EQ(acts_of("rm <y -rf 2>&1 ~"), "rm -rf /home/me <y");
  EXPECT_EQ(acts_of("xargs rm -rf ~ <f"), "rm -rf /home/me … <f");
}

TEST(Evasions, EvaluatedTwice) {
  expect_found({"x='a[$(rm -rf ~)]'; echo $((x))", "let 'x=a[$(rm -rf ~)]'",
                "[[ 'a[$(rm -rf ~)]' -eq 0 ]]", "printf -v 'a[$(rm -rf ~)]' x",
                "test -v 'a[$(rm -rf ~)]'", "unset 'a[`rm -rf ~`]'", "eval 'rm -rf ~'",
                "eval rm -rf '~'", "trap 'rm -rf ~' EXIT", "alias x='rm -rf'; x ~",
                "eval 'eval \"rm -rf ~\"'"});
}

TEST(Evasions, Wrappers) {
  expect_found({"sudo rm -rf ~",
                "sudo -u root -E rm -rf ~",
                "env A=b rm -rf ~",
                "env -i rm -rf ~",
                "env -S 'rm -rf' ~",
                "env -u X -C / rm -rf ~",
                "timeout 5 rm -rf ~",
                "timeout -k 1 -s KILL 5 rm -rf ~",
                "nice rm -rf ~",
                "nice -n 5 rm -rf ~",
                "nice -10 rm -rf ~",
                "nohup rm -rf ~ &",
                "stdbuf -oL rm -rf ~",
                "setsid -w rm -rf ~",
                "ionice -c 3 rm -rf ~",
                "chroot / rm -rf ~",
                "unshare -r rm -rf ~",
                "flock /tmp/l rm -rf ~",
                "flock /tmp/l -c 'rm -rf ~'",
                "command rm -rf ~",
                "builtin command rm -rf ~",
                "exec rm -rf ~",
                "exec -a x rm -rf ~",
                "busybox rm -rf ~",
                "toybox rm -rf ~",
                "strace -f -o x rm -rf ~",
                "script -qc 'rm -rf ~' x",
                "su -c 'rm -rf ~'",
                "su root -c 'rm -rf ~'",
                "runuser -u x -- rm -rf ~",
                "watch rm -rf ~",
                "watch -n 1 -x rm -rf ~",
                "ssh -p 1 h rm -rf ~",
                "ssh h 'rm -rf ~'",
                "docker exec -it c rm -rf ~",
                "docker run --rm -v a:b i sh -c 'rm -rf ~'",
                "docker -H x exec c rm -rf ~",
                "kubectl -n a exec p -- rm -rf ~",
                "podman exec c rm -rf ~",
                "nix-shell -p x --run 'rm -rf ~'",
                "npx -c 'rm -rf ~'",
                "uv run rm -rf ~",
                "doas rm -rf ~",

                "parallel ::: 'rm -rf ~'",
                "find . -exec rm -rf ~ \\;",
                "find . -ok rm -rf ~ +",
                "find . -execdir sh -c 'rm -rf ~' \\;",
                "systemd-run rm -rf ~",
                "/usr/bin/env rm -rf ~",
                "sudo sudo sudo rm -rf ~",
                "time -p rm -rf ~"});
}

TEST(Evasions, Shells) {
  expect_found({"sh -c 'rm -rf ~'", "bash -lc 'rm -rf ~'", "bash --norc -c 'rm -rf ~'",
                "zsh -c 'rm -rf ~'", "sh -ec 'rm -rf \"$1\"' _ ~", "sh -c \"sh -c 'rm -rf ~'\"",
                "/bin/sh -c 'rm -rf ~'", "bash -o pipefail -c 'rm -rf ~'",
                "dash -c '$0 -rf ~' rm"});
}

TEST(Evasions, InterpretersWithCode) {
  expect_found({"python3 -c 'import os; os.system(\"rm -rf ~\")'",
                "python -c \"import os;os.popen('rm -rf ~')\"",
                "python3 -c 'import subprocess as s; s.run([\"rm\", \"-rf\", \"/home/me\"])'",
                "python3 - <<E\nimport os\nos.system('rm -rf ~')\nE\n",
                "node -e 'require(\"child_process\").execSync(\"rm -rf ~\")'",
                "node -e 'require(\"child_process\").spawn(\"rm\", [\"-rf\", \"/home/me\"])'",
                "perl -e 'system(\"rm -rf ~\")'", "perl -e '`rm -rf ~`'",
                "perl -e 'exec \"rm -rf ~\"'", "perl -e 'qx{rm -rf ~}'",
                "ruby -e 'system \"rm -rf ~\"'", "ruby -e '%x(rm -rf ~)'",
                "php -r 'shell_exec(\"rm -rf ~\");'", "lua -e 'os.execute(\"rm -rf ~\")'",
                "awk 'BEGIN{system(\"rm -rf ~\")}'", "awk '{print | \"rm -rf ~\"}'",
                "sed '1e rm -rf ~' f", "sed 's/x/rm -rf ~/e' f"});
}

TEST(Evasions, OptionsThatCarryCommands) {
  expect_found({"git -c core.pager='rm -rf ~' log",
                "git -c tar.tgz.command='rm -rf ~' archive --format=tgz HEAD",
                "git -c sendemail.tocmd='rm -rf ~' send-email x",
                "git -c alias.x='!rm -rf ~' x",
                "git -c alias.x='!rm' x -rf ~",
                "git -c core.sshCommand='rm -rf ~' fetch",
                "git rebase -x 'rm -rf ~' m",
                "git bisect run rm -rf ~",
                "git submodule foreach 'rm -rf ~'",
                "git clone 'ext::rm -rf ~' x",
                "tar xf a --to-command='rm -rf ~'",
                "tar cf a --checkpoint-action=exec='rm -rf ~' b",
                "tar -I 'rm -rf ~' -xf a",
                "rsync -e 'rm -rf ~' a b:",
                "ssh -o ProxyCommand='rm -rf ~' h",
                "scp -S 'rm -rf ~' a b:",
                "vim -c ':!rm -rf ~'",
                "vim '+!rm -rf ~' f",
                "man -P 'rm -rf ~' x",
                "gdb -ex 'shell rm -rf ~'",
                "make X='$(shell rm -rf ~)'",
                "zip a b -T -TT 'rm -rf ~'",
                "sort --compress-program='rm -rf ~' f",
                "socat - EXEC:'rm -rf ~'",
                "tmux new -d 'rm -rf ~'",
                "psql -c '\\! rm -rf ~'",
                "sqlite3 x '.shell rm -rf ~'"});
}

TEST(Evasions, WhatIsOnlyKnownLaterIsADoubt) {
  expect_doubt({"$CMD -rf ~", "$(curl u) -rf ~", "eval \"$X\"", "sh -c \"$X\"", "/bin/r? -rf ~",
                "${!x} y", "\"$@\"", "bash -c \"ls $X\"", "ssh h \"$X\"", "read c; $c",
                "f() { f; }; f"});
}

TEST(Evasions, WhatIsNotUnderstoodIsADoubt) {
  expect_doubt({"echo )", "if a; then b", "echo 'a", "echo \"a", "a; ;b", "case x in", "cat <<E\nx",
                "{ a", "( a", "echo $(a", "echo ${a", "a | | b", "for x in",
                std::string_view("a\0b", 3)});
}

}  // namespace
}  // namespace ringwall::shell
