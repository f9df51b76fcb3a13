#include "net/kernel_refusals.h"

#include <gtest/gtest.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>

#include "base/netlink.h"

namespace ringwall::net {
namespace {

using namespace std::string_literals;
using netlink::Attributes;

Attributes element(const std::string& key, const std::string& packets) {
  Attributes value, counter, expression, made;
  value.bytes(NFTA_DATA_VALUE, key);
  counter.bytes(NFTA_COUNTER_BYTES, std::string(8, '\1')).bytes(NFTA_COUNTER_PACKETS, packets);
  expression.text(NFTA_EXPR_NAME, "counter").nest(NFTA_EXPR_DATA, counter);
  made.nest(NFTA_SET_ELEM_KEY, value).nest(NFTA_SET_ELEM_EXPR, expression);
  return made;
}

std::string answer(const Attributes& elements) {
  Attributes all;
  all.text(NFTA_SET_ELEM_LIST_TABLE, "ringwall").text(NFTA_SET_ELEM_LIST_SET, "refused4");
  all.nest(NFTA_SET_ELEM_LIST_ELEMENTS, elements);
  return netlink::message((NFNL_SUBSYS_NFTABLES << 8) | NFT_MSG_NEWSETELEM, NLM_F_MULTI,
                          "\1\0\0\0"s, all);
}

const std::string kFour = "\x0a\1\2\3\0\x16\0\0"s;
const std::string kTwice = "\0\0\0\0\0\0\0\2"s;

TEST(KernelRefusals, AreReadWithTheirPortAndTheirNumber) {
  std::string six = "\x20\1"s + std::string(13, '\0') + "\7\1\xbb\0\0"s;
  Attributes both;
  both.nest(NFTA_LIST_ELEM, element(kFour, kTwice)).nest(NFTA_LIST_ELEM, element(six, kTwice));
  std::vector<KernelRefusal> found;
  auto is_last = parse_kernel_refusals(answer(both), found);
  ASSERT_TRUE(is_last);
  EXPECT_FALSE(*is_last);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(text(found[0].address), "10.1.2.3");
  EXPECT_EQ(found[0].port, 22);
  EXPECT_EQ(found[0].times, 2u);
  EXPECT_EQ(text(found[1].address), "2001::7");
  EXPECT_EQ(found[1].port, 443);
}

TEST(KernelRefusals, EndWithTheKernelsWord) {
  std::vector<KernelRefusal> found;
  auto is_last = parse_kernel_refusals(netlink::message(NLMSG_DONE, 0, "\0\0\0\0"s), found);
  EXPECT_TRUE(is_last && *is_last);
  EXPECT_FALSE(parse_kernel_refusals(netlink::message(NLMSG_ERROR, 0, "\0\0\0\0"s), found));
  EXPECT_TRUE(found.empty());
}

TEST(KernelRefusals, ThatAreCutOffHarmNobody) {
  std::string whole = answer(Attributes().nest(NFTA_LIST_ELEM, element(kFour, kTwice)));
  for (size_t length = 0; length < whole.size(); length++) {
    std::vector<KernelRefusal> found;
    (void)parse_kernel_refusals(std::string(whole, 0, length), found);
    EXPECT_TRUE(found.empty()) << length;
  }
}

TEST(KernelRefusals, OfAnotherKindAreLeftOut) {
  for (const std::string& key : {""s, "\1\2"s, std::string(9, 'x'), std::string(40, 'x')}) {
    std::vector<KernelRefusal> found;
    EXPECT_TRUE(parse_kernel_refusals(
        answer(Attributes().nest(NFTA_LIST_ELEM, element(key, kTwice))), found));
    EXPECT_TRUE(found.empty());
  }
}

}  // namespace
}  // namespace ringwall::net
