#include "gate/gap_match.h"

#include <algorithm>

namespace ringwall::gate {
namespace {

using Kind = Token::Kind;

// Beyond this many steps two patterns are taken to overlap: a denial fires.
constexpr size_t kMostSteps = 1 << 20;

bool is_star(const Token& token) { return token.kind >= Kind::name; }

bool takes(Kind kind, char letter) {
  if (kind == Kind::text) return true;
  if (kind == Kind::first && letter == '.') return false;
  return letter != '/' && (letter != ' ' || kind != Kind::glob);
}

char folded(char c, bool folds) { return folds && c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; }

// Both stand for one character here.
bool shares_letter(const Token& a, const Token& b, bool folds) {
  if (a.kind == Kind::letter && b.kind == Kind::letter)
    return folded(a.letter, folds) == folded(b.letter, folds);
  if (a.kind == Kind::letter) return takes(b.kind, a.letter);
  if (b.kind == Kind::letter) return takes(a.kind, b.letter);
  return true;
}

// One row of what is reachable: positions in `b` after some tokens of `a`.
class Overlap {
 public:
  Overlap(std::span<const Token> a, std::span<const Token> b, bool folds)
      : a_(a), b_(b), folds_(folds), now_(b.size() + 1), next_(b.size() + 1) {}

  bool find() {
    now_[0] = true;
    skip_stars_of_b(now_);
    for (const Token& token : a_) {
      std::fill(next_.begin(), next_.end(), false);
      if (is_star(token)) {
        take_star(token);
      } else {
        take_one(token);
      }
      skip_stars_of_b(next_);
      std::swap(now_, next_);
      if (std::find(now_.begin(), now_.end(), true) == now_.end()) return false;
    }
    return now_[b_.size()];
  }

 private:
  void skip_stars_of_b(std::vector<bool>& row) const {
    for (size_t j = 0; j < b_.size(); j++) {
      if (row[j] && is_star(b_[j])) row[j + 1] = true;
    }
  }

  void take_one(const Token& token) {
    for (size_t j = 0; j < b_.size(); j++) {
      if (!now_[j] || !shares_letter(token, b_[j], folds_)) continue;
      next_[is_star(b_[j]) ? j : j + 1] = true;
    }
  }

  // A star of `a` takes nothing, or token after token of `b`.
  void take_star(const Token& star) {
    for (size_t j = 0; j <= b_.size(); j++) {
      if (now_[j]) next_[j] = true;
      if (j < b_.size() && next_[j] && (is_star(b_[j]) || shares_letter(star, b_[j], folds_)))
        next_[j + 1] = true;
    }
  }

  std::span<const Token> a_;
  std::span<const Token> b_;
  bool folds_;
  std::vector<bool> now_;
  std::vector<bool> next_;
};

std::vector<Token> tokens_of_glob(std::string_view glob) {
  std::vector<Token> out;
  out.reserve(glob.size());
  for (char c : glob)
    out.push_back(c == '*' ? Token{Kind::text} : Token{Kind::letter, c});
  return out;
}

// True if both begin alike up to the first star or gap of one of them.
bool begins_alike(const shell::Word& text, std::string_view glob) {
  size_t known = text.gaps.empty() ? text.text.size() : text.gaps[0].at;
  size_t star = std::min(glob.find('*'), glob.size());
  size_t both = std::min(known, star);
  if (text.text.compare(0, both, glob.substr(0, both)) != 0) return false;
  return both == star || !text.gaps.empty() || star < glob.size();
}

}  // namespace

bool fits_glob(std::string_view text, std::string_view glob) {
  size_t t = 0;
  size_t g = 0;
  size_t star = glob.npos;
  size_t from = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      from = t;
    } else if (g < glob.size() && glob[g] == text[t]) {
      g++;
      t++;
    } else if (star != glob.npos) {
      g = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*')
    g++;
  return g == glob.size();
}

bool may_fit(const shell::Word& text, std::string_view glob) {
  if (text.gaps.empty()) return fits_glob(text.text, glob);
  if (!begins_alike(text, glob)) return false;
  if (text.text.size() * (glob.size() + 1) > kMostSteps) return true;
  return may_overlap(tokens_of_glob(glob), tokens_of(text), false);
}

bool surely_fits(const shell::Word& text, std::string_view glob) {
  if (text.gaps.empty()) return fits_glob(text.text, glob);
  // A byte that no pattern holds can be taken by a star alone.
  std::string filled;
  size_t at = 0;
  for (const shell::Word::Gap& gap : text.gaps) {
    filled += text.text.substr(at, gap.at - at) + '\x01';
    at = gap.at;
  }
  return fits_glob(filled + text.text.substr(at), glob);
}

shell::Word join_words(std::span<const shell::Word> words) {
  shell::Word out;
  for (const shell::Word& word : words) {
    bool is_glob = !word.gaps.empty() && word.gaps[0].kind == shell::Word::Gap::Kind::name;
    bool may_vanish = word.splits && !is_glob;
    if (!out.text.empty() || !out.gaps.empty()) {
      if (may_vanish) {
        out.gaps.push_back({static_cast<uint32_t>(out.text.size())});
      } else {
        out.text += ' ';
      }
    }
    for (const shell::Word::Gap& gap : word.gaps)
      out.gaps.push_back({static_cast<uint32_t>(gap.at + out.text.size()), gap.kind});
    out.text += word.text;
    if (may_vanish) out.gaps.push_back({static_cast<uint32_t>(out.text.size())});
  }
  return out;
}

std::vector<Token> tokens_of(const shell::Word& text) {
  std::vector<Token> out;
  out.reserve(text.text.size() + text.gaps.size());
  size_t gap = 0;
  for (size_t i = 0; i <= text.text.size(); i++) {
    while (gap < text.gaps.size() && text.gaps[gap].at == i) {
      bool is_name = text.gaps[gap++].kind == shell::Word::Gap::Kind::name;
      out.push_back({is_name ? Kind::glob : Kind::text});
    }
    if (i < text.text.size()) out.push_back({Kind::letter, text.text[i]});
  }
  return out;
}

bool may_overlap(std::span<const Token> a, std::span<const Token> b, bool folds) {
  if ((a.size() + 1) * (b.size() + 1) > kMostSteps) return true;
  return Overlap(a, b, folds).find();
}

}  // namespace ringwall::gate
