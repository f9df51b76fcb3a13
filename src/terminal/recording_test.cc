#include "terminal/recording.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <filesystem>
#include <limits>
#include <random>
#include <vector>

#include "base/file.h"
#include "terminal/cast.h"

namespace ringwall::terminal {
namespace {

// A file in memory, and a second descriptor to look at it.
struct File {
  Fd fd{memfd_create("cast", MFD_CLOEXEC)};
  Fd copy() const { return Fd(fcntl(fd.get(), F_DUPFD_CLOEXEC, 3)); }
  std::string content() const {
    lseek(fd.get(), 0, SEEK_SET);
    return file::read_all(fd.get(), 1 << 28).value();
  }
};

RecordingHeader small() { return {.size = {24, 80}, .timestamp = 7}; }

const std::string kSmallHeader =
    "{\"version\": 2, \"width\": 80, \"height\": 24, \"timestamp\": 7}\n";

// The lines of events after `pieces`, one microsecond apart.
std::string events(const std::vector<std::string>& pieces) {
  File file;
  Recording recording(file.copy(), small());
  double seconds = 0;
  for (const std::string& piece : pieces)
    EXPECT_TRUE(recording.output(piece, seconds += 1e-6));
  EXPECT_TRUE(recording.finish());
  std::string all = file.content();
  EXPECT_TRUE(all.starts_with(kSmallHeader));
  return all.substr(kSmallHeader.size());
}

// The output as a player would show it.
std::string played(const File& file) {
  lseek(file.fd.get(), 0, SEEK_SET);
  CastReader reader(file.copy(), "test");
  EXPECT_TRUE(reader.read_header());
  std::string out;
  while (true) {
    auto event = reader.next();
    EXPECT_TRUE(event) << event.error().text();
    if (!event || !*event) return out;
    EXPECT_LT((*event)->text.size(), 70000U);
    out += (*event)->text;
  }
}

TEST(Recording, TheHeaderSaysWhatIsKnown) {
  File file;
  Recording(file.copy(), {.size = {50, 200},
                          .title = "a \"title\"\x1b]0;x\x07",
                          .command = "vim \\ \xff",
                          .term = "xterm-256color",
                          .shell = "/bin/bash",
                          .timestamp = 1700000000});
  EXPECT_EQ(
      file.content(),
      "{\"version\": 2, \"width\": 200, \"height\": 50, \"timestamp\": 1700000000, "
      "\"title\": \"a \\\"title\\\"\\u001b]0;x\\u0007\", \"command\": \"vim \\\\ \xef\xbf\xbd\", "
      "\"env\": {\"TERM\": \"xterm-256color\", \"SHELL\": \"/bin/bash\"}}\n");
}

TEST(Recording, TheTimeAndTheSizeAreFilledIn) {
  File file;
  Recording(file.copy(), {.size = {0, 0}, .title = std::string(100000, 'x')});
  lseek(file.fd.get(), 0, SEEK_SET);
  auto header = CastReader(file.copy(), "test").read_header();
  ASSERT_TRUE(header);
  EXPECT_EQ(header->size, (Size{24, 80}));
  EXPECT_LT(file.content().size(), 5000U);
  EXPECT_EQ(file.content().find("\"timestamp\": 0"), std::string::npos);
}

TEST(Recording, EventsHaveTimesAndText) {
  File file;
  Recording recording(file.copy(), small());
  EXPECT_TRUE(recording.output("a\r\n", 0.25));
  EXPECT_TRUE(recording.resize({40, 100}, 1.5));
  EXPECT_TRUE(recording.output("b", 1.0));  // the clock went back
  EXPECT_TRUE(recording.output("c", -1));
  EXPECT_TRUE(recording.output("d", std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(recording.output("e", std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(recording.finish());
  EXPECT_EQ(file.content(), kSmallHeader +
                                "[0.250000, \"o\", \"a\\r\\n\"]\n"
                                "[1.500000, \"r\", \"100x40\"]\n"
                                "[1.500000, \"o\", \"b\"]\n"
                                "[1.500000, \"o\", \"c\"]\n"
                                "[1.500000, \"o\", \"d\"]\n"
                                "[1000000000.000000, \"o\", \"e\"]\n");
}

TEST(Recording, NoControlByteStandsInTheFile) {
  EXPECT_EQ(events({"\x1b[31m\"\\\t\b\x7f\xc2\x9b"}),
            "[0.000001, \"o\", \"\\u001b[31m\\\"\\\\\\u0009\\u0008\\u007f\\u009b\"]\n");
  std::string all;
  for (int byte = 0; byte < 256; byte++)
    all += static_cast<char>(byte);
  for (char c : events({all}))
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

TEST(Recording, ACutCharacterWaitsForItsEnd) {
  EXPECT_EQ(events({"a\xe2\x82", "\xac z"}),
            "[0.000001, \"o\", \"a\"]\n[0.000002, \"o\", \"\xe2\x82\xac z\"]\n");
  EXPECT_EQ(events({"\xe2", "\x82", "\xac"}), "[0.000003, \"o\", \"\xe2\x82\xac\"]\n");
  EXPECT_EQ(events({"\xe2", "z"}), "[0.000002, \"o\", \"\xef\xbf\xbdz\"]\n");
  EXPECT_EQ(events({"a\xe2\x82"}),
            "[0.000001, \"o\", \"a\"]\n[0.000001, \"o\", \"\xef\xbf\xbd\"]\n");
  EXPECT_EQ(events({"\xff\xc0\xaf"}),
            "[0.000001, \"o\", \"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"]\n");
}

TEST(Recording, IsTheSameTextHoweverItIsCut) {
  const std::string text = "a\"\\\x1b[1m\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80\xff\xe2\x82z\r\n";
  const std::string shown =
      "a\"\\\x1b[1m\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd\xef\xbf\xbdz\r\n";
  for (size_t cut = 0; cut <= text.size(); cut++) {
    File file;
    {
      Recording recording(file.copy(), small());
      EXPECT_TRUE(recording.output(text.substr(0, cut), 0));
      EXPECT_TRUE(recording.output(text.substr(cut), 0));
    }
    EXPECT_EQ(played(file), shown) << cut;
  }
}

TEST(Recording, LongAndRandomOutputIsKeptInLinesOfALimitedLength) {
  std::mt19937 random(17);
  File file;
  std::string all;
  {
    Recording recording(file.copy(), small());
    for (int i = 0; i < 30; i++) {
      std::string piece;
      for (size_t length = random() % 300000; length > 0; length--)
        piece += static_cast<char>(i % 2 == 0 ? random() % 128 : 'a');
      EXPECT_TRUE(recording.output(piece, i));
      all += piece;
    }
  }
  EXPECT_EQ(played(file), all);
}

TEST(Recording, IsWrittenInLargePiecesAndOnceASecond) {
  File file;
  Recording recording(file.copy(), small());
  EXPECT_TRUE(recording.output("a", 0.5));
  EXPECT_EQ(file.content(), "");
  EXPECT_TRUE(recording.output("b", 1.5));
  EXPECT_NE(file.content(), "");
  size_t before = file.content().size();
  EXPECT_TRUE(recording.output("c", 1.6));
  EXPECT_EQ(file.content().size(), before);
  EXPECT_TRUE(recording.flush());
  EXPECT_GT(file.content().size(), before);
  before = file.content().size();
  EXPECT_TRUE(recording.output(std::string(100000, 'x'), 1.6));
  EXPECT_GT(file.content().size(), before);
}

TEST(Recording, AFullDiskIsToldOnce) {
  Fd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  ASSERT_TRUE(full);
  Recording recording(std::move(full), small());
  EXPECT_TRUE(recording.output("a", 0));
  Status failed = recording.flush();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().err, ENOSPC);
  EXPECT_TRUE(recording.output(std::string(1000000, 'x'), 5));
  EXPECT_TRUE(recording.resize({1, 1}, 6));
  EXPECT_TRUE(recording.flush());
  EXPECT_TRUE(recording.finish());
}

// What a command with a terminal of its own, which asciinema wants to have, writes to standard
// output.
std::string output_of(std::vector<const char*> command, const std::string& folder) {
  command.push_back(nullptr);
  File out;
  int terminal = -1;
  pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    dup2(out.fd.get(), STDOUT_FILENO);
    std::string home = "HOME=" + folder;
    const char* environment[] = {home.c_str(), "LANG=C.UTF-8", "PATH=/usr/bin:/bin", nullptr};
    execve(command[0], const_cast<char**>(command.data()), const_cast<char**>(environment));
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  EXPECT_EQ(status, 0);
  return out.content();
}

TEST(Recording, IsPlayedByAsciinema) {
  if (access("/usr/bin/asciinema", X_OK) != 0) GTEST_SKIP() << "asciinema is not installed";
  char folder[] = "/tmp/ringwall-unit-recording-XXXXXX";  // asciinema keeps a file in its home
  ASSERT_NE(mkdtemp(folder), nullptr);
  std::string path = std::string(folder) + "/cast";
  Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_TRUE(file);
  {
    Recording recording(std::move(file), {.size = {24, 80}, .title = "t", .term = "xterm"});
    EXPECT_TRUE(recording.output("\x1b[31mred \xe2\x82", 0));
    EXPECT_TRUE(recording.output("\xac \"\\\xff\x1b[m\r\n", 0.01));
    EXPECT_TRUE(recording.resize({30, 90}, 0.02));
    EXPECT_TRUE(recording.output("\xf0\x9f\x98\x80 end\r\n", 0.03));
  }
  EXPECT_EQ(output_of({"/usr/bin/asciinema", "cat", path.c_str()}, folder),
            "\x1b[31mred \xe2\x82\xac \"\\\xef\xbf\xbd\x1b[m\r\n\xf0\x9f\x98\x80 end\r\n");
  std::filesystem::remove_all(folder);
}

TEST(Recording, EndsAtItsLimitWithAWholeLine) {
  for (uint64_t most : {0u, 10u, 61u, 62u, 63u, 100u, 1000u, 70000u, 200000u}) {
    File file;
    Recording recording(file.copy(), small(), most);
    int failures = 0;
    for (int i = 0; i < 400; i++) {
      Status written = recording.output(std::string(700, '\a'), i);
      if (written) continue;
      failures++;
      EXPECT_EQ(written.error().err, kRecordingIsFull);
    }
    EXPECT_TRUE(recording.finish());
    EXPECT_EQ(failures, 1) << most;
    std::string content = file.content();
    EXPECT_LE(content.size(), most);
    EXPECT_GT(content.size() + 2 * 700 * 6, most);
    EXPECT_TRUE(content.empty() || content.ends_with("\n"));
  }
}

TEST(Recording, FitsExactly) {
  File whole, limited;
  std::string all;
  for (uint64_t most : {UINT64_MAX, uint64_t{0}}) {
    File& file = most == 0 ? limited : whole;
    Recording recording(file.copy(), small(), most == 0 ? all.size() : most);
    EXPECT_TRUE(recording.output("text", 0));
    EXPECT_TRUE(recording.finish());
    all = file.content();
  }
  EXPECT_EQ(limited.content(), whole.content());
}

}  // namespace
}  // namespace ringwall::terminal
