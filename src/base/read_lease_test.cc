#include "base/read_lease.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdlib>
#include <string>

#include "base/fd.h"

namespace ringwall::file {
namespace {

class ReadLeaseTest : public testing::Test {
 protected:
  ReadLeaseTest() : made_(mkostemp(name_.data(), O_CLOEXEC)) {
    made_.close();
    file_ = Fd(::open(name_.c_str(), O_RDONLY | O_CLOEXEC));
  }
  ~ReadLeaseTest() override { unlink(name_.c_str()); }
  Fd open_for_writing() const { return Fd(::open(name_.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK)); }

  std::string name_ = testing::TempDir() + "read_lease_test.XXXXXX";
  Fd made_;
  Fd file_;
};

TEST_F(ReadLeaseTest, NobodyWrites) {
  EXPECT_EQ(probe_writers(file_.get()), Writers::none);
  // The probe has given back what it took.
  EXPECT_TRUE(open_for_writing());
}

TEST_F(ReadLeaseTest, SomebodyWrites) {
  Fd writer = open_for_writing();
  EXPECT_EQ(probe_writers(file_.get()), Writers::some);
  EXPECT_FALSE(ReadLease(file_.get()).is_held());
  writer.close();
  EXPECT_TRUE(ReadLease(file_.get()).is_held());
}

TEST_F(ReadLeaseTest, AMappingIsAWriter) {
  Fd writer = open_for_writing();
  ASSERT_EQ(ftruncate(writer.get(), 1), 0);
  void* mapped = mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED, writer.get(), 0);
  ASSERT_NE(mapped, MAP_FAILED);
  writer.close();
  EXPECT_EQ(probe_writers(file_.get()), Writers::some);
  munmap(mapped, 1);
  EXPECT_EQ(probe_writers(file_.get()), Writers::none);
}

TEST_F(ReadLeaseTest, UnknownWhereThereAreNone) {
  Fd folder(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  EXPECT_EQ(probe_writers(folder.get()), Writers::unknown);
}

}  // namespace
}  // namespace ringwall::file
