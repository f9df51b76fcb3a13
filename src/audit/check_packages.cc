#include "audit/checks.h"
#include "audit/package_address.h"
#include "base/text.h"
#include "files/name_pattern.h"

namespace ringwall::audit {
namespace {

// "key = value" or "key=value" lines of rc files.
struct RcLine {
  size_t number = 0;
  std::string key;
  std::string_view value;
};

std::string_view without_quotes(std::string_view word) {
  bool is_quoted =
      word.size() >= 2 && (word[0] == '"' || word[0] == '\'') && word.back() == word[0];
  return is_quoted ? word.substr(1, word.size() - 2) : word;
}

void each_rc_line(std::string_view content, const std::function<void(const RcLine&)>& use) {
  size_t number = 0;
  for (std::string_view line : text::split_in_place(content, '\n')) {
    number++;
    line = text::trim(line);
    if (line.empty() || line.starts_with('#') || line.starts_with(';')) continue;
    size_t equals = line.find_first_of("=");
    std::string_view key = text::trim(line.substr(0, std::min(equals, line.size())));
    std::string_view value =
        equals == std::string_view::npos ? std::string_view() : text::trim(line.substr(equals + 1));
    use({number, text::in_small_letters(without_quotes(key)), without_quotes(value)});
  }
}

// Where yarn keeps its own releases and plugins.
bool is_yarns_own(std::string_view path) {
  if (path.starts_with("./")) path.remove_prefix(2);
  bool is_release =
      path.starts_with(".yarn/releases/yarn-") && (path.ends_with(".cjs") || path.ends_with(".js"));
  bool is_plugin = path.starts_with(".yarn/plugins/@yarnpkg/plugin-") && path.ends_with(".cjs");
  return (is_release || is_plugin) && !path.contains("..");
}

// Variables that make every program of a build run other code.
bool is_loader(std::string_view way) {
  for (std::string_view name : {"env.LD_PRELOAD", "env.LD_AUDIT", "env.LD_LIBRARY_PATH", "env.PATH",
                                "env.RUSTC_WRAPPER", "env.RUSTC", "env.BASH_ENV"}) {
    if (way == name || way == std::string(name) + ".value") return true;
  }
  return false;
}

}  // namespace

void check_package_rc(const RepositoryFile& file, Reporter& reporter) {
  each_rc_line(file.content, [&](const RcLine& line) {
    bool is_registry = line.key == "registry" || line.key.ends_with(":registry") ||
                       line.key == "index-url" || line.key == "extra-index-url" ||
                       line.key == "find-links";
    std::string seen = line.key + "=" + std::string(line.value);
    if (is_registry && !is_known_registry(host_of(line.value)))
      reporter.add("RW265", file.path, line.number, seen);
    for (std::string_view key :
         {"script-shell", "node-options", "git", "shell", "editor", "viewer", "init-module",
          "globalconfig", "userconfig", "prefix", "onload-script", "unsafe-perm", "pnpmfile",
          "global-pnpmfile", "tokenhelper"}) {
      bool runs =
          (line.key == key || line.key.ends_with(":" + std::string(key))) && line.value != "false";
      if (runs) reporter.add("RW266", file.path, line.number, seen);
    }
  });
}

// .yarnrc of yarn 1: a key, a blank, a value.
void check_yarn1_rc(const RepositoryFile& file, Reporter& reporter) {
  size_t number = 0;
  for (std::string_view line : text::split_in_place(file.content, '\n')) {
    number++;
    line = text::trim(line);
    size_t blank = line.find_first_of(" \t=");
    if (line.starts_with('#') || blank == std::string_view::npos) continue;
    std::string_view key = without_quotes(line.substr(0, blank));
    if (key.ends_with(':')) key.remove_suffix(1);
    std::string_view value = without_quotes(text::trim(line.substr(blank + 1)));
    if (key == "yarn-path")
      reporter.add(is_yarns_own(value) ? "RW264" : "RW263", file.path, number, line);
    if (key == "registry" && !is_known_registry(host_of(value)))
      reporter.add("RW265", file.path, number, line);
    if (key == "script-shell" || key == "--script-shell" || key == "--use-yarnrc")
      reporter.add("RW266", file.path, number, line);
  }
}

void check_yarn_rc(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_settings(file, read_yaml_settings, reporter);
  if (!settings) return;
  visit(*settings, [&](const std::string& way, const Setting& value) {
    if (!value.is_text()) return;
    bool is_program = way == "yarnPath" || way == "plugins.path" || way == "plugins";
    if (is_program)
      reporter.add(is_yarns_own(value.text) ? "RW264" : "RW263", file.path, value.line,
                   way + ": " + value.text);
    if (way.ends_with("npmRegistryServer") && !is_known_registry(host_of(value.text)))
      reporter.add("RW265", file.path, value.line, way + ": " + value.text);
  });
}

void check_cargo_config(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_settings(file, read_toml_settings, reporter);
  if (!settings) return;
  visit(*settings, [&](const std::string& way, const Setting& value) {
    bool is_program = way == "build.rustc-wrapper" || way == "build.rustc" ||
                      way == "build.rustdoc" || way == "build.rustc-workspace-wrapper" ||
                      way.ends_with(".runner") || way.ends_with(".credential-provider") ||
                      way == "http.proxy";
    bool is_linker = way.ends_with(".linker");
    std::string words = words_of(value);
    bool is_helper = way.ends_with("credential-providers") && value.is_text() &&
                     !value.text.starts_with("cargo:");
    if (is_helper || (is_loader(way) && !value.is_object()))
      reporter.add("RW266", file.path, value.line, way + ": " + words);
    bool has_path = words.contains('/');
    // Cross builds name a linker and a runner of the system; those in the tree are the
    // repository's.
    if ((is_program && !value.is_object() && (has_path || way.starts_with("build."))) ||
        (is_linker && has_path)) {
      // sccache and mold are what wrappers are for.
      if (words != "sccache" && words != "/usr/bin/sccache")
        reporter.add("RW266", file.path, value.line, way + ": " + words);
    }
    bool is_source = way.ends_with(".registry") || way.ends_with(".index");
    if (is_source && value.is_text() && host_of(value.text).size() > 0 &&
        !is_known_registry(host_of(value.text)))
      reporter.add("RW265", file.path, value.line, way + ": " + value.text);
  });
}

void check_python_start(const RepositoryFile& file, Reporter& reporter) {
  bool is_path_file = file.path.ends_with(".pth");
  if (is_path_file && !file.content.starts_with("import ") && !file.content.contains("\nimport "))
    return;
  reporter.add("RW268", file.path, 1, file.content.substr(0, 200));
  check_command(file.path, 1, file.content, reporter);
}

void check_build_script(const RepositoryFile& file, Reporter& reporter) {
  check_command(file.path, 1, file.content, reporter);
}

}  // namespace ringwall::audit
