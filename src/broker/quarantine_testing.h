// For tests: a folder to take things from, and a store for them.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "base/path.h"
#include "base/tree.h"
#include "broker/quarantine.h"
#include "broker/quarantine_restore.h"

namespace ringwall::broker {

class Quarantined : public testing::Test {
 protected:
  Quarantined() : Quarantined(testing::TempDir()) {}
  explicit Quarantined(const std::string& where) {
    std::string pattern = where + "/quarantineXXXXXX";
    top_ = mkdtemp(pattern.data());
    std::string store = testing::TempDir() + "/storeXXXXXX";
    store_ = mkdtemp(store.data());
    mkdir(at("").c_str(), 0700);
    work_ = open_folder(at(""));
  }
  ~Quarantined() override {
    for (const std::string& folder : {top_, store_}) {
      Fd parent = open_folder(path::parent(folder));
      EXPECT_TRUE(tree::remove_at(parent.get(), std::string(path::basename(folder))));
    }
  }

  static Fd open_folder(const std::string& path) {
    return Fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  std::string at(const std::string& name) const { return top_ + "/w/" + name; }
  std::string stored(const std::string& item) const { return store_ + "/" + item + "/content"; }

  void make_file(const std::string& name, const std::string& text = "evil") const {
    Fd fd(::open(at(name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640));
    ASSERT_TRUE(fd);
    ASSERT_TRUE(file::write_all(fd.get(), text));
  }
  void make_folder(const std::string& name) const { ASSERT_EQ(mkdir(at(name).c_str(), 0755), 0); }

  static bool is_gone(const std::string& path) {
    struct stat facts;
    return lstat(path.c_str(), &facts) < 0 && errno == ENOENT;
  }
  size_t entries_of_work() const {
    auto entries = file::list(work_.get());
    return entries ? entries->size() : 999;
  }

  Quarantine quarantine(const QuarantineLimits& limits = {}) const {
    auto opened = Quarantine::open(store_, limits);
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().text());
    return std::move(*opened);
  }
  Taken take(Quarantine& quarantine, const std::string& name) const {
    auto taken = quarantine.take(work_.get(), name, {at(name), "run-1"}, {".mcp.json", "planted"});
    EXPECT_TRUE(taken) << taken.error().text();
    return taken.value_or(Taken{});
  }
  std::vector<Item> items() const {
    Fd store = open_folder(store_);
    auto listed = list_items(store.get());
    EXPECT_TRUE(listed);
    return listed.value_or(std::vector<Item>{});
  }
  Result<Restored> restore(const std::string& item, const std::string& to = {}) const {
    Fd store = open_folder(store_);
    TRY_ASSIGN(Item seen, look_at_item(store.get(), item));
    return restore_item(store.get(), seen, to);
  }

  std::string top_;
  std::string store_;
  Fd work_;
};

inline void make_socket(int dir, const std::string& name) {
  Fd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", dir, name.c_str());
  ASSERT_EQ(bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
}

}  // namespace ringwall::broker
