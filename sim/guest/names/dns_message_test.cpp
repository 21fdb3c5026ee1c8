// Messages as glibc, musl and dig send them, and malformed ones.
#include "sim/guest/names/dns_message.h"

#include <gtest/gtest.h>

#include "api/fuzz/fuzz.h"

namespace sim::guest {
namespace {

using namespace std::string_literals;

const std::string kHeader = "\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00"s;

std::string question(const std::string& name, char type = 1) {
  return kHeader + name + "\0\0"s + type + "\0\x01"s;
}
const std::string kName = "\3Ec2\tus-west-2\tamazonaws\3com"s;

NameAnswer everything(const std::string&) {
  return {.exists = true, .address = "169.254.169.253", .host = {}};
}

TEST(DnsMessage, AnAddressComesBehindTheQuestionAsItWasAsked) {
  std::string asked;
  const auto answer = answer_message(question(kName), [&](const std::string& name) {
    asked = name;
    return everything(name);
  });
  EXPECT_EQ(asked, "ec2.us-west-2.amazonaws.com");
  EXPECT_EQ(answer, "\x12\x34\x81\x80\x00\x01\x00\x01\x00\x00\x00\x00"s +
                        question(kName).substr(12) +
                        "\xC0\x0C\x00\x01\x00\x01\x00\x00\x00\x3C\x00\x04\xA9\xFE\xA9\xFD"s);
}

TEST(DnsMessage, ANameWithoutARecordOfTheTypeExistsAllTheSame) {
  const auto answer = answer_message(question(kName, 28), everything);
  EXPECT_EQ(answer,
            "\x12\x34\x81\x80\x00\x01\x00\x00\x00\x00\x00\x00"s + question(kName, 28).substr(12));
}

TEST(DnsMessage, AnUnknownNameGetsNxDomain) {
  const auto answer =
      answer_message(question("\7example\3org"), [](const std::string&) { return NameAnswer{}; });
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->substr(2, 6), "\x81\x83\x00\x01\x00\x00"s);
}

TEST(DnsMessage, AnAddressHasAName) {
  const auto answer = answer_message(
      question("\2"
               "17\1"
               "0\1"
               "0\2"
               "10\7in-addr\4arpa",
               12),
      [](const std::string& name) {
        EXPECT_EQ(name, "17.0.0.10.in-addr.arpa");
        return NameAnswer{.exists = true, .address = {}, .host = "ip-10-0-0-17.ec2.internal"};
      });
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->ends_with("\0\x1b\x0cip-10-0-0-17\3ec2\x08internal\0"s)) << *answer;
}

TEST(DnsMessage, BytesThatNoHostNameHasAreEscaped) {
  answer_message(question("\4a.\n\\"), [](const std::string& name) {
    EXPECT_EQ(name, "a\\046\\010\\092");
    return NameAnswer{};
  });
}

TEST(DnsMessage, WhatIsNoQuestionIsRefused) {
  EXPECT_FALSE(answer_message("", everything));
  EXPECT_FALSE(answer_message(kHeader.substr(0, 11), everything));
  EXPECT_FALSE(answer_message("\x12\x34\x81"s + question(kName).substr(3), everything));
  const auto code = [](const std::string& message) {
    const auto answer = answer_message(message, everything);
    return answer ? answer->at(3) & 0xf : -1;
  };
  EXPECT_EQ(code("\x12\x34\x28"s + question(kName).substr(3)), 4) << "an update";
  EXPECT_EQ(code(kHeader), 1) << "no question";
  EXPECT_EQ(code(kHeader.substr(0, 5) + "\2"s + question(kName).substr(6)), 1) << "two";
  EXPECT_EQ(code(question(kName).substr(0, 20)), 1) << "torn";
  EXPECT_EQ(code(kHeader + "\xC0\x0C\0\1\0\1"s), 1) << "a pointer to itself";
  std::string longest;
  for (int i = 0; i < 8; ++i) longest += "\x1f" + std::string(31, 'a');
  EXPECT_EQ(code(question(longest)), 1) << "257 bytes of name";
}

// An answer is never longer than a datagram and repeats its question.
TEST(DnsMessage, AnyBytesAreAnsweredOrNot) {
  std::mt19937 random(1);
  const std::string seeds[] = {question(kName), question(kName, 28), question("\1a", 12),
                               question("") + "\0\0\x29\x05\xc0\0\0\0\0\0\0"s};
  int answered = 0;
  for (int round = 0; round < api::fuzz_rounds(); ++round) {
    const std::string message = api::damaged(seeds[random() % std::size(seeds)], random);
    const auto answer = answer_message(message, everything);
    if (!answer) continue;
    ++answered;
    ASSERT_LE(answer->size(), 512U);
    ASSERT_EQ(answer->substr(0, 2), message.substr(0, 2));
    ASSERT_TRUE((answer->at(2) & 0x80) != 0);
  }
  EXPECT_GT(answered, api::fuzz_rounds() / 2);
}

}  // namespace
}  // namespace sim::guest
