#include "sim/guest/fiber/curl_command.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/folder_for_test.h"

namespace sim::guest {
namespace {

class CurlCommandTest : public testing::Test {
 protected:
  CurlCommandTest() { std::ofstream(folder_.path() / "group.json") << R"({"group": {}})"; }
  CurlCommand read(const std::string& command) const {
    return read_curl(read_plain_script(command).at(0), folder_.path());
  }
  std::string refusal(const std::string& command) const {
    try {
      read(command);
    } catch (const ScriptError& error) {
      EXPECT_EQ(error.line, 1);
      return error.what();
    }
    return "not refused";
  }

  base::FolderForTest folder_;
};

TEST_F(CurlCommandTest, ARequestIsMadeOfOptions) {
  const CurlCommand made = read(
      "curl --silent --show-error --fail -H 'Authorization: Bearer token' "
      "--header 'Content-Type: application/json' --data @group.json "
      "'https://api.spotinst.io/aws/ec2/group?accountId=act-1'");
  EXPECT_EQ(made.method, "POST") << "as curl has it with data";
  EXPECT_EQ(made.target, "/aws/ec2/group?accountId=act-1");
  EXPECT_EQ(made.headers,
            (std::vector<std::pair<std::string, std::string>>{
                {"Authorization", "Bearer token"}, {"Content-Type", "application/json"}}));
  EXPECT_EQ(made.body, R"({"group": {}})");
  EXPECT_EQ(read("curl https://api.spotinst.io/aws/ec2/group").method, "GET");
  EXPECT_EQ(read("curl -X DELETE https://api.spotinst.io/aws/ec2/group/sig-1").method, "DELETE");
}

TEST_F(CurlCommandTest, WhatIsNotUnderstoodIsRefused) {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(refusal("curl https://example.com/"), "begins with https://api.spotinst.io/"));
  EXPECT_TRUE(has(refusal("curl -d @none.json https://api.spotinst.io/aws/ec2/group"),
                  "none.json: there is no such file"));
  EXPECT_TRUE(
      has(refusal("curl -H token https://api.spotinst.io/aws/ec2/group"), "expected NAME: VALUE"));
  EXPECT_TRUE(has(refusal("curl --retry 3 https://api.spotinst.io/aws/ec2/group"), "--retry"));
  EXPECT_TRUE(has(refusal("curl --silent"), "url"));
}

}  // namespace
}  // namespace sim::guest
