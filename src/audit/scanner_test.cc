#include "audit/scanner.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/repository.h"
#include "base/file.h"
#include "base/tree.h"

namespace ringwall::audit {
namespace {

class Scanner : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/scanner-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    auto place = file::open(folder_, O_RDONLY | O_DIRECTORY);
    ASSERT_TRUE(place && file::replace_at(place->get(), "file", "x"));
  }
  void TearDown() override { (void)tree::remove_at(AT_FDCWD, folder_); }

  std::string folder_;
};

// Read-only, alone, and without anything that it could start or reach.
TEST_F(Scanner, CanOnlyLookAndReport) {
  ScanRequest request = ask_for_repository(folder_, {}, {});
  request.task = "walls";
  request.run = run_scanner<try_walls>;
  auto report = scan_in_sandbox(request);
  ASSERT_TRUE(report) << report.error().text();
  ASSERT_EQ(report->findings.size(), 1u);
  EXPECT_EQ(report->findings[0].path, "read what is shown");
}

// The same acts are possible here: without its walls the test above would fail.
TEST_F(Scanner, WouldOtherwiseDoMore) {
  EXPECT_TRUE(file::exists("/etc/passwd") && file::exists("/proc/self"));
  EXPECT_TRUE(file::open(folder_ + "/file", O_WRONLY));
  EXPECT_TRUE(file::open(folder_ + "/made", O_WRONLY | O_CREAT, 0600));
}

TEST_F(Scanner, DoesNothingWithoutATask) {
  ScanRequest request = ask_for_repository(folder_, {}, {});
  request.run = nullptr;
  EXPECT_FALSE(scan_in_sandbox(request));
}

TEST_F(Scanner, IsNotWaitedForLongerThanAsked) {
  auto started = RunningScan::start(ask_for_repository(folder_, {}, {}));
  ASSERT_TRUE(started);
  EXPECT_FALSE(started->finish(0));
}

}  // namespace
}  // namespace ringwall::audit
