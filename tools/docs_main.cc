// ringwall-docs DIR writes the generated pages of docs/, each from the table that the program
// itself uses. ringwall-docs --check DIR writes nothing and names the pages that differ.
#include <fcntl.h>

#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "calls/exec_filter.h"
#include "calls/rules.h"
#include "files/files_reference.h"
#include "gate/packs.h"
#include "git/reference.h"
#include "hand/exec_stop_walls.h"
#include "hand/hand_walls.h"
#include "learn/learn_reference.h"
#include "machine_audit/page.h"
#include "policy/profiles.h"
#include "policy/reference.h"
#include "review/later_reference.h"
#include "risk/reference.h"
#include "sandbox/helper_walls.h"
#include "sandbox/wall.h"
#include "terminal/sequence_reference.h"
#include "verify/promises.h"

namespace ringwall {
namespace {

struct Page {
  const char* name;
  std::string (*make)();
};

std::string as_code(std::string_view words) {
  std::string out;
  for (size_t at = 0; at < words.size();) {
    size_t end = std::min(words.find(' ', at), words.size());
    if (end > at)
      out += (out.empty() ? "`" : ", `") + std::string(words.substr(at, end - at)) + "`";
    at = end + 1;
  }
  return out;
}

std::string errno_name(int err) { return strerrorname_np(err); }

std::string who_may(sandbox::Helper who) {
  if (who == sandbox::Helper::broker) return "broker";
  if (who == sandbox::Helper::keeper) return "keeper";
  if (who == sandbox::Helper::opener) return "opener";
  return who == sandbox::Helper::network_relay ? "network relay" : "all";
}

// The errors that a filtered call can give, each once.
std::string refusals_of(const calls::FilteredCall& call) {
  std::set<std::string> names;
  if (call.otherwise != 0) names.insert(errno_name(call.otherwise));
  for (const calls::Clause& clause : call.clauses) {
    if (clause.err != 0) names.insert(errno_name(clause.err));
  }
  std::string out;
  for (const std::string& name : names)
    out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string syscalls_page() {
  std::string page =
      "# System calls\n\n"
      "Made by `make docs` from `src/calls/rules.cc`, from which the filter is compiled "
      "as "
      "well.\n\n"
      "A call in none of these lists gives `ENOSYS`, so that a program built for a newer kernel "
      "falls "
      "back as it would on an older one. Calls by the 32-bit and x32 entries are refused.\n\n"
      "## Allowed\n\n| for | calls |\n| --- | --- |\n";
  for (const calls::AllowedGroup& group : calls::allowed_groups()) {
    page += "| " + std::string(group.why) + " | " + as_code(group.names) + " |\n";
  }
  page +=
      "\n## Allowed for some arguments only\n\n| call | refused ones give | why |\n| --- | --- | "
      "--- |\n";
  for (const calls::FilteredCall& call : calls::filtered_calls()) {
    page += "| `" + std::string(call.name) + "` | " + refusals_of(call) + " | " +
            std::string(call.why) + " |\n";
  }
  page += "\n## Refused\n\n| call | gives | why |\n| --- | --- | --- |\n";
  for (const calls::RefusedCall& call : calls::refused_calls()) {
    page += "| `" + std::string(call.name) + "` | " + errno_name(call.err) + " | " +
            std::string(call.why) + " |\n";
  }
  page +=
      "\n## Where `[exec]` judges programs\n\nA second filter, made for the run; what it does not "
      "name is left to the first ([exec-stop.md](exec-stop.md)).\n\n| where | call | when | then "
      "|\n| --- | --- | --- | --- |\n";
  for (const calls::ExecFilterRule& rule : calls::exec_filter_rules()) {
    page += "| " + std::string(rule.where) + " | `" + std::string(rule.call) + "` | " +
            std::string(rule.when) + " | " + std::string(rule.what) + " |\n";
  }
  page +=
      "\n## Ringwall's own helpers\n\nRelays, broker, hand and exec stop make these calls and no "
      "other; the rest gives `EPERM`.\n\n| who | what for | calls |\n| --- | --- | --- |\n";
  for (const sandbox::HelperCalls& calls : sandbox::helper_calls()) {
    page += "| " + who_may(calls.who) + " | " + std::string(calls.why) + " | " +
            std::string(calls.names) + " |\n";
  }
  for (const sandbox::HelperCalls& calls : hand::hand_calls())
    page += "| hand | " + std::string(calls.why) + " | " + std::string(calls.names) + " |\n";
  for (const sandbox::HelperCalls& calls : hand::exec_stop_calls())
    page += "| exec stop | " + std::string(calls.why) + " | " + std::string(calls.names) + " |\n";
  return page;
}

struct KnownHost {
  const char* name;
  const char* kernel;
  const char* landlock;
  const char* namespaces;  // for ordinary users
  const char* to_do;
  const char* tried;  // by what in this repository
};

constexpr KnownHost kHosts[] = {
    {"Debian 12", "6.1", "ABI 2", "open", "nothing", "`tests/guest`, with this kernel"},
    {"Ubuntu 22.04", "5.15", "ABI 1, counted as missing: 2 is needed", "open",
     "nothing; for Landlock `sudo apt install linux-generic-hwe-22.04`", "not by the tests"},
    {"Ubuntu 22.04, HWE kernel", "6.8", "ABI 4", "open", "nothing", "not by the tests"},
    {"Ubuntu 24.04", "6.8", "ABI 4", "restricted by AppArmor",
     "give ringwall a profile (below), or `sudo sysctl -w "
     "kernel.apparmor_restrict_unprivileged_userns=0`",
     "not by the tests"},
    {"WSL2", "by Windows update", "depends on that kernel", "open",
     "`wsl --update`, then `ringwall doctor`", "not by the tests"},
    {"an unprivileged container", "the host's", "the host's",
     "refused by the runtime's filter; /proc is masked", "start it with the flags below",
     "a masked /proc, a filter and a chroot in `tests/integration/test_doctor.py`"},
};

constexpr const char* kRemedies = R"(
`ringwall doctor` tries all of it on the host where it is asked, and ends with a status of 1 if a required
wall cannot be built.

### Ubuntu 24.04: a profile for ringwall alone

<!-- run:
not here, root
-->
```sh
sudo tee /etc/apparmor.d/ringwall <<EOF
abi <abi/4.0>,
include <tunables/global>
profile ringwall $(command -v ringwall) flags=(unconfined) {
  userns,
}
EOF
sudo apparmor_parser -r /etc/apparmor.d/ringwall
```

### In a container

<!-- run:
not here, container
-->
```sh
docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
  --security-opt systempaths=unconfined …
podman run --security-opt seccomp=unconfined --security-opt unmask=ALL …
```

Inside, run it as an ordinary user. Root of a rootless container is refused: its user namespace does not map
the id that root's sandboxes get.
)";

std::string hosts_page() {
  std::string page =
      "# Hosts\n\n"
      "Made by `make docs` from the table of walls (`src/sandbox/wall.cc`) and the list of hosts "
      "in "
      "`tools/docs_main.cc`.\n\n## The walls\n\n"
      "A required wall that cannot be built stops the run; an optional one that is missing is "
      "shown by "
      "`ringwall verify` and recorded.\n\n"
      "| wall | made of | keeps | |\n| --- | --- | --- | --- |\n";
  for (const sandbox::WallFacts& wall : sandbox::walls()) {
    page += "| `" + std::string(wall.name) + "` | " + std::string(wall.made_of) + " | " +
            std::string(wall.keeps) + " | " +
            (wall.need == sandbox::Need::required ? "required" : "optional") + " |\n";
  }
  page +=
      "\n## What hosts offer\n\n"
      "| host | kernel | Landlock | user namespaces | to do | tried |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const KnownHost& host : kHosts) {
    page += std::string("| ") + host.name + " | " + host.kernel + " | " + host.landlock + " | " +
            host.namespaces + " | " + host.to_do + " | " + host.tried + " |\n";
  }
  return page + kRemedies;
}

constexpr Page kPages[] = {
    {"policy.md", policy::reference_page},
    {"policy.schema.json", policy::json_schema},
    {"profiles.md", policy::profiles_page},
    {"promises.md", verify::promises_page},
    {"syscalls.md", syscalls_page},
    {"terminal.md", terminal::sequence_page},
    {"hosts.md", hosts_page},
    {"protected-files.md", files::protected_page},
    {"runs-later.md", review::runs_later_page},
    {"hidden-files.md", files::hidden_page},
    {"git-settings.md", git::git_settings_page},
    {"learn.md", learn::learn_page},
    {"tool-packs.md", gate::packs_page},
    {"risk.md", risk::risk_page},
    {"audit.md", machine_audit::audit_page},
};

Status write_pages(const std::string& folder) {
  TRY_ASSIGN(Fd place, file::open(folder, O_RDONLY | O_DIRECTORY));
  for (const Page& page : kPages)
    TRY(file::replace_at(place.get(), page.name, page.make(), 0644));
  return {};
}

int check_pages(const std::string& folder) {
  int differing = 0;
  for (const Page& page : kPages) {
    auto there = file::read(folder + "/" + page.name);
    if (there && *there == page.make()) continue;
    fprintf(stderr, "%s/%s is not what the tables say; run: make docs\n", folder.c_str(),
            page.name);
    differing++;
  }
  return differing == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ringwall

int main(int argc, char** argv) {
  bool check = argc == 3 && strcmp(argv[1], "--check") == 0;
  if (argc != 2 && !check) {
    fprintf(stderr, "usage: ringwall-docs [--check] DIR\n");
    return 2;
  }
  if (check) return ringwall::check_pages(argv[2]);
  if (auto written = ringwall::write_pages(argv[1]); !written) {
    fprintf(stderr, "ringwall-docs: %s\n", written.error().text().c_str());
    return 1;
  }
  return 0;
}
