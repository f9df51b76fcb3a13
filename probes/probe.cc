// Verdicts and the table of probes.
#include "probes/probe.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "base/file.h"

namespace ringwall::probes {
namespace {

constexpr Probe kProbes[] = {
    {"P01", probe_inside},       {"P02", probe_setuid},          {"P03", probe_capabilities},
    {"P04", probe_system_calls}, {"P05", probe_namespaces},      {"P06", probe_processes},
    {"P07", probe_home},         {"P08", probe_credentials},     {"P09", probe_writes},
    {"P13", probe_sockets},      {"P14", probe_runtime_folders}, {"P15", probe_descriptors},
    {"P16", probe_devices},      {"P17", probe_keyrings},        {"P18", probe_ipc},
    {"P19", probe_environment},  {"P20", probe_terminal},        {"P22", probe_git},
    {"P23", probe_ungranted},    {"P24", probe_names},           {"P25", probe_private},
    {"P26", probe_granted},      {"P27", probe_shown_names},     {"P29", probe_secrets},
    {"P28", probe_families},     {"P33", probe_bombs},           {"P34", probe_control},
};

struct Meaning {
  std::string_view met;
  std::string_view words;
};

// What an errno means to somebody who tries to get out.
constexpr Meaning kMeanings[] = {
    {"ENOENT", "not there"},
    {"EROFS", "read-only"},
    {"EACCES", "access refused"},
    {"EPERM", "not permitted"},
    {"ENOSYS", "no such call"},
    {"ESRCH", "not in sight"},
    {"ECONNREFUSED", "nobody answers"},
    {"ENETUNREACH", "no route"},
    {"EAFNOSUPPORT", "no such family"},
    {"EAGAIN", "no more"},
    {"EMFILE", "too many"},
    {"ENOSPC", "no room"},
    {"ECONNRESET", "closed at once"},
};

std::string with_meaning(const std::string& met) {
  for (const Meaning& row : kMeanings) {
    if (row.met == met) return std::string(row.words) + " (" + met + ")";
  }
  return met;
}

std::string list_breaches(const std::vector<std::string>& breaches) {
  constexpr size_t kMostNamed = 4;
  std::string text = "got through: ";
  for (size_t i = 0; i < std::min(breaches.size(), kMostNamed); i++)
    text += (i == 0 ? "" : "; ") + breaches[i];
  if (breaches.size() > kMostNamed)
    text += "; and " + std::to_string(breaches.size() - kMostNamed) + " more";
  return text;
}

}  // namespace

std::span<const Probe> probes() { return kProbes; }

std::string_view name_of(Finding finding) {
  switch (finding) {
    case Finding::held:
      return "held";
    case Finding::breached:
      return "breached";
    case Finding::cannot_tell:
      return "cannot_tell";
  }
  return "cannot_tell";
}

void Acts::got_in(const std::string& act) { acts_.push_back({act, ""}); }

void Acts::stopped(const std::string& act, int err) {
  const char* name = strerrorname_np(err);
  stopped(act, name == nullptr ? "error " + std::to_string(err) : std::string(name));
}

void Acts::stopped(const std::string& act, const std::string& by) { acts_.push_back({act, by}); }

void Acts::tried(const std::string& act, int err) {
  if (err == 0) return got_in(act);
  stopped(act, err);
}

void Acts::untried(const std::string& why) { untried_.push_back(why); }

Verdict Acts::verdict() const {
  std::vector<std::string> breaches;
  std::map<std::string, size_t> counts;
  for (const Act& act : acts_) {
    if (act.met.empty())
      breaches.push_back(act.name);
    else
      counts[act.met]++;
  }
  if (!breaches.empty()) return {Finding::breached, list_breaches(breaches), acts_};
  if (acts_.empty()) {
    return {Finding::cannot_tell, untried_.empty() ? "nothing to try" : untried_[0], acts_};
  }
  std::vector<std::pair<size_t, std::string>> order;
  for (const auto& [met, count] : counts)
    order.emplace_back(count, met);
  std::sort(order.rbegin(), order.rend());
  std::string evidence;
  for (const auto& [count, met] : order) {
    evidence += evidence.empty() ? "" : ", ";
    if (order.size() > 1 && count > 1) evidence += std::to_string(count) + " ";
    evidence += with_meaning(met);
  }
  if (order.size() == 1) evidence = "all " + std::to_string(acts_.size()) + ": " + evidence;
  for (const std::string& why : untried_)
    evidence += "; not tried: " + why;
  return {Finding::held, evidence, acts_};
}

int in_child(const std::function<int()>& act) {
  pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) _exit(act());
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return errno;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool shares_namespace(const Outside& outside, const std::string& place) {
  auto own = file::read_link("/proc/self/ns/" + place);
  if (!own) return false;
  return std::find(outside.namespaces.begin(), outside.namespaces.end(), *own) !=
         outside.namespaces.end();
}

}  // namespace ringwall::probes
