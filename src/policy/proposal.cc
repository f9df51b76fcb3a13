#include "policy/proposal.h"

#include <algorithm>
#include <map>

#include "base/path.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "policy/fields.h"
#include "policy/toml_text.h"
#include "policy/values.h"

namespace ringwall::policy {
namespace {

using Kind = Wish::Kind;

std::string_view key_for(Kind kind) {
  switch (kind) {
    case Kind::write:
      return "files.write";
    case Kind::cache:
      return "home.caches";
    case Kind::reach:
      return "network.allow";
    default:
      return "files.read";
  }
}

struct Place {
  Kind kind = Kind::look;
  bool is_folder = false;
  uint64_t times = 0;
  std::set<std::string> programs = {};
  size_t files = 0;

  void take(const Place& other) {
    times += other.times;
    programs.insert(other.programs.begin(), other.programs.end());
  }
};

// Places by their paths. The paths of a folder's content follow it, but not at once: "a.b" stands
// between "a" and "a/b".
using Places = std::map<std::string, Place>;

class Draft {
 public:
  explicit Draft(const ProposalRules& rules) : rules_(rules) {}

  Proposal run(const std::vector<Wish>& wishes) {
    for (const Wish& wish : wishes)
      take(wish);
    leave_out_folders_of_the_left_out();
    drop_folders_on_the_way();
    take_what_lies_in_folders();
    // From the deepest on: what becomes one folder counts once in the folder above.
    for (Kind kind : {Kind::write, Kind::read})
      make_folders_of_many(kind);
    take_what_lies_in_folders();
    for (Kind kind : {Kind::read, Kind::write}) {
      for (const auto& [path, place] : places_) {
        if (place.kind == kind) add(key_for(kind), shorten(path), place);
      }
    }
    for (const auto& [name, place] : caches_)
      add(key_for(Kind::cache), name, place);
    for (const auto& [host, place] : hosts_)
      add(key_for(Kind::reach), host, place);
    keep_a_readable_number();
    for (auto& [_, left] : left_out_)
      proposal_.left_out.push_back(std::move(left));
    return std::move(proposal_);
  }

 private:
  void take(const Wish& wish) {
    bool is_path = wish.kind != Kind::reach && wish.kind != Kind::cache;
    // One name for each, so that what lies in a folder is found by its beginning.
    std::string what = is_path ? path::normalize(wish.what) : wish.what;
    if (!wish.left_out.empty()) {
      Place place{wish.kind, wish.is_folder, wish.times, wish.programs};
      if (is_path) forbidden_.insert(what);
      return leave_out(what, place, wish.left_out);
    }
    Places& all = wish.kind == Kind::reach ? hosts_ : wish.kind == Kind::cache ? caches_ : places_;
    Place& place = all[what];
    place.kind = std::max(place.kind, wish.kind);
    place.is_folder |= wish.is_folder;
    place.times += wish.times;
    place.programs.insert(wish.programs.begin(), wish.programs.end());
  }

  void leave_out(const std::string& what, const Place& place, const std::string& why) {
    Proposal::LeftOut& left = left_out_[{what, why}];
    left.kind = left.what.empty() ? place.kind : std::max(left.kind, place.kind);
    left.what = what;
    left.why = why;
    left.times += place.times;
    left.programs.insert(place.programs.begin(), place.programs.end());
  }

  // Something in it that was wanted too must not come along.
  const std::string* forbidden_in(const std::string& folder) const {
    for (auto at = forbidden_.lower_bound(folder); at != forbidden_.end(); ++at) {
      if (!at->starts_with(folder)) return nullptr;
      if (path::is_beneath(*at, folder)) return &*at;
    }
    return nullptr;
  }

  void leave_out_folders_of_the_left_out() {
    std::erase_if(places_, [&](const auto& entry) {
      const auto& [path, place] = entry;
      const std::string* held = place.is_folder ? forbidden_in(path) : nullptr;
      if (held == nullptr) return false;
      // Who only asked whether it is there gets no further by it.
      if (place.kind != Kind::look) leave_out(path, place, "holds " + text::quote(*held));
      return true;
    });
  }

  template <class Act>
  void for_each_in(const std::string& folder, Act act) {
    std::string beginning = path::join(folder, "");
    for (auto at = places_.lower_bound(beginning); at != places_.end();) {
      if (!at->first.starts_with(beginning)) return;
      bool itself = at->first == folder;  // the root, whose beginning it is
      at = !itself && act(at) ? places_.erase(at) : std::next(at);
    }
  }

  // Folders on the way to what is granted are there inside.
  void drop_folders_on_the_way() {
    std::vector<std::string> dropped;
    for (const auto& [path, place] : places_) {
      if (place.kind != Kind::look || !place.is_folder) continue;
      bool leads_on = false;
      for_each_in(path, [&](auto) {
        leads_on = true;
        return false;
      });
      if (leads_on) dropped.push_back(path);
    }
    for (const std::string& path : dropped)
      places_.erase(path);
    for (auto& [_, place] : places_)
      place.kind = std::max(place.kind, Kind::read);
  }

  void take_what_lies_in_folders() {
    for (auto& [path, place] : places_) {
      if (!place.is_folder) continue;
      for_each_in(path, [&](auto inner) {
        if (inner->second.kind > place.kind) return false;
        place.take(inner->second);
        return true;
      });
    }
  }

  std::map<std::string, std::vector<std::string>> by_folder(Kind kind, size_t depth) const {
    std::map<std::string, std::vector<std::string>> folders;
    for (const auto& [path, place] : places_) {
      std::string folder = path::parent(path);
      if (place.kind == kind && path::components(folder).size() == depth)
        folders[folder].push_back(path);
    }
    return folders;
  }

  void make_folders_of_many(Kind kind) {
    size_t deepest = 0;
    for (const auto& [path, _] : places_)
      deepest = std::max(deepest, path::components(path).size());
    for (size_t depth = deepest; depth-- > 1;) {
      for (const auto& [folder, paths] : by_folder(kind, depth)) {
        if (paths.size() < kManyOfOneFolder || forbidden_in(folder) != nullptr) continue;
        if (!rules_.why_not(folder, kind == Kind::write).empty()) continue;
        Place whole{kind, true};
        for (const std::string& path : paths) {
          Place& part = places_[path];
          whole.take(part);
          whole.files += std::max<size_t>(part.files, 1);
          places_.erase(path);
        }
        Place& known = places_[folder];
        whole.take(known);
        whole.kind = std::max(whole.kind, known.kind);
        known = whole;
      }
    }
  }

  // A thousand lines are read by nobody, and one of them may be the one that matters.
  void keep_a_readable_number() {
    std::vector<Proposal::Entry>& entries = proposal_.entries;
    if (entries.size() <= kMostProposed) return;
    std::vector<uint64_t> times;
    for (const Proposal::Entry& entry : entries)
      times.push_back(entry.times);
    std::ranges::nth_element(times, times.begin() + kMostProposed, std::greater<>());
    uint64_t few = times[kMostProposed];
    auto more = static_cast<size_t>(std::ranges::count_if(
        entries, [&](const Proposal::Entry& entry) { return entry.times > few; }));
    size_t room = kMostProposed - more;  // for those wanted just as often as what finds none
    std::erase_if(entries, [&](const Proposal::Entry& entry) {
      if (entry.times > few) return false;
      if (entry.times == few && room > 0) {
        room--;
        return false;
      }
      Kind kind = entry.key == "files.write"     ? Kind::write
                  : entry.key == "network.allow" ? Kind::reach
                                                 : Kind::read;
      leave_out(entry.value, {kind, false, entry.times, entry.programs},
                "not among the " + std::to_string(kMostProposed) + " wanted most often");
      return true;
    });
  }

  std::string shorten(const std::string& path) const {
    bool in_home = rules_.home != "/" && path != rules_.home && path::is_beneath(path, rules_.home);
    return in_home ? "~" + path.substr(rules_.home.size()) : path;
  }

  void add(std::string_view key, const std::string& value, const Place& place) {
    const Field* field = field_by_key(key);
    Kind kind = key == "network.allow" ? Kind::reach : place.kind;
    Place left = place;
    left.kind = kind;
    if (!is_utf8(value)) return leave_out(value, left, "its name is no text that a file can hold");
    auto checked = check_text(*field, value, {{}, "/", rules_.home});
    if (!checked) return leave_out(value, left, checked.error().what);
    proposal_.entries.push_back({key, value, place.times, place.programs, place.files});
  }

  const ProposalRules& rules_;
  Places places_, caches_, hosts_;
  std::set<std::string> forbidden_;
  std::map<std::pair<std::string, std::string>, Proposal::LeftOut> left_out_;
  Proposal proposal_;
};

// Many left out of one folder for one reason are one line.
void group_left_out(std::vector<Proposal::LeftOut>& all) {
  std::map<std::pair<std::string, std::string>, size_t> counts;
  auto key_of = [](const Proposal::LeftOut& left) {
    return std::pair(path::parent(left.what), left.why);
  };
  for (const Proposal::LeftOut& left : all) {
    if (left.kind != Kind::reach) counts[key_of(left)]++;
  }
  std::map<std::pair<std::string, std::string>, size_t> places;
  std::vector<Proposal::LeftOut> grouped;
  for (Proposal::LeftOut& left : all) {
    auto count = counts.find(key_of(left));
    bool many =
        left.kind != Kind::reach && count != counts.end() && count->second >= kManyOfOneFolder;
    if (!many) {
      grouped.push_back(std::move(left));
      continue;
    }
    auto [place, is_new] = places.try_emplace(key_of(left), grouped.size());
    if (is_new) {
      left.what = path::parent(left.what);
      left.files = count->second;
      grouped.push_back(std::move(left));
      continue;
    }
    Proposal::LeftOut& whole = grouped[place->second];
    whole.kind = std::max(whole.kind, left.kind);
    whole.times += left.times;
    whole.programs.insert(left.programs.begin(), left.programs.end());
  }
  all = std::move(grouped);
}

}  // namespace

Proposal propose(const std::vector<Wish>& wishes, const ProposalRules& rules) {
  Proposal proposal = Draft(rules).run(wishes);
  group_left_out(proposal.left_out);
  return proposal;
}

std::string name_programs(const std::set<std::string>& programs) {
  constexpr size_t kMostNamed = 2;
  std::vector<std::string> names;
  for (const std::string& program : programs) {
    if (!program.empty() && names.size() < kMostNamed) names.push_back(text::quote(program));
  }
  if (names.empty()) return {};
  size_t more = programs.size() - names.size();
  if (more > 0) names.push_back(std::to_string(more) + " more");
  return text::join(names, ", ");
}

std::string_view verb_of(Kind kind) {
  switch (kind) {
    case Kind::look:
    case Kind::read:
      return "read";
    case Kind::write:
      return "write";
    case Kind::cache:
      return "cache";
    case Kind::reach:
      return "reach";
  }
  return "";
}

std::string Proposal::toml() const {
  if (entries.empty()) return {};
  std::string out =
      "# Made by: ringwall learn\n"
      "# What a command asked for is not always what it needs: read it before you use it.\n";
  std::string section, key;
  for (const Entry& entry : entries) {
    std::string its_section(entry.key.substr(0, entry.key.find('.')));
    if (!key.empty() && entry.key != key) out += "]\n";
    if (its_section != section) out += "\n[" + its_section + "]\n";
    if (entry.key != key) out += std::string(entry.key.substr(entry.key.find('.') + 1)) + " = [\n";
    section = its_section;
    key = entry.key;
    std::string by = name_programs(entry.programs);
    std::string about = std::to_string(entry.times) + (entry.times == 1 ? " time" : " times") +
                        (by.empty() ? "" : ", by " + by);
    if (entry.files > 0) about += "; " + std::to_string(entry.files) + " files of it";
    out += "  " + in_toml_quotes(entry.value) + ",  # " + in_toml_comment(about) + "\n";
  }
  return out + "]\n";
}

std::vector<std::string> Proposal::flags() const {
  std::vector<std::string> words;
  for (const Entry& entry : entries) {
    const Field* field = field_by_key(entry.key);
    words.emplace_back(text::split(field->flag, ',').back());
    // A shell opens a ~ that stands bare, at the beginning.
    bool in_home = entry.value.starts_with("~/");
    words.push_back(in_home ? "~/" + text::shell_word(entry.value.substr(2))
                            : text::shell_word(entry.value));
  }
  return words;
}

}  // namespace ringwall::policy
