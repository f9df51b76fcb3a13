#include "cli/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/text.h"

namespace ringwall::cli {
namespace {

// Words, without a shell: what is quoted in $PAGER is not understood, and then less is taken.
std::vector<std::string> pager_words() {
  const char* own = getenv("PAGER");
  std::vector<std::string> words;
  for (const std::string& word : text::split(own == nullptr ? "" : own, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  bool is_plain = words.empty() ||
                  text::join(words, " ").find_first_of("'\"\\$`|;&<>(){}") == std::string::npos;
  if (own != nullptr && words.empty()) return {};  // said on purpose: none
  if (own == nullptr || !is_plain) return {"less", "-R"};
  return words == std::vector<std::string>{"cat"} ? std::vector<std::string>() : words;
}

bool can_be_run(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  const char* path = getenv("PATH");
  for (const std::string& folder : text::split(path == nullptr ? "" : path, ':')) {
    if (folder.starts_with('/') && access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

[[noreturn]] void become_pager(int input, std::vector<std::string> words) {
  if (dup2(input, STDIN_FILENO) < 0) _exit(126);
  signal(SIGINT, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  setenv("LESS", "FRX", 0);  // colours are shown, and what fits on the screen needs no key
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

Pager::Pager(bool wanted) {
  signal(SIGPIPE, SIG_IGN);
  if (!wanted) return;
  std::vector<std::string> words = pager_words();
  int ends[2];
  if (words.empty() || !can_be_run(words[0]) || pipe2(ends, O_CLOEXEC) < 0) return;
  Fd input(ends[0]), output(ends[1]);
  pager_ = fork();
  if (pager_ == 0) become_pager(input.get(), std::move(words));
  FILE* opened = pager_ < 0 ? nullptr : fdopen(output.get(), "w");
  if (opened == nullptr) return;
  output.release();
  out_ = opened;
  signal(SIGINT, SIG_IGN);  // it is the pager's key
}

Pager::~Pager() {
  if (out_ != stdout) fclose(out_);
  if (pager_ > 0) waitpid(pager_, nullptr, 0);
}

}  // namespace ringwall::cli
