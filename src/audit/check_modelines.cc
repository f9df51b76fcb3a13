// Lines in a file that an editor obeys when it opens it: modelines of vim, variables of Emacs.
#include <algorithm>
#include <array>

#include "audit/checks.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

constexpr size_t kAtEnd = 3000;  // bytes: where Emacs looks
constexpr size_t kVimLines = 5;
constexpr size_t kLongestLine = 1000;

using Lines = std::array<std::string_view, kVimLines>;

// Every source is looked at: no more of it than needed.
Lines lines_at_start(std::string_view text) {
  Lines lines;
  for (std::string_view& line : lines) {
    size_t end = std::min(text.find('\n'), text.size());
    line = text.substr(0, std::min(end, kLongestLine));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Lines lines_at_end(std::string_view text) {
  Lines lines;
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (std::string_view& line : lines) {
    size_t start = text.rfind('\n') + 1;  // 0 if there is none
    line = text.substr(start, kLongestLine);
    text = text.substr(0, start == 0 ? 0 : start - 1);
  }
  return lines;
}

bool runs_in_vim(std::string_view line) {
  bool is_modeline = line.contains("vim:") || line.contains("vi:") || line.contains("ex:");
  if (!is_modeline) return false;
  for (std::string_view sign : {"system(", "execute(", ":!", "source!", "libcall(", "job_start(",
                                "term_start(", "assert_fails(", "py3eval(", "writefile("}) {
    if (line.contains(sign)) return true;
  }
  return false;
}

bool runs_in_emacs(std::string_view line) {
  size_t eval = line.find("eval:");
  if (eval == std::string_view::npos) return false;
  std::string_view form = line.substr(eval);
  for (std::string_view sign :
       {"shell-command", "call-process", "start-process", "make-process", "async-shell", "(load",
        "url-retrieve", "process-file", "(eval ", "compile \""}) {
    if (form.contains(sign)) return true;
  }
  return false;
}

void tell(const RepositoryFile& file, std::string_view line, Reporter& reporter) {
  size_t at = static_cast<size_t>(line.data() - file.content.data());
  reporter.add("RW237", file.path, line_at(file.content, at), text::trim(line));
}

}  // namespace

void check_modelines(const RepositoryFile& file, Reporter& reporter) {
  for (std::string_view line : lines_at_start(file.content)) {
    bool is_emacs = line.contains("-*-") && runs_in_emacs(line);
    if (is_emacs || runs_in_vim(line)) tell(file, line, reporter);
  }
  for (std::string_view line : lines_at_end(file.content)) {
    if (runs_in_vim(line)) tell(file, line, reporter);
  }
  std::string_view text = file.content;
  size_t from = text.size() > kAtEnd ? text.size() - kAtEnd : 0;
  size_t block = text.find("Local Variables:", from);
  if (block == std::string_view::npos) return;
  for (std::string_view line : text::split_in_place(text.substr(block), '\n')) {
    if (runs_in_emacs(line)) tell(file, line, reporter);
  }
}

}  // namespace ringwall::audit
