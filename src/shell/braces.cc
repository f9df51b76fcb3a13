// The expansion of braces. It comes before all others and sees only unquoted text.
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "shell/pieces.h"

namespace ringwall::shell {
namespace {

constexpr size_t kMostWords = 256;
constexpr int kDeepest = 16;

// One byte of unquoted text, or a whole piece of another kind.
struct Atom {
  char c = 0;
  const Piece* piece = nullptr;
};

using Atoms = std::vector<Atom>;

bool is(const Atom& atom, char c) { return atom.piece == nullptr && atom.c == c; }

Atoms to_atoms(const Pieces& pieces) {
  Atoms atoms;
  for (const Piece& piece : pieces) {
    if (piece.kind == Piece::Kind::plain) {
      for (char c : piece.text)
        atoms.push_back({c});
    } else {
      atoms.push_back({0, &piece});
    }
  }
  return atoms;
}

Pieces to_pieces(const Atoms& atoms) {
  Pieces pieces;
  for (const Atom& atom : atoms) {
    if (atom.piece != nullptr) {
      pieces.push_back(*atom.piece);
    } else {
      add_plain(pieces, std::string_view(&atom.c, 1));
    }
  }
  return pieces;
}

class Expansion {
 public:
  bool expand(const Atoms& atoms, int depth, std::vector<Atoms>& out) {
    if (depth > kDeepest) return false;
    for (size_t i = 0; i < atoms.size(); i++) {
      if (!is(atoms[i], '{')) continue;
      std::vector<Atoms> choices;
      size_t end = 0;
      if (!read_choices(atoms, i, choices, end)) continue;
      return combine(atoms, i, choices, end, depth, out);
    }
    out.push_back(atoms);
    return out.size() <= kMostWords;
  }

 private:
  // The parts of {…} at `at`; false if there is nothing to choose.
  static bool read_choices(const Atoms& atoms, size_t at, std::vector<Atoms>& choices,
                           size_t& end) {
    int open = 0;
    Atoms part;
    for (end = at + 1; end < atoms.size(); end++) {
      const Atom& atom = atoms[end];
      if (is(atom, '}') && open-- == 0) break;
      if (is(atom, '{')) open++;
      if (is(atom, ',') && open == 0) {
        choices.push_back(std::move(part));
        part.clear();
      } else {
        part.push_back(atom);
      }
    }
    if (end == atoms.size()) return false;
    if (choices.empty()) return read_sequence(part, choices);
    choices.push_back(std::move(part));
    return true;
  }

  // a..e, 1..9, 1..9..2
  static bool read_sequence(const Atoms& part, std::vector<Atoms>& choices) {
    std::string text;
    for (const Atom& atom : part) {
      if (atom.piece != nullptr) return false;
      text += atom.c;
    }
    size_t dots = text.find("..");
    if (dots == std::string::npos || dots == 0) return false;
    std::string from = text.substr(0, dots), to = text.substr(dots + 2), step;
    if (size_t more = to.find(".."); more != std::string::npos) {
      step = to.substr(more + 2);
      to.resize(more);
    }
    if (from.size() == 1 && to.size() == 1 && !std::isdigit(from[0]) && !std::isdigit(to[0]))
      return add_sequence(from[0], to[0], number_of(step), true, choices);
    long first = 0, last = 0;
    if (!read_number(from, first) || !read_number(to, last)) return false;
    return add_sequence(first, last, number_of(step), false, choices);
  }

  static bool read_number(const std::string& text, long& value) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  }

  static long number_of(const std::string& text) {
    long value = 1;
    if (!read_number(text, value) || value == 0 || value < -1000000 || value > 1000000) return 1;
    return value < 0 ? -value : value;
  }

  static bool add_sequence(long from, long to, long step, bool letters,
                           std::vector<Atoms>& choices) {
    constexpr long kFarthest = 1L << 40;
    if (from < -kFarthest || from > kFarthest || to < -kFarthest || to > kFarthest) return false;
    bool up = from <= to;
    for (long at = from; up ? at <= to : at >= to; at += up ? step : -step) {
      Atoms choice;
      for (char c : letters ? std::string(1, static_cast<char>(at)) : std::to_string(at))
        choice.push_back({c});
      choices.push_back(std::move(choice));
      if (choices.size() > kMostWords) break;  // seen by who combines them
    }
    return true;
  }

  bool combine(const Atoms& atoms, size_t at, const std::vector<Atoms>& choices, size_t end,
               int depth, std::vector<Atoms>& out) {
    if (choices.size() > kMostWords) return false;
    std::vector<Atoms> tails;
    Atoms tail(atoms.begin() + static_cast<long>(end) + 1, atoms.end());
    if (!expand(tail, depth + 1, tails)) return false;
    for (const Atoms& choice : choices) {
      std::vector<Atoms> middles;
      if (!expand(choice, depth + 1, middles)) return false;
      for (const Atoms& middle : middles) {
        for (const Atoms& ending : tails) {
          Atoms word(atoms.begin(), atoms.begin() + static_cast<long>(at));
          word.insert(word.end(), middle.begin(), middle.end());
          word.insert(word.end(), ending.begin(), ending.end());
          out.push_back(std::move(word));
          if (out.size() > kMostWords) return false;
        }
      }
    }
    return true;
  }
};

}  // namespace

bool expand_braces(const Pieces& pieces, std::vector<Pieces>& out) {
  auto has_brace = [](const Piece& piece) {
    return piece.kind == Piece::Kind::plain && piece.text.find('{') != std::string::npos;
  };
  if (std::ranges::none_of(pieces, has_brace)) {
    out.push_back(pieces);
    return true;
  }
  constexpr size_t kLongest = 4096;
  constexpr long kMostBraces = 32;
  Atoms atoms = to_atoms(pieces);
  std::vector<Atoms> words;
  auto opens = [](const Atom& atom) { return is(atom, '{'); };
  bool is_too_much = atoms.size() > kLongest || std::ranges::count_if(atoms, opens) > kMostBraces;
  if (is_too_much || !Expansion().expand(atoms, 0, words)) {
    out.push_back(pieces);
    return false;
  }
  for (const Atoms& word : words)
    out.push_back(to_pieces(word));
  return true;
}

}  // namespace ringwall::shell
