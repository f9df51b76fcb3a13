// Rules of the packs about code that is given to an interpreter or a database.
#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "gate/flag_match.h"
#include "gate/pack_match.h"

namespace ringwall::gate {
namespace {

// "model.eval(" is a method; the function has other names only by way of builtins.
bool is_method_only(std::string_view language, std::string_view needle, std::string_view code) {
  if (language != "python" || (needle != "eval(" && needle != "exec(")) return false;
  if (code.find("builtins") != code.npos) return false;
  for (size_t at = code.find(needle); at != code.npos; at = code.find(needle, at + 1)) {
    char before = at == 0 ? ' ' : code[at - 1];
    bool is_part = isalnum(static_cast<unsigned char>(before)) || before == '_' || before == '.';
    if (!is_part) return false;
  }
  return true;
}

// "DROP   TABLE" is "drop table" too.
std::string with_single_blanks(std::string small) {
  auto end = std::unique(small.begin(), small.end(),
                         [](char a, char b) { return isspace(a) && isspace(b); });
  small.erase(end, small.end());
  std::replace_if(
      small.begin(), small.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return small;
}

// And so is DROP/* this */TABLE, and to some servers /*!DROP TABLE*/.
std::string without_comments(std::string_view sql, bool keeps_text) {
  std::string out;
  while (true) {
    size_t begin = sql.find("/*");
    out += sql.substr(0, begin);
    if (begin == sql.npos) return out;
    size_t end = std::min(sql.find("*/", begin + 2), sql.size());
    std::string_view inside = sql.substr(begin + 2, end - begin - 2);
    if (inside.starts_with('!')) inside.remove_prefix(1);
    out += ' ' + std::string(keeps_text ? inside : "") + ' ';
    sql.remove_prefix(std::min(end + 2, sql.size()));
  }
}

void keep_stricter(PackHit<PackCode>& best, const Pack& pack, const PackCode& row) {
  if (best.row == nullptr || row.answer > best.row->answer) best = {&pack, &row, false};
}

}  // namespace

PackHit<PackCode> match_code(std::string_view language, std::string_view code, PackSet on) {
  PackHit<PackCode> best;
  std::string small = text::in_small_letters(code);
  if (language == "sql" && small.find("/*") != small.npos)
    small = without_comments(small, false) + '\n' + without_comments(small, true);
  small = with_single_blanks(std::move(small));
  for (size_t i = 0; i < packs().size(); i++) {
    if ((on >> i & 1) == 0) continue;
    for (const PackCode& row : packs()[i].code) {
      if (is_listed(row.languages, language) && small.find(row.needle) != small.npos &&
          !is_method_only(language, row.needle, small))
        keep_stricter(best, packs()[i], row);
    }
  }
  return best;
}

}  // namespace ringwall::gate
