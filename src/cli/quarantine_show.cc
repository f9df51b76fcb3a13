#include "cli/quarantine_show.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <ctime>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "broker/hostile_tree.h"
#include "cli/size_text.h"

namespace ringwall::cli {
namespace {

using broker::Item;
using broker::Kind;

constexpr size_t kMostBytes = 4096;
constexpr size_t kMostLines = 60;
constexpr broker::Bounds kMostNames{UINT64_MAX, 100};

void print_fact(const char* what, const std::string& text) {
  if (!text.empty()) printf("%-8s%s\n", what, text.c_str());
}

// Escaped as text::quote does it, without the quotes around it.
std::string escape_line(std::string_view line) {
  std::string quoted = text::quote(line);
  bool has_quotes = quoted.size() >= 2 && quoted.front() == '\'';
  return has_quotes ? quoted.substr(1, quoted.size() - 2) : quoted;
}

Status show_file(int folder) {
  TRY_ASSIGN(Fd file, file::open_beneath(folder, broker::kContentName,
                                         O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY));
  struct stat facts;
  if (fstat(file.get(), &facts) < 0 || !S_ISREG(facts.st_mode))
    return fail("it changed while it was looked at");
  std::string head(kMostBytes, '\0');
  ssize_t count = pread(file.get(), head.data(), head.size(), 0);
  if (count < 0) return fail_errno("cannot read it");
  head.resize(static_cast<size_t>(count));
  bool more = static_cast<uint64_t>(facts.st_size) > head.size();
  if (head.ends_with('\n')) head.pop_back();
  std::vector<std::string> lines = text::split(head, '\n');
  if (head.empty()) lines.clear();
  more = more || lines.size() > kMostLines;
  if (lines.size() > kMostLines) lines.resize(kMostLines);
  for (const std::string& line : lines)
    printf("  | %s\n", escape_line(line).c_str());
  if (more) printf("  … there is more\n");
  return {};
}

void show_folder(int folder) {
  bool whole = broker::walk_hostile(
      folder, broker::kContentName, kMostNames,
      [](const std::string& path, const struct stat& facts) {
        std::string name = path.substr(std::string_view(broker::kContentName).size());
        if (name.empty()) return true;
        Kind kind = broker::kind_of(facts.st_mode);
        std::string size = kind == Kind::regular
                               ? describe_size(static_cast<uint64_t>(facts.st_size), true)
                               : std::string(broker::in_words(kind));
        printf("  %-10s %s\n", size.c_str(), text::quote(name.substr(1)).c_str());
        return true;
      });
  if (!whole) printf("  … there is more\n");
}

Status show_link(int folder) {
  char target[PATH_MAX];
  ssize_t length = readlinkat(folder, broker::kContentName, target, sizeof target);
  if (length < 0) return fail_errno("cannot read the link");
  printf("  → %s\n", text::quote({target, static_cast<size_t>(length)}).c_str());
  return {};
}

}  // namespace

std::string in_local_time(int64_t seconds) {
  time_t time = static_cast<time_t>(seconds);
  tm parts{};
  char text[32];
  if (localtime_r(&time, &parts) == nullptr ||
      strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts) == 0)
    return "?";
  return text;
}

Status show_item(int store, const Item& item) {
  print_fact("item", item.name);
  print_fact("path", item.record ? text::quote(item.record->path) : "unknown");
  if (item.record) {
    print_fact("run", text::quote(item.record->run));
    print_fact("taken", in_local_time(item.record->time));
    print_fact("rule", text::quote(item.record->rule));
    print_fact("reason", escape_line(item.record->reason));
  }
  std::string what(broker::in_words(item.kind));
  if (!item.kept) what += ", of which only this record was kept";
  if (item.kept && (item.kind == Kind::regular || item.kind == Kind::folder))
    what += ", " + describe_size(item.bytes, item.whole);
  print_fact("kind", what);
  if (!item.kept) return {};
  TRY_ASSIGN(Fd folder, file::open_beneath(store, item.name, O_RDONLY | O_DIRECTORY));
  if (item.kind == Kind::regular) return show_file(folder.get());
  if (item.kind == Kind::link) return show_link(folder.get());
  if (item.kind == Kind::folder) show_folder(folder.get());
  return {};
}

}  // namespace ringwall::cli
