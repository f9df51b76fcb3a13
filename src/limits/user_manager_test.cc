// The one call, against a manager of the test's own.
#include "limits/user_manager.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "base/fd.h"
#include "base/file.h"

namespace ringwall::limits {
namespace {

ScopeRequest request() {
  return {.unit = "ringwall-app-1.7.scope",
          .process = 4242,
          .memory = 64 << 20,
          .processes = 100,
          .cpu = 1500};
}

// A message of little endian with an empty field list.
std::string message(char kind, const std::string& body) {
  std::string bytes = {'l', kind, 0, 1};
  auto length = static_cast<uint32_t>(body.size());
  uint32_t serial = 9, fields = 0;
  for (uint32_t number : {length, serial, fields})
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  return bytes + body;
}

std::string text(const std::string& value) {
  auto length = static_cast<uint32_t>(value.size());
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + value + '\0';
}

// The body of the signal about a job's end.
std::string removed(const std::string& unit, const std::string& result) {
  std::string body(4, '\1');
  for (const std::string& part : {std::string("/job/1"), unit, result}) {
    body.resize((body.size() + 3) / 4 * 4, '\0');
    body += text(part);
  }
  return body;
}

// Listens, greets, and answers the first call with `answer`.
class Manager {
 public:
  explicit Manager(std::string answer, std::string greeting = "OK 0123\r\n")
      : path_(testing::TempDir() + "manager" + std::to_string(getpid())) {
    unlink(path_.c_str());
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, path_.data(), path_.size());
    listener_ = Fd(socket(AF_UNIX, SOCK_STREAM, 0));
    EXPECT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener_.get(), 1), 0);
    thread_ = std::thread([this, answer, greeting] { serve(answer, greeting); });
  }
  ~Manager() {
    thread_.join();
    unlink(path_.c_str());
  }
  const std::string& path() const { return path_; }
  std::string heard;

 private:
  void serve(const std::string& answer, const std::string& greeting) {
    Fd client(accept(listener_.get(), nullptr, nullptr));
    std::string all;
    char buffer[4096];
    bool greeted = false;
    while (true) {
      ssize_t count = read(client.get(), buffer, sizeof buffer);
      if (count <= 0) break;
      all.append(buffer, static_cast<size_t>(count));
      if (!greeted && all.find("\r\n") != std::string::npos) {
        greeted = true;
        (void)file::write_all(client.get(), greeting);
      }
      if (all.find("StartTransientUnit") != std::string::npos) {
        (void)file::write_all(client.get(), answer);
        shutdown(client.get(), SHUT_WR);
      }
    }
    heard = all;
  }

  std::string path_;
  Fd listener_;
  std::thread thread_;
};

}  // namespace

TEST(UserManager, TheCallIsWellFormed) {
  std::string bytes = encode_start_scope(request(), 2);
  uint32_t body, serial, fields;
  memcpy(&body, bytes.data() + 4, 4);
  memcpy(&serial, bytes.data() + 8, 4);
  memcpy(&fields, bytes.data() + 12, 4);
  EXPECT_EQ(serial, 2u);
  size_t head = (16 + fields + 7) / 8 * 8;
  EXPECT_EQ(bytes.size(), head + body);
  EXPECT_NE(bytes.find("ssa(sv)a(sa(sv))"), std::string::npos);
  for (const char* name : {"PIDs", "Delegate", "MemoryMax", "TasksMax", "CPUQuotaPerSecUSec"})
    EXPECT_NE(bytes.find(name), std::string::npos) << name;
  ScopeRequest small = request();
  small.cpu = kNoLimit;
  EXPECT_EQ(encode_start_scope(small, 2).find("CPUQuota"), std::string::npos);
}

TEST(UserManager, WaitsForTheEndOfTheJob) {
  std::string others = message(4, text("a signal")) + message(4, removed("other.scope", "failed"));
  Manager manager(others + message(2, text("/job/1")) + others +
                  message(4, removed(request().unit, "done")));
  EXPECT_TRUE(start_scope(manager.path(), request()));
}

TEST(UserManager, AJobThatFailsIsAnError) {
  Manager manager(message(2, text("/job/1")) + message(4, removed(request().unit, "failed")));
  Status failed = start_scope(manager.path(), request());
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().what.find("failed"), std::string::npos);
}

TEST(UserManager, ARefusalIsToldInItsWords) {
  Manager manager(message(3, text("Unit exists.\x1b[31m")));
  Status refused = start_scope(manager.path(), request());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("Unit exists."), std::string::npos);
  EXPECT_EQ(refused.error().what.find('\x1b'), std::string::npos);
}

TEST(UserManager, BrokenAnswersAreErrors) {
  for (const std::string& answer :
       {std::string(), std::string("l\2"), message(2, "x").replace(0, 1, "B"),
        message(2, "").replace(4, 4, "\xff\xff\xff\x7f"), message(3, "\xff\xff")}) {
    Manager manager(answer);
    EXPECT_FALSE(start_scope(manager.path(), request()));
  }
  Manager stranger("", "REJECTED\r\n");
  EXPECT_FALSE(start_scope(stranger.path(), request()));
}

TEST(UserManager, NoSocketNoManager) {
  EXPECT_EQ(find_user_manager(getuid() + 1, testing::TempDir().c_str()), "");
  EXPECT_FALSE(start_scope(testing::TempDir() + "not-there", request()));
}

}  // namespace ringwall::limits
