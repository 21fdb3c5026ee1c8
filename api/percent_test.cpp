#include "api/percent.h"

#include <gtest/gtest.h>

#include "api/toy_for_test.h"

namespace api {
namespace {

std::string percent_encoded(std::string_view text, std::string_view safe = "") {
  std::string out;
  append_percent(out, text, safe);
  return out;
}

TEST(ApiPercent, AllButUnreservedCharactersAreCoded) {
  EXPECT_EQ(percent_encoded("azAZ09-_.~"), "azAZ09-_.~");
  EXPECT_EQ(percent_encoded(" +/%&=ü\n"), "%20%2B%2F%25%26%3D%C3%BC%0A");
  EXPECT_EQ(percent_encoded("a/b c", "/"), "a/b%20c");
}

TEST(ApiPercent, DecodingIsTheReverse) {
  std::string all;
  for (int c = 1; c < 128; ++c)
    if (c >= 0x20 || c == '\t' || c == '\n' || c == '\r') all += static_cast<char>(c);
  all += "üß日本😀";
  EXPECT_EQ(percent_decode(percent_encoded(all), true), all);
  EXPECT_EQ(percent_decode(percent_encoded(all), false), all);
  EXPECT_EQ(percent_decode("%c3%bc", true), "ü");
}

TEST(ApiPercent, APlusIsABlankInFormsOnly) {
  EXPECT_EQ(percent_decode("a+b%2Bc", true), "a b+c");
  EXPECT_EQ(percent_decode("a+b%2Bc", false), "a+b+c");
}

TEST(ApiPercent, WhatIsNoTextIsRefused) {
  for (const char* text : {"%", "%4", "%g0", "%0g", "a%", "%00", "%1f", "%ff", "%c3", "%c3%28",
                           "%ed%a0%80", "%f4%90%80%80", "%c0%80", "\x80"})
    EXPECT_EQ(refusal_of([text] { percent_decode(text, true); }).why, Refusal::Why::kMalformed)
        << text;
}

}  // namespace
}  // namespace api
