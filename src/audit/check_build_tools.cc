// Files of build tools and package managers that name a program, or are one.
#include "audit/checks.h"
#include "audit/package_address.h"
#include "base/text.h"
#include "files/name_pattern.h"

namespace ringwall::audit {
namespace {

bool has_code(std::string_view content) {
  for (std::string_view line : text::split_in_place(content, '\n')) {
    line = text::trim(line);
    if (!line.empty() && !line.starts_with("//") && !line.starts_with('#')) return true;
  }
  return false;
}

}  // namespace

// .pnpmfile.cjs runs at every install, also with --ignore-scripts; extensions.xml loads code into
// every run of Maven.
void check_loaded_program(const RepositoryFile& file, Reporter& reporter) {
  bool is_xml = file.path.ends_with(".xml");
  if (is_xml ? !file.content.contains("<extension>") : !has_code(file.content)) return;
  reporter.add("RW267", file.path, 1, file.content.substr(0, 200));
  check_command(file.path, 1, file.content, reporter);
}

// .mvn/jvm.config, .mvn/maven.config, gradle.properties: code that is loaded into Java.
void check_java_options(const RepositoryFile& file, Reporter& reporter) {
  size_t number = 0;
  for (std::string_view line : text::split_in_place(file.content, '\n')) {
    number++;
    if (text::trim(line).starts_with('#')) continue;
    for (std::string_view option : {"-javaagent:", "-agentpath:", "-agentlib:", "-Xbootclasspath",
                                    "OnOutOfMemoryError=", "OnError=", "maven.ext.class.path"}) {
      bool is_debugger = option == "-agentlib:" && line.contains("-agentlib:jdwp");
      if (!line.contains(option) || is_debugger) continue;
      reporter.add("RW266", file.path, number, text::trim(line));
      break;
    }
  }
}

// rust-toolchain: a folder whose programs are run in place of the compiler.
void check_rust_toolchain(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_toml_settings(file.content);
  if (!settings) return;  // the old form: a name alone
  const Setting* path = settings->find_way("toolchain.path");
  if (path != nullptr && path->is_text())
    reporter.add("RW266", file.path, path->line, "toolchain.path: " + path->text);
}

void check_bunfig(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_settings(file, read_toml_settings, reporter);
  if (!settings) return;
  // Before every program; that of [test] is for tests alone.
  if (const Setting* preload = settings->find("preload"))
    reporter.add("RW267", file.path, preload->line, "preload: " + words_of(*preload));
  const Setting* registry = settings->find_way("install.registry");
  if (registry == nullptr) return;
  const Setting* url = registry->is_text() ? registry : registry->find("url");
  if (url != nullptr && url->is_text() && !is_known_registry(host_of(url->text)))
    reporter.add("RW265", file.path, url->line, "install.registry: " + url->text);
}

// .pre-commit-config.yaml, lefthook.yml: what runs at commits, once it is set up.
void check_hook_commands(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_yaml_settings(file.content);
  if (!settings) return check_command(file.path, 1, file.content, reporter);
  visit(*settings, [&](const std::string&, const Setting& value) {
    if (value.is_text()) check_command(file.path, value.line, value.text, reporter);
  });
}

}  // namespace ringwall::audit
