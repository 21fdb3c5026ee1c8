// The elements of S3's errors besides code and message. `Condition` is taken from moto's tests that
// were verified against AWS. The other elements are from moto's other tests and from S3's
// documentation.
#include "fakes/s3/s3_for_test.h"

namespace fakes {
namespace {

class S3Errors : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(t.s3({"PUT", "/data", TestS3::kHere}).status(), 200);
    ASSERT_EQ(t.s3({"PUT", "/data/key", "bytes"}).status(), 200);
  }
  // The error as "Code Name=text …", without the elements that every error has.
  std::string error(const TestS3::Asked& asked) {
    const Answer answer = t.s3(asked);
    std::string out = answer.at("Code");
    EXPECT_FALSE(answer.at("RequestId").empty());
    EXPECT_EQ(answer.at("HostId").size(), 76U);
    EXPECT_EQ(answer.at("HostId"), answer.response["x-amz-id-2"]);
    for (const auto& element : answer.xml.document_element().children()) {
      const std::string_view name = element.name();
      if (name != "Code" && name != "Message" && name != "RequestId" && name != "HostId")
        out += " " + std::string(name) + "=" + element.child_value();
    }
    return out;
  }
  std::string upload() { return t.s3({"POST", "/data/parts?uploads"}).at("UploadId"); }
  TestS3 t;
};

TEST_F(S3Errors, NameWhatIsMissing) {
  EXPECT_EQ(error({"GET", "/none/key"}), "NoSuchBucket BucketName=none");
  EXPECT_EQ(error({"GET", "/data/a b"}), "NoSuchKey Key=a b");
  EXPECT_EQ(error({"DELETE", "/data/key?uploadId=u-1"}), "NoSuchUpload UploadId=u-1");
  EXPECT_EQ(error({"DELETE", "/data"}), "BucketNotEmpty BucketName=data");
  EXPECT_EQ(error({"GET", "/data?tagging"}), "NoSuchTagSet BucketName=data");
}

TEST_F(S3Errors, NameTheConditionThatDidNotHold) {
  const auto put = [&](const char* header, const char* value) {
    return error({"PUT", "/data/key", "x", {{header, value}}});
  };
  EXPECT_EQ(put("If-None-Match", "*"), "PreconditionFailed Condition=If-None-Match");
  EXPECT_EQ(put("If-Match", "other"), "PreconditionFailed Condition=If-Match");
  EXPECT_EQ(error({"PUT",
                   "/data/copy",
                   "",
                   {{"x-amz-copy-source", "data/key"}, {"x-amz-copy-source-if-match", "other"}}}),
            "PreconditionFailed Condition=x-amz-copy-source-If-Match");
}

TEST_F(S3Errors, NameTheArgument) {
  const std::string at = "/data/parts?uploadId=" + upload();
  EXPECT_EQ(error({"PUT", at + "&partNumber=10001", "x"}),
            "InvalidArgument ArgumentName=partNumber ArgumentValue=10001");
  EXPECT_EQ(error({"GET", at + "&max-parts=-42"}),
            "InvalidArgument ArgumentName=max-parts ArgumentValue=-42");
  EXPECT_EQ(t.s3({"GET", at + "&part-number-marker=-1"}).at("Message"),
            "Argument part-number-marker must be an integer between 0 and 2147483647");
  EXPECT_EQ(t.s3({"GET", at + "&max-parts=2147483689"}).at("Message"),
            "Provided max-parts not an integer or within integer range");
  EXPECT_EQ(t.s3({"GET", "/data?max-keys=-1"}).at("Message"),
            "Argument maxKeys must be an integer between 0 and 2147483647");
  EXPECT_EQ(error({"GET", "/data/key", "", {{"Range", "bytes=9-"}}}),
            "InvalidRange RangeRequested=bytes=9- ActualObjectSize=5");
}

TEST_F(S3Errors, NameTheResourceWhereThereIsNothingElse) {
  EXPECT_EQ(error({"PUT", "/data/key", "x", {{"Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA=="}}}),
            "BadDigest Resource=/data/key");
}

TEST_F(S3Errors, AreAboutStorageClasses) {
  const auto put = [&](const std::string& its) {
    return TestS3::Asked{"PUT", "/data/" + its, "x", {{"x-amz-storage-class", its}}};
  };
  EXPECT_EQ(error(put("STANDARDD")), "InvalidStorageClass StorageClassRequested=STANDARDD");
  EXPECT_EQ(error(put("SNOW")), "InvalidStorageClass StorageClassRequested=SNOW");
  for (const char* its : {"STANDARD_IA", "GLACIER", "DEEP_ARCHIVE"})
    EXPECT_EQ(t.s3(put(its)).status(), 200);
  EXPECT_EQ(t.s3({"GET", "/data/STANDARD_IA"}).body(), "x");
  EXPECT_EQ(error({"GET", "/data/GLACIER"}), "InvalidObjectState StorageClass=GLACIER");
  EXPECT_EQ(t.s3({"HEAD", "/data/GLACIER"}).response["x-amz-storage-class"], "GLACIER");
  EXPECT_EQ(t.code({"PUT", "/data/copy", "", {{"x-amz-copy-source", "data/DEEP_ARCHIVE"}}}),
            "ObjectNotInActiveTierError");
}

TEST_F(S3Errors, ListPartsInPages) {
  const std::string at = "/data/parts?uploadId=" + upload();
  EXPECT_EQ(t.s3({"GET", at}).at("NextPartNumberMarker"), "0");
  for (const char* number : {"1", "2", "10000"}) t.s3({"PUT", at + "&partNumber=" + number, "x"});
  const Answer page = t.s3({"GET", at + "&max-parts=2"});
  EXPECT_EQ(page.all("Part/PartNumber"), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(page.at("IsTruncated"), "true");
  const Answer rest = t.s3({"GET", at + "&part-number-marker=" + page.at("NextPartNumberMarker")});
  EXPECT_EQ(rest.all("Part/PartNumber"), std::vector<std::string>{"10000"});
  EXPECT_EQ(rest.at("IsTruncated"), "false");
}

}  // namespace
}  // namespace fakes
