// Writing git's config: new lines, and an old text with some of its keys changed.
#include <algorithm>
#include <set>

#include "base/git_keys.h"
#include "git/config.h"

namespace ringwall::git {
namespace {

std::string header_text(std::string_view stem) {
  size_t dot = stem.find('.');
  std::string out = "[" + std::string(stem.substr(0, dot));
  if (dot != std::string_view::npos) {
    out += " \"";
    for (char c : stem.substr(dot + 1)) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }
  return out + "]\n";
}

// Between words git 2.39 makes a space of a tab and newer git does not: only spaces go unquoted.
bool reads_back_plain(std::string_view value) {
  bool plain = std::all_of(value.begin(), value.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 ||
           (c >= ' ' && c < 0x7f && std::string_view("\"\\#;").find(c) == std::string_view::npos);
  });
  return plain && !value.starts_with(' ') && !value.ends_with(' ');
}

std::string entry_text(std::string_view key, const GitValue& value) {
  std::string out = "\t" + std::string(git::split_key(key).variable);
  if (!value) return out + "\n";
  out += " = ";
  if (reads_back_plain(*value)) return out + *value + "\n";
  out += '"';
  for (char c : *value) {
    constexpr std::string_view kBytes = "\n\t\b\"\\", kNames = "ntb\"\\";
    size_t which = kBytes.find(c);
    if (which != std::string_view::npos) out += '\\';
    out += which == std::string_view::npos ? c : kNames[which];
  }
  return out + "\"\n";
}

std::string entries_text(std::string_view key, const std::vector<GitValue>& values) {
  std::string out;
  for (const GitValue& value : values)
    out += entry_text(key, value);
  return out;
}

// The old text in pieces that follow each other: headers, entries, and what lies between.
class Editor {
 public:
  Editor(const GitConfig& old, const GitConfig& wanted)
      : old_(old), before_(keys_of(old)), wanted_(keys_of(wanted)) {
    cut_into_pieces();
  }

  std::string edit(const GitConfig& wanted) {
    for (Piece& piece : pieces_) {
      if (piece.entry != nullptr) renew(piece);
    }
    for (const GitConfig::Entry& entry : wanted.entries) {
      if (!before_.contains(entry.key)) add(entry);
    }
    drop_emptied_sections();
    return compose();
  }

 private:
  struct Piece {
    std::string text;
    const GitConfig::Header* header = nullptr;
    const GitConfig::Entry* entry = nullptr;
    bool renewed = false;  // must begin a line
    std::string added;     // lines after it
  };

  void cut_into_pieces() {
    size_t at = 0;
    auto header = old_.headers.begin();
    auto entry = old_.entries.begin();
    while (header != old_.headers.end() || entry != old_.entries.end()) {
      bool header_first = entry == old_.entries.end() ||
                          (header != old_.headers.end() && header->begin < entry->begin);
      size_t begin = header_first ? header->begin : entry->begin;
      size_t end = header_first ? header->end : entry->end;
      pieces_.push_back({.text = old_.text.substr(at, begin - at)});
      pieces_.push_back({.text = old_.text.substr(begin, end - begin)});
      if (header_first) {
        pieces_.back().header = &*header++;
      } else {
        pieces_.back().entry = &*entry++;
      }
      if (header_first) section_ = pieces_.back().header->stem;
      last_of_[section_] = pieces_.size() - 1;
      at = end;
    }
    pieces_.push_back({.text = old_.text.substr(at)});
  }

  // All values of a key come where its first one stood.
  void renew(Piece& piece) {
    const std::string& key = piece.entry->key;
    auto now = wanted_.find(key);
    if (now != wanted_.end() && now->second == before_[key]) return;
    Piece& blanks = *(&piece - 1);
    blanks.text.resize(blanks.text.find_last_not_of(" \t") + 1);
    bool first = renewed_.insert(key).second;
    piece.text = first && now != wanted_.end() ? entries_text(key, now->second) : "";
    piece.renewed = true;
  }

  void add(const GitConfig::Entry& entry) {
    std::string stem(stem_of(entry.key));
    auto home = last_of_.find(stem);
    if (home != last_of_.end()) {
      pieces_[home->second].added += entry_text(entry.key, entry.value);
      return;
    }
    auto [section, fresh] = new_sections_.try_emplace(stem, header_text(stem));
    if (fresh) new_stems_.push_back(stem);
    section->second += entry_text(entry.key, entry.value);
  }

  void drop_emptied_sections() {
    for (size_t begin = 0; begin < pieces_.size();) {
      size_t end = begin + 1;
      while (end < pieces_.size() && pieces_[end].header == nullptr)
        end++;
      if (pieces_[begin].header != nullptr && is_emptied(begin, end)) {
        for (size_t i = begin; i < end; i++)
          pieces_[i] = {};
      }
      begin = end;
    }
  }

  bool is_emptied(size_t begin, size_t end) const {
    bool lost = false, rest = !pieces_[begin].added.empty();
    for (size_t i = begin + 1; i < end; i++) {
      const Piece& piece = pieces_[i];
      lost = lost || piece.renewed;
      rest = rest || !piece.added.empty() ||
             piece.text.find_first_not_of(" \t\r\n") != std::string::npos;
    }
    return lost && !rest;
  }

  std::string compose() const {
    std::string out;
    for (const Piece& piece : pieces_) {
      if (piece.renewed) end_line(out);
      out += piece.text;
      if (!piece.added.empty()) end_line(out);
      out += piece.added;
    }
    if (!new_stems_.empty()) end_line(out);
    for (const std::string& stem : new_stems_)
      out += new_sections_.at(stem);
    return out;
  }

  // A backslash at the very end joins its line even with an empty one.
  static void end_line(std::string& out) {
    if (out.empty() || out.ends_with('\n')) return;
    out += out.ends_with('\\') ? "\n\n" : "\n";
  }

  const GitConfig& old_;
  GitKeys before_, wanted_;
  std::vector<Piece> pieces_;
  std::string section_;
  std::map<std::string, size_t> last_of_;  // of each section its last piece that is no blank
  std::set<std::string> renewed_;
  std::map<std::string, std::string> new_sections_;
  std::vector<std::string> new_stems_;  // in the order in which they were asked for
};

}  // namespace

std::string render_git_config(const std::vector<std::pair<std::string, GitValue>>& keys) {
  std::string out;
  std::string_view stem;
  for (const auto& [key, value] : keys) {
    if (out.empty() || stem != stem_of(key)) out += header_text(stem_of(key));
    stem = stem_of(key);
    out += entry_text(key, value);
  }
  return out;
}

Result<std::string> edit_git_config(const GitConfig& old, const GitConfig& wanted) {
  std::string text = Editor(old, wanted).edit(wanted);
  TRY_ASSIGN(GitConfig again, parse_git_config(text));
  if (keys_of(again) != keys_of(wanted))
    return fail("what would be written does not read back the same");
  return text;
}

}  // namespace ringwall::git
