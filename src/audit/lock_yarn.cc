// yarn.lock, of yarn 1 and of the later ones. Read line by line, since both are nearly YAML and
// neither is quite: a head that names what was asked for, and below it what was found.
#include <set>

#include "audit/lock_entries.h"
#include "audit/package_address.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

// "lodash@npm:^4": a name, and the wish behind it.
struct Wish {
  std::string name, wish;
};

Wish split_wish(std::string_view text) {
  size_t at = text.find('@', 1);
  if (at == std::string_view::npos) return {std::string(text), ""};
  Wish wish{std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
  // Under another name.
  constexpr std::string_view kAlias = "npm:";
  std::string_view rest = std::string_view(wish.wish);
  if (rest.starts_with(kAlias) && rest.find('@', kAlias.size() + 1) != rest.npos) {
    rest.remove_prefix(kAlias.size());
    return {std::string(rest.substr(0, rest.find('@', 1))), std::string(wish.wish)};
  }
  return wish;
}

// A word in quotes or without; quotes may hold escapes.
std::string plain(std::string_view word) {
  word = text::trim(word);
  if (!word.starts_with('"')) return std::string(word);
  auto read = read_json_settings(word);
  return read && read->is_text() ? read->text : std::string(word);
}

struct Package {
  std::vector<Wish> wishes;
  std::string resolved;    // yarn 1: an address
  std::string resolution;  // later: "lodash@npm:4.17.21"
  size_t line = 0;
};

std::vector<Wish> read_head(std::string_view head) {
  std::vector<Wish> wishes;
  if (head.starts_with("? ")) head.remove_prefix(2);
  if (head.ends_with(':')) head.remove_suffix(1);
  // Each in quotes of its own, or all in the same.
  for (std::string_view part : text::split_in_place(head, ',')) {
    std::string word(text::trim(part));
    std::erase(word, '"');
    if (!word.empty()) wishes.push_back(split_wish(word));
  }
  return wishes;
}

std::string decode_percent(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    bool is_code = text[i] == '%' && i + 2 < text.size();
    if (is_code && text.substr(i + 1, 2) == "3A") {
      out += ':';
    } else if (is_code && text.substr(i + 1, 2) == "2F") {
      out += '/';
    } else {
      out += text[i];
      continue;
    }
    i += 2;
  }
  return out;
}

bool is_asked_by_name(const Package& package, std::string_view name) {
  for (const Wish& wish : package.wishes) {
    if (wish.name == name) return true;
  }
  return package.wishes.empty();
}

bool is_asked_by_address(const Package& package) {
  for (const Wish& wish : package.wishes) {
    if (!is_version_wish(wish.wish)) return true;
  }
  return package.wishes.empty();
}

void judge_resolved(const Package& package, LockEntries& entries) {
  std::string address = package.resolved.substr(0, package.resolved.find('#'));
  std::string name = package.wishes.empty() ? "" : package.wishes[0].name;
  if (is_asked_by_address(package)) name.clear();
  LockEntry entry{name, address, package.line};
  bool is_registry = !npm_package_at(address).empty();
  bool is_forge = !is_registry && kind_of_address(address) == AddressKind::known &&
                  (is_git_address(address) || host_of(address) == "github.com");
  if (!name.empty() && is_forge) return entries.tell(entry);
  entries.add(entry);
}

void judge_resolution(const Package& package, LockEntries& entries) {
  Wish found = split_wish(package.resolution);
  constexpr std::string_view kArchive = "::__archiveUrl=";
  if (size_t at = found.wish.find(kArchive); at != std::string::npos) {
    std::string_view url = std::string_view(found.wish).substr(at + kArchive.size());
    entries.add({found.name, decode_percent(url), package.line});
  }
  bool is_version = is_version_wish(found.wish.substr(0, found.wish.find("::")));
  LockEntry entry{package.wishes.empty() ? "" : package.wishes[0].name, package.resolution,
                  package.line};
  bool is_other = is_version && !is_asked_by_name(package, found.name);
  bool is_unasked = !is_version && !is_asked_by_address(package);
  if (is_other || is_unasked) return entries.tell(entry);
  if (!is_version) entries.add({"", found.wish, package.line});
}

void judge(const Package& package, LockEntries& entries) {
  if (!package.resolved.empty()) judge_resolved(package, entries);
  if (!package.resolution.empty()) judge_resolution(package, entries);
}

// All of it in brackets: JSON is YAML, which the later ones read.
bool read_in_brackets(std::string_view text, LockEntries& entries) {
  auto lock = read_yaml_settings(text, kLockLimits);
  if (!lock || !lock->is_object()) return false;
  for (const auto& [head, values] : lock->members) {
    Package package{read_head(head), "", "", values.line};
    if (const Setting* resolved = values.find("resolved")) package.resolved = resolved->text;
    if (const Setting* found = values.find("resolution")) package.resolution = found->text;
    judge(package, entries);
  }
  return true;
}

}  // namespace

bool read_yarn_lock(const RepositoryFile& file, LockEntries& entries) {
  std::string_view text = file.content;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text::trim(text).starts_with('{')) return read_in_brackets(text, entries);
  Package package;
  size_t number = 0;
  bool is_readable = true;
  for (std::string_view line : text::split_in_place(text, '\n')) {
    number++;
    std::string_view words = text::trim(line);
    if (words.empty() || words.starts_with('#') || words == ":") continue;
    if (line[0] != ' ') {
      judge(package, entries);
      is_readable = is_readable && (words.ends_with(':') || words.starts_with("? "));
      package = Package{read_head(words), "", "", number};
      continue;
    }
    size_t key_end = words.find_first_of(": \t", words.starts_with('"') ? words.find('"', 1) : 0);
    if (key_end == std::string_view::npos) continue;
    std::string key = plain(words.substr(0, key_end));
    std::string_view value = text::trim(words.substr(key_end));
    if (value.starts_with(':')) value = text::trim(value.substr(1));
    if (key != "resolved" && key != "resolution") continue;
    package.line = number;
    (key == "resolved" ? package.resolved : package.resolution) = plain(value);
  }
  judge(package, entries);
  return is_readable;
}

}  // namespace ringwall::audit
