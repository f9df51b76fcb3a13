#include "undo/store.h"

#include <signal.h>
#include <sys/wait.h>

#include "undo/undo_testing.h"

namespace ringwall::undo {
namespace {

class Stores : public UndoPlace {
 protected:
  Result<Digest> put(Store& store, const std::string& path, bool good = true) {
    Fd file = *file::open(tree_ + "/" + path, O_RDONLY);
    struct stat facts;
    fstat(file.get(), &facts);
    return store.put(file.get(), static_cast<uint64_t>(facts.st_size), [=] { return good; });
  }
  std::string take(const Store& store, const Digest& digest, uint64_t size) {
    Fd out(openat(AT_FDCWD, top_.c_str(), O_TMPFILE | O_RDWR, 0600));
    Status copied = store.copy_to(digest, size, out.get());
    if (!copied) return "error: " + copied.error().text();
    lseek(out.get(), 0, SEEK_SET);
    return *file::read_all(out.get(), 64 << 20);
  }
  std::string path_of(const Digest& digest) const {
    std::string hex = digest.hex();
    return top_ + "/undo/blobs/" + hex.substr(0, 2) + "/" + hex.substr(2);
  }
};

TEST_F(Stores, GiveBackWhatWasPutAndKeepItOnce) {
  std::string large(3'000'000, 'x');
  large += std::string(2'000'000, '\0') + "end";
  write("small", "hello");
  write("twin", "hello");
  write("empty", "");
  write("large", large);
  auto store = Store::open(undo_.get());
  ASSERT_TRUE(store);
  auto small = put(*store, "small"), twin = put(*store, "twin"), empty = put(*store, "empty");
  ASSERT_TRUE(small && twin && empty);
  EXPECT_EQ(*small, *twin);
  EXPECT_EQ(store->stored(), 5u);
  auto whole = put(*store, "large");
  ASSERT_TRUE(whole);
  EXPECT_EQ(*whole, *put(*store, "large"));
  EXPECT_EQ(store->stored(), 5u + large.size());
  EXPECT_EQ(take(*store, *small, 5), "hello");
  EXPECT_EQ(take(*store, *empty, 0), "");
  EXPECT_EQ(take(*store, *whole, large.size()), large);
  size_t contents = 0;
  ASSERT_TRUE(store->visit([&](const Digest&, uint64_t) { contents++; }));
  EXPECT_EQ(contents, 3u);
  EXPECT_TRUE(file::list(file::open(top_ + "/undo/new", O_RDONLY)->get())->empty());
}

TEST_F(Stores, SayThatWhatWasKeptIsGone) {
  write("file", "hello");
  auto store = Store::open(undo_.get());
  auto digest = put(*store, "file");
  ASSERT_TRUE(digest);
  ASSERT_EQ(unlink(path_of(*digest).c_str()), 0);
  EXPECT_EQ(take(*store, *digest, 5), "error: what was kept of it is gone");
}

TEST_F(Stores, NameNothingThatWasChangedMeanwhile) {
  write("small", "hello");
  write("large", std::string(3'000'000, 'x'));
  auto store = Store::open(undo_.get());
  for (const char* path : {"small", "large"}) {
    auto digest = put(*store, path, false);
    ASSERT_FALSE(digest);
    EXPECT_EQ(digest.error().err, ESTALE);
  }
  size_t contents = 0;
  ASSERT_TRUE(store->visit([&](const Digest&, uint64_t) { contents++; }));
  EXPECT_EQ(contents, 0u);
  EXPECT_TRUE(file::list(file::open(top_ + "/undo/new", O_RDONLY)->get())->empty());
}

TEST_F(Stores, SeeDamage) {
  write("file", "hello");
  auto store = Store::open(undo_.get());
  auto digest = put(*store, "file");
  ASSERT_TRUE(digest);
  std::ofstream(path_of(*digest)) << "jello";
  EXPECT_NE(take(*store, *digest, 5).find("another digest"), std::string::npos);
  std::ofstream(path_of(*digest)) << "hell";
  EXPECT_NE(take(*store, *digest, 5).find("another size"), std::string::npos);
  // What has the wrong size is written anew.
  ASSERT_TRUE(put(*store, "file"));
  EXPECT_EQ(take(*store, *digest, 5), "hello");
  ASSERT_TRUE(store->remove(*digest));
  EXPECT_NE(take(*store, *digest, 5).find("error"), std::string::npos);
}

// Whenever it is killed: what has a name is whole.
TEST_F(Stores, AreWholeWheneverTheirWriterIsKilled) {
  std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN";
  for (size_t i = 0; i < 40; i++)
    write("f" + std::to_string(i), std::string(i * 60'000, letters[i]));
  for (int round = 0; round < 25; round++) {
    pid_t child = fork();
    if (child == 0) {
      auto store = Store::open(undo_.get());
      for (int i = 0; store && i < 40; i++)
        (void)put(*store, "f" + std::to_string(i));
      _exit(0);
    }
    usleep(static_cast<useconds_t>(round) * 400);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    auto store = Store::open(undo_.get());
    ASSERT_TRUE(store->visit([&](const Digest& digest, uint64_t) {
      struct stat facts;
      ASSERT_EQ(stat(path_of(digest).c_str(), &facts), 0);
      auto size = static_cast<uint64_t>(facts.st_size);
      EXPECT_EQ(take(*store, digest, size).find("error"), std::string::npos);
    }));
  }
  auto store = Store::open(undo_.get());
  ASSERT_TRUE(store->remove_unfinished());
  EXPECT_TRUE(file::list(file::open(top_ + "/undo/new", O_RDONLY)->get())->empty());
}

}  // namespace
}  // namespace ringwall::undo
