#include "state/places.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/path.h"
#include "base/text.h"
#include "sandbox/toolchain.h"

namespace ringwall::state {
namespace {

// A name that can stand in /etc/passwd.
bool is_account_name(const char* name) {
  std::string_view text = name == nullptr ? "" : name;
  return !text.empty() && text.size() <= 32 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

// The environment first: asking the account database may load half a dozen libraries.
std::string account_name(uid_t uid) {
  if (const char* user = getenv("USER"); is_account_name(user)) return user;
  const passwd* entry = getpwuid(uid);
  return entry != nullptr && is_account_name(entry->pw_name) ? entry->pw_name : "user";
}

std::string find_shell() {
  const char* shell = getenv("SHELL");
  bool usable = shell != nullptr &&
                (path::is_beneath(shell, "/usr") || path::is_beneath(shell, "/bin")) &&
                std::string_view(shell).find_first_of(":\n") == std::string_view::npos &&
                access(shell, X_OK) == 0;
  return usable ? shell : "/bin/sh";
}

bool is_callers_own_folder(const char* folder) {
  struct stat facts;
  return folder != nullptr && folder[0] == '/' && lstat(folder, &facts) == 0 &&
         S_ISDIR(facts.st_mode) && facts.st_uid == getuid() && (facts.st_mode & 077) == 0;
}

// Somebody else may have taken the name in a folder that is everybody's.
bool is_taken(const char* path) {
  struct stat facts;
  return lstat(path, &facts) == 0 || errno != ENOENT || access("/dev/shm", W_OK) != 0;
}

}  // namespace

Result<Caller> read_caller() {
  Caller caller;
  caller.uid = getuid();
  caller.gid = getgid();
  caller.user = account_name(caller.uid);
  caller.group = caller.user;
  caller.shell = find_shell();
  const char* home = getenv("HOME");
  if (home == nullptr || *home == '\0') {
    const passwd* entry = getpwuid(caller.uid);
    home = entry == nullptr ? nullptr : entry->pw_dir;
  }
  if (home == nullptr || home[0] != '/')
    return fail("no home folder is known", "set HOME to your home folder");
  if (std::string_view(home).find_first_of(":\n\r") != std::string_view::npos) {
    return fail("HOME=" + text::quote(home) + " cannot stand in a list of accounts",
                "set HOME to a folder without ':' and line ends in its name");
  }
  caller.home_as_named = path::normalize(home);
  caller.home = sandbox::follow_links(caller.home_as_named).end;
  struct stat facts;
  if (stat(caller.home.c_str(), &facts) < 0) {
    return fail_errno("the home folder " + text::quote(home) + " cannot be used",
                      "set HOME to your home folder");
  }
  if (!S_ISDIR(facts.st_mode)) return fail("HOME=" + text::quote(home) + " is not a folder");
  if (facts.st_uid != caller.uid) {
    return fail("HOME=" + text::quote(home) + " belongs to another user (" +
                    std::to_string(facts.st_uid) + ")",
                "set HOME to a folder of your own");
  }
  if (caller.home == "/") return fail("HOME is /", "set HOME to a folder of your own");
  return caller;
}

Places find_places(const Caller& caller, const char* runtime, const char* config) {
  Places places;
  places.state = path::join(caller.home, ".local/state/ringwall");
  places.usual_config = places.config = path::join(caller.home, ".config/ringwall");
  // As the specification of these folders has it: a relative path is ignored.
  if (config != nullptr && config[0] == '/')
    places.config = path::join(path::normalize(config), "ringwall");
  std::string memory = "/dev/shm/ringwall-" + std::to_string(caller.uid);
  if (is_callers_own_folder(runtime)) {
    places.runs = path::join(path::normalize(runtime), "ringwall");
  } else if (is_callers_own_folder(memory.c_str()) || !is_taken(memory.c_str())) {
    places.runs = memory;
  } else {
    places.runs = path::join(places.state, "run");
  }
  // Compared with what is granted, and opened without following links.
  for (std::string* place : {&places.state, &places.config, &places.usual_config, &places.runs}) {
    *place = sandbox::follow_links(*place).end;
  }
  return places;
}

std::set<file::Id> own_folders(const Places& places) {
  std::set<file::Id> found;
  for (const std::string& path : {places.state, places.config, places.usual_config, places.runs}) {
    struct stat facts;
    if (stat(path.c_str(), &facts) == 0) found.insert(file::id_of(facts));
  }
  return found;
}

std::string quarantine_folder(const Places& places) {
  return path::join(places.state, "quarantine");
}

std::string reviews_folder(const Places& places) { return path::join(places.state, "reviews"); }

std::string apart_folder(const Places& places, const std::string& workspace) {
  return path::join(path::join(places.state, "apart"), name_for_path(workspace));
}

std::string unswept_folder(const Places& places) { return path::join(places.state, "unswept"); }

std::string journals_folder(const Places& places) { return path::join(places.state, "journals"); }

std::string remotes_folder(const Places& places) { return path::join(places.state, "remotes"); }

std::string undo_folder(const Places& places) { return path::join(places.state, "undo"); }

std::string name_for_path(const std::string& folder) {
  uint64_t digest = 0xcbf29ce484222325;  // FNV-1a: tells paths apart, guards nothing
  for (char c : folder)
    digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::string name;
  for (char c : path::basename(folder)) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '-' || c == '_';
    name += plain ? c : '_';
    if (name.size() == 40) break;
  }
  char suffix[24];
  snprintf(suffix, sizeof suffix, "-%016lx", static_cast<unsigned long>(digest));
  return name + suffix;
}

}  // namespace ringwall::state
