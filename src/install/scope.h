// For whom something is installed: one person, or everybody on this machine.
#pragma once

#include <string>

#include "base/fd.h"
#include "install/manifest.h"
#include "state/places.h"

namespace ringwall::install {

struct Scope {
  bool system = false;
  uid_t uid = 0;
  std::string home;     // of the person; for the system that of who looks, or empty
  std::string folder;   // of the manifest
  std::string program;  // ringwall
  std::string shims;    // a folder that comes first on the person's PATH; empty for the system
};

// The system's needs root, and a program that only root can change.
Result<Scope> find_scope(bool system, const state::Caller& caller, const state::Places& places);

// Held while the manifest is read and what it says is changed: several hooks may come at once.
class InstallLock {
 public:
  static Result<InstallLock> take(const Scope& scope);
  InstallLock(InstallLock&&) = default;
  InstallLock& operator=(InstallLock&&) = delete;
  ~InstallLock();

 private:
  InstallLock(std::string folder, Fd held) : folder_(std::move(folder)), held_(std::move(held)) {}
  std::string folder_;
  Fd held_;
};

// What no manifest says is nothing installed.
Result<Manifest> read_manifest(const Scope& scope);
Status write_manifest(const Scope& scope, const Manifest& manifest);

inline constexpr const char* kSystemFolder = "/var/lib/ringwall/install";

}  // namespace ringwall::install
