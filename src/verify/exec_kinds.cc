// What rules over programs would be enforced by here: without root, or by root's guard.
#include "base/file.h"
#include "base/text.h"
#include "guard/guard_client.h"
#include "verify/doctor.h"

namespace ringwall::verify {
namespace {

using guard::GuardFacts;
using guard::Kind;

// What no kind stops, said with the first.
constexpr const char* kWithoutRoot =
    "denied files are not there, exec is stopped and judged where the policy asks for it; does not "
    "stop denied bytes that come in changed, scripts that are read (bash FILE), code in memory "
    "that "
    "a program makes for itself";
constexpr const char* kTracepoints =
    "what is not known is killed before its first instruction, libraries too; another thread of "
    "the same process may be in a new mapping for microseconds before";
constexpr const char* kLsm =
    "what is not known is refused by the call itself; an overlay's upper folder must be out of "
    "reach, as it is in every sandbox";

HostRow row_of(const char* name, bool there, std::string seen, std::string mend) {
  return {Part::feature, name, false, there, std::move(seen), std::move(mend)};
}

std::string boot_parameter(const std::string& parameter, const char* file) {
  return "echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX " + parameter +
         "\"' | sudo tee /etc/default/grub.d/" + file + " && sudo update-grub && sudo reboot";
}

HostRow look_at_tracepoints(const Result<GuardFacts>& facts) {
  constexpr const char* kName = "exec: tracepoints";
  if (facts)
    return row_of(kName, true, std::string("root's guard is at work: ") + kTracepoints, "");
  std::string why = facts.error().text();
  if (!file::exists("/sys/kernel/btf/vmlinux"))
    return row_of(kName, false, why + "; this kernel does not describe itself (BTF)",
                  "a kernel built with CONFIG_DEBUG_INFO_BTF");
  return row_of(kName, false, why + " (for --guard)", facts.error().hint);
}

HostRow look_at_lsm(const Result<GuardFacts>& facts) {
  constexpr const char* kName = "exec: BPF LSM";
  if (facts && facts->kind == Kind::lsm)
    return row_of(kName, true, std::string("root's guard is at work: ") + kLsm, "");
  // The list below does not say whether the kernel takes such programs: the guard has tried it.
  if (facts && !facts->why_not_more.empty())
    return row_of(kName, false, text::escape(facts->why_not_more), "");
  auto modules = file::read("/sys/kernel/security/lsm");
  if (!modules)
    return row_of(kName, false, "securityfs is not mounted, or this kernel has none",
                  "sudo mount -t securityfs securityfs /sys/kernel/security");
  std::string list(text::trim(*modules));
  if (("," + list + ",").find(",bpf,") == std::string::npos)
    return row_of(kName, false, "not in the kernel's list " + text::quote(list),
                  boot_parameter("lsm=" + list + ",bpf", "bpf.cfg"));
  return row_of(kName, false,
                "in the kernel's list " + text::quote(list) + "; not tried: " +
                    (facts ? "the guard was told to do with less" : facts.error().text()),
                facts ? "" : facts.error().hint);
}

}  // namespace

std::vector<HostRow> examine_exec_kinds() {
  auto facts = guard::ask_guard();
  return {row_of("exec: without root", true, kWithoutRoot, ""), look_at_tracepoints(facts),
          look_at_lsm(facts)};
}

}  // namespace ringwall::verify
