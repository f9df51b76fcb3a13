#include "gate/path_rule.h"

#include <algorithm>
#include <optional>

#include "base/path.h"
#include "policy/pattern.h"
#include "policy/wildcard.h"

namespace ringwall::gate {
namespace {

using Kind = Token::Kind;

char folded(char c, bool folds) { return folds && c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; }

bool same_letters(std::string_view a, std::string_view b, bool folds) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) {
           return folded(x, folds) == folded(y, folds);
         });
}

// What follows the anchor in a path beneath it; nothing if it is not.
std::optional<std::string_view> beneath(std::string_view path, std::string_view anchor,
                                        bool folds) {
  if (anchor == "/") return path.substr(1);
  if (path.size() < anchor.size() || !same_letters(path.substr(0, anchor.size()), anchor, folds))
    return std::nullopt;
  if (path.size() == anchor.size()) return "";
  if (path[anchor.size()] != '/') return std::nullopt;
  return path.substr(anchor.size() + 1);
}

void add_letters(std::vector<Token>& out, std::string_view text) {
  for (char c : text)
    out.push_back({Kind::letter, c});
}

// A class may be any character: a denial may fire too often where a path is not known.
void add_part(std::vector<Token>& out, std::string_view part) {
  for (size_t i = 0; i < part.size(); i++) {
    if (part[i] == '*') {
      out.push_back({Kind::name});
    } else if (part[i] == '?') {
      out.push_back({Kind::one});
    } else if (part[i] == '[' && policy::read_class(part, i)) {
      out.push_back({Kind::one});
      i = policy::read_class(part, i)->end - 1;
    } else {
      if (part[i] == '\\' && i + 1 < part.size()) i++;
      out.push_back({Kind::letter, part[i]});
    }
  }
}

// A shell's star does not begin a name with a dot.
std::vector<Token> path_tokens(const shell::Word& path) {
  std::vector<Token> plain = tokens_of(path);
  std::vector<Token> out;
  out.reserve(plain.size() + path.gaps.size());
  for (size_t i = 0; i < plain.size(); i++) {
    bool begins = i == 0 || (plain[i - 1].kind == Kind::letter && plain[i - 1].letter == '/');
    bool dot_or_end =
        i + 1 == plain.size() || plain[i + 1].letter == '.' || plain[i + 1].letter == '/';
    if (plain[i].kind == Kind::glob && begins && dot_or_end) out.push_back({Kind::first});
    // A name may hold blanks.
    out.push_back(plain[i].kind == Kind::glob ? Token{Kind::name} : plain[i]);
  }
  return out;
}

}  // namespace

PathRule PathRule::parse(std::string_view text, bool allows) {
  PathRule rule;
  rule.allows_ = allows;
  if (text.starts_with("//")) {
    rule.anchor_ = Anchor::root;
    text.remove_prefix(1);
  } else if (text == "~" || text.starts_with("~/")) {
    rule.anchor_ = Anchor::home;
    text.remove_prefix(1);
  } else if (text.starts_with('/')) {  // a rule of no file: a flag's, or a pack's
    rule.anchor_ = Anchor::root;
  }
  bool begins_here = text.starts_with("./") || text.starts_with('/');
  while (text.ends_with('/'))
    text.remove_suffix(1);
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find('/', at), text.size());
    std::string_view part = text.substr(at, end - at);
    if (!part.empty() && part != ".") rule.parts_.emplace_back(part);
    at = end + 1;
  }
  bool is_single = rule.parts_.size() == 1 && rule.anchor_ == Anchor::here && !begins_here;
  bool is_single_folder = rule.parts_.size() == 2 && rule.parts_[1] == "**" &&
                          rule.anchor_ == Anchor::here && !begins_here;
  rule.at_any_depth_ = is_single || (is_single_folder && !allows);
  return rule;
}

// Does what is left of a path fit the parts from `part` on, itself or one of the folders it lies
// in?
bool PathRule::fits_from(std::string_view rest, size_t part, bool folds) const {
  while (true) {
    if (part == parts_.size()) return true;  // what lies in a folder that fits
    if (parts_[part] == "**") {
      // At the end it is all that lies in it; to a denial also the folder.
      if (part + 1 == parts_.size()) return !rest.empty() || !allows_;
      for (std::string_view left = rest;;) {
        if (fits_from(left, part + 1, folds)) return true;
        size_t slash = left.find('/');
        if (slash == left.npos) return false;
        left = left.substr(slash + 1);
      }
    }
    if (rest.empty()) return false;
    size_t slash = std::min(rest.find('/'), rest.size());
    policy::Letters letters = folds ? policy::Letters::any_case : policy::Letters::exact;
    if (!policy::fits_wildcard(rest.substr(0, slash), parts_[part], letters)) return false;
    rest = rest.substr(std::min(slash + 1, rest.size()));
    part++;
  }
}

bool PathRule::fits(std::string_view path, std::string_view anchor, bool folds) const {
  auto rest = beneath(path, anchor, folds);
  if (!rest) return false;
  if (parts_.empty()) return true;
  if (!at_any_depth_) return fits_from(*rest, 0, folds);
  for (std::string_view left = *rest;;) {
    if (fits_from(left, 0, folds)) return true;
    size_t slash = left.find('/');
    if (slash == left.npos) return false;
    left = left.substr(slash + 1);
  }
}

bool PathRule::may_fit_gaps(const shell::Word& path, std::string_view anchor) const {
  std::vector<Token> named = path_tokens(path);
  auto overlaps = [&](bool is_deeper) {
    std::vector<Token> pattern;
    add_letters(pattern, anchor == "/" ? "" : anchor);
    if (is_deeper) {
      pattern.push_back({Kind::letter, '/'});
      pattern.push_back({Kind::text});
    }
    for (const std::string& part : parts_) {
      pattern.push_back({Kind::letter, '/'});
      if (part == "**") {
        pattern.push_back({Kind::text});
      } else {
        add_part(pattern, part);
      }
    }
    if (may_overlap(pattern, named, true)) return true;
    pattern.push_back({Kind::letter, '/'});
    pattern.push_back({Kind::text});
    return may_overlap(pattern, named, true);
  };
  return overlaps(false) || (at_any_depth_ && overlaps(true));
}

bool PathRule::may_fit(const NamedFile& file, const Anchors& anchors) const {
  auto fits_anchor = [&](std::string_view anchor) {
    if (anchor.empty()) return false;
    if (!file.is_known()) return may_fit_gaps(file.path, anchor);
    return fits(file.path.text, anchor, true) ||
           (file.target != file.path.text && fits(file.target, anchor, true));
  };
  if (anchor_ == Anchor::root) return fits_anchor("/");
  if (anchor_ == Anchor::home) return fits_anchor(anchors.home);
  return fits_anchor(anchors.workspace) ||
         (anchors.folder != anchors.workspace && fits_anchor(anchors.folder));
}

std::vector<std::string> PathRule::places(const Anchors& anchors, std::string_view folder) const {
  size_t first = !parts_.empty() && parts_[0] == "**" ? 1 : 0;
  std::string rest;
  for (size_t i = first; i < parts_.size(); i++) {
    if (parts_[i] == "**" && i + 1 == parts_.size()) break;
    if (parts_[i].find_first_of("*?[\\") != std::string::npos) return {};
    rest += "/" + parts_[i];
  }
  if (rest.empty()) return {};
  std::vector<std::string> all;
  auto add = [&](std::string_view base) {
    if (!base.empty()) all.push_back((base == "/" ? "" : std::string(base)) + rest);
  };
  if (anchor_ == Anchor::root) add("/");
  if (anchor_ == Anchor::home) add(anchors.home);
  if (anchor_ == Anchor::here) add(anchors.workspace);
  if (anchor_ == Anchor::here && anchors.folder != anchors.workspace) add(anchors.folder);
  if (at_any_depth_ || first == 1) add(folder);
  return all;
}

bool PathRule::surely_fits(const NamedFile& file, const Anchors& anchors) const {
  if (!file.is_known()) return false;
  std::string_view anchor = "/";
  if (anchor_ == Anchor::home) anchor = anchors.home;
  if (anchor_ == Anchor::here) anchor = anchors.workspace;
  if (anchor.empty()) return false;
  return fits(file.path.text, anchor, false) && fits(file.target, anchor, false);
}

}  // namespace ringwall::gate
