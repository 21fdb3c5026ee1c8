// S3 answers damaged requests of clients with an error and never crashes.
#include "api/fuzz/fuzz.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "fakes/s3/s3_for_test.h"

namespace fakes {
namespace {

const TestS3::Asked kS3Seeds[] = {
    {"PUT", "/data"},
    {"PUT", "/data/dir/key", "bytes", {{"Content-MD5", "zg9GD+QJSwQ3hJjJHpXFxg=="}}},
    {"PUT",
     "/data/key",
     "5;chunk-signature=aa\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n",
     {{"x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"},
      {"Content-Encoding", "aws-chunked"}}},
    {"GET", "/data/key", "", {{"Range", "bytes=1-3"}, {"If-None-Match", "\"a\", \"b\""}}},
    {"HEAD", "/data/key?partNumber=1"},
    {"GET", "/data?list-type=2&delimiter=%2F&max-keys=2&continuation-token=a2V5&encoding-type=url"},
    {"GET", "/data?uploads&key-marker=a&max-uploads=2"},
    {"POST", "/data/key?uploads"},
    {"PUT", "/data/key?partNumber=1&uploadId=ID", "bytes"},
    {"POST", "/data/key?uploadId=ID",
     "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\"e\"</ETag></Part>"
     "</CompleteMultipartUpload>"},
    {"POST", "/data?delete", "<Delete><Object><Key>dir/key</Key></Object></Delete>"},
    {"PUT", "/data/copy", "", {{"x-amz-copy-source", "data/key"}}},
    {"PUT", "/data/key?tagging",
     "<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>"},
    {"PUT", "/data?lifecycle",
     "<LifecycleConfiguration><Rule><Status>Enabled</Status><Filter><Prefix>a</Prefix></Filter>"
     "<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation>"
     "</AbortIncompleteMultipartUpload></Rule></LifecycleConfiguration>"},
    {"GET",
     "/data/key?X-Amz-Credential=A%2F20191105%2Fus-west-2%2Fs3%2Faws4_request&X-Amz-Date="
     "20191105T100000Z&X-Amz-Expires=60",
     "",
     {{"Authorization", ""}}},
    {"GET", "/key", "", {{"Host", "data.s3.us-west-2.amazonaws.com"}}},
    {"DELETE", "/data/key"}};

TEST(S3Fuzz, AnswersAnyRequestWithWhatS3Has) {
  const std::set<int> allowed{200, 204, 206, 304, 400, 403, 404, 405, 409, 411, 412, 416, 501};
  std::mt19937 random(3);
  std::unique_ptr<TestS3> t;
  std::string upload;
  int done = 0, refused = 0;
  for (int round = 0; round < api::fuzz_rounds(); ++round) {
    if (round % 200 == 0) {
      t = std::make_unique<TestS3>();
      t->s3({"PUT", "/data", TestS3::kHere});
      t->s3({"PUT", "/data/key", "bytes"});
      upload = t->s3({"POST", "/data/key?uploads"}).at("UploadId");
    }
    TestS3::Asked asked = kS3Seeds[random() % std::size(kS3Seeds)];
    if (const auto id = asked.target.find("ID"); id != asked.target.npos)
      asked.target.replace(id, 2, upload);
    const unsigned what = random() % 4;
    if (what == 0) asked.target = api::damaged(asked.target, random);
    if (what == 1) asked.body = api::damaged(asked.body, random);
    if (what == 2)
      for (auto& [name, value] : asked.headers) value = api::damaged(value, random);
    const Answer answer = t->s3(asked);
    ASSERT_TRUE(allowed.contains(answer.status())) << asked.method << " " << asked.target << "\n"
                                                   << asked.body << "\n"
                                                   << answer.body();
    ++(answer.status() < 400 ? done : refused);
    if (round % 10 == 0) t->run(6h);
  }
  EXPECT_GT(done, api::fuzz_rounds() / 10);
  EXPECT_GT(refused, api::fuzz_rounds() / 10);
}

}  // namespace
}  // namespace fakes
