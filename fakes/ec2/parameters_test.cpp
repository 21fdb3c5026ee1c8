#include "fakes/ec2/parameters.h"

#include <gtest/gtest.h>

#include "fakes/ec2/filters.h"
#include "sim/cloud/error.h"
#include "sim/kernel/random.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;

struct Parsed {
  explicit Parsed(std::string_view encoded) { parse_form(encoded, form); }
  Form form;
};
// Parameters with the form that they are of.
struct Request : private Parsed, public Parameters {
  explicit Request(std::string_view encoded) : Parsed(encoded), Parameters(form) {}
};

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const ApiError& error) {
    return error.code();
  }
  return "";
}

TEST(Form, EscapesAndPlusesAreUndone) {
  Form form;
  parse_form("a=1%2F2+3&b=%C3%A4&c=&d", form);
  EXPECT_EQ(form, (Form{{"a", "1/2 3"}, {"b", "ä"}, {"c", ""}, {"d", ""}}));
}

TEST(Form, WhatIsNoTextIsRefused) {
  for (const char* bad : {"a=%", "a=%4", "a=%GG", "a=%00", "a=%FF", "a=%C3", "a=%ED%A0%80", "=1",
                          "a=1&a=2", "%0b=1"}) {
    Form form;
    EXPECT_EQ(refusal([&] { parse_form(bad, form); }), "MalformedQueryString") << bad;
  }
}

TEST(Form, TooManyParametersAreRefused) {
  std::string many;
  for (int i = 0; i < 2001; ++i) many += "p" + std::to_string(i) + "=&";
  Form form;
  EXPECT_EQ(refusal([&] { parse_form(many, form); }), "MalformedQueryString");
}

TEST(Ec2Parameters, ListsComeInTheOrderOfTheirIndexes) {
  const Request in("Id.10=j&Id.9=i&Id.1=a");
  EXPECT_EQ(in.list("Id"), (std::vector<std::string>{"a", "i", "j"}));
}

TEST(Ec2Parameters, StructuresAreViewsOfTheSameRequest) {
  const Request in("Filter.2.Name=b&Filter.1.Name=a&Filter.1.Value.1=x&Filter.1.Value.2=y");
  const Request one("Filter.1.Name=a&Filter.1.Value.1=x&Filter.1.Value.2=y");
  const auto filters = read_filters(one);
  ASSERT_EQ(filters.size(), 1U);
  EXPECT_EQ(filters[0].values, (std::vector<std::string>{"x", "y"}));
  ASSERT_EQ(in.structures("Filter").size(), 2U);
  EXPECT_EQ(in.structures("Filter")[1].required("Name"), "b");
  EXPECT_EQ(in.structures("Filter")[1].full_name("Name"), "Filter.2.Name");
}

TEST(Ec2Parameters, WrongTypesAreInvalidParameterValues) {
  const Request in("n=1x&huge=99999999999999999999&d=nan&b=yes&t=yesterday&p=-1&zero=0");
  EXPECT_EQ(refusal([&] { (void)in.integer("n"); }), "InvalidParameterValue");
  EXPECT_EQ(refusal([&] { (void)in.integer("huge"); }), "InvalidParameterValue");
  EXPECT_EQ(refusal([&] { (void)in.number("d"); }), "InvalidParameterValue");
  EXPECT_EQ(refusal([&] { (void)in.boolean("b"); }), "InvalidParameterValue");
  EXPECT_EQ(refusal([&] { (void)in.time("t"); }), "InvalidParameterValue");
  EXPECT_EQ(refusal([&] { (void)in.price("p"); }), "InvalidParameterValue");
  EXPECT_EQ(refusal([&] { (void)in.price("zero"); }), "InvalidParameterValue");
  EXPECT_EQ(refusal([&] { (void)in.integer("zero", 1, 5); }), "InvalidParameterValue");
  EXPECT_EQ(refusal([&] { (void)in.required("missing"); }), "MissingParameter");
}

TEST(Ec2Parameters, WhatNobodyAskedForIsUnknown) {
  const Request in("Action=X&Version=2016-11-15&Known=1&Id.1=a&Id.01=b&Odd=2");
  in.integer("Known");
  in.list("Id");
  EXPECT_EQ(refusal([&] { in.check_all_used(); }), "UnknownParameter");
  in.accept("Odd");
  EXPECT_EQ(refusal([&] { in.check_all_used(); }), "UnknownParameter") << "Id.01 is no index";
  in.accept("Id");
  EXPECT_EQ(refusal([&] { in.check_all_used(); }), "");
}

TEST(Ec2Parameters, ARefusedStructureIsUnsupportedOnlyWhenItIsGiven) {
  const Request in("Template.Version=3&TemplateX=1");
  EXPECT_EQ(refusal([&] { in.refuse("Template"); }), "UnsupportedOperation");
  EXPECT_EQ(refusal([&] { in.refuse("Templ"); }), "");
}

TEST(Ec2Filters, WildcardsMatchAsEc2Says) {
  EXPECT_TRUE(wildcard_match("*", ""));
  EXPECT_TRUE(wildcard_match("DL-*-check?oints", "DL-datasets-checkpoints"));
  EXPECT_FALSE(wildcard_match("DL-?", "DL-"));
  EXPECT_TRUE(wildcard_match("a*b*c", "aXbXbXc"));
  EXPECT_FALSE(wildcard_match("a*b", "abc"));
  EXPECT_TRUE(wildcard_match("\\*amazon\\?\\\\", "*amazon?\\"));
  EXPECT_FALSE(wildcard_match("\\*", "x"));
  EXPECT_FALSE(wildcard_match("ABC", "abc"));
}

TEST(Ec2Filters, AHostilePatternEndsSoon) {
  const std::string pattern = std::string(500, '*') + "b", text(1000, 'a');
  EXPECT_FALSE(wildcard_match(pattern, text));
}

// Any bytes at all give parameters or an ApiError, and parameters are text.
TEST(Form, MutatedRequestsNeverDoWorse) {
  const std::string seed =
      "Action=DescribeVolumes&Version=2016-11-15&Filter.1.Name=tag%3AName&Filter.1.Value.1=DL-%2A&"
      "Filter.2.Name=status&Filter.2.Value.1=available&VolumeId.1=vol-0123456789abcdef0&MaxResults="
      "5";
  sim::Stream random = sim::Streams(1).stream("fuzz");
  int parsed = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = seed;
    for (std::uint64_t i = 0; i <= random.below(6); ++i) {
      const auto at = random.below(text.size());
      switch (random.below(3)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, random.below(9));
          break;
        default:
          text.insert(at, seed, random.below(seed.size()), random.below(12));
      }
      if (text.empty()) text = "&";
    }
    try {
      const Request in(text);
      read_filters(in);
      in.list("VolumeId");
      in.integer("MaxResults");
      in.check_all_used();
      ++parsed;
    } catch (const ApiError&) {
    }
  }
  EXPECT_GT(parsed, 100);
}

}  // namespace
}  // namespace fakes::ec2
