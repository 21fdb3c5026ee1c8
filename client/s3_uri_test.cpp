#include "client/s3_uri.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace client {
namespace {

TEST(S3Uri, IsABucketAndThePrefixOfItsKeys) {
  EXPECT_EQ(parse_s3_uri("s3://data/a/b"), (S3Uri{"data", "a/b"}));
  EXPECT_EQ(parse_s3_uri("s3://data/a/"), (S3Uri{"data", "a"}));
  EXPECT_EQ(parse_s3_uri("s3://data"), (S3Uri{"data", ""}));
  EXPECT_EQ(parse_s3_uri("/data"), std::nullopt);
  EXPECT_EQ(parse_s3_uri("s3data"), std::nullopt);
  for (const char* text :
       {"s3:/data", "S3://data", "s3:data", "s3://", "s3:///a", "s3://ab", "s3://Data",
        "s3://data//a", "s3://data/a/../b", "s3://data/./a", "s3://da_ta/a"})
    EXPECT_THROW(parse_s3_uri(text), std::invalid_argument) << text;
}

}  // namespace
}  // namespace client
