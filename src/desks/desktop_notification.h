// A notification on the person's desktop when something waits for their answer, by their own
// notify-send. Nobody waits for it, and what an agent asks for cannot make a storm of them.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "events/event.h"
#include "processes/outside_program.h"

namespace ringwall::desks {

struct PlannedNotification {
  std::string program;  // empty: there is no desktop, or no such program out of an agent's reach
  std::vector<std::string> variables;
};
PlannedNotification plan_notification(const processes::IsInReach& is_in_reach);

// Its text is markup for some desktops.
std::string escape_markup(const std::string& text);

class DesktopNotifier {
 public:
  explicit DesktopNotifier(PlannedNotification planned) : planned_(std::move(planned)) {}
  DesktopNotifier(const DesktopNotifier&) = delete;
  DesktopNotifier& operator=(const DesktopNotifier&) = delete;
  // One that has not ended by then ends with the run.
  ~DesktopNotifier() { end_last(); }

  // At most one in ten seconds; the others wait in `ringwall top` all the same.
  void tell(const events::Asked& asked);
  // Where everything stands still until the person decides.
  void tell(const events::RiskLevel& level);

 private:
  void show(const std::string& title, const std::string& body);
  void end_last();

  PlannedNotification planned_;
  pid_t last_ = -1;
  int64_t told_at_ = 0;
};

}  // namespace ringwall::desks
