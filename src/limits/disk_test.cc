#include "limits/disk.h"

#include <gtest/gtest.h>

namespace ringwall::limits {

TEST(Disk, APartIsNamedByTheWhole) {
  EXPECT_EQ(plan_disk({"/work", "ext4", "8:1", "8:0"}).value(), "8:0");
  EXPECT_EQ(plan_disk({"/work", "ext4", "253:0", ""}).value(), "253:0");
}

TEST(Disk, WhereThereIsNoneTheFolderIsNamed) {
  auto none = plan_disk({"/dev/shm/x", "tmpfs", "", ""});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().what.find("/dev/shm/x"), std::string::npos) << none.error().what;
  EXPECT_NE(none.error().what.find("tmpfs"), std::string::npos) << none.error().what;
  EXPECT_FALSE(none.error().hint.empty());
}

TEST(Disk, FoldersInMemoryLieOnNone) {
  DiskFacts facts = read_disk_facts("/proc");
  EXPECT_EQ(facts.type, "proc");
  EXPECT_EQ(facts.device, "");
  EXPECT_EQ(read_disk_facts("/not/there").device, "");
}

}  // namespace ringwall::limits
