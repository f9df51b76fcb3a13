#include "base/unix_sockets.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace ringwall::unix_sockets {
namespace {

class UnixSockets : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "rw-sockets.XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    auto list = open_list();
    ASSERT_TRUE(list);
    list_ = std::move(*list);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  static sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
  }
  Fd bind_at(const std::string& name, int type) const {
    Fd made(socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
    sockaddr_un address = address_of(at(name));
    EXPECT_EQ(bind(made.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return made;
  }
  Fd place(const std::string& name) const {
    return Fd(open(at(name).c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  }
  std::vector<Listed> listed_at(const std::string& name) const {
    struct stat facts;
    EXPECT_EQ(lstat(at(name).c_str(), &facts), 0);
    Binding wanted = binding_of(facts.st_dev, facts.st_ino);
    auto all = read_list(list_.get());
    EXPECT_TRUE(all);
    std::erase_if(*all, [&](const Listed& one) { return one.binding != wanted; });
    return *all;
  }

  std::string folder_;
  Fd list_;
};

TEST_F(UnixSockets, OfEveryTypeAreListedAndLive) {
  for (int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET}) {
    std::string name = std::to_string(type);
    Fd bound = bind_at(name, type);
    EXPECT_EQ(listed_at(name).size(), 1u) << type;
    EXPECT_TRUE(is_live(place(name).get())) << type;
    ASSERT_TRUE(type == SOCK_DGRAM || listen(bound.get(), 1) == 0);
    EXPECT_TRUE(is_live(place(name).get())) << type;
    ASSERT_EQ(link(at(name).c_str(), at(name + "-too").c_str()), 0);
    EXPECT_TRUE(is_live(place(name + "-too").get())) << "by its second name";
    bound.close();
    EXPECT_EQ(listed_at(name).size(), 0u) << type;
    EXPECT_FALSE(is_live(place(name).get())) << type;
  }
}

TEST_F(UnixSockets, WhoAsksIsNotNoticed) {
  Fd stream = bind_at("stream", SOCK_STREAM), datagrams = bind_at("datagrams", SOCK_DGRAM);
  ASSERT_EQ(listen(stream.get(), 1), 0);
  for (int i = 0; i < 10; i++) {
    EXPECT_TRUE(is_live(place("stream").get()));
    EXPECT_TRUE(is_live(place("datagrams").get()));
  }
  pollfd hears[] = {{stream.get(), POLLIN, 0}, {datagrams.get(), POLLIN, 0}};
  EXPECT_EQ(poll(hears, 2, 0), 0);
}

TEST_F(UnixSockets, AFileThatNobodyHasBoundIsDead) {
  ASSERT_EQ(mknod(at("made").c_str(), S_IFSOCK | 0600, 0), 0);
  EXPECT_FALSE(is_live(place("made").get()));
}

TEST_F(UnixSockets, ConnectionsAreKnownByTheirEnds) {
  Fd listener = bind_at("listener", SOCK_STREAM);
  ASSERT_EQ(listen(listener.get(), 1), 0);
  Fd client(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = address_of(at("listener"));
  ASSERT_EQ(connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  Fd taken(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  ASSERT_TRUE(taken);
  auto here = listed_at("listener");
  ASSERT_EQ(here.size(), 2u) << "the listener, and what it has taken in";
  EXPECT_EQ(std::ranges::count(here, true, &Listed::is_far_end), 1);
  auto all = read_list(list_.get());
  ASSERT_TRUE(all);
  auto is_to_here = [&](const Listed& one) {
    return std::ranges::any_of(here, [&](const Listed& end) { return one.peer == end.number; });
  };
  EXPECT_EQ(std::ranges::count_if(*all, is_to_here), 1);
}

}  // namespace
}  // namespace ringwall::unix_sockets
