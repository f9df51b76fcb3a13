#include "net/name_table.h"

#include <gtest/gtest.h>

#include <set>

namespace ringwall::net {
namespace {

TEST(NameTable, EachNameHasAnAddressOfItsOwn) {
  NameTable names;
  auto first = names.address_of("a.example.com", true);
  auto second = names.address_of("b.example.com", true);
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  EXPECT_EQ(names.address_of("a.example.com", true), first);
  EXPECT_EQ(names.at(*first)->name, "a.example.com");
  EXPECT_EQ(names.at(*second)->name, "b.example.com");
}

TEST(NameTable, WhatWasNeverGivenOutStandsForNothing) {
  NameTable names;
  uint32_t only = *names.address_of("a.example.com", true);
  EXPECT_EQ(names.at(only - 1), nullptr);
  EXPECT_EQ(names.at(only + 1), nullptr);
  EXPECT_EQ(names.at(0), nullptr);
  EXPECT_EQ(names.at(UINT32_MAX), nullptr);
}

TEST(NameTable, ItEndsWithTheNetwork) {
  NameTable names;
  std::set<uint32_t> seen;
  for (int i = 0; i < 131'070; i++) {
    auto address = names.address_of("n" + std::to_string(i), true);
    ASSERT_TRUE(address) << i;
    ASSERT_EQ(*address >> 17, 0xc6120000u >> 17) << i;
    ASSERT_TRUE(seen.insert(*address).second) << i;
  }
  EXPECT_FALSE(names.address_of("one.more", true));
  EXPECT_TRUE(names.address_of("n7", true));
}

// Below a wildcard there are as many names as a program likes to ask for.
TEST(NameTable, MadeUpNamesLeaveRoomForExactOnes) {
  NameTable names;
  int made_up = 0;
  while (made_up <= 131'070 && names.address_of("n" + std::to_string(made_up), false))
    made_up++;
  EXPECT_LT(made_up, 131'070);
  EXPECT_FALSE(names.address_of("one.more", false));
  EXPECT_TRUE(names.address_of("n7", false));
  EXPECT_TRUE(names.address_of("exact.example.com", true));
  EXPECT_TRUE(names.address_of("other.example.com", true));
}

}  // namespace
}  // namespace ringwall::net
