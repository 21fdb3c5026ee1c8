#include "api/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "api/toy_for_test.h"
#include "base/time/iso_time.h"

namespace api {
namespace {

std::string time_text(std::string_view iso, TimeFormat format) {
  std::string out;
  append_time(out, base::parse_iso_time(iso).value(), format);
  return out;
}

template <class T>
T scalar_of(Type type, std::string_view text) {
  T value{};
  read_scalar(type, text, &value, "Here");
  return value;
}

void expect_refused_scalar(Type type, std::string_view text, std::string_view expected) {
  std::string any;  // large enough for each type
  std::int64_t number = 0;
  void* const value = type == Type::kBlob ? static_cast<void*>(&any) : &number;
  const Refusal refusal = refusal_of([&] { read_scalar(type, text, value, "Here"); });
  EXPECT_EQ(refusal.why, Refusal::Why::kType) << text;
  EXPECT_EQ(refusal.where, "Here") << text;
  EXPECT_EQ(refusal.found, text);
  EXPECT_EQ(refusal.expected, expected) << text;
}

TEST(ApiScalar, TimesHaveThreeForms) {
  const char* const whole = "2019-11-05T10:00:00Z";
  EXPECT_EQ(time_text(whole, TimeFormat::kIso8601), "2019-11-05T10:00:00.000Z");
  EXPECT_EQ(time_text(whole, TimeFormat::kRfc822), "Tue, 05 Nov 2019 10:00:00 GMT");
  EXPECT_EQ(time_text(whole, TimeFormat::kUnix), "1572948000");
  const char* const part = "2019-11-05T10:00:00.25Z";
  EXPECT_EQ(time_text(part, TimeFormat::kIso8601), "2019-11-05T10:00:00.250Z");
  EXPECT_EQ(time_text(part, TimeFormat::kUnix), "1572948000.25");
  EXPECT_EQ(time_text("1969-12-31T23:59:59.5Z", TimeFormat::kUnix), "-0.5");
}

TEST(ApiScalar, EachFormIsReadBackAnywhere) {
  for (const char* iso : {"2019-11-05T10:00:00Z", "1970-01-01T00:00:00Z", "1999-12-31T23:59:59Z",
                          "2024-02-29T00:00:00Z", "1969-07-20T20:17:40Z"}) {
    for (const auto format : {TimeFormat::kIso8601, TimeFormat::kRfc822, TimeFormat::kUnix})
      EXPECT_EQ(read_time(time_text(iso, format)), base::parse_iso_time(iso)) << iso;
  }
  EXPECT_EQ(read_time("1572948000.123"), base::parse_iso_time("2019-11-05T10:00:00.123Z"));
  EXPECT_EQ(read_time("1.572948e9"), base::parse_iso_time("2019-11-05T10:00:00Z"));
}

TEST(ApiScalar, WhatIsNoTimeIsNone) {
  for (const char* text :
       {"", "now", "2019-13-05T10:00:00Z", "Tue, 05 Xyz 2019 10:00:00 GMT", "1e300", "nan", "inf",
        "Tue, 05 anF 2019 10:00:00 GMT", "Tue, 05 Nov 2019 10:00:00 UTC", "12 ", "-1e10"})
    EXPECT_FALSE(read_time(text)) << text;
}

TEST(ApiScalar, NumbersAreTheShortestTextThatReadsBack) {
  const auto text = [](double value) {
    std::string out;
    append_number(out, value);
    return out;
  };
  EXPECT_EQ(text(1), "1.0");
  EXPECT_EQ(text(0.25), "0.25");
  EXPECT_EQ(text(-3), "-3.0");
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(1e100), "1e+100");
  for (const double value : {1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0})
    EXPECT_EQ(scalar_of<double>(Type::kDouble, text(value)), value);
}

TEST(ApiScalar, IntegersHave32BitsAndLongs64) {
  EXPECT_EQ(scalar_of<std::int64_t>(Type::kInteger, "-2147483648"), -2147483648LL);
  EXPECT_EQ(scalar_of<std::int64_t>(Type::kLong, "9223372036854775807"),
            std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"2147483648", "-2147483649", "", "1.0", "+1", " 1", "0x10"})
    expect_refused_scalar(Type::kInteger, text, "an integer");
  for (const char* text : {"9223372036854775808", "", "1e3"})
    expect_refused_scalar(Type::kLong, text, "a long integer");
}

TEST(ApiScalar, BooleansAreWordsOrDigits) {
  for (const char* text : {"true", "True", "TRUE", "1"})
    EXPECT_TRUE(scalar_of<bool>(Type::kBoolean, text)) << text;
  for (const char* text : {"false", "False", "FALSE", "0"})
    EXPECT_FALSE(scalar_of<bool>(Type::kBoolean, text)) << text;
  for (const char* text : {"", "yes", "tRUE", "true ", "2"})
    expect_refused_scalar(Type::kBoolean, text, "true or false");
}

TEST(ApiScalar, BlobsAreBase64) {
  const std::string bytes("\0\xff\x10", 3);
  std::string text;
  append_scalar(text, Type::kBlob, &bytes, TimeFormat::kNone);
  EXPECT_EQ(text, "AP8Q");
  EXPECT_EQ(scalar_of<std::string>(Type::kBlob, text), bytes);
  for (const char* wrong : {"?", "AP8", "AP8Q="})
    expect_refused_scalar(Type::kBlob, wrong, "base64");
}

TEST(ApiScalar, NumbersAreFinite) {
  for (const char* text : {"", "nan", "inf", "-inf", "1e999", "1,5", "0x1p3"})
    expect_refused_scalar(Type::kDouble, text, "a number");
}

}  // namespace
}  // namespace api
