// ringwall off: an installed agent runs without walls for a while, because a person says so.
#include <unistd.h>

#include <cstdio>
#include <optional>

#include "base/clock.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/install_scope.h"
#include "cli/local_time.h"
#include "cli/options.h"
#include "cli/output.h"
#include "install/off_switch.h"
#include "policy/numbers.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  ringwall off claude --for 1h --reason 'debugging its own sandbox'
  ringwall off claude --end      walls again, before the time is over
  ringwall installed             what is off now, and what was

It is noted, ends by itself (after a day at the latest, or with your login), and
is refused inside a run and where the policy says walls.no_off.)";

struct OffOptions {
  std::string name;
  std::string time;
  std::string reason;
  bool end = false;
};

Result<int64_t> read_seconds(const std::string& time) {
  auto parsed = policy::parse_number(policy::Shape::duration, time);
  if (!parsed)
    return fail("--for " + text::quote(time) + ": " + parsed.error().text(), "such as --for 1h");
  int64_t seconds = static_cast<int64_t>(*parsed / 1000);
  if (seconds < 1 || seconds > install::kLongestOff)
    return fail("--for is between a second and 24 hours", "such as --for 1h");
  return seconds;
}

Result<int> end_off(const InstallPlace& place, const std::string& name) {
  TRY_ASSIGN(bool was_off,
             install::turn_on(place.caller, place.places, name, clock::wall_seconds()));
  printf(was_off ? "%s runs behind the walls again.\n" : "%s was not off.\n", name.c_str());
  return 0;
}

bool is_installed_anywhere(const InstallPlace& place, const std::string& name) {
  if (place.manifest.is_installed(name)) return true;
  auto system = install::read_manifest({.system = true, .folder = install::kSystemFolder});
  return system && system->is_installed(name);
}

Result<int> turn_off(const OffOptions& options) {
  TRY(refuse_inside_a_run("off"));
  TRY_ASSIGN(auto agents, agents_named({options.name}));
  TRY_ASSIGN(InstallPlace place, open_install_place(false));
  if (!is_installed_anywhere(place, options.name))
    return fail(
        options.name + " is not installed behind the walls, so there is nothing to turn off",
        "see: ringwall installed");
  if (options.end) return end_off(place, options.name);
  if (options.time.empty()) return fail("for how long?", "--for 1h");
  if (text::trim(options.reason).empty()) return fail("why? it is noted", "--reason '…'");
  TRY_ASSIGN(int64_t seconds, read_seconds(options.time));
  Status is_free = install::check_off_is_free(place.caller, place.places);
  if (!is_free) {
    is_free.error().what.insert(0, "the walls stay: ");
    return std::unexpected(is_free.error());
  }
  int64_t now = clock::wall_seconds();
  install::Off off{.agent = options.name,
                   .from = now,
                   .until = now + seconds,
                   .reason = options.reason,
                   .by = place.caller.user + ", uid " + std::to_string(getuid()) + ", pid " +
                         std::to_string(getpid())};
  TRY(install::turn_off(place.caller, place.places, off));
  fprintf(stderr, "ringwall: %s runs WITHOUT WALLS until %s; end it: ringwall off %s --end\n",
          options.name.c_str(), local_time(off.until, "%H:%M:%S").c_str(), options.name.c_str());
  return 0;
}

}  // namespace

int cmd_off(const Invocation& invocation) {
  CommandLine line("Lets an installed agent run without walls for a while.", "off",
                   "ringwall off AGENT --for TIME --reason TEXT | ringwall off AGENT --end");
  line.footer(kExamples);
  OffOptions options;
  line.add_option("AGENT", options.name, "one that is installed (see: ringwall installed)")
      .required();
  line.add_option("--for", options.time, "how long, at most 24h").type_name("TIME");
  line.add_option("--reason", options.reason, "why; it is noted").type_name("TEXT");
  line.add_flag("--end", options.end, "walls again, now");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto done = turn_off(options);
  if (done) return *done;
  complain(done.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
