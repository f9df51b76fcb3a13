#include "shell/carried.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "shell/carried_git.h"
#include "shell/global_options.h"
#include "shell/name_index.h"
#include "shell/value.h"
#include "shell/wrappers.h"

namespace ringwall::shell {
namespace {

constexpr size_t kNone = std::string_view::npos;

// Options whose value is run by a shell, or is the name of a program with its arguments.
struct CodeOptions {
  std::string_view programs;  // "scp sftp"
  std::string_view options;   // "-e --rsh"; a short one takes its value in the same word too
  std::string_view prefix{};  // only if the value starts so: exec=
};

constexpr auto kCodeOptions = std::to_array<CodeOptions>({
    {"tar gtar bsdtar",
     "--to-command -I --use-compress-program -F --info-script --new-volume-script --rsh-command "
     "--rmt-command"},
    {"tar gtar", "--checkpoint-action", "exec="},
    {"rsync", "-e --rsh --rsync-path"},
    {"scp sftp", "-S"},
    {"ssh scp sftp", "-o", "ProxyCommand="},
    {"ssh scp sftp", "-o", "LocalCommand="},
    {"ssh scp sftp", "-o", "KnownHostsCommand="},
    {"ssh scp sftp", "-o", "RemoteCommand="},
    {"ssh scp sftp", "-o", "PKCS11Provider="},
    {"man", "-P --pager -H --html"},
    {"zip", "-TT --unzip-command"},
    {"sort", "--compress-program"},
    {"split csplit", "--filter"},
    {"tcpdump", "-z"},
    {"nc ncat netcat", "-e -c --exec --sh-exec"},
    {"rg", "--pre --hostname-bin"},
    {"fzf", "--preview --bind --execute"},
    {"bat ag delta", "--pager"},
    {"nodemon", "--exec -x"},
    {"go", "-exec -toolexec"},
    {"gcc g++ cc c++", "-wrapper"},
    {"wget", "--use-askpass"},
    {"xterm urxvt", "-e"},
    {"install", "--strip-program"},
    {"restic", "--password-command"},
    {"ansible", "-a --args"},
    {"apt-get apt", "-o", "APT::Update::Pre-Invoke::="},
    {"apt-get apt", "-o", "Dpkg::Pre-Invoke::="},
    {"tmux", "-c"},
    {"pip pip3", "--global-option"},
    {"cmake", "-E"},
    {"mpirun srun", "--wrap"},
    {"sbatch", "--wrap"},
});

// Options and words behind which a command's words begin; they end at a ;.
struct WordOptions {
  std::string_view programs;
  std::string_view options;
};

constexpr auto kWordOptions = std::to_array<WordOptions>({
    {"find gfind bfs", "-exec -execdir -ok -okdir"},
    {"fd fdfind", "-x --exec -X --exec-batch"},
    {"gdb lldb", "--args --"},
    {"gnome-terminal konsole alacritty kitty", "-- -e"},
    {"script", "--"},
});

constexpr auto kCodeIndex =
    make_name_index<kCodeOptions, [](const CodeOptions& row) { return row.programs; }>();
constexpr auto kWordIndex =
    make_name_index<kWordOptions, [](const WordOptions& row) { return row.programs; }>();

// Programs all of whose operands are code of their own: hyperfine 'a' 'b'.
constexpr std::string_view kAllCode = "hyperfine concurrently npm-run-all";

// Programs whose standard input is code for later.
constexpr std::string_view kEditors = "vim vi nvim view vimdiff gvim ex rvim mvim";

bool is_option(const Word& word, std::string_view options, Word& value, bool& takes_next) {
  std::string_view start = known_start(word);
  if (!start.starts_with('-')) return false;
  takes_next = false;
  if (word.literal() && names_option(options, start)) {
    takes_next = true;
    return true;
  }
  size_t equals = start.find('=');
  if (equals != kNone && names_option(options, start.substr(0, equals))) {
    value = part_of(word, equals + 1);
    return true;
  }
  if (start.size() <= 2 || start[1] == '-') return false;
  // In a row of letters: what follows is its value, or the next word.
  for (size_t i = 1; i < start.size(); i++) {
    if (!lists(options, std::string("-") + start[i])) continue;
    value = part_of(word, i + 1);
    takes_next = i + 1 == start.size();
    return true;
  }
  return false;
}

void add_guess(std::string name, const Word& word, size_t from, std::vector<Carried>& all) {
  all.push_back(
      {.name = std::move(name), .words = {}, .code = part_of(word, from), .certain = false});
}

// "ProxyCommand=" in any letters, and with a blank in place of the sign.
bool starts_like(std::string_view value, std::string_view prefix) {
  if (value.size() < prefix.size()) return false;
  for (size_t i = 0; i < prefix.size(); i++) {
    bool is_sign = prefix[i] == '=' && (value[i] == ' ' || value[i] == '\t');
    if (!is_sign && tolower(value[i]) != tolower(prefix[i])) return false;
  }
  return true;
}

// tar cIf PROGRAM …: which of the next words is the program depends on the other letters.
void add_tar_letters(const std::vector<Word>& words, std::vector<Carried>& all) {
  constexpr size_t kFarthest = 4;
  const std::string& letters = words[1].text;
  bool is_row =
      !letters.empty() &&
      letters.find_first_not_of("-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == kNone;
  if (!is_row || letters.starts_with("--") || letters.find_first_of("IF") == kNone) return;
  for (size_t i = 2; i < std::min(words.size(), kFarthest + 1); i++)
    add_guess("tar -I", words[i], 0, all);
}

void add_code_options(const std::vector<Word>& words, std::string_view name,
                      std::vector<Carried>& all) {
  for (const NameEntry& entry : entries_named(kCodeIndex, name)) {
    const CodeOptions& row = kCodeOptions[entry.row];
    for (size_t i = 1; i < words.size(); i++) {
      Word value;
      bool takes_next = false;
      if (!is_option(words[i], row.options, value, takes_next)) continue;
      if (takes_next && i + 1 < words.size()) value = words[i + 1];
      if (!starts_like(known_start(value), row.prefix)) continue;
      value = part_of(value, row.prefix.size());
      if (value.text.empty() && value.gaps.empty()) continue;
      bool is_long = words[i].text.starts_with("--");
      std::string option = words[i].text.substr(0, is_long ? words[i].text.find('=') : 2);
      all.push_back({.name = std::string(name) + " " + option, .words = {}, .code = value});
    }
  }
}

// What find puts in place of {}: something at or below where it begins. Where that is the folder
// itself, nothing is known.
Word found_below(const std::vector<Word>& words) {
  Word found;
  size_t first = 1;
  while (first < words.size() && lists("-H -L -P", words[first].text))
    first++;
  bool begins = first < words.size() && words[first].literal() && !words[first].text.empty() &&
                std::string_view("-(!.").find(words[first].text[0]) == kNone;
  if (begins)
    found = literal_word(words[first].text + (words[first].text.ends_with('/') ? "" : "/"));
  add_gap(found, Word::Gap::Kind::text);
  return found;
}

void add_word_options(const std::vector<Word>& words, std::string_view name,
                      std::vector<Carried>& all) {
  for (const NameEntry& entry : entries_named(kWordIndex, name)) {
    const WordOptions& row = kWordOptions[entry.row];
    for (size_t i = 1; i < words.size(); i++) {
      if (!lists(row.options, words[i].text)) continue;
      Carried carried{.name = std::string(name) + " " + words[i].text};
      bool finds = name == "find" || name == "gfind" || name == "bfs";
      for (i++; i < words.size() && words[i].text != ";" && words[i].text != "+"; i++) {
        if (finds && words[i].literal() && words[i].text == "{}") {
          carried.words.push_back(found_below(words));
          continue;
        }
        std::string code = to_code(words[i]);
        for (size_t at = 0; (at = code.find("{}", at)) != std::string::npos; at++)
          code.replace(at, 2, 1, kTextGapByte);
        carried.words.push_back(from_code(code));
      }
      if (!carried.words.empty()) all.push_back(std::move(carried));
    }
  }
}

// vim -c '!command', +'r !command', --cmd …
void add_editor(const std::vector<Word>& words, std::string_view name, std::vector<Carried>& all) {
  for (size_t i = 1; i < words.size(); i++) {
    bool follows =
        words[i - 1].text == "-c" || words[i - 1].text == "--cmd" || words[i - 1].text == "-es";
    if (!follows && !words[i].text.starts_with('+')) continue;
    const std::string& text = words[i].text;
    size_t bang = text.find('!');
    if (bang != kNone) add_guess(std::string(name) + " !", words[i], bang + 1, all);
    size_t call = text.find("system(");
    if (call != kNone && call + 8 < text.size()) {
      size_t end = text.find_first_of("'\"", call + 8);
      Word inside = part_of(words[i], call + 8, end == kNone ? end : end - call - 8);
      add_guess(std::string(name) + " system()", inside, 0, all);
    }
    size_t terminal = text.find("term");
    size_t space = terminal == kNone ? kNone : text.find(' ', terminal);
    if (space != kNone) add_guess(std::string(name) + " terminal", words[i], space + 1, all);
  }
}

// Commands of debuggers and pagers in which a word starts a shell's line.
void add_marked(const std::vector<Word>& words, std::string_view name, std::vector<Carried>& all) {
  for (size_t i = 1; i < words.size(); i++) {
    for (std::string_view mark : {"shell ", "!", "+!", "make ", "pipe ", "platform shell "}) {
      if (words[i].text.starts_with(mark) && words[i].text.size() > mark.size())
        add_guess(std::string(name) + " " + std::string(mark.substr(0, mark.find(' '))), words[i],
                  mark.size(), all);
    }
  }
}

// make SHELL=…, make X='$(shell …)', make --eval …
void add_make(const std::vector<Word>& words, std::vector<Carried>& all) {
  for (size_t i = 1; i < words.size(); i++) {
    const std::string& text = words[i].text;
    if (text.starts_with("SHELL=")) add_guess("make SHELL", words[i], 6, all);
    size_t shell = text.find("$(shell ");
    if (shell == kNone) continue;
    size_t end = text.rfind(')');
    size_t from = shell + 8;
    size_t length = end == kNone || end < from ? kNone : end - from;
    add_guess("make $(shell)", part_of(words[i], from, length), 0, all);
  }
}

// socat EXEC:command, SYSTEM:command
void add_socat(const std::vector<Word>& words, std::vector<Carried>& all) {
  for (const Word& word : words) {
    for (std::string_view mark : {"EXEC:", "SYSTEM:", "exec:", "system:", "SHELL:", "shell:"}) {
      if (!word.text.starts_with(mark)) continue;
      size_t end = word.text.find(',');
      add_guess("socat", part_of(word, 0, end), mark.size(), all);
    }
  }
}

// tmux new-session -d 'command', send-keys 'command' Enter, run-shell …
void add_terminal_manager(const std::vector<Word>& words, std::string_view name,
                          std::vector<Carried>& all) {
  constexpr std::string_view kValued = "-t -s -n -c -x -y -F -e -S -L -f -l -p -b";
  for (size_t i = 2; i < words.size(); i++) {  // behind its own subcommand
    if (words[i].text.starts_with('-')) {
      if (lists(kValued, words[i].text)) i++;
      continue;
    }
    add_guess(std::string(name), words[i], 0, all);
    if (words[i].text.find(' ') == kNone) {
      all.back().words.assign(words.begin() + static_cast<long>(i), words.end());
      all.back().code.reset();
      return;
    }
  }
}

}  // namespace

std::vector<Carried> carried_commands(const std::vector<Word>& words) {
  std::vector<Carried> all;
  if (words.size() < 2) return all;
  std::string_view name = program_name(words[0]);
  if (name.empty()) return all;
  if (name == "git") {
    add_git_commands(words, all);
  } else if (name == "make" || name == "gmake") {
    add_make(words, all);
  } else if (name == "tar" || name == "gtar" || name == "bsdtar") {
    add_tar_letters(words, all);
  } else if (name == "socat") {
    add_socat(words, all);
  } else if (name == "tmux" || name == "screen" || name == "byobu") {
    add_terminal_manager(words, name, all);
  } else if (lists(kEditors, name)) {
    add_editor(words, name, all);
  } else if (lists("gdb lldb less more ed sftp ftp", name)) {
    add_marked(words, name, all);
  } else if (lists(kAllCode, name)) {
    for (size_t i = 1; i < words.size(); i++) {
      if (!words[i].text.starts_with('-')) add_guess(std::string(name), words[i], 0, all);
    }
  }
  add_code_options(words, name, all);
  add_word_options(words, name, all);
  return all;
}

}  // namespace ringwall::shell
