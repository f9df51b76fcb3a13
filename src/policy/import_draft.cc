#include "policy/import_draft.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "policy/fields.h"
#include "policy/toml_text.h"
#include "policy/values.h"

namespace ringwall::policy {
namespace {

constexpr size_t kMostAbout = 200;  // lines below one comment
constexpr size_t kLineWidth = 96;

// In the order of the file that is written.
constexpr std::string_view kKeys[] = {"files.read",       "files.write",     "files.protect",
                                      "files.hide",       "network.allow",   "network.deny",
                                      "environment.pass", "environment.set", "tools.deny",
                                      "tools.ask",        "tools.allow"};

// A comment of several lines, broken at spaces.
std::string wrapped(std::string_view text) {
  std::string lines = "# ";
  size_t width = 0;
  for (const std::string& word : text::split(text, ' ')) {
    if (width > 0 && width + word.size() > kLineWidth) {
      lines += "\n# ";
      width = 0;
    }
    lines += (width > 0 ? " " : "") + word;
    width += word.size() + 1;
  }
  return lines + "\n";
}

}  // namespace

ImportDraft::ImportDraft(std::string tool, const ImportSource& source)
    : tool_(std::move(tool)), source_(source) {}

void ImportDraft::add(std::string_view key, const std::string& value, const std::string& from) {
  std::vector<Value>& values = values_[std::string(key)];
  auto is_same = [&](const Value& known) { return known.text == value; };
  if (std::any_of(values.begin(), values.end(), is_same)) return;
  if (const Field* field = field_by_key(key)) {
    Source source{{}, path::parent(source_.file), source_.home};
    if (auto checked = check_text(*field, value, source); !checked) {
      std::string why = checked.error().what;
      if (!checked.error().hint.empty()) why += " (" + checked.error().hint + ")";
      return remark("Not taken over, since Ringwall refuses it:", from + ": " + why);
    }
  }
  values.push_back({value, from});
}

void ImportDraft::remark(const std::string& text, const std::string& what) {
  auto known = std::find_if(remarks_.begin(), remarks_.end(),
                            [&](const Remark& remark) { return remark.text == text; });
  if (known == remarks_.end()) known = remarks_.insert(known, {text, {}});
  std::vector<std::string>& about = known->about;
  if (std::find(about.begin(), about.end(), what) == about.end()) about.push_back(what);
}

std::string ImportDraft::comments() const {
  std::string lines;
  for (const Remark& remark : remarks_) {
    lines += "#\n" + wrapped(remark.text);
    for (size_t i = 0; i < std::min(remark.about.size(), kMostAbout); i++)
      lines += "#   " + in_toml_comment(remark.about[i]) + "\n";
    if (remark.about.size() > kMostAbout)
      lines += "#   and " + std::to_string(remark.about.size() - kMostAbout) + " more\n";
  }
  return lines;
}

std::string ImportDraft::list(std::string_view key) const {
  auto found = values_.find(key);
  if (found == values_.end() || found->second.empty()) return {};
  std::string lines = std::string(key.substr(key.find('.') + 1)) + " = [\n";
  for (const Value& value : found->second)
    lines += "  " + in_toml_quotes(value.text) + ",  # " + in_toml_comment(value.from) + "\n";
  return lines + "]\n";
}

std::string ImportDraft::toml() const {
  std::string text = "# Made by: ringwall import " + tool_ + " " +
                     in_toml_comment(text::quote(source_.file)) + "\n" + comments();
  std::string section;
  for (std::string_view key : kKeys) {
    std::string lines = list(key);
    if (lines.empty()) continue;
    std::string name(key.substr(0, key.find('.')));
    if (name != section) text += "\n[" + name + "]\n";
    section = name;
    text += lines;
  }
  return text;
}

}  // namespace ringwall::policy
