#include "desks/desktop_notification.h"

#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "events/redact.h"

namespace ringwall::desks {
namespace {

constexpr int64_t kBetween = 10'000'000'000;  // nanoseconds

bool is_set(const char* name) {
  const char* value = getenv(name);
  return value != nullptr && *value != '\0';
}

bool has_desktop() {
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) return false;
  if (is_set("DBUS_SESSION_BUS_ADDRESS")) return true;
  return is_set("XDG_RUNTIME_DIR") && file::exists(path::join(getenv("XDG_RUNTIME_DIR"), "bus"));
}

}  // namespace

PlannedNotification plan_notification(const processes::IsInReach& is_in_reach) {
  if (!has_desktop()) return {};
  PlannedNotification planned{"", processes::variables_for_outside(is_in_reach)};
  planned.program = processes::locate_outside("notify-send", planned.variables, is_in_reach);
  return planned;
}

std::string escape_markup(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

void DesktopNotifier::tell(const events::Asked& asked) {
  std::string who =
      asked.program.empty() ? "" : " for " + text::quote(events::redact(asked.program));
  std::string rest = " " + text::quote(asked.run) + " " + std::to_string(asked.id);
  show(text::quote(asked.run) + " waits for you", text::quote(events::redact(asked.destination)) +
                                                      who + "\nringwall top, or: ringwall approve" +
                                                      rest + ", ringwall reject" + rest);
}

void DesktopNotifier::tell(const events::RiskLevel& level) {
  if (!level.asks) return;
  std::string why = level.because.empty() ? "" : text::escape(events::redact(level.because[0]));
  show(text::quote(level.run) + " is " + level.level + " by its risk",
       why + "\nringwall explain risk " + text::quote(level.run));
}

void DesktopNotifier::show(const std::string& title, const std::string& body) {
  if (planned_.program.empty()) return;
  int64_t now = clock::monotonic();
  if (told_at_ != 0 && now - told_at_ < kBetween) return;
  told_at_ = now;
  end_last();
  processes::OutsideProgram program{
      {planned_.program, "--app-name=ringwall", "--", "Ringwall: " + title, escape_markup(body)},
      planned_.variables};
  // Where it cannot be started, the person has the line on the terminal, and `ringwall top`.
  last_ = processes::start_outside(std::move(program)).value_or(-1);
}

// It had ten seconds; who has not ended by then shows nothing any more.
void DesktopNotifier::end_last() {
  if (last_ <= 0) return;
  if (waitpid(last_, nullptr, WNOHANG) == 0) {
    kill(last_, SIGKILL);
    while (waitpid(last_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  last_ = -1;
}

}  // namespace ringwall::desks
