#include "net/redirect.h"

#include <arpa/inet.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_nat.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <netinet/in.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/netlink.h"

namespace ringwall::net {
namespace {

using netlink::Attributes;

constexpr std::string_view kToWall = "to_wall";
constexpr std::string_view kNoWay = "no_way";
constexpr uint32_t kDnat = 0x20;  // IPS_DST_NAT: a rule of the first chain has taken it
constexpr uint8_t kReset = 0x04;  // of TCP's flags
constexpr int32_t kBeforeRouting = -100;
// Of each family that are kept until they are read, which is done every few seconds; more are
// refused all the same. As many as one message can take out again.
constexpr uint32_t kMostRefused = 1024;

template <typename Plain>
std::string_view view(const Plain& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string netfilter_message(uint16_t type, uint16_t flags, uint8_t family, uint16_t resource,
                              const Attributes& attributes = {}) {
  nfgenmsg general{family, NFNETLINK_V0, htons(resource)};
  return netlink::message(type, flags, view(general), attributes);
}

std::string table_message(int type, uint16_t flags, const Attributes& attributes) {
  return netfilter_message(static_cast<uint16_t>((NFNL_SUBSYS_NFTABLES << 8) | type), flags,
                           NFPROTO_INET, 0, attributes);
}

// One rule: each part narrows what it is for, the last says what is done. Everything works through
// the first register.
class Rule {
 public:
  explicit Rule(std::string_view chain) : chain_(chain) {}

  Rule& family(uint8_t wanted) { return meta(NFT_META_NFPROTO).equals(view(wanted)); }
  Rule& protocol(uint8_t wanted) { return meta(NFT_META_L4PROTO).equals(view(wanted)); }

  Rule& port(uint16_t first, uint16_t last) {
    load(NFT_PAYLOAD_TRANSPORT_HEADER, 2, 2);
    uint16_t from = htons(first), to = htons(last);
    if (first == last) return equals(view(from));
    Attributes inner;
    inner.number(NFTA_RANGE_SREG, NFT_REG_1).number(NFTA_RANGE_OP, NFT_RANGE_EQ);
    inner.nest(NFTA_RANGE_FROM_DATA, value(view(from)));
    inner.nest(NFTA_RANGE_TO_DATA, value(view(to)));
    return add("range", inner);
  }

  // The first `bits` of where it is going.
  Rule& destination(const uint8_t* address, bool is_ipv6, unsigned bits) {
    family(is_ipv6 ? NFPROTO_IPV6 : NFPROTO_IPV4);
    if (bits == 0) return *this;
    uint32_t length = is_ipv6 ? 16 : 4;
    load(NFT_PAYLOAD_NETWORK_HEADER, is_ipv6 ? 24 : 16, length);
    std::string mask(length, '\0');
    for (unsigned bit = 0; bit < bits; bit++)
      mask[bit / 8] = static_cast<char>(mask[bit / 8] | (0x80 >> (bit % 8)));
    if (bits < length * 8) keep_bits(mask);
    return equals({reinterpret_cast<const char*>(address), length});
  }

  Rule& is_redirected() {
    Attributes inner;
    inner.number(NFTA_CT_DREG, NFT_REG_1).number(NFTA_CT_KEY, NFT_CT_STATUS);
    add("ct", inner);
    return keep_bits(view(kDnat)).differs(view(kNothing));
  }

  Rule& is_reset() {
    load(NFT_PAYLOAD_TRANSPORT_HEADER, 13, 1);
    uint8_t none = 0;
    return keep_bits(view(kReset)).differs(view(none));
  }

  // Keeps where it is going. A set that is full ends the rule, and the next one is looked at.
  std::string remember(bool is_ipv6) {
    family(is_ipv6 ? NFPROTO_IPV6 : NFPROTO_IPV4).protocol(IPPROTO_TCP);
    load(NFT_PAYLOAD_NETWORK_HEADER, is_ipv6 ? 24 : 16, is_ipv6 ? 16 : 4);
    load(NFT_PAYLOAD_TRANSPORT_HEADER, 2, 2, is_ipv6 ? NFT_REG32_04 : NFT_REG32_01);
    Attributes counter, inner;
    counter.text(NFTA_EXPR_NAME, "counter").nest(NFTA_EXPR_DATA, {});
    inner.text(NFTA_DYNSET_SET_NAME, is_ipv6 ? kRefused6 : kRefused4);
    inner.number(NFTA_DYNSET_OP, NFT_DYNSET_OP_ADD).number(NFTA_DYNSET_SREG_KEY, NFT_REG_1);
    inner.nest(NFTA_DYNSET_EXPR, counter);
    return add("dynset", inner).done();
  }

  std::string redirect_to(uint16_t to) {
    uint16_t wanted = htons(to);
    Attributes inner;
    inner.number(NFTA_IMMEDIATE_DREG, NFT_REG_1).nest(NFTA_IMMEDIATE_DATA, value(view(wanted)));
    add("immediate", inner);
    Attributes target;
    target.number(NFTA_REDIR_REG_PROTO_MIN, NFT_REG_1)
        .number(NFTA_REDIR_FLAGS, NF_NAT_RANGE_PROTO_SPECIFIED);
    return add("redir", target).done();
  }

  std::string accept() {
    Attributes verdict, data, inner;
    verdict.number(NFTA_VERDICT_CODE, NF_ACCEPT);
    data.nest(NFTA_DATA_VERDICT, verdict);
    inner.number(NFTA_IMMEDIATE_DREG, NFT_REG_VERDICT).nest(NFTA_IMMEDIATE_DATA, data);
    return add("immediate", inner).done();
  }

  std::string refuse(uint32_t how, uint8_t code) {
    Attributes inner;
    inner.number(NFTA_REJECT_TYPE, how).bytes(NFTA_REJECT_ICMP_CODE, view(code));
    return add("reject", inner).done();
  }

 private:
  static constexpr uint32_t kNothing = 0;

  static Attributes value(std::string_view bytes) {
    return Attributes().bytes(NFTA_DATA_VALUE, bytes);
  }

  Rule& add(std::string_view name, const Attributes& data) {
    Attributes expression;
    expression.text(NFTA_EXPR_NAME, name).nest(NFTA_EXPR_DATA, data);
    expressions_.nest(NFTA_LIST_ELEM, expression);
    return *this;
  }

  Rule& meta(uint32_t key) {
    return add("meta", Attributes().number(NFTA_META_DREG, NFT_REG_1).number(NFTA_META_KEY, key));
  }

  Rule& load(uint32_t base, uint32_t offset, uint32_t length, uint32_t into = NFT_REG_1) {
    Attributes inner;
    inner.number(NFTA_PAYLOAD_DREG, into).number(NFTA_PAYLOAD_BASE, base);
    inner.number(NFTA_PAYLOAD_OFFSET, offset).number(NFTA_PAYLOAD_LEN, length);
    return add("payload", inner);
  }

  Rule& keep_bits(std::string_view mask) {
    Attributes inner;
    inner.number(NFTA_BITWISE_SREG, NFT_REG_1).number(NFTA_BITWISE_DREG, NFT_REG_1);
    inner.number(NFTA_BITWISE_LEN, static_cast<uint32_t>(mask.size()));
    inner.nest(NFTA_BITWISE_MASK, value(mask));
    inner.nest(NFTA_BITWISE_XOR, value(std::string(mask.size(), '\0')));
    return add("bitwise", inner);
  }

  Rule& equals(std::string_view bytes) { return compare(NFT_CMP_EQ, bytes); }
  Rule& differs(std::string_view bytes) { return compare(NFT_CMP_NEQ, bytes); }
  Rule& compare(uint32_t how, std::string_view bytes) {
    Attributes inner;
    inner.number(NFTA_CMP_SREG, NFT_REG_1).number(NFTA_CMP_OP, how);
    inner.nest(NFTA_CMP_DATA, value(bytes));
    return add("cmp", inner);
  }

  std::string done() {
    Attributes rule;
    rule.text(NFTA_RULE_TABLE, kTable).text(NFTA_RULE_CHAIN, chain_);
    rule.nest(NFTA_RULE_EXPRESSIONS, expressions_);
    return table_message(NFT_MSG_NEWRULE, NLM_F_CREATE | NLM_F_APPEND, rule);
  }

  std::string_view chain_;
  Attributes expressions_;
};

std::string chain(std::string_view name, std::string_view type, int32_t priority,
                  uint32_t otherwise) {
  Attributes hook, attributes;
  hook.number(NFTA_HOOK_HOOKNUM, NF_INET_LOCAL_OUT);
  hook.number(NFTA_HOOK_PRIORITY, static_cast<uint32_t>(priority));
  attributes.text(NFTA_CHAIN_TABLE, kTable).text(NFTA_CHAIN_NAME, name);
  attributes.nest(NFTA_CHAIN_HOOK, hook).number(NFTA_CHAIN_POLICY, otherwise);
  attributes.text(NFTA_CHAIN_TYPE, type);
  return table_message(NFT_MSG_NEWCHAIN, NLM_F_CREATE, attributes);
}

std::string set_of_refused(bool is_ipv6) {
  constexpr uint32_t kPort = 4;  // as much as a register has
  Attributes attributes, description;
  attributes.text(NFTA_SET_TABLE, kTable).text(NFTA_SET_NAME, is_ipv6 ? kRefused6 : kRefused4);
  attributes.number(NFTA_SET_FLAGS, NFT_SET_EVAL).number(NFTA_SET_ID, is_ipv6 ? 2 : 1);
  attributes.number(NFTA_SET_KEY_TYPE, 0);
  attributes.number(NFTA_SET_KEY_LEN, (is_ipv6 ? 16 : 4) + kPort);
  attributes.nest(NFTA_SET_DESC, description.number(NFTA_SET_DESC_SIZE, kMostRefused));
  return table_message(NFT_MSG_NEWSET, NLM_F_CREATE, attributes);
}

constexpr uint8_t kLoopback4[4] = {127};
constexpr uint8_t kLoopback6[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

Rule to_loopback(std::string_view chain, bool is_ipv6) {
  Rule rule(chain);
  rule.destination(is_ipv6 ? kLoopback6 : kLoopback4, is_ipv6, is_ipv6 ? 128 : 8);
  return rule;
}

std::string rule_of_grant(const policy::HostPattern& grant) {
  uint32_t names = htonl(kNamesNetwork);
  Rule rule(kToWall);
  if (grant.kind == policy::HostPattern::Kind::address) {
    rule.destination(grant.address, grant.is_ipv6, grant.bits);
  } else {
    rule.destination(reinterpret_cast<const uint8_t*>(&names), false, kNamesBits);
  }
  return rule.protocol(IPPROTO_TCP).port(grant.first_port, grant.last_port).redirect_to(kWallPort);
}

std::string rules_to_wall(const Redirected& redirected) {
  std::string rules;
  for (bool is_ipv6 : {false, true}) {
    for (uint16_t port : redirected.host_ports)
      rules += to_loopback(kToWall, is_ipv6)
                   .protocol(IPPROTO_TCP)
                   .port(port, port)
                   .redirect_to(kWallPort);
    rules += to_loopback(kToWall, is_ipv6).accept();
  }
  for (uint8_t protocol : {IPPROTO_UDP, IPPROTO_TCP})
    rules += Rule(kToWall)
                 .protocol(protocol)
                 .port(kResolverPort, kResolverPort)
                 .redirect_to(kResolverPort);
  if (redirected.everything)
    return rules + Rule(kToWall).protocol(IPPROTO_TCP).redirect_to(kWallPort);
  std::set<std::pair<uint16_t, uint16_t>> told;  // many names, few ports
  for (const policy::HostPattern& grant : redirected.grants) {
    bool is_address = grant.kind == policy::HostPattern::Kind::address;
    if (!is_address && !told.emplace(grant.first_port, grant.last_port).second) continue;
    rules += rule_of_grant(grant);
  }
  return rules;
}

std::string rules_of_refusal() {
  constexpr uint32_t kPortUnreachable = NFT_REJECT_ICMPX_UNREACH;
  std::string rules = Rule(kNoWay).is_redirected().accept();
  // The refusals below are answered with these, which come this way too.
  rules += Rule(kNoWay).protocol(IPPROTO_TCP).is_reset().accept();
  // Nobody comes to the wall by its own address: where to would be unknown.
  rules +=
      Rule(kNoWay).protocol(IPPROTO_TCP).port(kWallPort, kWallPort).refuse(NFT_REJECT_TCP_RST, 0);
  for (bool is_ipv6 : {false, true})
    rules += to_loopback(kNoWay, is_ipv6).accept();
  for (bool is_ipv6 : {false, true})
    rules += Rule(kNoWay).remember(is_ipv6);
  rules += Rule(kNoWay).protocol(IPPROTO_TCP).refuse(NFT_REJECT_TCP_RST, 0);
  rules += Rule(kNoWay).refuse(kPortUnreachable, NFT_REJECT_ICMPX_PORT_UNREACH);
  return rules;
}

// All or nothing.
std::string batch_of(const std::string& messages) {
  return netfilter_message(NFNL_MSG_BATCH_BEGIN, 0, AF_UNSPEC, NFNL_SUBSYS_NFTABLES) + messages +
         netfilter_message(NFNL_MSG_BATCH_END, 0, AF_UNSPEC, NFNL_SUBSYS_NFTABLES);
}

std::string table() {
  return table_message(NFT_MSG_NEWTABLE, NLM_F_CREATE | NLM_F_ACK,
                       Attributes().text(NFTA_TABLE_NAME, kTable));
}

}  // namespace

std::string encode_redirect(const Redirected& redirected) {
  return batch_of(table() + chain(kToWall, "nat", kBeforeRouting, NF_ACCEPT) +
                  chain(kNoWay, "filter", 0, NF_DROP) + set_of_refused(false) +
                  set_of_refused(true) + rules_to_wall(redirected) + rules_of_refusal());
}

std::string encode_forgetting(const std::vector<std::string>& keys, bool is_ipv6) {
  Attributes elements, which;
  for (const std::string& key : keys) {
    Attributes value, element;
    element.nest(NFTA_SET_ELEM_KEY, value.bytes(NFTA_DATA_VALUE, key));
    elements.nest(NFTA_LIST_ELEM, element);
  }
  which.text(NFTA_SET_ELEM_LIST_TABLE, kTable);
  which.text(NFTA_SET_ELEM_LIST_SET, is_ipv6 ? kRefused6 : kRefused4);
  which.nest(NFTA_SET_ELEM_LIST_ELEMENTS, elements);
  return batch_of(table_message(NFT_MSG_DELSETELEM, NLM_F_ACK, which));
}

std::string encode_further_grant(const policy::HostPattern& grant) {
  // The table is there; naming it again has the kernel acknowledge the batch.
  return batch_of(table() + rule_of_grant(grant));
}

}  // namespace ringwall::net
