#include "state/trust.h"

#include <fcntl.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"

namespace ringwall::state {
namespace {

std::string note_of(const std::string& file) { return name_for_path(file) + ".json"; }

// A note that cannot be read trusts nothing.
std::optional<TrustedFile> read_note(const std::string& note) {
  auto text = file::read(note);
  if (!text) return std::nullopt;
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(*text, error);
  const boost::json::object* object = error ? nullptr : value.if_object();
  if (object == nullptr) return std::nullopt;
  const auto* file = object->if_contains("file");
  const auto* digest = object->if_contains("sha256");
  const auto* since = object->if_contains("since");
  if (file == nullptr || digest == nullptr || !file->is_string() || !digest->is_string())
    return std::nullopt;
  bool dated = since != nullptr && since->is_int64();
  return TrustedFile{std::string(file->get_string()), std::string(digest->get_string()),
                     dated ? since->get_int64() : 0};
}

}  // namespace

std::string trust_folder(const Places& places) { return path::join(places.state, "trust"); }

bool is_trusted(const Places& places, const std::string& file, std::string_view content) {
  auto note = read_note(path::join(trust_folder(places), note_of(file)));
  // The note's name is a short digest: the path in it is what counts.
  return note && note->file == file && note->digest == sha256(content);
}

Status trust(const Places& places, const std::string& file, std::string_view content) {
  TRY_ASSIGN(Fd folder, file::make_dirs(trust_folder(places)));
  boost::json::object note{
      {"file", file}, {"sha256", sha256(content)}, {"since", clock::wall_seconds()}};
  return file::replace_at(folder.get(), note_of(file), boost::json::serialize(note) + "\n");
}

Result<std::vector<TrustedFile>> list_trusted(const Places& places) {
  std::vector<TrustedFile> trusted;
  auto folder = file::open(trust_folder(places), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!folder && folder.error().err == ENOENT) return trusted;
  if (!folder) return std::unexpected(folder.error());
  TRY_ASSIGN(auto entries, file::list(folder->get()));
  for (const file::Entry& entry : entries) {
    if (entry.name.starts_with('.')) continue;
    if (auto note = read_note(path::join(trust_folder(places), entry.name)))
      trusted.push_back(std::move(*note));
  }
  std::sort(trusted.begin(), trusted.end(),
            [](const TrustedFile& a, const TrustedFile& b) { return a.file < b.file; });
  return trusted;
}

Result<bool> revoke_trust(const Places& places, const std::string& file) {
  std::string note = path::join(trust_folder(places), note_of(file));
  auto known = read_note(note);
  if (!known || known->file != file) return false;
  if (unlink(note.c_str()) < 0) return fail_errno("cannot remove " + text::quote(note));
  return true;
}

}  // namespace ringwall::state
