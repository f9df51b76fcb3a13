// P39. The helpers of a run are asked, by way of their supervisor, to try what they must not be
// able to do, and every helper of that supervisor is looked at from outside: what the kernel says
// of its filter, its privileges and its identity, and what it holds open where that can be seen.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cerrno>

#include "base/channel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "clients/remote.h"
#include "state/control.h"
#include "verify/checks.h"
#include "verify/own_run.h"
#include "verify/process_tree.h"

namespace ringwall::verify {
namespace {

using state::ControlMessage;
using state::ControlType;

constexpr std::string_view kPid1 = "ringwall-init";
constexpr std::string_view kBroker = "ringwall-broker";
constexpr std::string_view kKeeper = "ringwall-keeper";
constexpr std::string_view kHand = "ringwall-hand";
constexpr std::string_view kResolver = "ringwall-resolver";

Result<ControlMessage> receive(int connection, int64_t deadline) {
  int64_t left = deadline - clock::monotonic();
  pollfd wait{connection, POLLIN, 0};
  if (left <= 0 || poll(&wait, 1, static_cast<int>(left / 1'000'000) + 1) <= 0)
    return fail("the helpers did not answer in time");
  TRY_ASSIGN(channel::Message answer, channel::receive(connection));
  return state::parse_control(answer.bytes);
}

// What it says of itself: it is our own code, and nobody has taken it over.
Status have_helpers_try(probes::Acts& acts, int connection) {
  TRY(state::send_control(connection, {ControlType::try_acts}));
  int64_t deadline = seconds_from_now(kPatience);
  while (true) {
    TRY_ASSIGN(ControlMessage message, receive(connection, deadline));
    if (message.type == ControlType::done) return {};
    if (message.type == ControlType::refused) return fail(message.text);
    if (message.type != ControlType::act) return fail("an unexpected answer of the run");
    // Any other error means that the call was looked at, and only what it named was wrong.
    bool stopped = message.value == EPERM || message.value == EACCES;
    acts.tried(message.text, stopped ? message.value : 0);
  }
}

std::string field_of(std::string_view status, std::string_view name) {
  for (const std::string& line : text::split(status, '\n')) {
    if (line.starts_with(std::string(name) + ":"))
      return std::string(text::trim(std::string_view(line).substr(name.size() + 1)));
  }
  return "";
}

enum class Helper { relay, broker, keeper, hand, resolver };

void look_at_status(probes::Acts& acts, const std::string& status, Helper helper) {
  auto judge = [&](const char* act, bool stopped, const std::string& by) {
    if (stopped)
      acts.stopped(act, by);
    else
      acts.got_in(act);
  };
  judge("run without a filter of calls", field_of(status, "Seccomp") == "2", "filtered");
  judge("gain by exec", field_of(status, "NoNewPrivs") == "1", "no_new_privs");
  // It mounts, with rights over the sandbox's own namespaces and nothing else.
  if (helper == Helper::hand) return;
  bool without = true;
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapAmb"}) {
    std::string bits = field_of(status, set);
    // Root's keeper reads what belongs to others, and its broker takes away what is planted there:
    // CAP_DAC_READ_SEARCH, and CAP_CHOWN, CAP_DAC_OVERRIDE and CAP_FOWNER.
    bool reads = helper == Helper::keeper && bits == "0000000000000004";
    bool moves = helper == Helper::broker && bits == "000000000000000b";
    without &= reads || moves || bits.find_first_not_of('0') == std::string::npos;
  }
  judge("hold a capability", without, "none");
  // Root's files can be moved and read by root alone; Landlock keeps them to their folders.
  if (helper == Helper::broker || helper == Helper::keeper) return;
  // Real, effective, saved and of the file system.
  bool ordinary = true;
  for (const char* ids : {"Uid", "Gid"}) {
    for (const std::string& id : text::split(field_of(status, ids), '\t'))
      ordinary &= id != "0";
  }
  judge("be root", ordinary, "an ordinary id");
}

// Null: a socket, a pipe, a terminal or /dev/null.
const char* what_is_wrong_with(const struct stat& facts) {
  constexpr unsigned kConsoles = 4, kTerminals = 5, kFirstPty = 136, kLastPty = 143;
  if (S_ISSOCK(facts.st_mode) || S_ISFIFO(facts.st_mode)) return nullptr;
  if (S_ISDIR(facts.st_mode)) return "a folder";
  if (S_ISREG(facts.st_mode)) return "a file";
  if (!S_ISCHR(facts.st_mode)) return "another thing";
  unsigned kind = major(facts.st_rdev);
  bool harmless = facts.st_rdev == makedev(1, 3) || kind == kConsoles || kind == kTerminals ||
                  (kind >= kFirstPty && kind <= kLastPty);
  return harmless ? nullptr : "a device";
}

// Root sees them; from everyone else they are hidden, since the helper cannot be traced.
void look_at_descriptors(probes::Acts& acts, const std::string& folder) {
  auto list = file::open(folder, O_RDONLY | O_DIRECTORY);
  auto entries = list ? file::list(list->get()) : std::unexpected(list.error());
  if (!entries) return acts.stopped("show its descriptors", entries.error().err);
  size_t held = 0;
  for (const file::Entry& entry : *entries) {
    struct stat facts;
    if (fstatat(list->get(), entry.name.c_str(), &facts, 0) < 0) continue;
    held++;
    // It waits for many at once, and for nothing but what it was handed.
    auto link = file::read_link(folder + "/" + entry.name);
    if (link && *link == "anon_inode:[eventpoll]") continue;
    if (const char* wrong = what_is_wrong_with(facts)) acts.got_in(std::string("hold ") + wrong);
  }
  acts.stopped("hold a file or a folder", std::to_string(held) + " harmless ones");
}

Result<pid_t> supervisor_of(int connection) {
  TRY_ASSIGN(std::string description, state::ask_description(connection, kPatience * 1000));
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(description, error);
  const boost::json::object* facts = error ? nullptr : value.if_object();
  const boost::json::value* pid = facts != nullptr ? facts->if_contains("pid") : nullptr;
  if (pid == nullptr || !pid->is_int64()) return fail("the run does not tell its supervisor");
  return static_cast<pid_t>(pid->get_int64());
}

}  // namespace

Result<Verdict> check_helpers(const std::string& run_name) {
  TRY_ASSIGN(Fd connection, clients::connect_to_run(run_name));
  TRY_ASSIGN(pid_t supervisor, supervisor_of(connection.get()));
  probes::Acts acts;
  TRY(have_helpers_try(acts, connection.get()));
  ProcessTree tree = ProcessTree::read();
  auto pid1 = tree.child_named(supervisor, kPid1);
  auto broker = tree.child_named(supervisor, kBroker);
  auto keeper = tree.child_named(supervisor, kKeeper);
  auto hand = tree.child_named(supervisor, kHand);
  auto resolver = tree.child_named(supervisor, kResolver);
  size_t seen = 0;
  for (pid_t helper : tree.children_of(supervisor)) {
    if (pid1 && helper == *pid1) continue;
    std::string folder = "/proc/" + std::to_string(helper);
    auto status = file::read(folder + "/status");
    if (!status) continue;  // gone since it was listed
    seen++;
    Helper kind = broker && helper == *broker       ? Helper::broker
                  : keeper && helper == *keeper     ? Helper::keeper
                  : hand && helper == *hand         ? Helper::hand
                  : resolver && helper == *resolver ? Helper::resolver
                                                    : Helper::relay;
    look_at_status(acts, *status, kind);
    if (kind == Helper::relay) look_at_descriptors(acts, folder + "/fd");
  }
  if (seen == 0) acts.untried("/proc hides the helpers");
  if (seen > 0 && !resolver) acts.untried("the resolver, for which no name was at hand");
  return acts.verdict();
}

}  // namespace ringwall::verify
