#include "audit/zip_reader.h"

#include <zlib.h>

#include <cstdint>
#include <optional>

namespace ringwall::audit {
namespace {

constexpr size_t kEndRecord = 22;  // bytes of the end of the directory
constexpr size_t kLongestComment = 65535;
constexpr size_t kDirectoryEntry = 46;  // bytes before its names
constexpr size_t kLocalHeader = 30;

size_t number_at(std::string_view bytes, size_t at, size_t size) {
  size_t value = 0;
  for (size_t i = 0; i < size; i++)
    value |= size_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

struct Member {
  std::string_view name;
  size_t method = 0;
  size_t packed = 0;  // bytes
  size_t header = 0;  // where it begins
};

Result<std::string> inflate_all(std::string_view packed, size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return fail("cannot unpack");
  std::string out;
  std::string part(1 << 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int state = Z_OK;
  while (state == Z_OK && out.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(part, 0, part.size() - stream.avail_out);
    bool is_stuck = stream.avail_in == 0 && stream.avail_out != 0;
    if (state == Z_OK && is_stuck) state = Z_DATA_ERROR;
  }
  inflateEnd(&stream);
  if (out.size() > most) return fail("it unpacks to more than it should: a bomb");
  if (state != Z_STREAM_END) return fail("a part of it is damaged");
  return out;
}

Result<std::string> unpack(std::string_view archive, const Member& member, size_t most) {
  if (member.header > archive.size() || archive.size() - member.header < kLocalHeader ||
      archive.substr(member.header, 4) != "PK\x03\x04")
    return fail("a part of it is not where it should be");
  size_t start = member.header + kLocalHeader + number_at(archive, member.header + 26, 2) +
                 number_at(archive, member.header + 28, 2);
  if (start > archive.size() || archive.size() - start < member.packed)
    return fail("a part of it is cut off");
  std::string_view packed = archive.substr(start, member.packed);
  if (member.method == 8) return inflate_all(packed, most);
  if (member.method != 0) return fail("a part of it is packed in an unusual way");
  if (packed.size() > most) return fail("a part of it is too big");
  return std::string(packed);
}

// Where the directory begins, and how many entries it has.
Result<std::pair<size_t, size_t>> find_directory(std::string_view archive) {
  if (archive.size() < kEndRecord) return fail("it is no archive");
  size_t first = archive.size() > kEndRecord + kLongestComment
                     ? archive.size() - kEndRecord - kLongestComment
                     : 0;
  // Some readers take the last record, others one whose directory ends where it begins.
  std::optional<size_t> found;
  for (size_t at = archive.rfind("PK\x05\x06"); at != std::string_view::npos && at >= first;
       at = at == 0 ? std::string_view::npos : archive.rfind("PK\x05\x06", at - 1)) {
    if (archive.size() - at < kEndRecord) continue;
    bool fits = number_at(archive, at + 16, 4) + number_at(archive, at + 12, 4) == at;
    if (!fits && !found) return fail("it has an end that fits no directory");
    if (fits && found) return fail("it has two ends: readers differ in what it holds");
    if (fits) found = at;
  }
  if (!found) return fail("it is no archive");
  return std::pair(number_at(archive, *found + 16, 4), number_at(archive, *found + 10, 2));
}

}  // namespace

Status read_zip(std::string_view archive, const std::function<bool(std::string_view name)>& wants,
                const std::function<void(std::string_view name, std::string_view content)>& use) {
  TRY_ASSIGN(auto directory, find_directory(archive));
  auto [at, count] = directory;
  if (count > kMostMembers) return fail("it has too many parts");
  size_t left = kMostArchiveBytes;
  for (size_t i = 0; i < count; i++) {
    if (at > archive.size() || archive.size() - at < kDirectoryEntry ||
        archive.substr(at, 4) != "PK\x01\x02")
      return fail("its directory is damaged");
    size_t name = number_at(archive, at + 28, 2);
    size_t rest = number_at(archive, at + 30, 2) + number_at(archive, at + 32, 2);
    if (archive.size() - at - kDirectoryEntry < name) return fail("its directory is damaged");
    Member member{archive.substr(at + kDirectoryEntry, name), number_at(archive, at + 10, 2),
                  number_at(archive, at + 20, 4), number_at(archive, at + 42, 4)};
    at += kDirectoryEntry + name + rest;
    if (!wants(member.name)) continue;
    TRY_ASSIGN(std::string content, unpack(archive, member, std::min(left, kMostMemberBytes)));
    left -= content.size();
    use(member.name, content);
  }
  return {};
}

}  // namespace ringwall::audit
