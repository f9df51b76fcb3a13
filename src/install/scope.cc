#include "install/scope.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "prepare/installed_settings.h"
#include "sandbox/toolchain.h"
#include "state/own_files.h"
#include "state/shims_folder.h"

namespace ringwall::install {
namespace {

constexpr const char* kManifest = "manifest.json";
constexpr size_t kMostBytes = 64u << 20;

// Whoever can change a folder on the way decides what everybody runs.
Status check_roots_own(const std::string& program) {
  for (std::string at = program;; at = path::parent(at)) {
    struct stat facts;
    if (stat(at.c_str(), &facts) < 0) return fail_errno("cannot look at " + text::quote(at));
    if (facts.st_uid != 0 || ((facts.st_mode & 0022) != 0 && (facts.st_mode & S_ISVTX) == 0))
      return fail(text::quote(at) + " can be changed by others than root",
                  "install Ringwall for everybody first: make install");
    if (at == "/") return {};
  }
}

// For runs, which have settings of their own in the place of these.
Status list_own_settings(int folder, const Manifest& manifest) {
  std::string lines;
  for (const Change& change : manifest.changes) {
    bool is_ours = change.kind != Change::Kind::shim && change.before.is_absent();
    if (is_ours && path::is_beneath(change.path, "/etc"))
      lines += sha256(change.after.content) + " " + change.path + "\n";
  }
  std::string name(path::basename(prepare::kInstalledSettings));
  if (!lines.empty()) return file::replace_at(folder, name, lines, 0644);
  if (unlinkat(folder, name.c_str(), 0) < 0 && errno != ENOENT)
    return fail_errno("cannot remove the list of settings");
  return {};
}

// For runs, which may not change them: a folder of Node versions, or of a person's settings, can be
// a workspace. A file behind a link is meant by both names.
Status list_paths(int folder, const Manifest& manifest) {
  std::string paths;
  for (const Change& change : manifest.changes) {
    for (const std::string& path :
         {change.path, change.moved_to, sandbox::follow_links(change.path).end}) {
      if (!path.empty()) paths += path + '\0';
    }
  }
  std::string name(path::basename(state::kInstalledPaths));
  if (!paths.empty()) return file::replace_at(folder, name, paths);
  if (unlinkat(folder, name.c_str(), 0) < 0 && errno != ENOENT)
    return fail_errno("cannot remove the list of what was installed");
  return {};
}

}  // namespace

Result<Scope> find_scope(bool system, const state::Caller& caller, const state::Places& places) {
  Scope scope{.system = system, .uid = caller.uid};
  TRY_ASSIGN(scope.program, file::read_link("/proc/self/exe"));
  if (system) {
    scope.folder = kSystemFolder;
    if (geteuid() != 0)
      return fail("--system changes what everybody runs, and needs root",
                  "sudo ringwall … --system; for yourself alone it works without");
    TRY(check_roots_own(scope.program));
    return scope;
  }
  scope.home = caller.home;
  scope.folder = path::join(places.state, "install");
  scope.shims = path::join(caller.home, state::kShimsFolder);
  return scope;
}

Result<InstallLock> InstallLock::take(const Scope& scope) {
  TRY_ASSIGN(Fd folder, file::make_dirs(scope.folder, scope.system ? 0755 : 0700));
  while (flock(folder.get(), LOCK_EX) < 0) {
    if (errno != EINTR) return fail_errno("cannot lock " + text::quote(scope.folder));
  }
  return InstallLock(scope.folder, std::move(folder));
}

// A folder that holds nothing is not left behind.
InstallLock::~InstallLock() {
  if (!held_) return;
  bool is_gone = rmdir(folder_.c_str()) == 0 || errno == ENOENT;
  if (is_gone) rmdir(path::parent(folder_).c_str());
}

Result<Manifest> read_manifest(const Scope& scope) {
  std::string path = path::join(scope.folder, kManifest);
  auto text = file::read(path, kMostBytes);
  if (!text && text.error().err == ENOENT) return Manifest{};
  if (!text) return std::unexpected(text.error());
  auto manifest = parse_manifest(*text);
  if (!manifest) {
    manifest.error().what.insert(0, text::quote(path) + " cannot be used: ");
    if (manifest.error().hint.empty())
      manifest.error().hint = "restore it from a backup; or: mv " + text::shell_word(path) + " " +
                              text::shell_word(path + ".damaged") + " && ringwall install " +
                              (scope.system ? "--system " : "") +
                              "AGENT, which finds again what is Ringwall's";
  }
  return manifest;
}

Status write_manifest(const Scope& scope, const Manifest& manifest) {
  TRY_ASSIGN(Fd folder, file::make_dirs(scope.folder, scope.system ? 0755 : 0700));
  if (scope.system) TRY(list_own_settings(folder.get(), manifest));
  if (!scope.system) TRY(list_paths(folder.get(), manifest));
  if (!manifest.changes.empty())
    return file::replace_at(folder.get(), kManifest, manifest_text(manifest),
                            scope.system ? 0644 : 0600);
  if (unlinkat(folder.get(), kManifest, 0) < 0 && errno != ENOENT)
    return fail_errno("cannot remove the list of what was changed");
  return {};
}

}  // namespace ringwall::install
