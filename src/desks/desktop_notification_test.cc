#include "desks/desktop_notification.h"

#include <gtest/gtest.h>

namespace ringwall::desks {
namespace {

TEST(DesktopNotification, MarkupIsEscaped) {
  EXPECT_EQ(escape_markup("<a href='x'>&amp;</a>"), "&lt;a href='x'&gt;&amp;amp;&lt;/a&gt;");
  EXPECT_EQ(escape_markup("plain 'text'"), "plain 'text'");
}

TEST(DesktopNotification, WithoutAPlanNothingIsStarted) {
  DesktopNotifier notifier({});
  notifier.tell({"app-1", 1, "x.example:443", "sh"});  // does nothing, and does not fail
}

}  // namespace
}  // namespace ringwall::desks
