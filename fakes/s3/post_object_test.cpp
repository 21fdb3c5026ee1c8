#include "fakes/s3/post_object.h"

#include "base/text/base64.h"
#include "fakes/s3/s3_for_test.h"

namespace fakes {
namespace {

class S3FormUpload : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(t.s3({"PUT", "/data", TestS3::kHere}).status(), 200); }
  Answer post(const std::string& policy, std::vector<std::pair<std::string, std::string>> fields,
              const std::string& file) {
    fields.emplace_back("x-amz-credential", "A/20191105/us-west-2/s3/aws4_request");
    fields.emplace_back("policy", base::base64_encode(policy));
    fields.emplace_back("x-amz-signature", "00");
    std::string body;
    for (const auto& [name, value] : fields)
      body +=
          "--B\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    body += "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f.txt\"\r\n\r\n" +
            file + "\r\n--B--\r\n";
    return t.s3({"POST",
                 "/data",
                 body,
                 {{"Authorization", ""}, {"Content-Type", "multipart/form-data; boundary=B"}}});
  }
  static std::string policy(const std::string& conditions,
                            const std::string& end = "2019-11-05T12:00:00Z") {
    return R"({"expiration": ")" + end + R"(", "conditions": [{"bucket": "data"})" + conditions +
           "]}";
  }
  TestS3 t;
};

TEST_F(S3FormUpload, StoresItsFile) {
  const std::string text("a\r\n--b\0c", 9);
  const Answer answer = post(policy(R"(,["starts-with", "$key", "in/"])"),
                             {{"key", "in/${filename}"}, {"x-amz-meta-step", "7"}}, text);
  EXPECT_EQ(answer.status(), 204) << answer.body();
  const Answer stored = t.s3({"GET", "/data/in/f.txt"});
  EXPECT_EQ(stored.body(), text);
  EXPECT_EQ(stored.response["x-amz-meta-step"], "7");
  EXPECT_EQ(post(policy(""), {{"key", "k"}, {"success_action_status", "201"}}, "x").status(), 201);
  EXPECT_EQ(post(policy(""), {{"key", "long"}}, std::string(100'000, 'x')).status(), 204);
  EXPECT_EQ(t.s3({"GET", "/data/long"}).body().size(), 100'000U);
}

TEST_F(S3FormUpload, KeepsToItsPolicy) {
  EXPECT_EQ(post(policy(R"(,["starts-with", "$key", "in/"])"), {{"key", "out"}}, "x").at("Code"),
            "AccessDenied");
  EXPECT_EQ(post(policy("", "2019-11-05T09:00:00Z"), {{"key", "k"}}, "x").at("Message"),
            "Invalid according to Policy: Policy expired.");
  const std::string range = R"(,["content-length-range", 2, 3])";
  EXPECT_EQ(post(policy(range), {{"key", "k"}}, "x").at("Code"), "EntityTooSmall");
  EXPECT_EQ(post(policy(range), {{"key", "k"}}, "xxxx").at("Code"), "EntityTooLarge");
  EXPECT_EQ(post("{", {{"key", "k"}}, "x").at("Code"), "AccessDenied");
  EXPECT_EQ(post(policy(""), {}, "x").at("ArgumentName"), "key");
  EXPECT_EQ(t.code({"POST",
                    "/data",
                    "--B",
                    {{"Authorization", ""}, {"Content-Type", "multipart/form-data; boundary=B"}}}),
            "MalformedPOSTRequest");
  EXPECT_EQ(t.code({"GET", "/data/k"}), "NoSuchKey");
}

}  // namespace
}  // namespace fakes
