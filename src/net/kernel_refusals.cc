#include "net/kernel_refusals.h"

#include <arpa/inet.h>
#include <endian.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/netlink.h"
#include "net/redirect.h"

namespace ringwall::net {
namespace {

constexpr int kMostAnswers = 256;  // messages; the sets are small

uint16_t message_type(int type) {
  return static_cast<uint16_t>((NFNL_SUBSYS_NFTABLES << 8) | type);
}

// Each attribute of a row of them, as long as they fit.
void for_each(std::string_view row,
              const std::function<void(unsigned type, std::string_view value)>& look) {
  while (row.size() >= NLA_HDRLEN) {
    nlattr header;
    memcpy(&header, row.data(), sizeof header);
    if (header.nla_len < NLA_HDRLEN || header.nla_len > row.size()) return;
    look(header.nla_type & NLA_TYPE_MASK, row.substr(NLA_HDRLEN, header.nla_len - NLA_HDRLEN));
    row.remove_prefix(std::min<size_t>(NLA_ALIGN(header.nla_len), row.size()));
  }
}

std::string_view find(std::string_view row, unsigned wanted) {
  std::string_view found;
  for_each(row, [&](unsigned type, std::string_view value) {
    if (type == wanted) found = value;
  });
  return found;
}

void take_element(std::string_view element, std::vector<KernelRefusal>& found) {
  constexpr size_t kPort = 4;
  std::string_view key = find(find(element, NFTA_SET_ELEM_KEY), NFTA_DATA_VALUE);
  if (key.size() != 4 + kPort && key.size() != 16 + kPort) return;
  KernelRefusal refusal;
  size_t length = key.size() - kPort;
  refusal.address.is_ipv6 = length == 16;
  memcpy(refusal.address.bytes, key.data(), length);
  memcpy(&refusal.port, key.data() + length, sizeof refusal.port);
  refusal.port = ntohs(refusal.port);
  std::string_view counter = find(find(element, NFTA_SET_ELEM_EXPR), NFTA_EXPR_DATA);
  std::string_view packets = find(counter, NFTA_COUNTER_PACKETS);
  if (packets.size() == sizeof refusal.times) memcpy(&refusal.times, packets.data(), 8);
  refusal.times = be64toh(refusal.times);
  refusal.key = key;
  found.push_back(refusal);
}

Status read_set(int rules, std::string_view name, std::vector<KernelRefusal>& found) {
  nfgenmsg general{NFPROTO_INET, NFNETLINK_V0, 0};
  std::string_view head(reinterpret_cast<const char*>(&general), sizeof general);
  netlink::Attributes which;
  which.text(NFTA_SET_ELEM_LIST_TABLE, kTable).text(NFTA_SET_ELEM_LIST_SET, name);
  std::string asked = netlink::message(message_type(NFT_MSG_GETSETELEM), NLM_F_DUMP, head, which);
  if (send(rules, asked.data(), asked.size(), 0) < 0)
    return fail_errno("cannot ask netfilter what it refused");
  alignas(nlmsghdr) char answer[32 << 10];
  for (int i = 0; i < kMostAnswers; i++) {
    // The kernel makes its answers while they are read.
    ssize_t count = recv(rules, answer, sizeof answer, MSG_DONTWAIT);
    if (count <= 0) return fail_errno("cannot read what netfilter refused");
    TRY_ASSIGN(bool is_last, parse_kernel_refusals({answer, static_cast<size_t>(count)}, found));
    if (is_last) return {};
  }
  return fail("netfilter does not come to the end of what it refused");
}

}  // namespace

Result<bool> parse_kernel_refusals(std::string_view answer, std::vector<KernelRefusal>& found) {
  while (answer.size() >= NLMSG_HDRLEN) {
    nlmsghdr header;
    memcpy(&header, answer.data(), sizeof header);
    if (header.nlmsg_len < NLMSG_HDRLEN || header.nlmsg_len > answer.size())
      return fail("netfilter gave an answer that is cut off");
    std::string_view body = answer.substr(NLMSG_HDRLEN, header.nlmsg_len - NLMSG_HDRLEN);
    if (header.nlmsg_type == NLMSG_DONE) return true;
    if (header.nlmsg_type == NLMSG_ERROR) return fail("netfilter does not say what it refused");
    if (header.nlmsg_type == message_type(NFT_MSG_NEWSETELEM) && body.size() >= sizeof(nfgenmsg)) {
      std::string_view row = body.substr(NLMSG_ALIGN(sizeof(nfgenmsg)));
      for_each(find(row, NFTA_SET_ELEM_LIST_ELEMENTS),
               [&](unsigned, std::string_view element) { take_element(element, found); });
    }
    answer.remove_prefix(std::min<size_t>(NLMSG_ALIGN(header.nlmsg_len), answer.size()));
  }
  return false;
}

Status forget_kernel_refusals(int rules, const std::vector<KernelRefusal>& told) {
  for (bool is_ipv6 : {false, true}) {
    std::vector<std::string> keys;
    for (const KernelRefusal& refusal : told) {
      if (refusal.address.is_ipv6 == is_ipv6) keys.push_back(refusal.key);
    }
    if (keys.empty()) continue;
    TRY(netlink::request_by(rules, encode_forgetting(keys, is_ipv6)));
  }
  return {};
}

Result<std::vector<KernelRefusal>> read_kernel_refusals(int rules) {
  std::vector<KernelRefusal> found;
  TRY(read_set(rules, kRefused4, found));
  TRY(read_set(rules, kRefused6, found));
  return found;
}

}  // namespace ringwall::net
