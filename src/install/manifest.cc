#include "install/manifest.h"

#include <algorithm>

#include "base/byte_text.h"
#include "base/readable_json.h"
#include "base/strict_json.h"

namespace ringwall::install {
namespace {

namespace json = boost::json;

constexpr int64_t kVersion = 1;
constexpr std::string_view kFileKinds[] = {"absent", "file", "link", "other"};
constexpr std::string_view kChangeKinds[] = {"shim", "settings", "lines"};

json::object to_json(const FileState& state) {
  json::object out{{"kind", kFileKinds[static_cast<size_t>(state.kind)]}};
  if (state.is_absent()) return out;
  out["mode"] = state.mode;
  out["changed"] = state.changed;
  out["owner"] = state.owner;
  out["group"] = state.group;
  if (state.whole) out["content"] = text_of_bytes(state.content);
  return out;
}

json::object to_json(const Change& change) {
  json::object out{{"kind", kChangeKinds[static_cast<size_t>(change.kind)]},
                   {"agent", change.agent},
                   {"path", text_of_bytes(change.path)},
                   {"before", to_json(change.before)},
                   {"after", to_json(change.after)}};
  if (!change.moved_to.empty()) out["moved_to"] = text_of_bytes(change.moved_to);
  if (change.diverted) out["diverted"] = true;
  json::array edits, folders;
  for (const SettingsEdit& edit : change.edits)
    edits.push_back(install::to_json(edit));
  for (const std::string& folder : change.folders)
    folders.emplace_back(text_of_bytes(folder));
  if (!edits.empty()) out["edits"] = std::move(edits);
  if (!folders.empty()) out["folders"] = std::move(folders);
  return out;
}

// Reads members; the first that is not as it was written makes all of it an error.
class Reader {
 public:
  explicit Reader(const json::value& value) : object_(value.if_object()) {
    if (object_ == nullptr) good_ = false;
  }
  bool good() const { return good_; }
  const json::value* find(const char* key) const {
    return object_ == nullptr ? nullptr : object_->if_contains(key);
  }
  bool has(const char* key) const { return find(key) != nullptr; }

  std::string words(const char* key) {
    const json::value* value = find(key);
    if (value == nullptr || !value->is_string()) return fails<std::string>();
    return std::string(value->get_string());
  }
  std::string bytes(const char* key) {
    auto read = bytes_of_text(words(key));
    return read ? *read : fails<std::string>();
  }
  int64_t number(const char* key) {
    const json::value* value = find(key);
    if (value == nullptr || !value->is_int64()) return fails<int64_t>();
    return value->get_int64();
  }
  template <size_t N>
  size_t one_of(const char* key, const std::string_view (&names)[N]) {
    auto found = std::ranges::find(names, words(key));
    return found == std::end(names) ? fails<size_t>()
                                    : static_cast<size_t>(found - std::begin(names));
  }
  json::array list(const char* key) {
    const json::value* value = find(key);
    if (value == nullptr) return {};
    return value->is_array() ? value->get_array() : fails<json::array>();
  }
  template <class T>
  T fails() {
    good_ = false;
    return {};
  }

 private:
  const json::object* object_;
  bool good_ = true;
};

FileState read_state(const json::value* value, bool& good) {
  FileState out;
  if (value == nullptr) {
    good = false;
    return out;
  }
  Reader reader(*value);
  out.kind = static_cast<FileState::Kind>(reader.one_of("kind", kFileKinds));
  if (!out.is_absent() && reader.good()) {
    out.mode = static_cast<mode_t>(reader.number("mode"));
    out.changed = reader.number("changed");
    out.owner = static_cast<uid_t>(reader.number("owner"));
    out.group = static_cast<gid_t>(reader.number("group"));
    out.whole = reader.has("content");
    if (out.whole) out.content = reader.bytes("content");
  }
  good = good && reader.good();
  return out;
}

Result<Change> change_of(const json::value& value) {
  Reader reader(value);
  Change out;
  bool good = true;
  out.kind = static_cast<Change::Kind>(reader.one_of("kind", kChangeKinds));
  out.agent = reader.words("agent");
  out.path = reader.bytes("path");
  out.before = read_state(reader.find("before"), good);
  out.after = read_state(reader.find("after"), good);
  if (reader.has("moved_to")) out.moved_to = reader.bytes("moved_to");
  out.diverted = reader.has("diverted");
  for (const json::value& edit : reader.list("edits")) {
    TRY_ASSIGN(SettingsEdit read, settings_edit_of(edit));
    out.edits.push_back(std::move(read));
  }
  for (const json::value& folder : reader.list("folders")) {
    auto read = folder.is_string() ? bytes_of_text(std::string(folder.get_string())) : std::nullopt;
    good = good && read.has_value();
    out.folders.push_back(read.value_or(""));
  }
  if (!good || !reader.good() || !out.path.starts_with('/'))
    return fail("a change in it is not as it was written");
  return out;
}

}  // namespace

const Change* Manifest::find(const std::string& path) const {
  auto found = std::ranges::find(changes, path, &Change::path);
  return found == changes.end() ? nullptr : &*found;
}

bool Manifest::is_installed(std::string_view agent) const {
  return std::ranges::any_of(changes, [&](const Change& change) { return change.agent == agent; });
}

std::vector<std::string> Manifest::agents() const {
  std::vector<std::string> names;
  for (const Change& change : changes) {
    if (!change.agent.empty() && std::ranges::find(names, change.agent) == names.end())
      names.push_back(change.agent);
  }
  return names;
}

std::string manifest_text(const Manifest& manifest) {
  json::array changes;
  for (const Change& change : manifest.changes)
    changes.push_back(to_json(change));
  return readable_json(json::object{{"version", kVersion},
                                    {"program", text_of_bytes(manifest.program)},
                                    {"changes", std::move(changes)}}) +
         "\n";
}

Result<Manifest> parse_manifest(std::string_view text) {
  TRY_ASSIGN(json::object object, strict_json::parse_object(text, {.bytes = 64u << 20}));
  json::value whole(object);
  Reader reader(whole);
  if (reader.number("version") != kVersion)
    return fail("it was written by another version of Ringwall", "use that one to uninstall");
  Manifest out;
  out.program = reader.bytes("program");
  for (const json::value& change : reader.list("changes")) {
    TRY_ASSIGN(Change read, change_of(change));
    out.changes.push_back(std::move(read));
  }
  if (!reader.good()) return fail("it is not as it was written");
  return out;
}

}  // namespace ringwall::install
