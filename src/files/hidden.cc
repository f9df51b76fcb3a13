#include "files/hidden.h"

#include <algorithm>

#include "base/text.h"
#include "files/protected.h"

namespace ringwall::files {
namespace {

// To be raised with every change of what hidden_content.cc finds: files that were looked at before
// are then looked at again.
constexpr std::string_view kContentRules = "1";

constexpr size_t kAboutAsMany = 200;  // patterns in the table: memory is asked for once

Status add(PatternSet& set, Result<NamePattern> parsed, std::string_view pattern,
           std::string_view field) {
  if (!parsed) {
    parsed.error().what =
        std::string(field) + " " + text::quote(pattern) + " " + parsed.error().what;
    return std::unexpected(parsed.error());
  }
  set.add(std::move(*parsed));
  return {};
}

}  // namespace

Result<HiddenNames> HiddenNames::compile(std::span<const std::string> hide,
                                         std::span<const std::string> show) {
  HiddenNames names;
  names.table_.reserve(kAboutAsMany);
  for (const HiddenEntry& entry : hidden_entries()) {
    for (std::string_view pattern : text::split_in_place(entry.patterns, ' ')) {
      names.table_.add(NamePattern::parse_table(pattern));
      names.entry_of_.push_back(&entry);
    }
    if (entry.except.empty()) continue;
    for (std::string_view pattern : text::split_in_place(entry.except, ' ')) {
      names.excepted_.add(NamePattern::parse_table(pattern));
      names.excepted_of_.push_back(&entry);
    }
  }
  for (const std::string& pattern : hide)
    TRY(add(names.hide_, NamePattern::parse(pattern), pattern, "files.hide"));
  for (const std::string& pattern : show)
    TRY(add(names.show_, NamePattern::parse(pattern), pattern, "files.show"));
  return names;
}

bool HiddenNames::names(const HiddenEntry& entry, std::string_view path) const {
  if (entry.name_fits != nullptr && !entry.name_fits(last_name(path))) return false;
  return !excepted_.match(path, EntryKind::file,
                          [&](size_t at) { return excepted_of_[at] == &entry; });
}

std::optional<size_t> HiddenNames::by_table(std::string_view path, bool by_content) const {
  return table_.match(path, EntryKind::file, [&](size_t number) {
    const HiddenEntry& entry = *entry_of_[number];
    return (entry.holds_secret != nullptr) == by_content && names(entry, path);
  });
}

HiddenNames::Around HiddenNames::judge_folder(std::string_view path) const {
  if (path.empty()) return {};
  return {hide_.covers(path, EntryKind::folder), show_.covers(path, EntryKind::folder)};
}

HiddenNames::Verdict HiddenNames::judge_name(std::string_view path) const {
  std::string_view name = last_name(path);
  return judge_name(
      path, judge_folder(path.substr(0, path.size() - std::min(path.size(), name.size() + 1))));
}

HiddenNames::Verdict HiddenNames::judge_name(std::string_view path, const Around& around) const {
  // The narrower wish wins.
  if (around.is_hidden || hide_.match(path, EntryKind::file)) return Verdict::hide;
  if (around.is_shown || show_.match(path, EntryKind::file)) return Verdict::no;
  if (!table_.may_match(last_name(path))) return Verdict::no;
  if (by_table(path, false)) return Verdict::hide;
  // Packages of a registry hold keys of their tests, not of the person, and many of them.
  return by_table(path, true) && !lies_in_registry_packages(path) ? Verdict::look : Verdict::no;
}

std::string_view HiddenNames::name_reason(std::string_view path) const {
  if (hide_.covers(path, EntryKind::file)) return kHiddenByPolicy;
  auto number = by_table(path, false);
  return number ? entry_of_[*number]->what : "";
}

std::optional<std::string_view> HiddenNames::judge_content(std::string_view path,
                                                           std::string_view first_bytes) const {
  std::string_view bytes = first_bytes.substr(0, kMostLookedAt);
  // Several entries may want a look: *.key may hold PEM, or one bare key.
  auto number = table_.match(path, EntryKind::file, [&](size_t at) {
    const HiddenEntry& entry = *entry_of_[at];
    return entry.holds_secret != nullptr && names(entry, path) && entry.holds_secret(bytes);
  });
  if (!number) return std::nullopt;
  return entry_of_[*number]->what;
}

std::string HiddenNames::fingerprint() const {
  Fingerprint print;
  print.add(kContentRules);
  print.add(kPatternRules);
  for (const HiddenEntry& entry : hidden_entries()) {
    print.add(entry.patterns);
    print.add(entry.except);
    print.add(entry.holds_secret == nullptr ? "name" : "content");
  }
  for (const PatternSet* set : {&hide_, &show_}) {
    print.add("policy");
    for (size_t i = 0; i < set->size(); i++)
      print.add((*set)[i].text());
  }
  for (const PackageFolder& folder : package_folders())
    print.add(folder.name);
  return print.hex();
}

}  // namespace ringwall::files
