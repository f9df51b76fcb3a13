#include "state/agreements.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "state/trust.h"

namespace ringwall::state {
namespace {

namespace json = boost::json;

constexpr std::string_view kSuffix = ".toolchains.json";

std::string note_of(const std::string& workspace) {
  return name_for_path(workspace) + std::string(kSuffix);
}

constexpr Said::Answer kAnswers[] = {Said::Answer::yes, Said::Answer::never, Said::Answer::hinted};

std::string text_of(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

// Number and birth: a repository that is put where another one was has to be agreed to anew.
Result<std::string> identify(const std::string& workspace) {
  struct statx facts;
  if (statx(AT_FDCWD, workspace.c_str(), AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME, &facts) < 0)
    return fail_errno("cannot look at " + text::quote(workspace));
  std::string born;
  if ((facts.stx_mask & STATX_BTIME) != 0)
    born = std::to_string(facts.stx_btime.tv_sec) + "." + std::to_string(facts.stx_btime.tv_nsec);
  return std::to_string(facts.stx_ino) + " " + born;
}

// A note that cannot be read says nothing.
std::optional<Agreement> read_note(const std::string& note) {
  auto text = file::read(note);
  if (!text) return std::nullopt;
  boost::system::error_code error;
  json::value value = json::parse(*text, error);
  const json::object* object = error ? nullptr : value.if_object();
  if (object == nullptr) return std::nullopt;
  Agreement read{.workspace = text_of(*object, "workspace"), .folder = text_of(*object, "folder")};
  const auto* since = object->if_contains("since");
  if (since != nullptr && since->is_int64()) read.since = since->get_int64();
  const auto* said = object->if_contains("said");
  if (said == nullptr || !said->is_object() || read.workspace.empty()) return std::nullopt;
  for (const auto& entry : said->get_object()) {
    if (!entry.value().is_object()) return std::nullopt;
    const json::object& one = entry.value().get_object();
    for (Said::Answer answer : kAnswers) {
      if (text_of(one, "answer") == name_of(answer))
        read.said[std::string(entry.key())] = {answer, text_of(one, "sha256")};
    }
  }
  return read;
}

bool has_answer(const Agreement& agreement) {
  return std::any_of(agreement.said.begin(), agreement.said.end(),
                     [](const auto& entry) { return entry.second.answer != Said::Answer::hinted; });
}

}  // namespace

std::string_view name_of(Said::Answer answer) {
  switch (answer) {
    case Said::Answer::yes:
      return "yes";
    case Said::Answer::never:
      return "never";
    case Said::Answer::hinted:
      return "hinted";
  }
  return "";
}

std::optional<Said::Answer> Agreement::answer_to(const std::string& profile,
                                                 const std::string& digest) const {
  auto found = said.find(profile);
  if (found == said.end() || found->second.digest != digest) return std::nullopt;
  return found->second.answer;
}

Result<Agreement> read_agreement(const Places& places, const std::string& workspace) {
  TRY_ASSIGN(std::string folder, identify(workspace));
  auto note = read_note(path::join(trust_folder(places), note_of(workspace)));
  // The note's name is a short digest: the path in it is what counts.
  if (note && note->workspace == workspace && note->folder == folder) return std::move(*note);
  return Agreement{.workspace = workspace, .folder = folder};
}

Status write_agreement(const Places& places, Agreement agreement) {
  TRY_ASSIGN(Fd folder, file::make_dirs(trust_folder(places)));
  json::object said;
  for (const auto& [name, one] : agreement.said)
    said[name] = json::object{{"answer", name_of(one.answer)}, {"sha256", one.digest}};
  json::object note{{"workspace", agreement.workspace},
                    {"folder", agreement.folder},
                    {"said", said},
                    {"since", clock::wall_seconds()}};
  return file::replace_at(folder.get(), note_of(agreement.workspace), json::serialize(note) + "\n");
}

Result<std::vector<Agreement>> list_agreements(const Places& places) {
  std::vector<Agreement> found;
  auto folder = file::open(trust_folder(places), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!folder && folder.error().err == ENOENT) return found;
  if (!folder) return std::unexpected(folder.error());
  TRY_ASSIGN(auto entries, file::list(folder->get()));
  for (const file::Entry& entry : entries) {
    if (entry.name.starts_with('.') || !entry.name.ends_with(kSuffix)) continue;
    auto note = read_note(path::join(trust_folder(places), entry.name));
    if (note && has_answer(*note)) found.push_back(std::move(*note));
  }
  std::sort(found.begin(), found.end(),
            [](const Agreement& a, const Agreement& b) { return a.workspace < b.workspace; });
  return found;
}

Result<bool> revoke_agreement(const Places& places, const std::string& workspace) {
  std::string note = path::join(trust_folder(places), note_of(workspace));
  auto known = read_note(note);
  if (!known || known->workspace != workspace) return false;
  if (unlink(note.c_str()) < 0) return fail_errno("cannot remove " + text::quote(note));
  return has_answer(*known);
}

}  // namespace ringwall::state
