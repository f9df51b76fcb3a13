#include "verify/doctor.h"

#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "host/diagnose.h"
#include "state/places.h"

namespace ringwall::verify {
namespace {

using host::Surroundings;

constexpr const char* kSwitchesRow = "kernel switches";

HostRow look_at_home() {
  HostRow row{Part::place, "home folder", true};
  auto caller = state::read_caller();
  if (!caller) {
    row.seen = caller.error().text();
    row.mend = caller.error().hint;
    return row;
  }
  row.there = true;
  row.seen = text::quote(caller->home);
  return row;
}

HostRow look_at_proc(const Surroundings& host) {
  HostRow row{Part::place, "/proc", true, host.proc_mounted, "mounted, nothing masked", ""};
  if (!host.proc_mounted) {
    host::Diagnosis words = host::diagnose({sandbox::Wall::fresh_proc, "", {}}, host);
    row.seen = words.reason;
    row.mend = words.mend;
    return row;
  }
  // Whether a mask stands in the way is for the wall "fresh proc" to find out.
  if (!host.masked_proc.empty()) row.seen = "mounted; masked at " + text::quote(host.masked_proc);
  if (!host.hidepid.empty()) {
    row.seen += "; hides other users' processes (hidepid=" + text::quote(host.hidepid) +
                "), which does no harm";
  }
  return row;
}

HostRow look_around(const Surroundings& host) {
  std::vector<std::string> found;
  if (host.inside_ringwall) found.emplace_back("Ringwall itself");
  if (!host.container.empty()) found.push_back("a container (" + text::quote(host.container) + ")");
  if (host.in_chroot) found.emplace_back("a chroot");
  if (host.ids_are_mapped) found.emplace_back("a user namespace");
  if (host.filtered) found.emplace_back("a system-call filter");
  if (!host.apparmor_profile.empty()) {
    found.push_back("the AppArmor profile " + text::quote(host.apparmor_profile));
  }
  std::string seen = found.empty() ? "no container, chroot or other sandbox"
                                   : "runs inside " + text::join(found, ", ");
  return {Part::place, "around it", false, true, seen, ""};
}

HostRow look_at_switches(const Surroundings& host) {
  HostRow row{Part::place, kSwitchesRow, false, true};
  for (const host::Diagnosis& closed : host::closed_switches(host)) {
    row.there = false;
    row.seen += (row.seen.empty() ? "" : "; ") + closed.reason;
    row.mend += (row.mend.empty() ? "" : "; ") + closed.mend;
  }
  if (!row.there) return row;
  std::string fewest;
  for (const auto& [name, value] : host.switches) {
    bool limit = name.starts_with("user.max_");
    if (limit && (fewest.empty() || atoll(value.c_str()) < atoll(fewest.c_str()))) fewest = value;
  }
  row.seen = fewest.empty() ? "no limits of namespaces known"
                            : "user.max_*_namespaces: " + text::quote(fewest) + " or more";
  for (const char* name :
       {"kernel.unprivileged_userns_clone", "kernel.apparmor_restrict_unprivileged_userns"}) {
    std::string value = host.value_of(name);
    if (!value.empty()) row.seen += std::string("; ") + name + "=" + text::quote(value);
  }
  return row;
}

// A switch may bind others and not us: AppArmor exempts programs that have a profile.
void forgive_switches(Examination& host) {
  if (host.missing_required() > 0) return;
  for (HostRow& row : host.rows) {
    if (row.there || row.name != kSwitchesRow) continue;
    row.there = true;
    row.seen += ", which does not stop Ringwall";
    row.mend.clear();
  }
}

}  // namespace

int Examination::missing_required() const {
  return static_cast<int>(std::count_if(
      rows.begin(), rows.end(), [](const HostRow& row) { return row.required && !row.there; }));
}

std::vector<HostRow> examine_place(const Surroundings& host) {
  return {look_around(host), look_at_home(), look_at_proc(host), look_at_switches(host)};
}

Examination examine_host() {
  Surroundings host = host::read_surroundings();
  Examination out{.kernel = host.kernel, .user = "uid " + std::to_string(getuid()), .rows = {}};
  if (auto caller = state::read_caller()) out.user = caller->user;
  for (auto* examine : {examine_place, examine_walls, examine_features}) {
    for (HostRow& row : examine(host))
      out.rows.push_back(std::move(row));
  }
  forgive_switches(out);
  return out;
}

}  // namespace ringwall::verify
