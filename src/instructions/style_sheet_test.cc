#include "instructions/style_sheet.h"

#include <gtest/gtest.h>

namespace ringwall::instructions {
namespace {

TEST(StyleSheet, GoesByTheSheetsOfThePage) {
  StyleSheet sheet("<style>a:hover{color:red} .x .y{display:none}@media p{#z{opacity:0}}</style>");
  EXPECT_TRUE(sheet.hides("<p class='a y'>"));
  EXPECT_TRUE(sheet.hides("<div id=z>"));
  EXPECT_TRUE(sheet.hides("<p style=\"display&#x3a;none\">"));
  EXPECT_FALSE(sheet.hides("<p class='x'>"));
  EXPECT_FALSE(sheet.hides("<a>"));
  EXPECT_FALSE(StyleSheet("<style>.y{display:none").hides("<p class=y>"));
}

TEST(StyleSheet, KnowsTagsThatHideByThemselves) {
  StyleSheet none("");
  for (std::string_view tag :
       {"<template>", "<p hidden>", "<P HIDDEN=''>", "<font color=white>",
        "<font color = '#FEFEFE'>", "<span class='a sr-only'>", "<div class=\"visually-hidden\">",
        "<p class=\"a\"style=\"display:none\">", "<p title='a style b' style='display:none'>",
        "<p style='opacity:0", "<p style=\"display&#58none\">"})
    EXPECT_TRUE(none.hides(tag)) << tag;
  for (std::string_view tag :
       {"<p>", "<", "<p class='hidden-print'>", "<input type=hidden>", "<input type=\"hidden\">",
        "<p title='the hidden truth'>", "<p title='style=\"display:none\"'>",
        "<p aria-hidden=true>", "<p style='background-color:white'>",
        "<p style='color:#333' style='display:none'>", "<font color=red>", "<p =>", "<p style=>",
        "<templates>"})
    EXPECT_FALSE(none.hides(tag)) << tag;
}

}  // namespace
}  // namespace ringwall::instructions
