#include "net/addresses.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

namespace ringwall::net {
namespace {

struct Range {
  bool is_ipv6;
  uint8_t start[16];  // IPv4 in the first four
  unsigned bits;
  std::string_view what;  // empty: public
  // An IPv4 address stands here, to which a translator or a tunnel sends what it gets; the range is
  // what that address is.
  size_t carries_at = 0;
};

constexpr bool kFour = false, kSix = true;
constexpr std::string_view kMetadata = "the metadata service of a cloud";
constexpr std::string_view kLinkLocal = "a link-local address";
constexpr std::string_view kDocumentation = "an address for documentation";
constexpr std::string_view kBenchmarks = "an address for benchmarks";
constexpr std::string_view kProtocols = "an address for protocols of the IETF";
constexpr std::string_view kMapped = "an IPv4 address in the clothes of IPv6";
constexpr std::string_view kOrchid = "a hash and no place (ORCHID)";
constexpr std::string_view kNat64 = "a NAT64 address whose IPv4 address cannot be told";

// The registries of special addresses (RFC 6890 and what followed). The first that fits counts, so
// single addresses stand before the range they lie in.
constexpr Range kRanges[] = {
    {kFour, {169, 254, 169, 254}, 32, kMetadata},
    {kFour, {168, 63, 129, 16}, 32, kMetadata},    // Azure's, in a range that is otherwise public
    {kFour, {100, 100, 100, 200}, 32, kMetadata},  // Alibaba's
    {kFour, {192, 0, 0, 192}, 32, kMetadata},      // Oracle's
    {kFour, {255, 255, 255, 255}, 32, "the broadcast address"},
    {kFour, {0}, 8, "an address of this host"},
    {kFour, {10}, 8, "a private address"},
    {kFour, {100, 64}, 10, "an address behind a carrier's NAT"},
    {kFour, {127}, 8, "a loopback address"},
    {kFour, {169, 254}, 16, kLinkLocal},
    {kFour, {172, 16}, 12, "a private address"},
    {kFour, {192, 0, 0}, 24, kProtocols},
    {kFour, {192, 0, 2}, 24, kDocumentation},
    {kFour, {192, 88, 99}, 24, "a 6to4 relay"},
    {kFour, {192, 168}, 16, "a private address"},
    {kFour, {198, 18}, 15, kBenchmarks},
    {kFour, {198, 51, 100}, 24, kDocumentation},
    {kFour, {203, 0, 113}, 24, kDocumentation},
    {kFour, {224}, 4, "a multicast address"},
    {kFour, {240}, 4, "a reserved address"},
    {kFour, {}, 0, ""},

    {kSix, {}, 128, "the unspecified address"},
    {kSix, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, "a loopback address"},
    {kSix, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96, kMapped},
    {kSix, {0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96, kMapped},  // translated (SIIT)
    {kSix, {}, 96, "", 12},                                     // IPv4-compatible
    {kSix, {0x00, 0x64, 0xff, 0x9b}, 96, "", 12},               // NAT64
    {kSix, {0x00, 0x64, 0xff, 0x9b, 0x00, 0x01}, 48, kNat64, 12},
    {kSix, {0x01, 0x00}, 64, "an address for what is to be dropped"},
    {kSix, {0x20, 0x01, 0x00, 0x00}, 32, "an address of a Teredo tunnel"},
    {kSix, {0x20, 0x01, 0x00, 0x02}, 48, kBenchmarks},
    {kSix, {0x20, 0x01, 0x00, 0x10}, 28, kOrchid},
    {kSix, {0x20, 0x01, 0x00, 0x20}, 28, kOrchid},
    {kSix, {0x20, 0x01, 0x0d, 0xb8}, 32, kDocumentation},
    {kSix, {0x20, 0x01}, 23, kProtocols},
    {kSix, {0x20, 0x02}, 16, "", 2},  // 6to4
    {kSix, {0x3f, 0xff}, 20, kDocumentation},
    {kSix, {0x20}, 3, ""},  // all that was ever given out
    {kSix, {0x5f, 0x00}, 16, "a segment of a route"},
    {kSix, {0xfd, 0, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54}, 128, kMetadata},
    {kSix, {0xfd, 0x20, 0, 0xce, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54}, 128, kMetadata},
    {kSix, {0xfc}, 7, "a private address"},
    {kSix, {0xfe, 0x80}, 10, kLinkLocal},
    {kSix, {0xfe, 0xc0}, 10, "a site-local address"},
    {kSix, {0xff}, 8, "a multicast address"},
    {kSix, {}, 0, "an address that was never given out"},
};

bool lies_in(const uint8_t* bytes, const uint8_t* start, unsigned bits) {
  if (memcmp(bytes, start, bits / 8) != 0) return false;
  unsigned rest = bits % 8;
  return rest == 0 || (bytes[bits / 8] ^ start[bits / 8]) >> (8 - rest) == 0;
}

const Range& range_of(bool is_ipv6, const uint8_t* bytes) {
  for (const Range& range : kRanges) {
    if (range.is_ipv6 == is_ipv6 && lies_in(bytes, range.start, range.bits)) return range;
  }
  return kRanges[std::size(kRanges) - 1];  // not reached: each family ends with a range of all
}

// In NAT64 of the local kind the operator chooses the length of the prefix, and with it where the
// IPv4 address stands. Only the usual one of 96 bits can be told, and only by what it leaves empty.
bool has_plain_prefix(const uint8_t* bytes) {
  return std::all_of(bytes + 8, bytes + 12, [](uint8_t byte) { return byte == 0; });
}

// A host's part that is 0:5efe:a.b.c.d or 200:5efe:a.b.c.d is reached through that IPv4 address.
bool is_isatap(const uint8_t* bytes) {
  constexpr uint8_t kIsatap[] = {0, 0x5e, 0xfe};
  return (bytes[8] & ~2) == 0 && memcmp(bytes + 9, kIsatap, sizeof kIsatap) == 0;
}

Address four_of(uint8_t a, uint8_t b, uint8_t c, uint8_t d) { return {false, {a, b, c, d}}; }

std::string_view what_is(const Address& address) {
  const Range& range = range_of(address.is_ipv6, address.bytes);
  if (!range.what.empty() && (range.carries_at == 0 || !has_plain_prefix(address.bytes)))
    return range.what;
  std::string_view what;
  if (range.carries_at != 0) what = range_of(kFour, address.bytes + range.carries_at).what;
  if (what.empty() && address.is_ipv6 && is_isatap(address.bytes))
    what = range_of(kFour, address.bytes + 12).what;
  return what;
}

}  // namespace

std::string text(const Address& address) {
  char shown[INET6_ADDRSTRLEN];
  if (inet_ntop(address.is_ipv6 ? AF_INET6 : AF_INET, address.bytes, shown, sizeof shown) ==
      nullptr)
    return {};
  return shown;
}

bool is_loopback(const Address& address) {
  static constexpr uint8_t kSix[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return address.is_ipv6 ? memcmp(address.bytes, kSix, sizeof kSix) == 0 : address.bytes[0] == 127;
}

std::vector<Address> loopback_addresses() {
  Address four{false, {127, 0, 0, 1}}, six{true, {}};
  six.bytes[15] = 1;
  return {four, six};
}

std::optional<std::string_view> why_not_public(const Address& address) {
  std::string_view what = what_is(address);
  return what.empty() ? std::nullopt : std::optional(what);
}

bool is_metadata_service(const Address& address) {
  auto is_one = [](const Address& one) {
    return range_of(one.is_ipv6, one.bytes).what == kMetadata;
  };
  return is_one(address) || std::ranges::any_of(carried_addresses(address), is_one);
}

unsigned least_bits_of_block(const Address& address) {
  auto is_near = [](const Range& range) {
    return range.what == kMetadata || range.what == kLinkLocal;
  };
  for (const Address& carried : carried_addresses(address)) {
    if (is_near(range_of(kFour, carried.bytes))) return 128;
  }
  const Range& range = range_of(address.is_ipv6, address.bytes);
  return is_near(range) ? range.bits : 0;
}

std::vector<Address> carried_addresses(const Address& address) {
  const uint8_t* a = address.bytes;
  constexpr uint8_t kMappedStart[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  constexpr uint8_t kTranslatedStart[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  constexpr uint8_t kNothing[16] = {};
  constexpr uint8_t kNat64Start[16] = {0x00, 0x64, 0xff, 0x9b};
  constexpr uint8_t kLocalNat64Start[16] = {0x00, 0x64, 0xff, 0x9b, 0x00, 0x01};
  constexpr uint8_t kTeredoStart[16] = {0x20, 0x01};
  constexpr uint8_t kSixToFourStart[16] = {0x20, 0x02};
  if (!address.is_ipv6) return {};
  std::vector<Address> carried;
  const Address last = four_of(a[12], a[13], a[14], a[15]);
  for (const uint8_t* start : {kMappedStart, kTranslatedStart, kNothing, kNat64Start}) {
    if (lies_in(a, start, 96)) carried.push_back(last);
  }
  if (is_isatap(a)) carried.push_back(last);
  if (lies_in(a, kSixToFourStart, 16)) carried.push_back(four_of(a[2], a[3], a[4], a[5]));
  if (lies_in(a, kTeredoStart, 32)) {
    carried.push_back(four_of(a[4], a[5], a[6], a[7]));  // its server, and its client in disguise
    auto bare = [&](size_t at) { return static_cast<uint8_t>(~a[at]); };
    carried.push_back(four_of(bare(12), bare(13), bare(14), bare(15)));
  }
  if (lies_in(a, kLocalNat64Start, 48)) {
    // One for each length of prefix that an operator may choose (RFC 6052); byte 8 stays empty.
    carried.push_back(four_of(a[6], a[7], a[9], a[10]));
    carried.push_back(four_of(a[7], a[9], a[10], a[11]));
    carried.push_back(four_of(a[9], a[10], a[11], a[12]));
    carried.push_back(last);
  }
  return carried;
}

}  // namespace ringwall::net
