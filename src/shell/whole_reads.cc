#include "shell/whole_reads.h"

#include <algorithm>
#include <array>

#include "shell/name_index.h"
#include "shell/options.h"
#include "shell/value.h"
#include "shell/wrappers.h"

namespace ringwall::shell {
namespace {

struct Row {
  std::string_view programs;
  std::string_view letters;       // of options that make it go into folders; empty: it always does
  std::string_view names;         // the same, long
  std::string_view some_letters;  // it tells only names or numbers, or reads only some files
  std::string_view some_names;
  bool reads_here = false;  // without an operand: the folder it runs in
  bool skips_hidden = false;
};

constexpr auto kRows = std::to_array<Row>({
    {"grep egrep fgrep zgrep", "rR", "--recursive --dereference-recursive --directories=recurse",
     "lLcq", "--files-with-matches --files-without-match --count --quiet --silent --include", true},
    {"rg ag ack", "", "", "lcqtg",
     "--files --files-with-matches --files-without-match --count --count-matches --quiet --type "
     "--type-list --glob --iglob",
     true, true},
    {"zip", "r", "--recurse-paths", "", ""},
    {"cp", "rRa", "--recursive --archive", "", ""},
    {"scp", "r", "", "", ""},
    {"rsync", "ra", "--recursive --archive", "n", "--dry-run --list-only"},
    {"tar gtar bsdtar", "cru", "--create --append --update", "", ""},
});

constexpr auto kIndex = make_name_index<kRows, [](const Row& row) { return row.programs; }>();

// What find -exec starts that does not read.
constexpr std::string_view kNotReaders =
    "echo printf ls stat file basename dirname test [ touch chmod chown chgrp rm rmdir mv mkdir ln "
    "realpath readlink du true";

const Row* row_of(std::string_view program) {
  std::span<const NameEntry> found = entries_named(kIndex, program);
  return found.empty() ? nullptr : &kRows[found[0].row];
}

// "-g!x" and "--glob=!x" leave out, and do not choose.
bool leaves_out(const std::vector<Word>& words, size_t at) {
  if (words[at].text.find('!') != std::string::npos) return true;
  bool has_value = words[at].text.find('=') != std::string::npos;
  return !has_value && at + 1 < words.size() && words[at + 1].text.starts_with('!');
}

bool has_option(const std::vector<Word>& words, std::string_view letters, std::string_view names) {
  for (size_t i = 1; i < words.size() && words[i].text != "--"; i++) {
    std::string_view text = words[i].text;
    bool is_glob = text.starts_with("-g") || text.starts_with("--glob") || text.starts_with("--ig");
    if (text.size() < 2 || text[0] != '-' || (is_glob && leaves_out(words, i))) continue;
    bool is_long = text[1] == '-';
    if (is_long && (lists(names, text) || lists(names, text.substr(0, text.find('=')))))
      return true;
    if (!is_long && text.find_first_of(letters, 1) != text.npos && !letters.empty()) return true;
  }
  return false;
}

// tar c .: the first word may be letters without a dash.
bool goes_into_folders(const Row& row, const std::vector<Word>& words) {
  if (row.letters.empty()) return true;
  bool is_tar = lists(row.programs, "tar");
  bool is_bare = is_tar && words.size() > 1 && !words[1].text.starts_with('-') &&
                 words[1].text.find_first_of(row.letters) != std::string::npos;
  return is_bare || has_option(words, row.letters, row.names);
}

std::vector<WholeRead> read_operands(const std::vector<FileUse>& files, bool reads_here,
                                     bool skips_hidden) {
  std::vector<WholeRead> all;
  for (const FileUse& use : files) {
    if (use.kind == FileUse::Kind::read) all.push_back({use.path, skips_hidden});
  }
  if (all.empty() && reads_here) all.push_back({literal_word("."), skips_hidden});
  return all;
}

bool chooses_files(const std::vector<Word>& find) {
  return std::ranges::any_of(find, [](const Word& word) {
    return lists("-name -iname -path -ipath -wholename -regex -iregex -newer -samefile -inum",
                 word.text);
  });
}

bool is_find(const Act& act) {
  if (act.words.empty()) return false;
  std::string_view name = program_name(act.words[0]);
  return name == "find" || name == "gfind" || name == "bfs";
}

// find . -exec cat {} +
bool runs_reader(const std::vector<Word>& find) {
  for (size_t i = 1; i + 1 < find.size(); i++) {
    bool runs = lists("-exec -execdir -ok -okdir", find[i].text);
    if (runs && !lists(kNotReaders, program_name(find[i + 1]))) return true;
  }
  return false;
}

// find . | xargs cat
std::vector<WholeRead> read_found(const Analysis& analysis, const Act& act) {
  std::vector<WholeRead> all;
  if (act.fed_by.empty() || std::ranges::find(act.through, "xargs") == act.through.end())
    return all;
  if (lists(kNotReaders, program_name(act.words[0]))) return all;
  for (size_t number : act.fed_by) {
    if (number >= analysis.acts.size()) continue;
    const Act& before = analysis.acts[number];
    if (!is_find(before) || chooses_files(before.words)) continue;
    for (WholeRead& read : read_operands(files_of(before), true, false))
      all.push_back(std::move(read));
  }
  return all;
}

}  // namespace

std::vector<WholeRead> whole_reads_of(const Analysis& analysis, const Act& act,
                                      const std::vector<FileUse>& files) {
  if (act.words.empty() || act.elsewhere) return {};
  if (is_find(act)) {
    bool reads = runs_reader(act.words) && !chooses_files(act.words);
    return reads ? read_operands(files, true, false) : std::vector<WholeRead>();
  }
  const Row* row = row_of(program_name(act.words[0]));
  if (row == nullptr) return read_found(analysis, act);
  if (!goes_into_folders(*row, act.words)) return {};
  if (has_option(act.words, row->some_letters, row->some_names)) return {};
  bool shows_hidden = has_option(act.words, "u.", "--hidden --unrestricted");
  // Behind a pipe, rg reads that.
  bool reads_here = row->reads_here && act.fed_by.empty();
  return read_operands(files, reads_here, row->skips_hidden && !shows_hidden);
}

}  // namespace ringwall::shell
