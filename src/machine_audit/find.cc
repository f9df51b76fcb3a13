// Which files of the table are there. Only names, owners and modes: nothing is opened.
#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "audit/settings.h"
#include "base/path.h"
#include "base/shell_word.h"
#include "machine_audit/machine.h"

namespace ringwall::machine_audit {
namespace {

constexpr size_t kMostInFolder = 200;
constexpr size_t kMostOfOne = 300;     // files that one line of the table leads to
constexpr size_t kMostEntries = 1000;  // files that are shown to the scanner
constexpr uid_t kNobody = 65534;       // how an id looks in a namespace that does not know it

std::string base_of(FileScope scope, const MachineRequest& request) {
  if (scope == FileScope::managed) return request.root;
  return scope == FileScope::person ? request.home : request.project;
}

// Names in a folder that fit, in their order.
std::vector<std::string> names_like(const std::string& folder, const std::string& pattern) {
  std::vector<std::string> names;
  std::unique_ptr<DIR, int (*)(DIR*)> opened(opendir(folder.c_str()), closedir);
  if (opened == nullptr) return names;
  while (dirent* entry = readdir(opened.get())) {
    bool fits = fnmatch(pattern.c_str(), entry->d_name, FNM_PERIOD) == 0;
    if (fits && names.size() < kMostInFolder) names.emplace_back(entry->d_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Where a variable has moved an agent's folder to.
std::string place_of(const MachineSource& source, const MachineRequest& request) {
  for (const MovedFolder& moved : request.moved) {
    bool is_in_it = source.scope == FileScope::person && source.path.starts_with(moved.usual);
    if (is_in_it) return path::join(moved.folder, source.path.substr(moved.usual.size()));
  }
  return path::join(base_of(source.scope, request), source.path);
}

std::vector<std::string> expand(const std::string& pattern) {
  std::vector<std::string> paths = {"/"};
  for (const std::string& part : path::components(pattern)) {
    std::vector<std::string> longer;
    for (const std::string& path : paths) {
      if (part.find('*') == std::string::npos) {
        longer.push_back(path::join(path, part));
        continue;
      }
      for (const std::string& name : names_like(path, part))
        longer.push_back(path::join(path, name));
      if (longer.size() > kMostOfOne) longer.resize(kMostOfOne);
    }
    paths = std::move(longer);
  }
  return paths;
}

bool is_private_group(gid_t gid, const MachineRequest& request) {
  return request.private_group == gid;
}

void look_at_mode(const MachineEntry& entry, const struct stat& facts,
                  const MachineRequest& request, std::vector<Finding>& findings) {
  const MachineSource& source = *entry.source;
  if (source.scope == FileScope::managed) {
    bool is_foreign = facts.st_uid != 0 && facts.st_uid != kNobody;
    if (is_foreign || (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
      findings.push_back(audit::make_finding(
          "RW130", entry.path, 0, is_foreign ? "it is not root's" : "others may write it",
          is_foreign ? "chown root:root " + text::shell_word(entry.path)
                     : "chmod go-w " + text::shell_word(entry.path)));
    return;
  }
  if (source.scope == FileScope::project) {
    if (source.topic == Topic::git_hook && (facts.st_mode & S_IWOTH) != 0)
      findings.push_back(
          audit::make_finding("RW177", entry.path, 0, "everybody may write it",
                              "read it, then: chmod o-w " + text::shell_word(entry.path)));
    return;
  }
  bool is_foreign = facts.st_uid != request.uid && facts.st_uid != 0 && facts.st_uid != kNobody;
  if (is_foreign || is_changed_by_others(facts, request))
    findings.push_back(audit::make_finding(
        "RW130", entry.path, 0,
        is_foreign ? "it belongs to uid " + std::to_string(facts.st_uid) : "others may write it",
        is_foreign ? "look who wrote it; then own a copy"
                   : "chmod go-w " + text::shell_word(entry.path)));
}

// A folder that others may write into lets them replace every file in it.
void look_at_folder(const MachineEntry& entry, const MachineRequest& request,
                    std::set<std::string>& seen, std::vector<Finding>& findings) {
  std::string folder = path::parent(entry.path);
  if (entry.source->scope != FileScope::person || !seen.insert(folder).second) return;
  struct stat facts;
  if (stat(folder.c_str(), &facts) < 0 || (facts.st_mode & S_ISVTX) != 0) return;
  if (is_changed_by_others(facts, request))
    findings.push_back(audit::make_finding("RW130", folder, 0, "others may write into this folder",
                                           "chmod go-w " + text::shell_word(folder)));
}

// True if it is one to read.
bool look_at_file(MachineEntry& entry, const MachineRequest& request,
                  std::vector<Finding>& findings) {
  struct stat facts;
  if (stat(entry.path.c_str(), &facts) < 0) return false;
  if (entry.source->topic == Topic::git_hook &&
      (entry.path.ends_with(".sample") || (facts.st_mode & S_IXUSR) == 0))
    return false;
  auto wrong = [&](const std::string& why) {
    findings.push_back(audit::make_finding("RW129", entry.path, 0, why));
    return false;
  };
  if (S_ISDIR(facts.st_mode)) return false;
  if (!S_ISREG(facts.st_mode)) return wrong("it is no ordinary file");
  look_at_mode(entry, facts, request, findings);
  if (facts.st_size > static_cast<off_t>(audit::kMostSettingsBytes))
    return wrong("it is too big to be settings: " + std::to_string(facts.st_size) + " bytes");
  if (access(entry.path.c_str(), R_OK) < 0)
    return entry.source->scope == FileScope::person
               ? wrong(std::string("it cannot be opened: ") + strerror(errno))
               : false;
  std::unique_ptr<char, decltype(&free)> real(realpath(entry.path.c_str(), nullptr), free);
  if (real == nullptr) return wrong("where it leads changes");
  entry.real = real.get();
  // A repository could have any file of this machine read and shown.
  bool leads_out =
      entry.source->scope == FileScope::project && !path::is_beneath(entry.real, request.project);
  return leads_out ? wrong("it is a link that leads out of the project") : true;
}

}  // namespace

bool is_changed_by_others(const struct stat& facts, const MachineRequest& request) {
  bool by_group = (facts.st_mode & S_IWGRP) != 0 && !is_private_group(facts.st_gid, request);
  return by_group || (facts.st_mode & S_IWOTH) != 0;
}

bool is_read_by_others(const struct stat& facts, const MachineRequest& request) {
  bool by_group = (facts.st_mode & S_IRGRP) != 0 && !is_private_group(facts.st_gid, request);
  return by_group || (facts.st_mode & S_IROTH) != 0;
}

MachineFiles find_machine_files(const MachineRequest& request) {
  MachineFiles files;
  std::set<std::string> seen_folders, seen_files;
  for (const MachineSource& source : machine_sources()) {
    if (base_of(source.scope, request).empty()) continue;
    for (std::string& path : expand(place_of(source, request))) {
      MachineEntry entry{&source, std::move(path), {}};
      if (!seen_files.insert(entry.path).second) continue;
      if (!look_at_file(entry, request, files.findings)) continue;
      look_at_folder(entry, request, seen_folders, files.findings);
      if (files.entries.size() == kMostEntries) {
        files.is_whole = false;
        break;
      }
      files.entries.push_back(std::move(entry));
    }
  }
  for (const AgentFolder& folder : agent_folders()) {
    struct stat facts;
    std::string path = path::join(request.home, folder.path);
    if (stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode))
      files.in_use.insert(folder.topic);
  }
  look_at_credentials(request, files);
  return files;
}

}  // namespace ringwall::machine_audit
