// The paths of the packs against one file.
#include <filesystem>

#include "base/path.h"
#include "base/text.h"
#include "gate/flag_match.h"
#include "gate/pack_index.h"
#include "gate/pack_match.h"

namespace ringwall::gate {
namespace {

using shell::Word;

// A folder with more is taken for one that has such a file.
constexpr int kMostEntries = 4096;

bool has_gaps_in_name_only(const Word& path, size_t begin) {
  return std::all_of(path.gaps.begin(), path.gaps.end(), [&](const Word::Gap& gap) {
    return gap.kind == Word::Gap::Kind::name && gap.at >= begin;
  });
}

Word name_of_path(const Word& path, size_t begin) {
  Word name{path.text.substr(begin), {}};
  for (const Word::Gap& gap : path.gaps)
    name.gaps.push_back({static_cast<uint32_t>(gap.at - begin), gap.kind});
  return name;
}

bool is_excepted(const PackPath& row, const NamedFile& file) {
  if (row.except.empty()) return false;
  if (file.is_known()) {
    std::string_view name = path::basename(file.target);
    return any_part(row.except, '|', [&](std::string_view glob) { return fits_glob(name, glob); });
  }
  size_t begin = file.path.text.rfind('/') + 1;
  if (!has_gaps_in_name_only(file.path, begin)) return false;
  Word name = name_of_path(file.path, begin);
  return any_part(row.except, '|', [&](std::string_view glob) { return surely_fits(name, glob); });
}

// Keys that tests are made with: those of nobody.
bool is_fixture(const PackPath& row, const NamedFile& file, const Anchors& anchors) {
  constexpr std::string_view kFolders =
      "fixtures|fixture|testdata|test-data|test_data|__fixtures__|mocks|__mocks__";
  if (!row.pattern.starts_with("//**/id_") || !file.is_known() || anchors.workspace.empty())
    return false;
  auto lies_there = [&](std::string_view path) {
    if (!path::is_beneath(path, anchors.workspace)) return false;
    return any_part(path.substr(anchors.workspace.size()), '/',
                    [&](std::string_view part) { return is_listed(kFolders, part); });
  };
  return lies_there(file.path.text) && lies_there(file.target);
}

// "README*" may be README.kdbx; it is asked about where there is such a file, or where the name
// says as much: "*.kd*".
bool is_unlikely(const PackPath& row, const NamedFile& file) {
  std::string_view wanted = path::basename(row.pattern);
  if (file.is_known() || wanted.size() < 3 || !wanted.starts_with("*.")) return false;
  size_t begin = file.path.text.rfind('/') + 1;
  if (!has_gaps_in_name_only(file.path, begin)) return false;
  Word name = name_of_path(file.path, begin);
  if (text::in_small_letters(name.text).find(wanted.substr(1, 2)) != std::string::npos)
    return false;
  std::error_code error;
  std::filesystem::directory_iterator at(file.path.text.substr(0, begin), error);
  if (error) return true;
  for (int count = 0; at != std::filesystem::directory_iterator(); at.increment(error)) {
    if (error || ++count > kMostEntries) return false;
    std::string entry = at->path().filename().string();
    if (fits_glob(text::in_small_letters(entry), wanted) && may_fit(name, entry)) return false;
  }
  return true;
}

}  // namespace

PackHit<PackPath> match_path(const NamedFile& file, bool writes, const Anchors& anchors,
                             PackSet on) {
  PackHit<PackPath> best;
  path_index().visit(file, [&](const IndexedPath& entry) {
    const Pack& pack = packs()[entry.pack];
    const PackPath& row = pack.paths[entry.row];
    if ((on >> entry.pack & 1) == 0) return;
    if (row.use == (writes ? PackPath::Use::read : PackPath::Use::write)) return;
    if (best.row != nullptr && best.row->answer >= row.answer) return;
    if (is_excepted(row, file) || !entry.rule.may_fit(file, anchors)) return;
    if (!is_fixture(row, file, anchors) && !is_unlikely(row, file))
      best = {&pack, &row, !file.is_known()};
  });
  return best;
}

}  // namespace ringwall::gate
