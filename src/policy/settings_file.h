// A JSON settings file of another tool, read by name and type. What has another type than it should
// is a mistake with its line and column; what nobody asked for can be listed. The file may be
// hostile: nothing in it is more than text.
#pragma once

#include <boost/json/value.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "policy/load.h"

namespace ringwall::policy {

inline constexpr size_t kMostSettings = 1 << 20;  // bytes

class SettingsFile {
 public:
  // `file` is for messages. Mistakes of syntax are noted at once.
  SettingsFile(std::string_view text, std::string file);

  bool is_object() const { return root_.is_object(); }
  const boost::json::value& root() const { return root_; }
  // `way` leads from the top: keys, and the places in lists.
  void report(const std::vector<std::string>& way, const std::string& what);

  bool has_mistakes() const { return !mistakes_.empty(); }
  std::vector<Diagnostic> mistakes() const;  // in the order of the file

 private:
  void parse(std::string_view text);
  std::string place_of(size_t offset) const;
  void report_at(size_t offset, std::string what, std::string hint = {});

  std::string_view text_;
  std::string file_;
  boost::json::value root_;
  std::multimap<size_t, Diagnostic> mistakes_;  // by where they stand
};

// A path of a list; some tools say that one is not to be taken for a pattern.
struct ListedPath {
  std::string text;
  bool is_literal = false;
};

// One object of the file. What is asked for is remembered.
class Section {
 public:
  explicit Section(SettingsFile& file);

  // Something stands there, whatever it is.
  bool has(std::string_view key);
  std::optional<bool> flag(std::string_view key);
  std::optional<std::string> text(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  std::vector<ListedPath> paths(std::string_view key);
  // Empty if it is not there.
  Section section(std::string_view key);
  std::vector<Section> sections(std::string_view key);
  std::vector<std::string> keys() const;

  // "sandbox.network.allowedDomains"
  std::string name_of(std::string_view key) const;
  // The full names of the keys that nobody asked for.
  std::vector<std::string> rest() const;

 private:
  Section(SettingsFile& file, const boost::json::object* object, std::vector<std::string> way)
      : file_(&file), object_(object), way_(std::move(way)) {}
  const boost::json::value* find(std::string_view key);
  const boost::json::array* find_list(std::string_view key);
  std::vector<std::string> way_to(std::string_view key) const;
  std::vector<std::string> way_to(std::string_view key, size_t entry) const;
  void misfit(const std::vector<std::string>& way, std::string_view wanted);

  SettingsFile* file_;
  const boost::json::object* object_;
  std::vector<std::string> way_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace ringwall::policy
