// What clients can make of the Price List: its requests, damaged.
#include "fakes/json_fuzz_for_test.h"

namespace fakes {
namespace {

const std::pair<const char*, const char*> kPricingSeeds[] = {
    {"DescribeServices", R"({"ServiceCode":"AmazonS3","FormatVersion":"aws_v1","MaxResults":1})"},
    {"GetAttributeValues",
     R"({"ServiceCode":"AmazonS3","AttributeName":"usagetype","MaxResults":2})"},
    {"GetProducts", R"({"ServiceCode":"AmazonS3","MaxResults":3,"Filters":[)"
                    R"({"Type":"TERM_MATCH","Field":"termType","Value":"OnDemand"},)"
                    R"({"Type":"ANY_OF","Field":"regionCode","Value":"us-west-2,us-east-1"}]})"},
    {"GetProducts", R"({"ServiceCode":"AmazonCloudWatch","NextToken":"cHJpY2luZzox"})"}};

TEST(PricingFuzz, AnswersAnyRequestWithWhatTheServiceHas) {
  fuzz_json({.service = "pricing",
             .target = "AWSPriceListService.",
             .seeds = kPricingSeeds,
             .prepare = [](TestJson&) {},
             .pause = 24h});
}

}  // namespace
}  // namespace fakes
