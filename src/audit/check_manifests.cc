// Files in which a project says which packages it wants: package.json, requirements.txt, go.mod.
// Addresses in them stand in plain sight: of another host they are told, as another registry is.
#include "audit/checks.h"
#include "audit/package_address.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

constexpr std::string_view kInstallScripts[] = {"preinstall", "install",     "postinstall",
                                                "prepare",    "preprepare",  "postprepare",
                                                "prepublish", "dependencies"};
constexpr std::string_view kWishes[] = {
    "dependencies",     "devDependencies", "optionalDependencies",
    "peerDependencies", "overrides",       "resolutions"};

void check_wish(const RepositoryFile& file, size_t line, std::string_view name,
                std::string_view address, Reporter& reporter) {
  std::string seen = std::string(name) + ": " + std::string(address);
  AddressKind kind = kind_of_address(address);
  std::string given = npm_package_at(address);
  bool is_other = (!given.empty() && given != name.substr(0, name.find('@', 1))) ||
                  !may_be_python_package(address, name);
  if (kind == AddressKind::unsafe || (kind == AddressKind::known && is_other))
    reporter.add("RW262", file.path, line, seen);
  if (kind == AddressKind::elsewhere) reporter.add("RW265", file.path, line, seen);
}

void check_wishes(const RepositoryFile& file, const std::string& name, const Setting& wish,
                  Reporter& reporter) {
  if (wish.is_text()) check_wish(file, wish.line, name, wish.text, reporter);
  for (const auto& [inner, value] : wish.members)  // overrides may be nested
    check_wishes(file, inner == "." ? name : inner, value, reporter);
}

// "yarn@https://…": corepack fetches and runs it as soon as yarn is called.
void check_package_manager(const RepositoryFile& file, const Setting& settings,
                           Reporter& reporter) {
  const Setting* manager = settings.find("packageManager");
  if (manager == nullptr || !manager->is_text()) return;
  std::string_view address = manager->text;
  size_t at = address.find('@', 1);
  if (at == std::string_view::npos) return;
  address.remove_prefix(at + 1);
  bool is_usual = npm_package_at(address) == "@yarnpkg/cli-dist" ||
                  address.starts_with("https://repo.yarnpkg.com/");
  if (address.contains("://") && !is_usual)
    reporter.add("RW263", file.path, manager->line, "packageManager: " + manager->text);
}

// The name before an address: "requests @ https://…", "-e git+https://…#egg=requests".
void check_requirement(const RepositoryFile& file, size_t number, std::string_view line,
                       Reporter& reporter) {
  size_t scheme = line.find("://");
  if (scheme == std::string_view::npos) return;
  size_t start = line.find_last_of(" \t@=", scheme);
  start = start == std::string_view::npos ? 0 : start + 1;
  std::string_view address = line.substr(start, line.find_first_of(" \t;", start) - start);
  std::string_view name = text::trim(line.substr(0, line.find_first_of("@[ ;")));
  if (name.starts_with('-') || name.contains("://")) name = {};
  if (name.empty()) {
    AddressKind kind = kind_of_address(address);
    if (kind == AddressKind::unsafe) reporter.add("RW262", file.path, number, line);
    if (kind == AddressKind::elsewhere) reporter.add("RW265", file.path, number, line);
    return;
  }
  check_wish(file, number, name, address, reporter);
}

// Hosts of modules that many projects take.
bool is_known_module(std::string_view module) {
  for (std::string_view host :
       {"github.com/", "gitlab.com/", "bitbucket.org/", "golang.org/", "google.golang.org/",
        "gopkg.in/", "k8s.io/", "sigs.k8s.io/", "go.uber.org/", "cloud.google.com/",
        "go.googlesource.com/", "gotest.tools/", "go.etcd.io/", "honnef.co/",
        "go.opentelemetry.io/", "codeberg.org/", "git.sr.ht/"}) {
    if (module.starts_with(host)) return true;
  }
  return false;
}

}  // namespace

void check_package_json(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_json_settings(file.content);
  if (!settings) return;  // tests keep broken ones; npm refuses it
  settings->each("scripts", [&](const Setting& scripts) {
    for (const auto& [name, value] : scripts.members) {
      if (!value.is_text()) continue;
      bool runs_by_itself = false;
      for (std::string_view script : kInstallScripts)
        runs_by_itself = runs_by_itself || name == script;
      if (runs_by_itself) reporter.add("RW261", file.path, value.line, name + ": " + value.text);
      // The others run when somebody asks for them, mostly an agent.
      check_command(file.path, value.line, value.text, reporter);
    }
  });
  const Setting* parts[] = {&*settings, settings->find("pnpm")};
  for (const Setting* part : parts) {
    if (part == nullptr) continue;
    for (std::string_view kind : kWishes) {
      part->each(kind, [&](const Setting& wishes) {
        for (const auto& [name, wish] : wishes.members)
          check_wishes(file, name, wish, reporter);
      });
    }
  }
  check_package_manager(file, *settings, reporter);
}

void check_requirements(const RepositoryFile& file, Reporter& reporter) {
  size_t number = 0;
  for (std::string_view line : text::split_in_place(file.content, '\n')) {
    number++;
    line = text::trim(line);
    if (line.empty() || line.starts_with('#')) continue;
    bool is_index = line.starts_with("--index-url") || line.starts_with("--extra-index-url") ||
                    line.starts_with("-i ") || line.starts_with("--find-links") ||
                    line.starts_with("-f ") || line.starts_with("--trusted-host");
    if (!is_index) {
      check_requirement(file, number, line, reporter);
      continue;
    }
    size_t scheme = line.find("http");
    std::string host = scheme == std::string_view::npos ? "" : host_of(line.substr(scheme));
    bool is_folder = host.empty() && !line.starts_with("--trusted-host");
    if (!is_folder && !is_known_registry(host)) reporter.add("RW265", file.path, number, line);
  }
}

// "replace A => B v1": B is taken, under A's name.
void check_go_mod(const RepositoryFile& file, Reporter& reporter) {
  size_t number = 0;
  for (std::string_view line : text::split_in_place(file.content, '\n')) {
    number++;
    line = text::trim(line.substr(0, line.find("//")));
    size_t arrow = line.find("=>");
    if (arrow == std::string_view::npos) continue;
    std::string_view from = text::trim(line.substr(0, arrow));
    if (from.starts_with("replace ")) from = text::trim(from.substr(8));
    std::string_view to = text::trim(line.substr(arrow + 2));
    bool is_folder = to.starts_with('.') || to.starts_with('/');
    std::string_view host = to.substr(0, to.find('/'));
    bool is_same_host = from.substr(0, from.find('/')) == host;
    if (!is_folder && !is_same_host && !is_known_module(to))
      reporter.add("RW265", file.path, number, line);
  }
}

}  // namespace ringwall::audit
