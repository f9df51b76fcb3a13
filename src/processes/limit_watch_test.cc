// The watch over processes of the test's own: this process stands in for pid 1 of a sandbox.
#include "processes/limit_watch.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "base/clock.h"
#include "base/sanitized.h"
#include "processes/sandbox_processes.h"

namespace ringwall::processes {
namespace {

constexpr uint64_t kMega = 1 << 20;
constexpr int64_t kMillisecond = 1'000'000;
constexpr const char* kOwnMemory = "a sanitizer's memory would be counted in each process";

// What tests before these have freed is not to count for each child that is forked here.
void give_back_freed_memory() { malloc_trim(0); }

// A child that holds memory until it is ended.
class Holder {
 public:
  explicit Holder(uint64_t bytes, int flags = MAP_PRIVATE) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    give_back_freed_memory();
    pid_ = fork();
    if (pid_ == 0) {
      void* memory =
          mmap(nullptr, bytes + 4096, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
      memset(memory, 1, bytes);
      if (write(ends[1], "x", 1) != 1) _exit(1);
      while (true)
        pause();
    }
    char byte;
    EXPECT_EQ(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
  }
  ~Holder() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

// A child whose first thread has ended while another goes on and holds memory.
class Headless {
 public:
  explicit Headless(uint64_t bytes) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_ = fork();
    if (pid_ == 0) {
      std::thread([=] {
        std::vector<char> memory(bytes, 1);
        // Until /proc shows the first one's end.
        while (is_alive("/proc/self"))
          usleep(1000);
        _exit(write(ends[1], memory.data(), 1) == 1 ? pause() : 1);
      }).detach();
      syscall(SYS_exit, 0);
    }
    char byte;
    EXPECT_EQ(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
  }
  ~Headless() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

Usage read_exact_usage(std::vector<pid_t> processes) {
  ExactUsage count(std::move(processes));
  while (!count.go_on(0)) {
  }
  return count.sum();
}

WatchInputs inputs(limits::Limits limits) {
  return {.run = "app-1", .limits = limits, .init = getpid()};
}

}  // namespace

TEST(SandboxProcesses, AreFoundBelowTheirFirst) {
  Holder one(kMega), two(kMega);
  std::vector<pid_t> found = list_processes(getpid());
  for (pid_t pid : {one.pid(), two.pid()})
    EXPECT_NE(std::find(found.begin(), found.end(), pid), found.end());
  EXPECT_EQ(std::find(found.begin(), found.end(), getpid()), found.end());
  EXPECT_NE(find_process(getpid()), 0);
  EXPECT_TRUE(list_processes(0x7ffffff0).empty());
}

TEST(SandboxProcesses, RoughUsageIsAtLeastTheExactOne) {
  Holder holder(32 * kMega), shared(16 * kMega, MAP_SHARED);
  std::vector<pid_t> all = list_processes(getpid());
  Usage rough = read_rough_usage(all), exact = read_exact_usage(all);
  EXPECT_GE(rough.anonymous, 32 * kMega);
  EXPECT_GE(exact.anonymous, 32 * kMega);
  EXPECT_GE(exact.shared, 16 * kMega);
  EXPECT_GE(rough.anonymous + kMega, exact.anonymous);
  EXPECT_GE(rough.tasks, 2u);
}

TEST(SandboxProcesses, TheExactCountGoesInSteps) {
  if (kIsSanitized) GTEST_SKIP() << kOwnMemory;
  Holder one(8 * kMega), two(8 * kMega), three(8 * kMega);
  ExactUsage count({one.pid(), two.pid(), three.pid()});
  EXPECT_FALSE(count.go_on(0));
  EXPECT_GE(count.sum().anonymous, 8 * kMega);
  EXPECT_LT(count.sum().anonymous, 16 * kMega);
  EXPECT_FALSE(count.go_on(0));
  EXPECT_TRUE(count.go_on(0));
  EXPECT_GE(count.sum().anonymous, 24 * kMega);
}

TEST(SandboxProcesses, OneWhoseFirstThreadHasEndedIsMeasuredToo) {
  Headless headless(32 * kMega);
  EXPECT_FALSE(is_alive("/proc/" + std::to_string(headless.pid())));
  EXPECT_GE(read_rough_usage({headless.pid()}).anonymous, 32 * kMega);
  EXPECT_GE(read_exact_usage({headless.pid()}).anonymous, 32 * kMega);
  EXPECT_GE(read_rough_usage({headless.pid()}).tasks, 1u);
  EXPECT_EQ(count_open_files(headless.pid()) > 0, count_open_files(getpid()) > 0);
  EXPECT_EQ(read_fill(headless.pid(), "/dev/shm").bytes, read_fill(getpid(), "/dev/shm").bytes);
  size_t of_living = 0;
  for (const std::string& table : list_file_tables(headless.pid()))
    of_living += is_alive(table.substr(0, table.rfind('/')));
  EXPECT_EQ(of_living, 1u);
}

TEST(SandboxProcesses, OnlyFoldersInMemoryAreMeasured) {
  Fill fill = read_fill(getpid(), "/dev/shm");
  EXPECT_FALSE(fill.no_space);
  EXPECT_EQ(read_fill(getpid(), "/proc").bytes, 0u);
  EXPECT_EQ(read_fill(0x7ffffff0, "/tmp").bytes, 0u);
}

// A look that took long, as on a busy host, is paid for by glances that see nothing.
std::vector<events::LimitReached> look_until_told(LimitWatch& watch) {
  for (int64_t until = clock::monotonic() + 60'000 * kMillisecond; clock::monotonic() < until;
       usleep(10'000))
    if (auto reached = watch.look(); !reached.empty()) return reached;
  return {};
}

TEST(LimitWatch, NothingToWatch) {
  LimitWatch watch(inputs({.home_growth = policy::kNoLimit, .workspace_growth = policy::kNoLimit}));
  EXPECT_EQ(watch.next_look(), 0);
}

TEST(LimitWatch, MemoryIsToldOnceAndAgainWhenItHasDoubled) {
  LimitWatch watch(inputs({.memory = 40 * kMega, .memory_was_asked_for = true}));
  EXPECT_GT(watch.next_look(), 0);
  EXPECT_TRUE(watch.look().empty());
  Holder first(48 * kMega);
  auto reached = look_until_told(watch);
  ASSERT_EQ(reached.size(), 1u);
  EXPECT_EQ(reached[0].limit, "memory");
  EXPECT_EQ(reached[0].flag, "--memory");
  EXPECT_EQ(reached[0].run, "app-1");
  EXPECT_EQ(reached[0].then, events::LimitReached::Then::paused);
  EXPECT_NE(reached[0].what.find("and 40M are allowed"), std::string::npos) << reached[0].what;
  EXPECT_TRUE(watch.look().empty());
  Holder second(60 * kMega);
  EXPECT_EQ(look_until_told(watch).size(), 1u);
}

// What children share with their parent is not memory that they use.
TEST(LimitWatch, SharedPagesCountOnce) {
  if (kIsSanitized) GTEST_SKIP() << kOwnMemory;
  constexpr uint64_t kBytes = 48 * kMega;
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  memset(memory, 1, kBytes);
  std::vector<pid_t> readers;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  give_back_freed_memory();
  for (int i = 0; i < 4; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      long sum = 0;
      for (uint64_t at = 0; at < kBytes; at += 4096)
        sum += static_cast<char*>(memory)[at];
      _exit(write(ends[1], &sum, 1) == 1 ? pause() : 1);
    }
    readers.push_back(pid);
  }
  char byte;
  for (int i = 0; i < 4; i++)
    ASSERT_EQ(read(ends[0], &byte, 1), 1);
  LimitWatch watch(inputs({.memory = 80 * kMega, .memory_was_asked_for = true}));
  EXPECT_GE(read_rough_usage(list_processes(getpid())).shared, 4 * kBytes);
  EXPECT_TRUE(watch.look().empty());
  for (pid_t pid : readers) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  munmap(memory, kBytes);
}

TEST(LimitWatch, TimeEndsTheRunOnce) {
  int64_t began = clock::monotonic();
  LimitWatch watch(inputs(
      {.home_growth = policy::kNoLimit, .workspace_growth = policy::kNoLimit, .milliseconds = 20}));
  EXPECT_LE(watch.next_look(), clock::monotonic() + 20 * kMillisecond);
  auto reached = look_until_told(watch);
  EXPECT_GE(clock::monotonic(), began + 20 * kMillisecond);
  ASSERT_EQ(reached.size(), 1u);
  EXPECT_EQ(reached[0].then, events::LimitReached::Then::ended);
  EXPECT_EQ(reached[0].flag, "--timeout");
  EXPECT_EQ(reached[0].what, "has used up its time, 20ms");
  EXPECT_TRUE(watch.look().empty());
}

TEST(LimitWatch, TooManyProcessesAreToldNotPaused) {
  Holder one(kMega), two(kMega);
  LimitWatch watch(inputs({.processes = 2}));
  auto reached = watch.look();
  ASSERT_EQ(reached.size(), 1u);
  EXPECT_EQ(reached[0].limit, "processes");
  EXPECT_EQ(reached[0].then, events::LimitReached::Then::refused);
  EXPECT_TRUE(watch.look().empty());
}

TEST(LimitWatch, LooksAreRareWhileThereIsRoom) {
  LimitWatch watch(inputs({.memory = 1ull << 50}));
  for (int i = 0; i < 50; i++)
    watch.look();
  int64_t before = clock::monotonic();
  watch.look();
  EXPECT_GE(watch.next_look(), before + 1000 * kMillisecond);
}

}  // namespace ringwall::processes
