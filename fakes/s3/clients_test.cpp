// aws-cli, boto3 and curl against S3 over real sockets.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "fakes/client_programs_for_test.h"

namespace fakes {
namespace {

namespace fs = std::filesystem;

class S3Clients : public ClientPrograms {
 protected:
  void SetUp() override {
    ClientPrograms::SetUp();
    fs::create_directories(folder / "up/sub");
    std::ofstream(folder / "up/small.txt") << "small\n";
    std::ofstream(folder / "up/sub/a b+c.txt") << "with blanks\n";
    std::string large(19 << 20, '\0');  // three parts of 8 MiB, as aws-cli makes them
    for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 7 + i / 4096);
    std::ofstream(folder / "up/large.bin", std::ios::binary) << large;
  }
  std::string run(const std::string& script) {
    return ClientPrograms::run("s3() { aws s3 \"$@\"; }\n" + script);
  }
};

TEST_F(S3Clients, AwsCliSyncsBothWays) {
  run("s3 mb s3://data\ns3 sync up s3://data/job --no-progress\n"
      "s3 sync s3://data/job down --no-progress\ndiff -r up down");
  EXPECT_EQ(t.backend.objects.object("data", "job/large.bin").part_sizes.size(), 3u);
  // aws-cli compares modification times, and these files have times of the real clock.
  EXPECT_EQ(run("find up -type f -exec touch -d 2019-11-01 {} +\ns3 sync up s3://data/job"), "")
      << "nothing is new";
  EXPECT_NE(run("s3 ls s3://data/job/").find("PRE sub/"), std::string::npos);
  run("s3 mv s3://data/job/small.txt s3://data/moved.txt --no-progress\n"
      "s3 cp s3://data/job/large.bin s3://data/copy.bin --no-progress\n"
      "s3 cp s3://data/copy.bin - | cmp - up/large.bin\n"
      "curl -fsS \"$(s3 presign s3://data/moved.txt)\" | cmp - up/small.txt\n"
      "s3 rm s3://data --recursive --quiet\ns3 rb s3://data");
  EXPECT_TRUE(t.backend.objects.buckets().empty());
  EXPECT_EQ(t.backend.objects.bytes(), 0u);
}

TEST_F(S3Clients, Boto3DoesWhatItsGuideShows) {
  python(R"(
import os, boto3, botocore
s3 = boto3.client("s3", endpoint_url=os.environ["ENDPOINT"])
s3.create_bucket(Bucket="data", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
s3.get_waiter("bucket_exists").wait(Bucket="data")
s3.upload_file("up/large.bin", "data", "large.bin", ExtraArgs={"Metadata": {"step": "7"}})
head = s3.head_object(Bucket="data", Key="large.bin")
assert head["ContentLength"] == 19 << 20 and head["Metadata"] == {"step": "7"}, head
s3.download_file("data", "large.bin", "down.bin")
assert open("down.bin", "rb").read() == open("up/large.bin", "rb").read()
for i in range(25):  # the empty one and the next over one connection
    s3.put_object(Bucket="data", Key=f"many/{i:02}", Body=b"x" * i, ChecksumAlgorithm="SHA256")
pages = s3.get_paginator("list_objects_v2").paginate(Bucket="data", Prefix="many/",
                                                     PaginationConfig={"PageSize": 10})
assert [o["Size"] for p in pages for o in p["Contents"]] == list(range(25))
got = s3.get_object(Bucket="data", Key="many/03", ChecksumMode="ENABLED")
assert got["Body"].read() == b"xxx" and got["ChecksumSHA256"], got
s3.copy({"Bucket": "data", "Key": "large.bin"}, "data", "again.bin")
try:
    s3.get_object(Bucket="data", Key="none")
    raise SystemExit("what is not there was read")
except s3.exceptions.NoSuchKey:
    pass
try:
    s3.head_object(Bucket="data", Key="none")
except botocore.exceptions.ClientError as error:
    assert error.response["Error"]["Code"] == "404", error.response
bucket = boto3.resource("s3", endpoint_url=os.environ["ENDPOINT"]).Bucket("data")
bucket.objects.all().delete()
bucket.delete()
)");
  EXPECT_TRUE(t.backend.objects.buckets().empty());
}

// The kill strikes before the first part, between parts, within a part, and before the upload is
// completed.
TEST_F(S3Clients, AClientThatIsKilledLeavesTheOldObjectWhole) {
  run("s3 mb s3://data\necho old >old\ns3 cp old s3://data/key --no-progress");
  const auto& bucket = t.backend.objects.bucket("data");
  for (std::size_t parts = 0; parts <= 3; ++parts) {
    int status = 0;
    loopback.run({"/usr/bin/aws", "--endpoint-url", getenv("ENDPOINT"), "s3", "cp",
                  (folder / "up/large.bin").string(), "s3://data/key"},
                 status, [&] {
                   return !bucket.uploads.empty() &&
                          bucket.uploads.begin()->second.parts.size() >= parts;
                 });
    EXPECT_NE(status, 0) << "killed after " << parts << " parts";
    loopback.settle(1min);
    EXPECT_EQ(bucket.objects.at("key").body.size(), 4u);
    ASSERT_EQ(bucket.uploads.size(), 1u);
    const std::string& id = bucket.uploads.begin()->first;
    EXPECT_EQ(run("aws s3api list-multipart-uploads --bucket data --output text "
                  "--query 'Uploads[].[Key,UploadId]'"),
              "key\t" + id + "\n");
    t.backend.objects.abort_upload("data", std::string(id), "key");
  }
  EXPECT_EQ(run("s3 cp s3://data/key -"), "old\n");
}

}  // namespace
}  // namespace fakes
