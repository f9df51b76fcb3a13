#include "terminal/cast.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <random>

#include "base/file.h"

namespace ringwall::terminal {
namespace {

const std::string kHeader = "{\"version\": 2, \"width\": 80, \"height\": 24}\n";

CastReader reader_of(std::string_view content) {
  Fd file(memfd_create("cast", MFD_CLOEXEC));
  EXPECT_TRUE(file::write_all(file.get(), content));
  lseek(file.get(), 0, SEEK_SET);
  return CastReader(std::move(file), "a.cast");
}

// What is wrong with it, empty if nothing is.
std::string complaint(std::string_view content) {
  CastReader reader = reader_of(content);
  if (auto header = reader.read_header(); !header) return header.error().text();
  while (true) {
    auto event = reader.next();
    if (!event) return event.error().text();
    if (!*event) return "";
  }
}

TEST(Cast, HeadersOfBothWritersAreRead) {
  auto header =
      reader_of(
          "{\"version\": 2, \"width\": 100, \"height\": 50, \"timestamp\": 1509091818, "
          "\"idle_time_limit\": 1.5, \"env\": {\"SHELL\": \"/bin/zsh\"}, \"theme\": {}}\n")
          .read_header();
  ASSERT_TRUE(header);
  EXPECT_EQ(header->size, (Size{50, 100}));
  EXPECT_EQ(header->idle, 1.5);
  header = reader_of("{\"version\":2,\"width\":0,\"height\":0}").read_header();
  ASSERT_TRUE(header);
  EXPECT_EQ(header->size, (Size{24, 80}));
  EXPECT_FALSE(header->idle);
}

TEST(Cast, EventsAreRead) {
  CastReader reader = reader_of(kHeader +
                                "[0.1, \"o\", \"a\\u001b[1m\\r\\n\xc3\xbc\"]\n"
                                "\n"
                                "[1, \"i\", \"typed\"]\n"
                                "[2, \"m\", \"\"]\r\n"
                                "[3e0,\"r\",\"100x50\"]\n"
                                "[4, \"o\", \"end\"]");
  ASSERT_TRUE(reader.read_header());
  auto first = reader.next();
  ASSERT_TRUE(first && *first);
  EXPECT_EQ((*first)->kind, CastEvent::Kind::output);
  EXPECT_EQ((*first)->seconds, 0.1);
  EXPECT_EQ((*first)->text, "a\x1b[1m\r\n\xc3\xbc");
  EXPECT_EQ(reader.next().value()->kind, CastEvent::Kind::other);
  EXPECT_EQ(reader.next().value()->kind, CastEvent::Kind::other);
  auto resize = reader.next();
  EXPECT_EQ((*resize)->kind, CastEvent::Kind::resize);
  EXPECT_EQ((*resize)->size, (Size{50, 100}));
  EXPECT_EQ(reader.next().value()->text, "end");
  EXPECT_FALSE(reader.next().value());
  EXPECT_FALSE(reader.next().value());
}

TEST(Cast, DamageIsNamedWithItsLine) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "a.cast is empty"},
      {"\n", "line 1: this is no asciicast"},
      {"hello\n", "line 1: this is no asciicast"},
      {std::string("\x1f\x8b\x08\0\0", 5), "line 1: this is no asciicast"},
      {"[1, 2]\n", "line 1: this is no asciicast"},
      {"{}\n", "line 1: the header has no version"},
      {"{\"version\": \"2\"}\n", "line 1: the header has no version"},
      {"{\"version\": 1, \"width\": 80}\n", "asciicast of version 1"},
      {"{\"version\": 3, \"term\": {\"cols\": 80}}\n", "asciicast of version 3"},
      {"{\"version\": 2}\n", "line 1: the header has no width"},
      {"{\"version\": 2, \"width\": -1, \"height\": 1}\n", "line 1: the header has no width"},
      {"{\"version\": 2, \"width\": 1e9, \"height\": 1}\n", "line 1: the header has no width"},
      {"{\"version\": 2, \"width\": 1.5, \"height\": 1}\n", "line 1: the header has no width"},
      {kHeader + "[0, \"o\", \"a\"]\nx\n", "line 3: this is no JSON"},
      {kHeader + "[0, \"o\", \"a\"]\n[1, \"o\", \"cut", "line 3: the recording ends in the middle"},
      {kHeader + "{}\n", "line 2: this is no event"},
      {kHeader + "[0, \"o\"]\n", "line 2: this is no event"},
      {kHeader + "[\"0\", \"o\", \"\"]\n", "line 2: the time of an event"},
      {kHeader + "[-1, \"o\", \"\"]\n", "line 2: the time of an event"},
      {kHeader + "[1e999, \"o\", \"\"]\n", "line 2:"},
      {kHeader + "[0, 0, \"\"]\n", "line 2: kind and data"},
      {kHeader + "[0, \"o\", null]\n", "line 2: kind and data"},
      {kHeader + "[0, \"r\", \"80\"]\n", "line 2: a size must be"},
      {kHeader + "[0, \"r\", \"80x99999999\"]\n", "line 2: a size must be"},
      {kHeader + "[0, \"o\", \"\xff\"]\n", "line 2: this is no JSON"},
      {kHeader + "[0, \"o\", \"\\ud800\"]\n", "line 2: this is no JSON"},
      {kHeader + std::string(100000, '[') + "\n", "line 2: this is no JSON"},
  };
  for (const auto& [content, expected] : cases) {
    std::string said = complaint(content);
    EXPECT_NE(said.find(expected), said.npos) << said << "\nnot: " << expected;
    EXPECT_EQ(said.find_first_of("\x1b\n"), said.npos);
  }
}

TEST(Cast, LinesAreBounded) {
  auto line = [](size_t length) {
    std::string start = "[0, \"o\", \"", end = "\"]";
    return start + std::string(length - start.size() - end.size(), 'x') + end;
  };
  EXPECT_EQ(complaint(kHeader + line(CastReader::kLongestLine) + "\n"), "");
  EXPECT_EQ(complaint(kHeader + line(CastReader::kLongestLine)), "");
  EXPECT_NE(
      complaint(kHeader + line(CastReader::kLongestLine + 1) + "\n").find("line 2: it is longer"),
      std::string::npos);
  EXPECT_NE(complaint(std::string(5 << 20, 'x')).find("line 1: it is longer"), std::string::npos);
}

TEST(Cast, EveryCutFileIsReadToItsCut) {
  const std::string whole = kHeader + "[0.5, \"o\", \"\\u001b[1mx\"]\n[1, \"r\", \"10x10\"]\n";
  for (size_t length = 0; length < whole.size(); length++) {
    std::string said = complaint(whole.substr(0, length));
    bool full_line = length > 0 && (whole[length - 1] == '\n' || whole[length] == '\n');
    EXPECT_EQ(said.empty(), full_line) << length << said;
  }
}

TEST(Cast, RandomChangesDoNoHarm) {
  std::mt19937 random(19);
  const std::string whole = kHeader + "[0.5, \"o\", \"\\u001b[1mx\"]\n[1, \"r\", \"10x10\"]\n";
  for (int i = 0; i < 20000; i++) {
    std::string changed = whole;
    for (size_t n = 1 + random() % 4; n > 0; n--)
      changed[random() % changed.size()] = static_cast<char>(random());
    complaint(changed);
  }
}

TEST(Cast, AFolderCannotBeRead) {
  CastReader reader(file::open("/", O_RDONLY | O_DIRECTORY).value(), "/");
  auto header = reader.read_header();
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().err, EISDIR);
}

}  // namespace
}  // namespace ringwall::terminal
