#include "net/name_table.h"

#include <gtest/gtest.h>

#include <set>

namespace ringwall::net {
namespace {

TEST(NameTable, EachNameHasAnAddressOfItsOwn) {
  NameTable names;
  auto first = names.address_of("a.example.com");
  auto second = names.address_of("b.example.com");
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  EXPECT_EQ(names.address_of("a.example.com"), first);
  EXPECT_EQ(names.at(*first)->name, "a.example.com");
  EXPECT_EQ(names.at(*second)->name, "b.example.com");
}

TEST(NameTable, WhatWasNeverGivenOutStandsForNothing) {
  NameTable names;
  uint32_t only = *names.address_of("a.example.com");
  EXPECT_EQ(names.at(only - 1), nullptr);
  EXPECT_EQ(names.at(only + 1), nullptr);
  EXPECT_EQ(names.at(0), nullptr);
  EXPECT_EQ(names.at(UINT32_MAX), nullptr);
}

TEST(NameTable, ItEndsWithTheNetwork) {
  NameTable names;
  std::set<uint32_t> seen;
  for (int i = 0; i < 131'070; i++) {
    auto address = names.address_of("n" + std::to_string(i));
    ASSERT_TRUE(address) << i;
    ASSERT_EQ(*address >> 17, 0xc6120000u >> 17) << i;
    ASSERT_TRUE(seen.insert(*address).second) << i;
  }
  EXPECT_FALSE(names.address_of("one.more"));
  EXPECT_TRUE(names.address_of("n7"));
}

}  // namespace
}  // namespace ringwall::net
